"""The files of an import: what each is, and its records one after the other, in flat memory.

A long PMB page is cut between notices and read piece by piece; of the other formats a file is read whole
and may not be larger than `sniff` allows. Never raises for bad data, never touches the database.
"""

import codecs
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from catalogue.draft import Problem, Reason, RecordDraft
from catalogue.imports import marc, notices, pdf_file, sheets
from catalogue.imports.columns import Proposal
from catalogue.imports.sheets import Result
from catalogue.imports.sniff import BOMS, MAGIC, MEGABYTE, Format, Sniffed, marc_file, recognise, sniff
from catalogue.imports.tables import Table
from catalogue.marc import Dialect

Reader = Callable[[str, str], Iterator[RecordDraft | Problem]]
PIECE = 2 * MEGABYTE
LARGEST_PAGE = 2048 * MEGABYTE
ENDING = 256 * 1024  # where in a piece a notice to cut before is looked for
ENCODINGS = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


@dataclass(slots=True)
class Reading:
    """One file on its way in; `format`, `encoding` and `at`, how many bytes are read, are known in time."""

    path: Path
    readers: Mapping[Format, Reader]
    asked: Format | None = None
    language: str = ""
    understand: Callable[[Table], Proposal] = sheets.proposal_of
    format: Format | None = None
    encoding: str = ""
    at: int = 0
    _lines: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[Result]:
        if kind := marc_file(self.path, self.asked):
            yield from self._marc(kind)
            return
        pieces = self._pieces() if self._is_long() else None
        if pieces is not None:
            yield from pieces
            return
        found = sniff(self.path, self.asked)
        yield from found.problems
        if found.format is None:
            return
        self.format = found.format
        self.encoding = encoding_of(self.path)
        yield from self._results(found, found.format)
        self.at = size_of(self.path)

    def _marc(self, kind: Format) -> Iterator[Result]:
        """MARC is read as a stream, record by record; each says its character set."""
        self.format = kind
        with self.path.open("rb") as stream:
            for result in marc.read_stream(stream, self.language, Dialect(kind.value)):
                self.at = stream.tell()
                yield result

    def _results(self, found: Sniffed, format: Format) -> Iterator[Result]:
        if format is Format.PDF:
            yield from pdf_file.read(found.data, self.language)
        elif format is Format.TABLE:
            yield from sheets.read_file(found.text, found.data, self.understand)
        else:
            yield from self.readers[format](found.text, self.language)

    def _is_long(self) -> bool:
        """Whether it is a PMB page of more than one piece."""
        if not PIECE < size_of(self.path) <= LARGEST_PAGE or not self.path.is_file():
            return False
        try:
            with self.path.open("rb") as file:
                head = recognise(file.read(PIECE), self.asked)
        except OSError:
            return False
        return head.format is Format.PMB

    def _pieces(self) -> Iterator[RecordDraft | Problem]:
        self.format, self.encoding = Format.PMB, encoding_of(self.path)
        with self.path.open("rb") as file:
            for piece, own in _cut(file):
                yield from self._read(recognise(piece, Format.PMB), own)
                self._lines += own
                self.at = min(file.tell(), self.at + len(piece))

    def _read(self, found: Sniffed, own: int) -> Iterator[RecordDraft | Problem]:
        """What stands in the lines of the piece itself: behind them a notice of the next is seen, whole."""
        for problem in found.problems:
            if _line(problem.place) <= own:
                yield self._moved(problem)
        for result in self.readers[Format.PMB](found.text, self.language):
            if _line(result.place) > own or _is_of_the_page(result):
                continue
            yield self._moved(result)

    def _moved(self, result: "RecordDraft | Problem") -> RecordDraft | Problem:
        return replace(result, place=f"line {_line(result.place) + self._lines}") if result.place else result


def size_of(path: Path) -> int:
    """Bytes of a plain file; 0 where there is none."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def encoding_of(path: Path) -> str:
    """How a text is encoded, as people call it."""
    try:
        with path.open("rb") as file:
            head = file.read(PIECE)
    except OSError:
        return ""
    for mark, encoding in BOMS:
        if head.startswith(mark):
            return ENCODINGS[encoding]
    if head[1:2000:2].count(0) > 100 or head[0:2000:2].count(0) > 100:
        return "UTF-16"
    if head.startswith(MAGIC):
        return ""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError as error:
        return "Windows-1252" if error.end < len(head) else "UTF-8"
    return "UTF-8"


def _is_of_the_page(result: RecordDraft | Problem) -> bool:
    """What speaks of the page as a whole says nothing of a piece."""
    return isinstance(result, Problem) and result.reason in {Reason.RECORDS_MISSING, Reason.NO_RECORD}


def _line(place: str) -> int:
    number = place.rpartition(" ")[2]
    return int(number) if number.isdecimal() else 0


def _cut(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Pieces that begin and end with a notice; each with how many lines are its own.

    A piece ends with the first notice of the next, so that its own last one is read as in the whole page.
    """
    held = b""
    while more := file.read(PIECE):
        held += more
        text = held.decode("utf-8", "surrogateescape")
        starts = _starts(text)
        if len(starts) < 2:
            continue
        own, behind = starts[-2], starts[-1]
        piece, rest = _bytes(text[:own]), _bytes(text[own:])
        yield _bytes(text[:behind]), piece.replace(b"\r\n", b"\n").count(b"\n")
        held = rest
    if held:
        yield held, held.count(b"\n") + held.count(b"\r") + 1


def _starts(text: str) -> list[int]:
    """Notices near the end of `text` that begin a line, of which enough is seen."""
    since = max(0, len(text) - ENDING)
    found = notices.notice_starts(text[since:])
    seen = len(text) - 2 * notices.TITLE_REACH
    return [
        since + start for start in found if 0 < since + start < seen and text[since + start - 1] in "\n\r"
    ]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
