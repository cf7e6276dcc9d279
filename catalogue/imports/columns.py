"""Which column of a table means what: proposed from its headings and its values, corrected by a mapping.

`propose(headings, sample)` is what a page shows, with how certain each guess is; `corrected` puts what a
person said in its place. A table is known again by the fingerprint of its headings. Pure functions.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

from catalogue.barcodes import read_product_code
from catalogue.imports import headings
from catalogue.imports.box_states import is_status
from catalogue.imports.headings import KNOWN, SEVERAL, WORDS, Field, heading_key

SURE, LIKELY, MAYBE, HARDLY = 0.95, 0.7, 0.5, 0.3
NUMBERED = re.compile(r"\A[\w/-]{1,20}: ?\S")
STORAGE = re.compile(r"\A\W?(?:Storage )?location: ", re.IGNORECASE)
PLAYERS = re.compile(r"\A\d{1,2}\s*(?:[-–à]|to|bis|a)\s*(?:\d{1,2}|None|\+)\Z", re.IGNORECASE)
CLOCK = re.compile(r"\A\d{1,2}:\d\d(?::\d\d)?\Z")
YEAR = re.compile(r"\A(?:19|20)\d\d\Z")
WHOLE = re.compile(r"\A\d+\Z")
MAIL = re.compile(r"\A\S+@\S+\.\w+\Z")
LENDING = re.compile(r"\A(?:loan|kit|stock|service)\Z", re.IGNORECASE)  # how it is lent, not what it is
SIZES = re.compile(
    r"\A(?:surdimensionné|extérieur|intérieur|géant|grand jeu|outdoor|oversized?|xxl?|im freien)e?\Z", re.I
)
OLDEST = 18


class Kind(StrEnum):
    """What the rows of a table are."""

    GAMES = "games"
    PIECES = "pieces"
    PEOPLE = "people"
    CATEGORIES = "categories"
    MEMBERS = "members"
    LOANS = "loans"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Guess:
    """One column: its heading (a repeated one numbered, "Type (2)"; without headings "1", "2" ...)."""

    heading: str
    field: Field | None
    certainty: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a table is, and its columns in order."""

    kind: Kind
    columns: tuple[Guess, ...]
    fingerprint: str

    def at(self, *fields: Field) -> list[int]:
        """Where columns of these meanings stand."""
        return [at for at, guess in enumerate(self.columns) if guess.field in fields]

    def has(self, *fields: Field) -> bool:
        """Whether one of these meanings has a column."""
        return any(guess.field in fields for guess in self.columns)


def is_heading(row: Sequence[str]) -> bool:
    """Whether a row is the headings: two words are known, and half of all that stand there."""
    filled = [cell for cell in row if cell]
    if any(map(WHOLE.match, filled)):
        return False
    known = sum(_is_known(heading_key(cell)) for cell in filled)
    return known >= 2 and known * 2 >= len(filled)


def _is_known(key: str) -> bool:
    return key in KNOWN or key in headings.OF_GAME or key in headings.ROLE or key in headings.FIRST_NAME


def propose(names: Sequence[str], sample: Sequence[Sequence[str]]) -> Proposal:
    """The meaning of each column. `names` may be empty, for a table without headings."""
    width = max([len(names), *map(len, sample)], default=0)
    keys = [heading_key(name) for name in names] + [""] * (width - len(names))
    values = [[row[at] for row in sample if at < len(row) and row[at]] for at in range(width)]
    kind = _kind(keys, values)
    guesses = SIDE_TABLES[kind](keys) if kind in SIDE_TABLES else _games(keys, values)
    if kind is Kind.GAMES and not any(field in TITLES for field, _ in guesses):
        kind = Kind.UNKNOWN
    shown = numbered(names, width)
    return Proposal(
        kind,
        tuple(Guess(name, field, certainty) for name, (field, certainty) in zip(shown, guesses, strict=True)),
        fingerprint(keys),
    )


