"""The process that opens a PDF: reads it on standard input, writes pieces of lines as JSON, and ends.

What comes in is anybody's, so nothing but this process ever parses it, and the system holds it to so much
memory and time. Started by `catalogue.rules.pdf` and by nobody else; knows neither Django nor the database.
"""

import ctypes
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pypdfium2
from pypdfium2 import raw

MEMORY = 1024 * 1024 * 1024
MOST_LETTERS = 2_000_000  # of all pages together: ten times the longest leaflet
MOST_ON_PAGE = 40_000
GAP = 1.6  # blanks in a line that are wider, in heights of its letters, part two columns or cells
OFF_LINE = 0.6  # a letter so far off its neighbour's base line begins another line
FIRST_PRIVATE, LAST_PRIVATE = 0xE000, 0xF8FF
MOST_GARBLED = 0.2
VOWELS = re.compile(r"[aeiouyàâäáéèêëíîïóôöúùûüœæаеиоуыэюяαεηιουω]", re.IGNORECASE)
LATIN = re.compile(r"[A-Za-zÀ-ÿ]")
FEWEST_VOWELS = 0.15
EVERY = 6  # of so many letters of a line one is asked for its font
ENOUGH_LETTERS = 20
DOTS_PER_INCH = 200
MOST_DOTS = 16_000_000
OCR_SECONDS = 40  # a page
SHARE_FOR_PICTURES = 0.7  # of the time; pages that are left then have no text
LARGEST_FILE = 64 * 1024 * 1024
OCR_LANGUAGES = ("fra", "eng", "spa", "deu", "ita", "nld", "por")
BOLD_NAME = re.compile(r"bold|black|heavy|semibold|demi", re.IGNORECASE)
BOLD_WEIGHT = 600


def main() -> None:
    """Reads the document; says why where it cannot."""
    most_pages, seconds = int(sys.argv[1]), int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    until = time.monotonic() + seconds * SHARE_FOR_PICTURES
    json.dump(_read(sys.stdin.buffer.read(), most_pages, until), sys.stdout)


def _read(data: bytes, most_pages: int, until: float) -> dict[str, Any]:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY}
        return {"refused": "encrypted" if error.err_code in locked else "broken"}
    if len(document) > most_pages:
        return {"refused": "too_many_pages", "detail": f"{len(document)} > {most_pages}"}
    pages, room = [], MOST_LETTERS
    for number in range(len(document)):
        page = _page(document, number, room, until)
        room -= sum(len(line[0]) for line in page["lines"])
        pages.append(page)
        if room <= 0:
            return {"refused": "too_large", "detail": f"> {MOST_LETTERS} letters"}
    return {"pages": pages}


def _page(document: pypdfium2.PdfDocument, number: int, room: int, until: float) -> dict[str, Any]:
    try:
        page = document[number]
        text = page.get_textpage()
    except pypdfium2.PdfiumError:
        return {"lines": [], "state": "broken"}
    try:
        lines = list(_lines(text, min(room, MOST_ON_PAGE)))
        written = "".join(line[0] for line in lines)
        state = "garbled" if _is_garbled(written) else "text" if written.strip() else "picture"
        if state == "text":
            return {"lines": lines, "state": state}
        seen = _seen(page, until)
        return {"lines": seen, "state": "seen"} if seen else {"lines": [], "state": state}
    finally:
        text.close()
        page.close()


# --- letters -----------------------------------------------------------------------------------


def _lines(text: pypdfium2.PdfTextPage, room: int) -> Iterator[list[Any]]:
    """Pieces of lines: words, left, bottom, right, top, size of letters, whether bold."""
    piece = _Piece()
    for index in range(min(text.count_chars(), room)):
        code = raw.FPDFText_GetUnicode(text, index)
        letter = chr(code) if 0 < code < sys.maxunicode and not 0xD800 <= code < 0xE000 else "\ufffd"
        if letter in "\r\n":
            yield from piece.end()
            continue
        box = _box(text, index)
        if piece.is_left_by(box, letter):
            yield from piece.end()
        piece.add(letter, box, text, index)
    yield from piece.end()


def _box(text: pypdfium2.PdfTextPage, index: int) -> tuple[float, float, float, float]:
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    raw.FPDFText_GetCharBox(text, index, left, right, bottom, top)
    return left.value, bottom.value, right.value, top.value


