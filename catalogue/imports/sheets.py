"""Reader of a table of games or boxes: one draft a row, or a game with the rows of all its boxes.

Which column means what is `columns`' matter, what stands beside the games (pieces, people, categories)
`side_tables`'. A row that has its own number is a record of its own; without numbers the rows of one title
are the boxes of one game. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from catalogue.barcodes import is_spreadsheet_damage
from catalogue.draft import (
    CategoryDraft,
    CopyDraft,
    Doubt,
    GameDraft,
    Problem,
    PublicationDraft,
    Reason,
    RecordDraft,
)
from catalogue.imports import box_states, cells, columns, side_tables, tables, values, workbook
from catalogue.imports.cells import Span
from catalogue.imports.columns import Kind, Proposal
from catalogue.imports.headings import Field, heading_key
from catalogue.imports.tables import Row, Table
from catalogue.text import fold, name_key, one_line

FORMAT = "table"
PLACEHOLDER = "BoardGameGeek"
PROVISIONAL = "P"
CLASSIFICATION = ("esar", "col", "lupo", "code esar", "classement")
SIZE = re.compile(r"\A\d+(?:[.,]\d+)?(?: ?/ ?\d+(?:[.,]\d+)?){1,2}\Z")
DATE = re.compile(r"\A\d{1,2}/\d{1,2}/\d{2,4}\Z")
DAY = re.compile(r"\A([0-3]?\d)\.([01]?\d)\.(\d{4})\Z")  # with points it is day, month, year everywhere
MOST_COPIES = 50
LONGEST_NUMBER = 80
BOX_FIELDS = (
    *(Field.BARCODE, Field.NUMBERED_TITLE, Field.STATUS, Field.SECTION, Field.CALL_NUMBER, Field.BRANCH),
    *(Field.COPY_NOTE, Field.COPY_FACT, Field.COPIES, Field.OWNERS, Field.STORAGE_NOTE),
)
Result = RecordDraft | CategoryDraft | Problem


def read(text: str, _language: str = "") -> Iterator[Result]:
    """The records of a table kept as text, with the columns as proposed."""
    yield from read_file(text, b"", proposal_of)


def read_file(text: str, data: bytes, understand: Callable[[Table], Proposal]) -> Iterator[Result]:
    """The records of a file's tables; `understand` says what the columns of each mean."""
    found, problems = open_tables(text, data)
    yield from problems
    for table in found:
        yield from read_table(table, understand(table))
    if not found and not problems:
        yield Problem("", Reason.EMPTY)


def open_tables(text: str, data: bytes) -> tuple[list[Table], list[Problem]]:
    """The tables of a file: of a workbook's bytes, else the one of a text."""
    if data:
        return workbook.open_workbook(data, columns.is_heading)
    return [tables.open_text(text, columns.is_heading)], []


def proposal_of(table: Table) -> Proposal:
    """What the columns of a table are taken for."""
    return columns.propose(table.headings, [row.cells for row in table.sample])


def read_table(table: Table, proposal: Proposal) -> Iterator[Result]:
    """The records of a table whose columns are known."""
    if proposal.kind in side_tables.READERS:
        yield from side_tables.READERS[proposal.kind](table, proposal)
    elif proposal.kind is Kind.GAMES:
        yield from _games(table, proposal)
    else:
        yield _no_games(table, proposal)


def _no_games(table: Table, proposal: Proposal) -> Problem:
    """A table of something else, or one in which no column can be the title."""
    shown = ", ".join(guess.heading for guess in proposal.columns[:12])
    if proposal.kind is Kind.UNKNOWN:
        return Problem(table.place, Reason.COLUMNS_UNKNOWN, detail=shown[:200])
    return Problem(table.place, Reason.OTHER_TABLE, detail=f"{proposal.kind}: {shown}"[:200])