def corrected(proposal: Proposal, mapping: Mapping[str, str]) -> Proposal:
    """The proposal with what a person said: heading -> field, or heading -> "" for nothing.

    Headings may be written otherwise than in the table. Raises ValueError for a field that there is not.
    """
    said = {heading_key(heading): Field(field) if field else None for heading, field in mapping.items()}
    columns = tuple(
        replace(guess, field=said[key], certainty=1.0)
        if (key := heading_key(guess.heading)) in said
        else guess
        for guess in proposal.columns
    )
    if columns == proposal.columns:
        return proposal
    taken = {guess.field for guess in columns if guess.certainty == 1.0 and guess.field not in SEVERAL}
    columns = tuple(
        replace(guess, field=None, certainty=0.0) if guess.field in taken and guess.certainty < 1.0 else guess
        for guess in columns
    )
    return replace(proposal, kind=_kind_of_fields(proposal.kind, columns), columns=columns)


def has_heading(proposal: Proposal, heading: str) -> bool:
    """Whether a table has a column of that heading, however it is written."""
    key = heading_key(heading)
    return any(heading_key(guess.heading) == key for guess in proposal.columns)


def as_mapping(proposal: Proposal) -> dict[str, str]:
    """The proposal as what `corrected` takes, to be kept."""
    return {guess.heading: guess.field or "" for guess in proposal.columns}


def fingerprint(keys: Sequence[str]) -> str:
    """What names a kind of table: its headings in their order, however they are written."""
    words = "|".join(keys) if any(keys) else f"{len(keys)} columns"
    return sha256(words.encode()).hexdigest()[:16]


def numbered(names: Sequence[str], width: int) -> list[str]:
    """Headings as they are shown, each once."""
    shown: list[str] = []
    for at in range(width):
        name = " ".join(names[at].split()) if at < len(names) and names[at] else str(at + 1)
        times = sum(heading_key(other) == heading_key(name) for other in names[:at])
        shown.append(f"{name} ({times + 1})" if times else name)
    return shown


# --- kinds of tables ---------------------------------------------------------------------------

TITLES = {Field.TITLE, Field.NUMBERED_TITLE, Field.BGG_ID}
ONLY_GAMES = {
    *(Field.AGE, Field.AGE_MIN, Field.AGE_MAX, Field.PLAYERS, Field.PLAYERS_MIN, Field.PLAYERS_MAX),
    *(Field.PUBLISHER, Field.YEAR, Field.PRODUCT_CODE, Field.MINUTES, Field.BGG_ID),
}
Guesses = list[tuple[Field | None, float]]


def _kind(keys: Sequence[str], values: Sequence[Sequence[str]]) -> Kind:
    """What the rows are, from the headings, and hardly from the values."""
    have = set(filter(None, keys))
    if any(KNOWN.get(key) in ONLY_GAMES for key in have):
        return Kind.GAMES
    is_of_game = bool(have & headings.OF_GAME)
    if is_of_game and have & headings.PIECE_COUNT and len(have & (headings.PIECE | headings.OF_GAME)) > 1:
        return Kind.PIECES
    is_named = bool(have & headings.FIRST_NAME - {"nombre", "nome"})
    if is_of_game and (have & headings.ROLE or is_named) and have & headings.FAMILY_NAME:
        return Kind.PEOPLE
    for kind, words in headings.OTHER_TABLES.items():
        if len(have & words) > 1 or (have & words and is_named) or (is_named and kind == Kind.MEMBERS):
            return Kind(kind)
    is_pair = bool(have & headings.CATEGORY_CODE) and bool(have & headings.CATEGORY_LABEL)
    is_pair &= len(have & (headings.CATEGORY_CODE | headings.CATEGORY_LABEL)) > 1
    says_so = have & headings.CATEGORY_HINTS or have <= headings.CATEGORY_CODE | headings.CATEGORY_LABEL
    return Kind.CATEGORIES if is_pair and says_so and _are_distinct(keys, values) else Kind.GAMES


def _are_distinct(keys: Sequence[str], values: Sequence[Sequence[str]]) -> bool:
    """Whether no code comes twice: in a list of games, categories do."""
    at = next(i for i, key in enumerate(keys) if key in headings.CATEGORY_CODE)
    return len(set(values[at])) == len(values[at])


def _kind_of_fields(kind: Kind, columns: Sequence[Guess]) -> Kind:
    """What the rows are once a person has said what the columns mean."""
    fields = {guess.field for guess in columns}
    if {Field.PIECE, Field.OF_GAME} <= fields:
        return Kind.PIECES
    if {Field.FAMILY_NAME, Field.OF_GAME} <= fields:
        return Kind.PEOPLE
    if Field.CATEGORY_CODE in fields and not fields & TITLES:
        return Kind.CATEGORIES
    return Kind.GAMES if fields & TITLES else kind