class _Piece:
    """Letters that stand beside each other."""

    def __init__(self) -> None:
        self.letters: list[str] = []
        self.ink = self.looked = 0
        self.size = self.bold = 0.0
        self.x0 = self.y0 = self.x1 = self.y1 = self.base = 0.0
        self.has_ink = False

    def is_left_by(self, box: tuple[float, float, float, float], letter: str) -> bool:
        if not self.has_ink or letter.isspace() or box[2] <= box[0]:
            return False
        size = max(self.size, 1.0)
        is_beside = box[0] - self.x1 < GAP * size and box[0] > self.x1 - 2 * size
        return not (is_beside and abs((box[1] + box[3]) / 2 - (self.y0 + self.y1) / 2) < OFF_LINE * 2 * size)

    def add(
        self,
        letter: str,
        box: tuple[float, float, float, float],
        text: pypdfium2.PdfTextPage,
        index: int,
    ) -> None:
        self.letters.append(letter)
        if letter.isspace() or box[2] <= box[0]:
            return
        left, bottom, right, top = box
        if not self.has_ink:
            self.has_ink = True
            self.x0, self.y0, self.x1, self.y1 = left, bottom, right, top
        self.x0, self.x1 = min(self.x0, left), max(self.x1, right)
        self.y0, self.y1 = min(self.y0, bottom), max(self.y1, top)
        self.size = max(self.size, top - bottom if top - bottom > 0 else 0.0)
        if not self.ink % EVERY:
            self.looked += 1
            self.bold += _is_bold(text, index)
            self.base = max(self.base, raw.FPDFText_GetFontSize(text, index))
        self.ink += 1

    def end(self) -> Iterator[list[Any]]:
        words = "".join(self.letters).strip()
        if words and self.has_ink:
            is_bold = self.bold * 2 > self.looked
            box = [round(side, 1) for side in (self.x0, self.y0, self.x1, self.y1)]
            yield [words, *box, round(self.base or self.size, 1), is_bold]
        self.__init__()  # type: ignore[misc]


def _is_bold(text: pypdfium2.PdfTextPage, index: int) -> bool:
    if raw.FPDFText_GetFontWeight(text, index) >= BOLD_WEIGHT:
        return True
    flags, name = ctypes.c_int(), ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text, index, name, 128, flags)
    return BOLD_NAME.search(name.value.decode("latin-1")) is not None


def _is_garbled(written: str) -> bool:
    """Letters of which nobody knows what they mean: private ones, or words without a vowel."""
    ink = [letter for letter in written if not letter.isspace()]
    odd = sum(FIRST_PRIVATE <= ord(x) <= LAST_PRIVATE or x == "\ufffd" or ord(x) < 32 for x in ink)
    if odd > MOST_GARBLED * max(1, len(ink)):
        return True
    latin = LATIN.findall(written)
    if len(latin) < ENOUGH_LETTERS:
        return False
    return len(VOWELS.findall("".join(latin))) < FEWEST_VOWELS * len(latin)


# --- pictures ----------------------------------------------------------------------------------


def _seen(page: pypdfium2.PdfPage, until: float) -> list[list[Any]]:
    """The words of a scanned page, read by tesseract where it is installed and time is left."""
    program = shutil.which("tesseract")
    if program is None or time.monotonic() > until:
        return []
    width, height = page.get_size()
    scale = min(DOTS_PER_INCH / 72, (MOST_DOTS / max(1.0, width * height)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    rows = memoryview(bytes(bitmap.buffer))
    grey = b"".join(
        rows[start : start + bitmap.width] for start in range(0, bitmap.height * bitmap.stride, bitmap.stride)
    )
    picture = b"P5 %d %d 255\n" % (bitmap.width, bitmap.height) + grey
    told = _ask(program, ["stdin", "stdout", "-l", _languages(program), "tsv"], picture, until)
    return list(_rows(told.decode(errors="replace"), scale, height))


def _languages(program: str) -> str:
    known = (
        _ask(program, ["--list-langs"], b"", time.monotonic() + OCR_SECONDS).decode(errors="replace").split()
    )
    return "+".join(name for name in OCR_LANGUAGES if name in known) or "eng"


def _ask(program: str, words: list[str], given: bytes, until: float) -> bytes:
    # One thread: with more, threads of several pages wait for each other, ten times as long.
    left = min(OCR_SECONDS, max(1.0, until - time.monotonic()))
    environment = os.environ | {"OMP_THREAD_LIMIT": "1"}
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, and words of ours
            [program, *words],
            input=given,
            capture_output=True,
            timeout=left,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout


def _rows(table: str, scale: float, height: float) -> Iterator[list[Any]]:
    """Tesseract's table of words -> pieces of lines."""
    lines: dict[tuple[str, ...], list[list[str]]] = {}
    for row in table.split("\n")[1:]:
        cells = row.split("\t")
        if len(cells) > 11 and cells[0] == "5" and cells[11].strip():
            lines.setdefault(tuple(cells[1:5]), []).append(cells)
    for words in lines.values():
        boxes = [[float(cell) / scale for cell in word[6:10]] for word in words]
        left, right = min(b[0] for b in boxes), max(b[0] + b[2] for b in boxes)
        top, bottom = min(b[1] for b in boxes), max(b[1] + b[3] for b in boxes)
        box = [round(side, 1) for side in (left, height - bottom, right, height - top)]
        yield [" ".join(word[11].strip() for word in words), *box, round(bottom - top, 1), False]


if __name__ == "__main__":
    main()
