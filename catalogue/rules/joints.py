"""Where lines were run together, and the lines again.

A page saved as text loses line breaks without a trace: `...la table.Les 12 ailes`, `:- 4 joueurs : 6 fincas-
3 joueurs`, `2 charrettes.2. Approvisionner`. Only white space changes here. Called by `plain` and `split`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from catalogue.rules import words
from catalogue.rules.headings import is_title
from catalogue.text import name_key

SMALL, CAPITAL = r"a-zß-öø-ÿœ", r"A-ZÀ-ÖØ-ÞŒ"
END = rf"(?<=[{SMALL}\d)\"»'][.!?])"
SENTENCE = re.compile(rf"{END}(?=[{CAPITAL}«¿¡]['’{SMALL}]|[{CAPITAL}] )")
STEP = re.compile(rf"(?:(?<=[{SMALL})\"»][.:!?])|(?<=\s:))(?=\d{{1,2}}[.)] ?[{CAPITAL}])")
OPENER = re.compile(rf"(?<=[{SMALL}])(?=(?:{words.OPENERS})\s)")
SURE = re.compile(rf"(?<=[{SMALL}.!?)])(?=(?:{words.SURE})\s*[.:])")
# A heading inside a line, after a full stop: before a colon, or before the capital of its text.
BEFORE_COLON = re.compile(rf"(?<=[.!?]) +(?=([{CAPITAL}][^.:!?\n]{{1,40}}?) ?:)")
BEFORE_CAPITAL = re.compile(rf"(?<=[.!?]) +({words.SURE}) +(?=[{CAPITAL}][{SMALL}'’ ])")
# A heading of a few words that is left at the end of a line: `never more. Tuile "bonus".`
FRAGMENT = re.compile(rf"(?<=[^\d\s][.!?)] )(?=[{CAPITAL}](?:[^\s.]+ ){{0,4}}[^\s.]+\.$)")
LIST_OPENS = re.compile(r"(?<=:) ?(?=- \S)")
LIST_GOES_ON = re.compile(rf"(?<=[{SMALL}\d).;!?])(?=- \S)")
FIRST_STEP = re.compile(r"\s*1([.)]) ")
LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line. `is_joined`: it had run into the next one, so that its end may have been a heading's."""

    text: str
    is_joined: bool = False


def lines_of(text: str) -> list[Line]:
    """The lines of a text, those that were run together told apart."""
    text = NOT_TEXT.sub("", LINE_ENDS.sub("\n", text)).expandtabs(4)
    return [part for line in text.split("\n") for part in _parts(line)]


def _parts(line: str) -> Iterator[Line]:
    for joint in (SENTENCE, STEP, SURE, OPENER):
        line = joint.sub("\n", line)
    line = BEFORE_CAPITAL.sub(r"\n\1\n", line)
    line = BEFORE_COLON.sub(_break_at_heading, line)
    *glued, last = line.split("\n")
    for part in glued:
        yield from _told_apart(part)
    yield from map(_line, _items(last))


def _line(text: str) -> Line:
    return Line(text.rstrip())


def _break_at_heading(found: re.Match[str]) -> str:
    return "\n" if name_key(found[1]) in words.MAIN else found[0]


def _items(line: str) -> list[str]:
    """`: - four- three- two` as a list. A dash alone proves nothing: only after a colon does a list open."""
    head, *rest = LIST_OPENS.split(line, maxsplit=1)
    items = [head, *LIST_GOES_ON.split(rest[0])] if rest else [line]
    return [step for item in items for step in _steps(item)]


def _steps(line: str) -> list[str]:
    """`1) throw 2) sell, 3) cook` as three lines."""
    first = FIRST_STEP.match(line)
    steps = []
    start, number = 0, 2
    while first and (end := line.find(f" {number}{first[1]} ", start)) >= 0:
        steps.append(line[start:end])
        start, number = end + 1, number + 1
    return [*steps, line[start:]]


def _told_apart(glued: str) -> Iterator[Line]:
    """A line that was run into the next: its last words stand alone where they read as a heading."""
    found = FRAGMENT.search(glued)
    cut = found.start() if found and is_title(glued[found.start() :]) else 0
    if cut:
        yield from map(_line, _items(glued[:cut]))
    *items, last = _items(glued[cut:])
    yield from map(_line, items)
    yield Line(last.strip(), is_joined=True)
