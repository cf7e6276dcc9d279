"""Readers of the tables that stand beside that of the games: pieces, people, categories.

Their rows are gathered by the number of the game that they belong to, and add to its record. They make no
game: what belongs to none is told. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from catalogue.draft import CategoryDraft, ContributorDraft, GameDraft, Problem, Reason, RecordDraft
from catalogue.imports import cells
from catalogue.imports.columns import Kind, Proposal
from catalogue.imports.headings import Field, heading_key
from catalogue.imports.tables import Row, Table
from catalogue.text import one_line

TRUE = re.compile(r"\A(?:yes|oui|ja|s[iíì]|sim|true|vrai|wahr|x|1|y|o)\Z", re.IGNORECASE)
COUNT = re.compile(r"\A\d{1,5}(?:[.,]0+)?\Z")


@dataclass(slots=True)
class _Of:
    """What the rows of one game add up to."""

    number: str
    place: str
    title: str = ""
    pieces: list[str] = field(default_factory=list)
    people: list[ContributorDraft] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)

    def draft(self, kind: Kind, fingerprint: str, heading: str) -> RecordDraft:
        game = GameDraft(
            title=self.title or self.number,
            contents="\n".join(self.pieces),
            contributors=tuple(dict.fromkeys(self.people)),
        )
        return RecordDraft(
            key=f"{kind}:{self.number[:80]}:{fingerprint}",
            game=game,
            raw="\n".join(self.raw),
            format=kind,
            place=self.place,
            known_as=self._known_as(heading),
            is_addition=True,
        )

    def _known_as(self, heading: str) -> tuple[str, ...]:
        """A number alone names a game only under the heading that the table of games has for it."""
        if self.title:
            return (f"table:{self.number}:", f"label:{self.number}")
        return (f"table:{self.number}:{heading}:",)


AddRow = Callable[[_Of, "_Cells"], Problem | None]


@dataclass(frozen=True, slots=True)
class _Cells:
    """A row by its meanings."""

    row: Row
    said: dict[Field, str]

    def get(self, which: Field) -> str:
        value = self.said.get(which, "")
        return "" if cells.is_nothing(value) else one_line(value)


def _read(row: Row, proposal: Proposal) -> _Cells:
    pairs = zip(proposal.columns, row.cells, strict=False)
    return _Cells(row, {guess.field: cell for guess, cell in pairs if guess.field})


def _gathered(table: Table, proposal: Proposal, add: AddRow) -> Iterator[RecordDraft | Problem]:
    """One draft a game, in the order in which they first appear."""
    found: dict[str, _Of] = {}
    heading = heading_key(proposal.columns[proposal.at(Field.OF_GAME)[0]].heading)
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        read = _read(row, proposal)
        number = read.get(Field.OF_GAME)
        if not number:
            yield Problem(row.place, Reason.RECORD_UNKNOWN, detail="–", raw="\t".join(row.cells))
            continue
        of = found.setdefault(number, _Of(number, row.place))
        of.title = of.title or read.get(Field.OF_TITLE)
        of.raw.append("\t".join(row.cells))
        problem = add(of, read)
        if problem:
            yield problem
    for of in found.values():
        yield of.draft(proposal.kind, proposal.fingerprint, heading)


def _pieces(table: Table, proposal: Proposal) -> Iterator[RecordDraft | Problem]:
    return _gathered(table, proposal, _add_piece)


def _add_piece(of: _Of, read: _Cells) -> Problem | None:
    """A piece with its number; one that was removed is not counted."""
    name, count = read.get(Field.PIECE), read.get(Field.PIECE_COUNT)
    if TRUE.match(read.get(Field.REMOVED)) or count == "0":
        return None
    if not name:
        return Problem(
            read.row.place, Reason.VALUE_UNREADABLE, detail=f"{of.number}: –", raw="\t".join(read.row.cells)
        )
    if count and not COUNT.match(count):
        of.pieces.append(name)
        return Problem(read.row.place, Reason.VALUE_UNREADABLE, detail=f"{name}: {count}", raw=count)
    of.pieces.append(f"{re.split('[.,]', count)[0] or 1} {name}")
    return None


def _people(table: Table, proposal: Proposal) -> Iterator[RecordDraft | Problem]:
    return _gathered(table, proposal, _add_person)


def _add_person(of: _Of, read: _Cells) -> Problem | None:
    """First name and family name in their order; a part that is not known stays empty and is told."""
    name = one_line(f"{read.get(Field.FIRST_NAME)} {read.get(Field.FAMILY_NAME)}")
    if not name:
        return Problem(
            read.row.place, Reason.VALUE_UNREADABLE, detail=f"{of.number}: –", raw="\t".join(read.row.cells)
        )
    said = read.get(Field.ROLE)
    role = cells.role(said)
    of.people.append(ContributorDraft(name, role or ""))
    if role is None:
        return Problem(read.row.place, Reason.VALUE_UNREADABLE, detail=f"{name}: {said}", raw=said)
    return None


def _categories(table: Table, proposal: Proposal) -> Iterator[CategoryDraft | Problem]:
    """Code and explanation as the list of toys prints them: `Baby: Toys for 0-2`."""
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        read = _read(row, proposal)
        code, label = read.get(Field.CATEGORY_CODE), read.get(Field.CATEGORY_LABEL)
        if code or label:
            yield CategoryDraft(": ".join(filter(None, (code, label))), row.place)
        else:
            yield Problem(row.place, Reason.NO_TITLE, raw="\t".join(row.cells))


READERS: dict[Kind, Callable[[Table, Proposal], Iterator[RecordDraft | CategoryDraft | Problem]]] = {
    Kind.PIECES: _pieces,
    Kind.PEOPLE: _people,
    Kind.CATEGORIES: _categories,
}