def _first_of(keys: Sequence[str], wanted: Sequence[tuple[Field, frozenset[str]]]) -> Guesses:
    """Each field takes the first column that fits and is free."""
    found: Guesses = [(None, 0.0)] * len(keys)
    for field, words in wanted:
        at = next((i for i, key in enumerate(keys) if key in words and found[i][0] is None), None)
        if at is not None:
            found[at] = (field, SURE)
    return found


def _pieces(keys: Sequence[str]) -> Guesses:
    numbers = frozenset(
        word for word in headings.OF_GAME if re.search(r"\b(?:id|idjeux|n[or]|number|code)\b", word)
    )
    return _first_of(
        keys,
        [
            *(
                (Field.OF_GAME, numbers),
                (Field.OF_TITLE, headings.OF_TITLE),
                (Field.OF_GAME, headings.OF_GAME),
            ),
            *((Field.PIECE_COUNT, headings.PIECE_COUNT), (Field.PIECE, headings.PIECE)),
            (Field.REMOVED, headings.REMOVED),
        ],
    )


def _people(keys: Sequence[str]) -> Guesses:
    return _first_of(
        keys,
        [
            *((Field.OF_GAME, headings.OF_GAME), (Field.FIRST_NAME, headings.FIRST_NAME)),
            *((Field.FAMILY_NAME, headings.FAMILY_NAME), (Field.ROLE, headings.ROLE)),
        ],
    )


def _categories(keys: Sequence[str]) -> Guesses:
    wanted = [(Field.CATEGORY_CODE, headings.CATEGORY_CODE), (Field.CATEGORY_LABEL, headings.CATEGORY_LABEL)]
    return _first_of(keys, wanted)


def _nothing(keys: Sequence[str]) -> Guesses:
    return [(None, 0.0)] * len(keys)


SIDE_TABLES: dict[Kind, Callable[[Sequence[str]], Guesses]] = {
    Kind.PIECES: _pieces,
    Kind.PEOPLE: _people,
    Kind.CATEGORIES: _categories,
    Kind.MEMBERS: _nothing,
    Kind.LOANS: _nothing,
}


# --- a table of games --------------------------------------------------------------------------


def _games(keys: Sequence[str], values: Sequence[Sequence[str]]) -> Guesses:
    """By headings; then what the values show; then each single meaning once; then what is still open."""
    found = [_by_heading(key) for key in keys]
    found = [_weighed(guess, column) for guess, column in zip(found, values, strict=True)]
    titles = [at for at, (field, _) in enumerate(found) if field is Field.TITLE]
    for at in titles if len(titles) > 1 else ():
        if values[at] and _share(values[at], WHOLE.match) == 1:
            found[at] = (Field.RECORD_ID, MAYBE)
    found = _once(found, keys, values)
    found = [
        guess
        if guess[0] or (keys[at] and not any(values[at]))
        else _by_values(values[at], has_heading=bool(keys[at]))
        for at, guess in enumerate(found)
    ]
    found = _once(found, keys, values)
    return _without_headings(found, keys, values)


def _by_heading(key: str) -> tuple[Field | None, float]:
    if key in KNOWN:
        return KNOWN[key], SURE
    words = key.split()
    ends = _end_of(words)
    for length in range(min(len(words), 4), 0, -1):
        for at in range(len(words) - length + 1):
            part = " ".join(words[at : at + length])
            if part in KNOWN and len(part) > 3 and KNOWN[part] not in VAGUE:
                return ends.get(KNOWN[part], KNOWN[part]), LIKELY
    return None, 0.0


def _end_of(words: Sequence[str]) -> dict[Field, Field]:
    """Which end of a span a heading speaks of; "min" beside a duration are minutes."""
    if {"min", "max"} <= set(words):
        return {}
    if any(word in MOST_WORDS for word in words):
        return MOST
    if any(word in LEAST_WORDS for word in words):
        return LEAST
    return {one: end for one, end in LEAST.items() if one is not Field.MINUTES} if "min" in words else {}


