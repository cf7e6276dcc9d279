"""Workbooks (XLSX) as tables of text: shared and inline strings, dates, times, numbers as they are shown.

Formulas are never calculated: what the program that saved them left beside them is taken. Archives that
would unpack to more than a library's tables are refused before they are opened. Never raises for bad data.
"""

import datetime as dt
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

import openpyxl

from catalogue.draft import Problem, Reason
from catalogue.imports.tables import IsHeading, Row, Table, clean, framed

MAGIC = b"PK\x03\x04"
MEGABYTE = 1024 * 1024
LARGEST = 300 * MEGABYTE  # unpacked; a sheet of 100,000 games has about 150
MOST_PACKED = 150  # times smaller than unpacked, from LEAST_SUSPECT on; sheets are packed 5 to 30 times
LEAST_SUSPECT = 5 * MEGABYTE
MOST_PARTS = 5000
MOST_EMPTY = 1000  # rows in a sequence behind which no more are expected
MOST_CELLS = 500
SHEET_PART = re.compile(r"xl/worksheets/.*\.xml$", re.IGNORECASE)
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
ZEROS = re.compile(r"0{2,20}")
LARGEST_EXACT = 10**15  # a workbook's numbers have 15 digits; of more, the last are lost
MIDNIGHT = dt.time(0, 0)


def is_workbook(data: bytes) -> bool:
    """Whether the bytes are an XLSX file, from its list of parts alone."""
    if not data.startswith(MAGIC):
        return False
    try:
        with ZipFile(BytesIO(data)) as archive:
            return any(SHEET_PART.match(name) for name in archive.namelist())
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return b"xl/worksheets" in data


def open_workbook(data: bytes, is_heading: IsHeading) -> tuple[list[Table], list[Problem]]:
    """The tables of a workbook, one a sheet that has rows; and what is wrong with it."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            if _is_bomb(archive.infolist()):
                return [], [Problem("", Reason.TOO_LARGE, detail="XLSX")]
        book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
        names = [sheet.title for sheet in book.worksheets if sheet.sheet_state == "visible"]
    except Exception as error:
        return [], [Problem("", Reason.TRUNCATED, detail=f"XLSX: {error}"[:200])]
    tables = [_table(book, name, is_heading, is_one=len(names) == 1) for name in names]
    return [table for table in tables if table.headings or table.sample], []


def _is_bomb(parts: list[ZipInfo]) -> bool:
    unpacked = sum(part.file_size for part in parts)
    packed = max(1, sum(part.compress_size for part in parts))
    is_dense = unpacked > LEAST_SUSPECT and unpacked / packed > MOST_PACKED
    return unpacked > LARGEST or len(parts) > MOST_PARTS or is_dense


def _table(book: Any, name: str, is_heading: IsHeading, *, is_one: bool) -> Table:
    sheet = book[name]

    def whole() -> Iterator[Row | Problem]:
        return _rows(sheet, "" if is_one else f" ({name})")

    return framed(whole, is_heading, sheet=name, is_ragged=True)


def _rows(sheet: Any, behind: str) -> Iterator[Row | Problem]:
    sheet.reset_dimensions()  # what the file says of its size is often wrong, sometimes maliciously so
    empty = number = 0
    try:
        for cells in sheet.iter_rows():
            number += 1
            row = Row(f"row {number}{behind}", tuple(map(_text, cells[:MOST_CELLS])))
            empty = empty + 1 if row.is_empty else 0
            if empty > MOST_EMPTY:
                return
            yield row
    except Exception as error:
        yield Problem(f"row {number + 1}{behind}", Reason.TRUNCATED, detail=f"XLSX: {error}"[:200])


def _text(cell: Any) -> str:
    """A cell as it is shown."""
    value = cell.value
    if value is None or (cell.data_type == "e"):
        return ""
    if isinstance(value, str):
        return clean(ESCAPED.sub(_unescaped, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(value, str(cell.number_format))
    return _moment(value)


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    return (
        "\n"
        if code in (10, 13)
        else (" " if code == 9 else "" if code < 32 or 0xD800 <= code < 0xE000 else chr(code))
    )


def _number(value: float, number_format: str) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e18:
        value = int(value)
    if isinstance(value, int) and abs(value) >= LARGEST_EXACT:
        return f"{value:.5E}"
    if isinstance(value, int) and ZEROS.fullmatch(number_format):
        return str(value).zfill(len(number_format))
    return str(value) if isinstance(value, int) else f"{value:.10g}"


def _moment(value: object) -> str:
    """Days as ISO 8601, times and spans as HH:MM."""
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == MIDNIGHT else value.isoformat(" ", "minutes")
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, dt.time):
        return value.strftime("%H:%M")
    if isinstance(value, dt.timedelta):
        minutes = int(value.total_seconds() // 60)
        return f"{minutes // 60:02}:{minutes % 60:02}"
    return clean(str(value))
