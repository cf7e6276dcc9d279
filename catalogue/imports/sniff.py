"""From a path to text and format: what a file is, before any reader sees it.

Refuses early, with a place and a reason, what nobody could read: no file, too large, binary, broken
encoding, unknown format. Never raises for bad data.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG

from catalogue.draft import Problem, Reason
from catalogue.imports import (
    bgg,
    columns,
    labelled,
    marc,
    mediawiki,
    notices,
    old_encodings,
    tables,
    workbook,
)
from catalogue.rules import foreign, words
from catalogue.text import name_key

MEGABYTE = 1024 * 1024
LARGEST = (
    32 * MEGABYTE
)  # the readers hold a file and what they make of it in memory, about ten times its size

BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
MAGIC = (
    b"%PDF",
    b"PK\x03\x04",
    b"\x89PNG",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"\xd0\xcf\x11\xe0",
    b"7z\xbc\xaf",
)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
CONTROL_BYTES = bytes([*range(9), 11, *range(14, 32), 127])
ASCII = bytes(range(0x80))
SAMPLE = 65536
PDF_REACH = 1024
MOST_CONTROL = 0.002  # share of control characters that a damaged text may have, and a binary file exceeds
# High bytes that Western European text in Windows-1252 uses; other code pages put their letters elsewhere.
WINDOWS_LETTERS = bytes(
    sorted(
        {*range(0xC0, 0x100)} - {0xD7, 0xF7} | {*b"\x80\x85\x8c\x91\x92\x93\x94\x96\x97\x9c\xa0\xab\xb0\xbb"}
    )
)
LEAST_LETTERS = 0.9
MOST_BROKEN = 0.1  # share of broken UTF-8 sequences above which the file is taken for another encoding
LONGEST_TITLE_LINE = 120
PROSE_LINE = re.compile(r"\w+\W+\w+\W+\w+")


class Format(StrEnum):
    """What the importer reads."""

    PMB = "pmb"
    MEDIAWIKI = "mediawiki"
    RULES = "rules"
    UNIMARC = "unimarc"
    MARC21 = "marc21"
    TABLE = "table"
    BGG = "bgg"
    PDF = "pdf"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The text of a file and its format, both empty where there is only a problem; and the problems met.

    A workbook has no text: `data` is its bytes.
    """

    text: str = ""
    format: Format | None = None
    problems: tuple[Problem, ...] = ()
    data: bytes = b""


def sniff(path: Path, asked: Format | None = None) -> Sniffed:
    """Read and recognise a file; `asked` is the format where the caller says it."""
    try:
        data = _bytes(path)
    except OSError as error:
        return _refuse(_os_reason(error), detail=error.strerror or "")
    if isinstance(data, Problem):
        return Sniffed(problems=(data,))
    return recognise(data, asked)


def recognise(data: bytes, asked: Format | None = None) -> Sniffed:
    """As `sniff`, for bytes at hand."""
    if not data.strip():
        return _refuse(Reason.EMPTY)
    if found := marc_format(data[: marc.HEAD], asked):
        return Sniffed(marc.as_text(data), found)
    if asked in (None, Format.PDF) and is_pdf(data):
        return Sniffed(format=Format.PDF, data=data)
    if asked in (None, Format.TABLE) and workbook.is_workbook(data):
        return Sniffed(format=Format.TABLE, data=data)
    text, problems = _decode(data)
    if text is None:
        return Sniffed(problems=problems)
    if not text.strip():
        return _refuse(Reason.EMPTY)
    found = asked or format_of(text)
    if found is None:
        return _refuse(Reason.UNKNOWN_FORMAT, raw=text[:1000])
    return Sniffed(text, found, problems)


def marc_format(head: bytes, asked: Format | None = None) -> Format | None:
    """Which kind of MARC a file is that begins so."""
    if asked is not None:
        return asked if asked in {Format.UNIMARC, Format.MARC21} else None
    found = marc.format_of(head)
    return Format(found.value) if found else None


