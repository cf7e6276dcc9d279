"""What a server lays out before anybody asks, so that no asker waits for it: the words of each language, the
titles, the index itself. Called by `config.wsgi` in each of its processes, and by the benchmark of speed.
"""

import gc
import logging
import threading

from django.db import connection

from search.engines import Unreadable, get_engine
from search.find import find_passages
from search.wordlists import LANGUAGES

logger = logging.getLogger(__name__)

YOUNG = 10_000
"""A question makes and drops some thousands of objects: looking for forgotten ones among the young that
often (Python: every 700) finds none and costs a tenth of it."""


def start() -> None:
    """Warm up beside the first questions, not before them."""
    threading.Thread(target=_warm_beside, name="warming", daemon=True).start()


def _warm_beside() -> None:
    try:
        warm()
    except Unreadable:
        logger.info("There is no index yet: the first questions lay it out.")
    finally:
        connection.close()


def warm() -> None:
    """Ask one word of each language. What is laid out then stays: it is never looked through for rubbish."""
    for language in LANGUAGES:
        word = next(iter(get_engine().words(language, "fold")), "")
        find_passages(word, reader_language=language)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)