LEAST_WORDS = {"mini", "minimum", "minimal", "minimale", "minimo", "minima", "mindestens", "von", "vanaf"}
MOST_WORDS = {"max", "maxi", "maximum", "maximal", "maximale", "maximo", "maxima", "hochstens", "bis"}
LEAST = {Field.PLAYERS: Field.PLAYERS_MIN, Field.AGE: Field.AGE_MIN, Field.MINUTES: Field.MINUTES_MIN}
MOST = {Field.PLAYERS: Field.PLAYERS_MAX, Field.AGE: Field.AGE_MAX, Field.MINUTES: Field.MINUTES_MAX}
VAGUE = {Field.TITLE, Field.RECORD_ID, Field.OWNERS, Field.BRANCH}
"""Meanings of words that stand in other headings too ("jeu")."""


def _weighed(guess: tuple[Field | None, float], values: Sequence[str]) -> tuple[Field | None, float]:
    """What the values say against, or beyond, a heading."""
    field, _ = guess
    if field is Field.PRINCIPLE and _share(values, STORAGE.search) >= HARDLY:
        return Field.STORAGE_NOTE, LIKELY
    if field in (Field.SECTION, Field.BRANCH) and _share(values, is_status) >= LIKELY:
        return Field.STATUS, LIKELY
    if field is Field.STATUS and values and _share(values, is_status) < HARDLY:
        return Field.COPY_FACT, MAYBE
    if field is Field.DOCUMENT_TYPE and values and _share(values, LENDING.match) == 1:
        return Field.IGNORED, LIKELY
    if field is Field.RECORD_ID and values and _share(values, lambda value: value.isspace()) == 1:
        return None, 0.0
    return guess


def _once(found: Guesses, keys: Sequence[str], values: Sequence[Sequence[str]]) -> Guesses:
    """A meaning that only one column has goes to the surest, of equals to the heading that says it best."""
    best: dict[Field, int] = {}
    for at, (field, certainty) in enumerate(found):
        if field is None or field in SEVERAL:
            continue
        rank = (
            certainty,
            _rank(field, keys[at]),
            len(set(values[at])) if field is Field.DOCUMENT_TYPE else 0,
        )
        if field not in best or rank > _rank_of(best[field], found, keys, values):
            best[field] = at
    return [
        guess
        if guess[0] is None or guess[0] in SEVERAL or best[guess[0]] == at
        else (LOSERS.get(guess[0]), MAYBE)
        for at, guess in enumerate(found)
    ]


def _rank_of(
    at: int, found: Guesses, keys: Sequence[str], values: Sequence[Sequence[str]]
) -> tuple[float, int, int]:
    field, certainty = found[at]
    kinds = len(set(values[at])) if field is Field.DOCUMENT_TYPE else 0
    return certainty, _rank(field, keys[at]) if field else 0, kinds


def _rank(field: Field, key: str) -> int:
    """Earlier words of a meaning say it better."""
    words = WORDS.get(field, "").split("|")
    return -words.index(key) if key in words else -len(words)


LOSERS: dict[Field, Field] = {
    Field.TITLE: Field.OTHER_TITLE,
    Field.BARCODE: Field.COPY_FACT,
    Field.CALL_NUMBER: Field.COPY_FACT,
    Field.SECTION: Field.COPY_FACT,
    Field.BRANCH: Field.COPY_FACT,
    Field.STATUS: Field.COPY_FACT,
    Field.RECORD_ID: Field.IGNORED,
    Field.DOCUMENT_TYPE: Field.IGNORED,
    Field.EDITION: Field.GAME_FACT,
}
"""What becomes of a second column of a single meaning; of the others nothing."""


def _by_values(values: Sequence[str], *, has_heading: bool) -> tuple[Field | None, float]:
    """What only the values can tell."""
    for field, fits, least, certainty in SHAPES:
        if values and _share(values, fits) >= least:
            return field, certainty
    if has_heading or not values:
        return None, 0.0
    return (Field.YEAR, MAYBE) if _share(values, YEAR.match) >= 0.8 else (None, 0.0)


def _is_product_code(value: str) -> bool:
    code = read_product_code(value)
    return len(code.gtin) == 13 and code.check_holds is True and len(value) > 8


SHAPES: tuple[tuple[Field, Callable[[str], object], float, float], ...] = (
    (Field.PRODUCT_CODE, _is_product_code, 0.8, LIKELY),
    (Field.PLAYERS, PLAYERS.match, 0.6, LIKELY),
    (Field.MINUTES, CLOCK.match, 0.8, MAYBE),
    (Field.IGNORED, MAIL.match, 0.5, LIKELY),
    (Field.STATUS, is_status, 0.6, MAYBE),
)


