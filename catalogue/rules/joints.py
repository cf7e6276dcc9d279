"""Where lines were run together, and the lines again.

A page saved as text loses line breaks without a trace: `...la table.Les 12 ailes`, `:- 4 joueurs : 6 fincas-
3 joueurs`, `2 charrettes.2. Approvisionner`. Only white space changes here. Called by `plain` and `split`.
"""

import re

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
LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
NOT_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f]")


def lines_of(text: str) -> list[str]:
    """The lines of a text, those that were run together told apart."""
    text = NOT_TEXT.sub("", LINE_ENDS.sub("\n", text)).expandtabs(4)
    return [part.rstrip() for line in text.split("\n") for part in _parts(line)]


def _parts(line: str) -> list[str]:
    for joint in (SENTENCE, STEP, SURE, OPENER):
        line = joint.sub("\n", line)
    line = BEFORE_CAPITAL.sub(r"\n\1\n", line)
    line = BEFORE_COLON.sub(_break_at_heading, line)
    *glued, last = [_items(part) for part in line.split("\n")]
    return "\n".join([*map(_fragment, glued), last]).split("\n")


def _break_at_heading(found: re.Match[str]) -> str:
    return "\n" if name_key(found[1]) in words.MAIN else found[0]


def _items(line: str) -> str:
    """`: - four- three- two` as a list. A dash alone proves nothing: only after a colon does a list open."""
    head, *rest = LIST_OPENS.split(line, maxsplit=1)
    return "\n".join([head, LIST_GOES_ON.sub("\n", rest[0])]) if rest else line


def _fragment(line: str) -> str:
    """The last words of a line that was run into the next, told apart when they read as its heading."""
    found = FRAGMENT.search(line)
    if not found or not is_title(line[found.start() :]):
        return line
    return f"{line[: found.start()]}\n{line[found.start() :]}"
