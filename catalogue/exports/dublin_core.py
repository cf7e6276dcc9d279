"""A game as Dublin Core: the fifteen elements, as a list of names and values in the order of the standard.

What the elements cannot say (players, ages, minutes) stands in `description`, in words, as in our MARC.
"""

from collections.abc import Iterator

from catalogue.barcodes import read_product_code
from catalogue.draft import ContributorDraft, GameDraft
from catalogue.exports import fields
from catalogue.exports.library import Outgoing

CREATORS = {"070", "245"}  # author, concept
OBJECT = "PhysicalObject"  # of the DCMI type vocabulary
Statement = tuple[str, str]


def statements(out: Outgoing, *, language: str, address: str) -> list[Statement]:
    """Element and value, both without control characters; `address` is that of the record's page."""
    game = out.game
    found = [*_titles(game), *_people(game)]
    found += [("subject", word) for word in dict.fromkeys((*game.categories, *game.keywords))]
    found += [("description", line) for line in _descriptions(game, language)]
    found += [("publisher", publication.publisher) for publication in game.publications]
    found += [("date", str(game.year))] if game.year else []
    found += [("type", kind) for kind in (game.document_type, OBJECT) if kind]
    found += [("identifier", one) for one in (address, *map(_code, game.identifiers))]
    found += [("language", tag) for tag in game.languages]
    cleaned = ((name, fields.text(value).strip()) for name, value in found)
    return [(name, value) for name, value in cleaned if value]


def is_creator(person: ContributorDraft) -> bool:
    """Whether the person made the game, and did not only take part."""
    return person.role in CREATORS


def full_title(game: GameDraft) -> str:
    """Title and subtitle."""
    return " : ".join(part for part in (game.title, game.subtitle) if part)


def _titles(game: GameDraft) -> Iterator[Statement]:
    for title in (full_title(game), *game.alternative_titles):
        yield "title", title


def _people(game: GameDraft) -> Iterator[Statement]:
    makers = dict.fromkeys(person.name for person in game.contributors if is_creator(person))
    for name in makers:
        yield "creator", name
    for name in dict.fromkeys(person.name for person in game.contributors):
        if name not in makers:
            yield "contributor", name


def _descriptions(game: GameDraft, language: str) -> Iterator[str]:
    yield game.principle
    yield game.contents
    yield game.edition
    yield from fields.audience(game, language)


def _code(printed: str) -> str:
    code = read_product_code(printed)
    if code.kind.startswith("isbn"):
        return f"urn:isbn:{fields.text(printed).replace(' ', '')}"
    return f"{code.kind.upper()} {printed}" if code.gtin else printed
