"""One desk action is one transaction, begun again when the database asks for it.

PostgreSQL ends one side of a deadlock; it has written nothing, so the same work is simply done again.
SQLite lets writers in by chance, and one of many may wait in vain: so they stand in line before it, by a lock
on a file beside the database, which the system gives to who has waited longest.
So it is when a constraint stops what another desk wrote first: the second try sees it, and says so in words.
"""

import fcntl
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

ATTEMPTS = 5
DEADLOCK, SERIALISATION, UNIQUE = "40P01", "40001", "23505"

_log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


def in_one_transaction(work: Callable[P, T]) -> Callable[P, T]:
    """Run `work` in a transaction of its own, up to ATTEMPTS times; inside a caller's, once."""

    @wraps(work)
    def attempts(*args: P.args, **kwargs: P.kwargs) -> T:
        left = 1 if connection.in_atomic_block else ATTEMPTS
        while True:
            left -= 1
            try:
                with _turn(), transaction.atomic():
                    return work(*args, **kwargs)
            except (IntegrityError, OperationalError) as error:
                if not left or not _was_in_the_way(error):
                    raise
                _log.info("%s begins again: %s", work.__qualname__, error)

    return attempts


@contextmanager
def _turn() -> Iterator[None]:
    """The writer's turn at a SQLite file; whoever is inside a transaction has had it."""
    place = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or connection.in_atomic_block or not Path(place).is_file():
        yield
        return
    with Path(f"{place}.queue").open("a") as line:
        fcntl.flock(line, fcntl.LOCK_EX)
        yield


def _was_in_the_way(error: DatabaseError) -> bool:
    """Whether another connection was in the way, so that the same work may succeed now."""
    state = getattr(error.__cause__, "sqlstate", None)
    if state is None:
        busy = getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
        return busy or isinstance(error, IntegrityError)
    return state in {DEADLOCK, SERIALISATION, UNIQUE}
