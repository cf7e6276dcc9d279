"""The `Contenu` of a library's record, which holds the pieces, the whole rules, or both, told apart.

Told by the headings in the text, never by the name of the field. Both parts together hold every word.
Called by imports.
"""

from catalogue import pieces
from catalogue.rules import headings, words
from catalogue.rules.headings import Heading
from catalogue.rules.joints import lines_of
from catalogue.text import name_key


def contents_and_rules(text: str) -> tuple[str, str]:
    """The list of pieces with its own heading, and the rest; either may be empty."""
    read = lines_of(text.strip())
    lines = [line.text for line in read]
    found = headings.find(lines, {index for index, line in enumerate(read) if line.is_joined})
    start, end = _pieces_part(lines, found)
    contents = "\n".join(lines[start:end]).strip()
    rules = "\n".join([*lines[:start], *lines[end:]]).strip()
    return contents, rules


def _pieces_part(lines: list[str], found: dict[int, Heading]) -> tuple[int, int]:
    """From which line to which the pieces stand."""
    places = sorted(found)
    for place, index in enumerate(places):
        if name_key(found[index].text) in words.PIECES:
            return index, places[place + 1] if place + 1 < len(places) else len(lines)
    if not places:
        return 0, len(lines)
    lead = lines[: places[0]]
    return (0, places[0]) if _are_pieces(lead) else (0, 0)


def _are_pieces(lines: list[str]) -> bool:
    """Text before the first heading that counts things."""
    components = pieces.split("\n".join(lines))
    counted = sum(component.count is not None for component in components)
    return counted * 2 >= max(1, len(components))
