"""Photos of the tray: what may be kept as one, and under which name. Pure but for the file it is given.

A file is known by its first bytes, never by its name; it is served to the staff alone, as what it is.
"""

from enum import StrEnum
from uuid import uuid4

from django.core.files.base import File

LARGEST = 10 * 1024 * 1024
"""Bytes; a phone's photo has three to six million."""


class PhotoKind(StrEnum):
    """The kinds that every browser shows."""

    JPEG = "jpg"
    PNG = "png"
    WEBP = "webp"

    @property
    def content_type(self) -> str:
        """The media type under which it is served."""
        return "image/jpeg" if self is PhotoKind.JPEG else f"image/{self.value}"


def kind_of(upload: "File[bytes]") -> PhotoKind | None:
    """Which kind of photo a file is; None if it is none, or too large."""
    if not 0 < upload.size <= LARGEST:
        return None
    upload.seek(0)
    head = upload.read(16)
    upload.seek(0)
    if head.startswith(b"\xff\xd8\xff"):
        return PhotoKind.JPEG
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return PhotoKind.PNG
    return PhotoKind.WEBP if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else None


def kind_named(name: str) -> PhotoKind | None:
    """The kind of a photo that was kept, by the name that it was given here."""
    ending = name.rpartition(".")[2]
    return PhotoKind(ending) if ending in {kind.value for kind in PhotoKind} else None


def new_name(kind: PhotoKind) -> str:
    """A name that says nothing and meets no other."""
    return f"{uuid4().hex}.{kind}"
