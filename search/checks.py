"""Checks at start: the index folder must be ours to write in."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error


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
