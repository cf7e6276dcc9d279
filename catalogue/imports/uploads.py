"""Files that were sent to be imported: kept apart from what the public may see, each import in its folder.

Nothing serves this folder; its files are for the worker, and for whoever keeps the library.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from uuid import uuid4

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from catalogue.models import ImportBatch

LONGEST_NAME = 120


def folder() -> Path:
    """Where they are."""
    return Path(settings.MEDIA_ROOT, "imports")


def keep(files: "Iterable[UploadedFile[bytes]]") -> list[Path]:
    """Write the files where the worker finds them, piece by piece; their names stay, made safe."""
    place = folder() / uuid4().hex
    place.mkdir(parents=True, mode=0o700)
    paths = []
    for number, file in enumerate(files, start=1):
        path = place / str(number) / safe_name(file.name or "")
        path.parent.mkdir(mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as kept:
            for chunk in file.chunks():
                kept.write(chunk)
        paths.append(path)
    return paths


def safe_name(sent: str) -> str:
    """A name without folders and control characters."""
    last = PurePosixPath(sent.replace("\\", "/")).name
    kept = "".join(c for c in last if c.isprintable()).strip(" .")
    while len(kept.encode()) > LONGEST_NAME:
        kept = kept[1:]
    return kept or "file"


def forget(batch: ImportBatch) -> None:
    """Remove what was kept for a batch. Files that a command named elsewhere are nobody's business."""
    places = {Path(str(file["path"])).parent.parent for file in batch.files}
    for place in places:
        if place.parent == folder():
            shutil.rmtree(place, ignore_errors=True)