def _share(values: Sequence[str], fits: Callable[[str], object]) -> float:
    return sum(bool(fits(value)) for value in values) / len(values) if values else 0.0


def _without_headings(found: Guesses, keys: Sequence[str], values: Sequence[Sequence[str]]) -> Guesses:
    """What is open after all: the title, the number, the age beside the players, the notes."""
    found = list(found)
    fields = [field for field, _ in found]
    if Field.TITLE not in fields:
        _take_title(found, values)
    at = next((i for i, (field, _) in enumerate(found) if field is Field.TITLE), None)
    if at is None:
        return found
    if Field.BARCODE not in fields and Field.RECORD_ID not in fields:
        _take_title_or_number(found, values, at, keys)
    _take_foreign_id(found, values, at)
    if not any(keys):
        _take_rest(found, values)
    return found


def _take_title(found: Guesses, values: Sequence[Sequence[str]]) -> None:
    """The first column of short, mostly different words that nothing else is known of, or only a comment."""
    if any(field in (Field.NUMBERED_TITLE, Field.BGG_ID) and certainty >= SURE for field, certainty in found):
        return
    for at, (field, certainty) in enumerate(found):
        if field in (None, Field.NOTE) and _are_titles(values[at]):
            found[at] = (Field.TITLE, MAYBE if certainty else HARDLY)
            return


def _are_titles(values: Sequence[str]) -> bool:
    worded = [value for value in values if re.search(r"[^\W\d_]{2}", value)]
    if len(worded) < max(1, 0.9 * len(values)):
        return False
    mean = sum(map(len, values)) / len(values)
    return mean <= 60 and len(set(values)) >= 0.6 * len(values)


def _take_title_or_number(
    found: Guesses, values: Sequence[Sequence[str]], title: int, keys: Sequence[str]
) -> None:
    """`1335: Torch` holds both; without headings the first column of different numbers is the number."""
    if _share(values[title], NUMBERED.match) >= 0.8:
        found[title] = (Field.NUMBERED_TITLE, LIKELY)
        return
    for at, (field, _) in enumerate(found):
        numbers = values[at]
        if (
            field is None
            and (not keys[at] or at == 0)
            and len(set(numbers)) == len(numbers)
            and _share(numbers, WHOLE.match) == 1
        ):
            found[at] = (Field.BARCODE, MAYBE)
            return


def _take_foreign_id(found: Guesses, values: Sequence[Sequence[str]], title: int) -> None:
    """Numbers that come again where the title does are those of games, not of boxes: BoardGameGeek's."""
    for at, (field, _) in enumerate(found):
        if field is Field.RECORD_ID and len(values[at]) == len(values[title]):
            pairs = set(zip(values[at], values[title], strict=True))
            numbers = set(values[at])
            if (
                len(numbers) < len(values[at])
                and len(pairs) == len(numbers)
                and _share(values[at], WHOLE.match) == 1
            ):
                found[at] = (Field.BGG_ID, MAYBE)


def _take_rest(found: Guesses, values: Sequence[Sequence[str]]) -> None:
    """In a table without headings: an age stands behind the players, a note is the longest text."""
    players = next((at for at, (field, _) in enumerate(found) if field is Field.PLAYERS), None)
    behind = None if players is None or players + 1 >= len(found) else players + 1
    if behind is not None and found[behind][0] is None and _are_ages(values[behind]):
        found[behind] = (Field.AGE, MAYBE)
    for at, (field, _) in enumerate(found):
        if field is None and _share(values[at], SIZES.match) >= LIKELY:
            found[at] = (Field.KEYWORDS, MAYBE)
    texts = [at for at, (field, _) in enumerate(found) if field is None and _mean(values[at]) > 12]
    if texts:
        found[max(texts, key=lambda at: _mean(values[at]))] = (Field.COPY_NOTE, HARDLY)


def _are_ages(values: Sequence[str]) -> bool:
    return bool(values) and all(WHOLE.match(value) and int(value) <= OLDEST for value in values)


def _mean(values: Iterable[str]) -> float:
    lengths = [len(value) for value in values if re.search(r"[^\W\d_]{3}", value)]
    return sum(lengths) / len(lengths) if lengths else 0.0