# --- rows --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Line:
    """One row under its meanings; what could not be read is told in `problems`."""

    row: Row
    said: dict[Field, list[tuple[str, str]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def first(self, *fields: Field) -> str:
        """The first value that stands under one of these meanings."""
        return next((value for one in fields for _heading, value in self.said.get(one, ())), "")

    def all(self, *fields: Field) -> list[str]:
        """All values that stand under these meanings."""
        return [value for one in fields for _heading, value in self.said.get(one, ())]

    def heading(self, *fields: Field) -> str:
        """The heading of the first value that stands under one of these meanings."""
        return next((heading for one in fields for heading, _value in self.said.get(one, ())), "")

    def tell(self, reason: Reason, field: Field, value: str) -> None:
        """A value that was left out."""
        heading = next((heading for heading, one in self.said.get(field, ()) if one == value), field)
        detail = f"{heading}: {one_line(value)[:80]}"
        self.problems.append(Problem(self.row.place, reason, detail=detail, raw=value))


def _line(row: Row, proposal: Proposal) -> Line:
    line = Line(row)
    for guess, cell in zip(proposal.columns, row.cells, strict=False):
        if guess.field not in (None, Field.IGNORED) and not cells.is_nothing(cell):
            line.said.setdefault(guess.field, []).append((guess.heading, cell))
    return line


def _games(table: Table, proposal: Proposal) -> Iterator[Result]:
    is_single = proposal.has(Field.RECORD_ID, Field.BARCODE, Field.NUMBERED_TITLE)
    waiting: dict[str, _Group] = {}
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        if table.headings and columns.is_heading(row.cells):
            yield Problem(row.place, Reason.SECOND_TABLE, detail=", ".join(filter(None, row.cells))[:200])
            break
        reading = _Reading(_line(row, proposal), proposal)
        draft = reading.draft()
        yield from reading.line.problems
        if draft is not None and is_single:
            yield draft
        elif draft is not None:
            waiting.setdefault(draft.key, _Group()).add(draft)
    for group in waiting.values():
        yield group.draft()


@dataclass(slots=True)
class _Group:
    """The rows of one game in a table that has no numbers: one box each."""

    drafts: list[RecordDraft] = field(default_factory=list)

    def add(self, draft: RecordDraft) -> None:
        self.drafts.append(draft)

    def draft(self) -> RecordDraft:
        """The first row's game with the boxes of all, which are given provisional numbers."""
        first = self.drafts[0]
        boxes = [copy for draft in self.drafts for copy in draft.copies]
        numbered = (replace(copy, barcode=f"{copy.barcode}-{at}") for at, copy in enumerate(boxes, start=1))
        raw = "\n".join(draft.raw for draft in self.drafts)
        return replace(first, copies=tuple(numbered), raw=raw)


# --- one row -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Reading:
    """One row on its way to a draft."""

    line: Line
    proposal: Proposal

    def draft(self) -> RecordDraft | None:
        """The record of a row; None without a title, which is told."""
        line = self.line
        number, title = self._title()
        bgg = line.first(Field.BGG_ID)
        if not title and bgg.isdigit():
            title = f"{PLACEHOLDER} {bgg}"
        if not title:
            line.problems.append(Problem(line.row.place, Reason.NO_TITLE, raw="\t".join(line.row.cells)))
            return None
        game = self._game(title)
        return RecordDraft(
            key=self._key(number, game),
            game=game,
            raw=self._raw(),
            format=FORMAT,
            copies=self._copies(number, game),
            doubts=((Doubt.TITLE_PROPOSED, title),) if title.startswith(f"{PLACEHOLDER} ") else (),
            place=line.row.place,
            known_as=(f"bgg:{bgg}", f"bgg:{bgg}:") if bgg.isdigit() else (),
        )

    def _title(self) -> tuple[str, str]:
        """The number of the row, where it has one, and its title."""
        both = self.line.first(Field.NUMBERED_TITLE)
        if both:
            number, _colon, title = both.partition(":")
            return number.strip(), one_line(title)
        number = self.line.first(Field.RECORD_ID) or self.line.first(Field.BARCODE)
        return number, one_line(self.line.first(Field.TITLE))

    def _key(self, number: str, game: GameDraft) -> str:
        """What names the record in tables of these headings."""
        bgg = self.line.first(Field.BGG_ID)
        of = self.proposal.fingerprint
        if number:
            which = self.line.heading(Field.NUMBERED_TITLE, Field.RECORD_ID, Field.BARCODE)
            return f"table:{number[:LONGEST_NUMBER]}:{heading_key(which)[:40]}:{of}"
        if bgg.isdigit():
            return f"bgg:{bgg}:table:{of}"
        words = [name_key(game.title), *(name_key(p.publisher) for p in game.publications), str(game.year)]
        code = game.identifiers[0] if game.identifiers else "|".join(words)
        return f"table::{sha256(code.encode()).hexdigest()[:24]}:{of}"

    def _raw(self) -> str:
        """The row as it came, each value with its heading."""
        pairs = zip(self.proposal.columns, self.line.row.cells, strict=False)
        return "\n".join(f"{guess.heading}: {cell}" for guess, cell in pairs if cell)

    # - the game -

    def _game(self, printed: str) -> GameDraft:
        line = self.line
        title, award = cells.split_award(printed)
        players, ages, minutes = self._players(), self._ages(), self._minutes()
        return GameDraft(
            title=title,
            subtitle=one_line(line.first(Field.SUBTITLE)),
            alternative_titles=_others(line.all(Field.OTHER_TITLE), title),
            document_type=one_line(line.first(Field.DOCUMENT_TYPE)),
            contributors=(
                *(one for cell in line.all(Field.AUTHOR) for one in cells.people(cell, cells.AUTHOR)),
                *(
                    one
                    for cell in line.all(Field.ILLUSTRATOR)
                    for one in cells.people(cell, cells.ILLUSTRATOR)
                ),
            ),
            publications=self._publications(),
            edition=one_line(line.first(Field.EDITION)),
            year=self._year(),
            identifiers=self._codes(),
            languages=self._languages(),
            categories=self._categories(),
            keywords=tuple(dict.fromkeys(w for cell in line.all(Field.KEYWORDS) for w in cells.words(cell))),
            players_min=players.low,
            players_max=players.high,
            age_min_months=ages.low,
            age_max_months=ages.high,
            minutes_min=minutes.low,
            minutes_max=minutes.high,
            principle="\n\n".join(line.all(Field.PRINCIPLE)),
            pedagogy="\n".join(line.all(Field.PEDAGOGY)),
            contents="\n".join(line.all(Field.CONTENTS)),
            note=self._note(award),
        )

    def _publications(self) -> tuple[PublicationDraft, ...]:
        places = self.line.first(Field.PLACE)
        found = tuple(p for cell in self.line.all(Field.PUBLISHER) for p in cells.publishers(cell))
        return (replace(found[0], place=one_line(places)), *found[1:]) if found and places else found

    def _year(self) -> int | None:
        value = self.line.first(Field.YEAR)
        year = values.year_of(value)
        if value and year is None and value.strip() != "0":
            self.line.tell(Reason.VALUE_UNREADABLE, Field.YEAR, value)
        return year

    def _codes(self) -> tuple[str, ...]:
        """Product codes and the publisher's numbers; one that a spreadsheet has rounded is left out."""
        found = []
        for which in (Field.PRODUCT_CODE, Field.REFERENCE):
            for value in self.line.all(which):
                if is_spreadsheet_damage(value):
                    self.line.tell(Reason.CODE_DAMAGED, which, value)
                else:
                    found += [one_line(part) for part in value.replace("\n", ";").split(";") if part.strip()]
        return tuple(dict.fromkeys(found))

    def _languages(self) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for value in self.line.all(Field.LANGUAGES):
            known, unknown = cells.languages(value)
            found |= dict.fromkeys(known)
            if unknown:
                self.line.tell(Reason.VALUE_UNREADABLE, Field.LANGUAGES, value)
        return tuple(found)

    def _categories(self) -> tuple[str, ...]:
        """Those of a classification first: where two columns name one class, its own way of writing stays."""
        said = self.line.said.get(Field.CATEGORY, [])
        ordered = sorted(said, key=lambda pair: not fold(pair[0]).startswith(CLASSIFICATION))
        return cells.categories([value for _heading, value in ordered])

    def _span(self, which: Field) -> Span:
        """Both ends out of one cell."""
        value = self.line.first(which)
        if not value or value == "0":
            return Span(None, None)
        span = None if cells.is_date_of_span(value) else cells.IN_SPAN[which](value)
        if span is None:
            damaged = cells.is_date_of_span(value)
            self.line.tell(Reason.CODE_DAMAGED if damaged else Reason.VALUE_UNREADABLE, which, value)
        return span or Span(None, None)

    def _end(self, which: Field) -> int | None:
        """One end, out of a cell of its own."""
        value = self.line.first(which)
        number = values.number(value)
        if value and number is None:
            self.line.tell(Reason.VALUE_UNREADABLE, which, value)
        return number or None

    def _players(self) -> Span:
        if not self.proposal.has(Field.PLAYERS_MIN, Field.PLAYERS_MAX):
            return self._span(Field.PLAYERS)
        return self._ordered(Field.PLAYERS_MIN, Field.PLAYERS_MAX, self._span(Field.PLAYERS))

    def _minutes(self) -> Span:
        if not self.proposal.has(Field.MINUTES_MIN, Field.MINUTES_MAX):
            return self._span(Field.MINUTES)
        return self._ordered(Field.MINUTES_MIN, Field.MINUTES_MAX, self._span(Field.MINUTES))

    def _ordered(self, low_field: Field, high_field: Field, both: Span) -> Span:
        low, high = self._end(low_field), self._end(high_field)
        if low is None and high is None:
            return both
        if low is not None and high is not None and low > high:
            self.line.tell(Reason.VALUE_UNREADABLE, high_field, self.line.first(high_field))
            high = None
        return Span(low, high)

    def _ages(self) -> Span:
        both = self._span(Field.AGE)
        if not self.proposal.has(Field.AGE_MIN, Field.AGE_MAX):
            return both
        least, most = self.line.first(Field.AGE_MIN), self.line.first(Field.AGE_MAX)
        from_cell = cells.ages(least) if least else both
        if from_cell is None:
            self.line.tell(Reason.VALUE_UNREADABLE, Field.AGE_MIN, least)
            from_cell = Span(None, None)
        high = cells.upper_age(most) if most else from_cell.high
        if high is not None and from_cell.low is not None and from_cell.low > high:
            self.line.tell(Reason.VALUE_UNREADABLE, Field.AGE_MAX, most or least)
            high = None
        return Span(from_cell.low, high)

    def _note(self, award: str) -> str:
        """Notes, then what has no place of its own, each with its heading; nothing twice."""
        found: dict[str, str] = {}
        _place, remark = _storage(self.line.first(Field.STORAGE_NOTE))
        for text in (award, remark, *self.line.all(Field.NOTE), *_facts(self.line, Field.GAME_FACT)):
            if text:
                found.setdefault(name_key(text), text)
        return "\n".join(found.values())

    # - its box -

    def _copies(self, number: str, game: GameDraft) -> tuple[CopyDraft, ...]:
        """The box of a row; several where the table counts them; none in a table that knows no boxes."""
        if not self.proposal.has(*BOX_FIELDS):
            return ()
        barcode = self._barcode(number)
        box = self._box(barcode)
        if self.proposal.has(Field.BARCODE, Field.NUMBERED_TITLE, Field.RECORD_ID):
            return (box,) if barcode else ()
        times = self._times()
        bgg = self.line.first(Field.BGG_ID)
        words = name_key(game.title).upper().replace(" ", "-")[:30].strip("-")
        of = bgg if bgg.isdigit() else words
        return (replace(box, barcode=f"{PROVISIONAL}-{of}"),) * times

    def _barcode(self, number: str) -> str:
        has_own = self.proposal.has(Field.BARCODE)
        code = self.line.first(Field.BARCODE) if has_own else number
        if is_spreadsheet_damage(code):
            self.line.tell(Reason.CODE_DAMAGED, Field.BARCODE if has_own else Field.RECORD_ID, code)
            return ""
        return one_line(code)

    def _times(self) -> int:
        """How many boxes: as many as owners, or as the table counts."""
        if self.proposal.has(Field.OWNERS):
            return min(len(cells.words_with_repeats(self.line.first(Field.OWNERS))), MOST_COPIES)
        counted = values.number(self.line.first(Field.COPIES)) if self.proposal.has(Field.COPIES) else 1
        return min(1 if counted is None else counted, MOST_COPIES)

    def _box(self, barcode: str) -> CopyDraft:
        line = self.line
        notes = list(line.all(Field.COPY_NOTE))
        section, _remark = _storage(line.first(Field.STORAGE_NOTE))
        return CopyDraft(
            barcode=barcode,
            call_number=one_line(line.first(Field.CALL_NUMBER)),
            section=one_line(line.first(Field.SECTION)) or section,
            branch=one_line(line.first(Field.BRANCH)),
            condition=self._condition(notes),
            note="\n".join([*notes, *_facts(line, Field.COPY_FACT)]),
        )

    def _condition(self, notes: list[str]) -> str:
        """By the words for its state; words that are not known go into the note."""
        if self.line.first(Field.WITHDRAWN_ON):
            notes.append(self._fact(Field.WITHDRAWN_ON))
            return "withdrawn"
        status = self.line.first(Field.STATUS)
        if not status:
            return ""
        found = box_states.state(status)
        if found is None or (found != "in_service" and fold(status) not in PLAIN_STATES):
            notes.append(self._fact(Field.STATUS))
        return found or ""

    def _fact(self, which: Field) -> str:
        return next(iter(_facts(self.line, which)), "")


PLAIN_STATES = {
    "lost",
    "missing",
    "perdu",
    "verloren",
    "perdido",
    "perso",
    "withdrawn",
    "retire",
    "desactive",
}
"""Words that say no more than the condition that they become."""


def _facts(line: Line, which: Field) -> list[str]:
    """`Prix : 24,9`: values that have no column here, each with its heading."""
    shown = ((heading.replace("_", " "), one_line(value)) for heading, value in line.said.get(which, ()))
    return [f"{heading}: {_tidy(value)}" for heading, value in shown]


def _tidy(value: str) -> str:
    """`9 / 9 / 26` -> `9 x 9 x 26`, `20.09.2016` -> `2016-09-20`."""
    if day := DAY.match(value):
        return f"{day[3]}-{day[2]:0>2}-{day[1]:0>2}"
    return re.sub(r" ?/ ?", " x ", value) if SIZE.match(value) and not DATE.match(value) else value


def _others(titles: Sequence[str], title: str) -> tuple[str, ...]:
    """Other titles, one a line; not the title again."""
    found = (one_line(part) for cell in titles for part in cell.replace(";", "\n").split("\n"))
    return tuple(dict.fromkeys(part for part in found if part and name_key(part) != name_key(title)))


def _storage(value: str) -> tuple[str, str]:
    """`Storage location: Games, ""cards""` -> the place, and the rest."""
    found = columns.STORAGE.match(value)
    if not found:
        return "", value
    place, _comma, rest = value[found.end() :].partition(", ")
    return one_line(place), rest.strip().strip('"').strip()
