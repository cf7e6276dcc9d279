"""Telling formats and encodings apart, and refusing early what nobody could read."""

from pathlib import Path

import pytest

from catalogue.draft import Reason
from catalogue.imports.sniff import LARGEST, Format, recognise, sniff
from tests.catalogue.imports.samples import FRONT, NOTICE, RULES, TABLE, WIKI


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (NOTICE, Format.PMB),
        (TABLE, Format.PMB),
        (WIKI, Format.MEDIAWIKI),
        (RULES, Format.RULES),
        (FRONT, Format.RULES),
        ("a;b;c\n1;2;3\n4;5;6\n", Format.TABLE),
        ("Title\tPlayers\nHalma\t2-6\n", Format.TABLE),
        ("<?xml version='1.0'?><items termsofuse='x'><item id='1'/></items>", Format.BGG),
        ("<message>Please try again later.</message>", Format.BGG),
        ("objectname,objectid,own\n", Format.BGG),
        ("# Halma\n\n## One\n\nJump over another piece.", Format.RULES),
    ],
)
def test_formats_are_found(text: str, expected: Format) -> None:
    assert recognise(text.encode()).format == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"title": "Halma", "rules": "Jump over another piece."}',
        "<html><body><h1>Rules</h1></body></html>",
        "<?xml version='1.0'?><items><item id='1'/></items>",
        "Dear all,\nthe library is closed on Monday because of the move.\nRegards",
        "lorem ipsum dolor sit amet " * 40,
    ],
)
def test_other_formats_are_unknown(text: str) -> None:
    found = recognise(text.encode())
    assert found.format is None
    assert [problem.reason for problem in found.problems] == [Reason.UNKNOWN_FORMAT]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings_are_found(encoding: str) -> None:
    found = recognise(NOTICE.encode(encoding))
    assert (found.text, found.format, found.problems) == (NOTICE, Format.PMB, ())


@pytest.mark.parametrize("encoding", ["cp850", "mac-roman"])
def test_other_encodings_are_refused_with_the_first_line_that_cannot_be_read(encoding: str) -> None:
    found = recognise(("\n\n" + NOTICE).encode(encoding))
    assert found.text == ""
    assert [(problem.place, problem.reason) for problem in found.problems] == [("line 3", Reason.ENCODING)]


def test_one_broken_letter_is_told_and_the_rest_is_read() -> None:
    data = NOTICE.encode().replace("Éditions".encode(), b"\xc9ditions", 1)
    found = recognise(data)
    assert found.format == Format.PMB
    assert [(problem.place, problem.reason) for problem in found.problems] == [("line 1", Reason.ENCODING)]


def test_a_file_cut_off_inside_a_letter_is_still_utf_8() -> None:
    found = recognise("Règles du jeu\n\nBut du jeu\n\nIl faut arriver à".encode()[:-1])
    assert found.format == Format.RULES
    assert "Règles du jeu" in found.text


def test_stray_null_characters_are_taken_out_and_told() -> None:
    found = recognise(NOTICE.encode().replace(b"Moudre", b"Mou\x00dre", 1))
    assert found.text == NOTICE
    assert [problem.reason for problem in found.problems] == [Reason.ENCODING]


@pytest.mark.parametrize("data", [b"PK\x03\x04rest", bytes(range(256)) * 40, b"\x00" * 500])
def test_binary_files_are_refused(data: bytes) -> None:
    assert [problem.reason for problem in recognise(data).problems] == [Reason.BINARY]


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_empty_files_are_told(data: bytes) -> None:
    assert [problem.reason for problem in recognise(data).problems] == [Reason.EMPTY]


def test_a_file_of_fifty_megabytes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    problem = sniff(path).problems[0]
    assert problem.reason == Reason.TOO_LARGE
    assert problem.detail == f"50 MB > {LARGEST // 1024 // 1024} MB"


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    assert sniff(tmp_path / "missing.txt").problems[0].reason == Reason.NO_FILE
    assert sniff(tmp_path).problems[0].reason == Reason.NOT_A_FILE
    assert sniff(Path("/dev/zero")).problems[0].reason == Reason.NOT_A_FILE
    (tmp_path / "file").write_text("x")
    assert sniff(tmp_path / "file" / "below").problems[0].reason == Reason.NO_FILE
    assert sniff(tmp_path / ("n" * 300)).problems[0].reason == Reason.NOT_READABLE


def test_line_ends_of_all_systems_are_one() -> None:
    assert recognise(RULES.replace("\n", "\r\n").encode()).text == RULES
    assert recognise(RULES.replace("\n", "\r").encode()).text == RULES
