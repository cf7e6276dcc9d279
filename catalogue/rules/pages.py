"""The page marks of our Markdown: `[p. 3]` stands where the third page of a printed text begins.

Marks are no words: search and comparisons step over them, a reader sees where to open the leaflet.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from catalogue.rules import plain
from catalogue.rules.markup import PAGE_MARK
from catalogue.rules.sections import Section

MARK = re.compile(rf"(?<!\\){PAGE_MARK.pattern} ?")
AT_START = re.compile(r"\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)*\[p\. (\d{1,4})\]")
NO_PLACE = re.compile(r"\s*(?:#|\||$)")  # a mark stands in no heading and in no table
LINE_START = re.compile(r"\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)*")


def mark(number: int) -> str:
    """How the beginning of a page is written."""
    return f"[p. {number}]"


def to_markdown(pages: Sequence[str]) -> str:
    """Plain texts of pages as one text in our Markdown, each page marked where it begins.

    Headings and lists are found in the whole: a sentence goes on over the end of a page. The places are
    found again by counting letters, since `plain` keeps every one of them.
    """
    written = plain.to_markdown(_as_one(pages))
    before = accumulate((_letters(page) for page in pages), initial=0)
    starts = [
        (number, place) for number, (page, place) in enumerate(zip(pages, before, strict=False), 1) if page
    ]
    return _marked(written, starts)


def without(markdown: str) -> str:
    """The text without its marks."""
    return MARK.sub("", markdown)


def blanked(markdown: str) -> str:
    """The text with blanks in place of the marks: every word stays where it is."""
    return MARK.sub(lambda found: " " * len(found[0]), markdown)


def page_of(sections: Sequence[Section], at: int, body: str) -> int | None:
    """The page on which a passage of the section number `at` begins; None where pages are not known."""
    begins = AT_START.match(body)
    if begins:
        return int(begins[1])
    whole = sections[at].body
    place = max(whole.find(body[:80]), 0)
    before = [*(section.body for section in sections[:at]), whole[:place]]
    marks = [int(found[1]) for part in reversed(before) for found in reversed(list(MARK.finditer(part)))]
    return marks[0] if marks else None


def _as_one(pages: Sequence[str]) -> str:
    """One text; a sentence that a page breaks off goes on in the same line."""
    text = ""
    for page in filter(None, pages):
        goes_on = page[0].islower() and bool(text) and not text.rsplit("\n", 1)[-1].startswith("#")
        if goes_on and text.endswith("-"):
            text = text[:-1] + page
        else:
            text += (" " if goes_on else "\n" if text else "") + page
    return text


def _letters(text: str) -> int:
    return sum(letter.isalpha() for letter in text)


def _marked(written: str, starts: list[tuple[int, int]]) -> str:
    lines, seen = [], 0
    waiting = starts[::-1]
    for line in written.split("\n"):
        letters = _letters(line)
        marks = []
        while waiting and waiting[-1][1] < seen + max(letters, 1) and letters:
            marks.append(waiting.pop())
        if marks and NO_PLACE.match(line):
            waiting += marks[::-1]
        elif marks:
            line = _put(line, seen, marks)
        lines.append(line)
        seen += letters
    return "\n".join(lines)


def _put(line: str, seen: int, marks: list[tuple[int, int]]) -> str:
    """The line with its marks before the words that they stand for; of marks in one place the last."""
    places = {_place(line, start - seen): mark(number) for number, start in marks}
    return "".join(_with_marks(line, places))


def _with_marks(line: str, places: dict[int, str]) -> Iterator[str]:
    last = 0
    for place in sorted(places):
        yield f"{line[last:place]}{places[place]} "
        last = place
    yield line[last:]


def _place(line: str, letters: int) -> int:
    """Where the word begins that holds the letter of that number; behind the mark of a list item."""
    start = LINE_START.match(line)
    first = start.end() if start else 0
    if letters <= 0:
        return first
    counts = accumulate(letter.isalpha() for letter in line)
    at = next((index for index, count in enumerate(counts) if count > letters), len(line) - 1)
    return max(first, line.rfind(" ", 0, at) + 1)