def marc_file(path: Path, asked: Format | None = None) -> Format | None:
    """Which kind of MARC a plain file is: it need not be held whole, so it may be of any size."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return marc_format(file.read(marc.HEAD), asked)
    except OSError:
        return None


def is_pdf(data: bytes) -> bool:
    """Its sign may stand behind some bytes of a mail or a web server."""
    return b"%PDF-" in data[:PDF_REACH]


def format_of(text: str) -> Format | None:
    """The format of a text, or None."""
    start = text.lstrip()
    if start.startswith("<"):
        return _format_of_xml(start)
    if mediawiki.ENTRY.search(text):
        return Format.MEDIAWIKI
    if notices.notice_starts(text):
        return Format.PMB
    if bgg.is_table(text):
        return Format.BGG
    if not start.startswith("---\n") and tables.is_table(text, columns.is_heading):
        return Format.TABLE
    if not start.startswith("---\n") and labelled.is_page(text):
        return Format.PAGE
    if _is_rules(start) or foreign.is_rules(start):
        return Format.RULES
    return Format.PAGE if labelled.may_be_page(text) else None


def _format_of_xml(start: str) -> Format | None:
    if re.search(r"<feed\b[^>]*2005/Atom", start[:2000]):
        return Format.MEDIAWIKI
    if bgg.is_answer(start):
        return Format.BGG
    return Format.RULES if foreign.is_rules(start) else None


def _refuse(reason: Reason, *, detail: str = "", raw: str = "") -> Sniffed:
    return Sniffed(problems=(Problem("", reason, detail=detail, raw=raw),))


# --- bytes -------------------------------------------------------------------------------------


def _bytes(path: Path) -> bytes | Problem:
    """The content of a plain file. Raises OSError."""
    about = path.stat()
    if not S_ISREG(about.st_mode):
        return Problem("", Reason.NOT_A_FILE)
    if about.st_size > LARGEST:
        detail = f"{about.st_size // MEGABYTE} MB > {LARGEST // MEGABYTE} MB"
        return Problem("", Reason.TOO_LARGE, detail=detail)
    return path.read_bytes()


def _os_reason(error: OSError) -> Reason:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Reason.NO_FILE
    return Reason.NOT_READABLE


def _decode(data: bytes) -> tuple[str | None, tuple[Problem, ...]]:
    """The text, or None with the reason; damaged places that could be passed over are told."""
    if data.startswith(MAGIC):
        return None, (Problem("", Reason.BINARY),)
    decoded = _decode_marked(data)
    if decoded is None and _is_binary(data[:SAMPLE]):
        return None, (Problem("", Reason.BINARY),)
    text, problems = (
        decoded or _decode_utf8(data) or _decode_windows(data) or _decode_old_table(data) or (None, ())
    )
    if text is None:
        return None, (Problem(f"line {_first_odd_line(data)}", Reason.ENCODING),)
    control = CONTROL.findall(text)
    if len(control) > max(3, len(text) * MOST_CONTROL):
        return None, (Problem("", Reason.BINARY),)
    if control:
        found = CONTROL.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else 1
        problems += (
            Problem(f"line {line}", Reason.ENCODING, detail=f"{len(control)} × U+{ord(control[0]):04X}"),
        )
    return _newlines(CONTROL.sub("", text)), problems


def _is_binary(sample: bytes) -> bool:
    rest = sample.translate(None, CONTROL_BYTES)
    return len(sample) - len(rest) > max(3, len(sample) * MOST_CONTROL)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode_marked(data: bytes) -> tuple[str, tuple[Problem, ...]] | None:
    """A file that begins with a byte order mark, or UTF-16 whose every other byte is zero."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _with_damage(data[len(mark) :], encoding)
    head = data[:2000]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        if len(head) > 3 and zeros.count(0) > len(zeros) * 0.7 and head.count(0) < len(head) * 0.6:
            return _with_damage(data, encoding)
    return None


def _decode_utf8(data: bytes) -> tuple[str, tuple[Problem, ...]] | None:
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    is_cut_inside_letter = broken == 1 and text.endswith("\ufffd")
    if broken and broken > MOST_BROKEN * sum(not c.isascii() for c in text) and not is_cut_inside_letter:
        return None
    return _with_damage(data, "utf-8")


def _with_damage(data: bytes, encoding: str) -> tuple[str, tuple[Problem, ...]]:
    text = data.decode(encoding, errors="replace")
    first = text.find("\ufffd")
    if first < 0:
        return text, ()
    place = f"line {text.count(chr(10), 0, first) + 1}"
    return text, (Problem(place, Reason.ENCODING, detail=text[max(0, first - 30) : first + 30]),)


def _decode_windows(data: bytes) -> tuple[str, tuple[Problem, ...]] | None:
    """Windows-1252, if the high bytes are such as its texts have."""
    high = data.translate(None, ASCII)
    letters = len(high) - len(high.translate(None, WINDOWS_LETTERS))
    if letters < LEAST_LETTERS * len(high):
        return None
    try:
        return data.decode("cp1252"), ()
    except UnicodeDecodeError:
        return None


def _decode_old_table(data: bytes) -> tuple[str, tuple[Problem, ...]] | None:
    """A table in the letters of an old machine; which is always said."""
    guessed = old_encodings.guess(data)
    if guessed is None or not tables.is_table(_newlines(guessed[0]), columns.is_heading):
        return None
    place = f"line {_first_odd_line(data.replace(bytes([13]), bytes([10])))}"
    return guessed[0], (Problem(place, Reason.ENCODING_GUESSED, detail=guessed[1]),)


def _first_odd_line(data: bytes) -> int:
    odd = re.search(rb"[\x80-\xff]", data)
    return data.count(b"\n", 0, odd.start()) + 1 if odd else 1


# --- plain text --------------------------------------------------------------------------------


def _is_rules(text: str) -> bool:
    """A head between `---` lines, Markdown headings, or prose under headings that rules use."""
    if text.startswith("---\n"):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    if _is_data(text, lines) or len(lines[0]) > LONGEST_TITLE_LINE:
        return False
    if not any(PROSE_LINE.search(line) for line in lines):
        return False
    return sum(map(_is_marked_heading, lines)) > 1 or any(map(_is_rules_heading, lines))


def _is_marked_heading(line: str) -> bool:
    return re.match(r"#{1,6} \S", line) is not None


def _is_rules_heading(line: str) -> bool:
    return "|" not in line and len(line) < LONGEST_TITLE_LINE and name_key(line) in words.MAIN


def _is_data(text: str, lines: list[str]) -> bool:
    """JSON, or a table whose lines all have the same number of the same mark."""
    if text[:1] in "{[":
        try:
            json.loads(text)
        except ValueError:
            return False
        return True
    for mark in ";\t,":
        counts = [line.count(mark) for line in lines[:20]]
        if len(counts) > 1 and counts[0] and len(set(counts)) == 1:
            return True
    return False
