"""What a record says, as plain values.

Readers of files and the staff's forms make drafts, `records` and `imports.ingest` take them. A draft
knows no database: names instead of rows, tuples instead of querysets. Empty means "not said".
Units: ages in months, durations in minutes.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class ContributorDraft:
    """One person (or firm) in one role; `role` is a code of `catalogue.roles`, or empty."""

    name: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class PublicationDraft:
    """A publisher, and the place as it is printed."""

    publisher: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class GameDraft:
    """All that a record of a game says; `None` and empty mean that it does not say it."""

    title: str
    subtitle: str = ""
    alternative_titles: tuple[str, ...] = ()
    document_type: str = ""
    contributors: tuple[ContributorDraft, ...] = ()
    publications: tuple[PublicationDraft, ...] = ()
    edition: str = ""
    year: int | None = None
    identifiers: tuple[str, ...] = ()  # EAN, ISBN, UPC as printed
    languages: tuple[str, ...] = ()  # BCP 47
    categories: tuple[str, ...] = ()  # as printed: "A 406 Jeu de stratégie"
    keywords: tuple[str, ...] = ()
    players_min: int | None = None
    players_max: int | None = None
    age_min_months: int | None = None
    age_max_months: int | None = None  # None: no upper bound
    minutes_min: int | None = None
    minutes_max: int | None = None
    principle: str = ""
    pedagogy: str = ""
    contents: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class CopyDraft:
    """One box: what its label and the copies table say."""

    barcode: str
    call_number: str = ""
    section: str = ""
    branch: str = ""
    condition: str = "in_service"  # a value of models.Condition; empty: a source that does not say it
    note: str = ""


@dataclass(frozen=True, slots=True)
class RulesHead:
    """Whose rules a text is: everything about it but its words."""

    language: str  # BCP 47
    kind: str = "rules"  # a value of models.RulesKind
    title: str = ""
    edition: str = ""
    source_name: str = ""
    source_url: str = ""
    licence: str = ""
    source_key: str = ""  # the same text imported again has the same key; empty for typed texts


@dataclass(frozen=True, slots=True)
class RevisionDraft:
    """One dated state of a rules text, in our Markdown, with the text it was made from."""

    body: str
    made_at: datetime | None = None  # None: the moment of saving
    comment: str = ""
    author: str = ""
    source_key: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class RulesDraft:
    """A rules text with its revisions, oldest first."""

    head: RulesHead
    revisions: tuple[RevisionDraft, ...]


class Doubt(StrEnum):
    """What a librarian should look at; the words for people stand in `catalogue.doubts`."""

    TITLE_PROPOSED = "title_proposed"
    LANGUAGE_GUESSED = "language_guessed"
    IDENTIFIER_CHECK = "identifier_check"
    CONTENTS_SPLIT = "contents_split"
    CONTENTS_CONTRADICT_RULES = "contents_contradict_rules"
    TEXT_TRUNCATED = "text_truncated"
    SOURCE_CHANGED = "source_changed"
    QUICKLY_ADDED = "quickly_added"


@dataclass(frozen=True, slots=True)
class GameName:
    """Another game as a record names it: its key in that source (or a beginning of it), and its title."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class CategoryDraft:
    """One class of a list of categories, as it is printed on records."""

    printed: str
    place: str


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """One record of a source: a game, and what came with it.

    `key` names the record within its kind of source, so that the same record read again is known again.
    `game` may be a bare title where the source only brings rules for a game (`is_title_only`).
    """

    key: str
    game: GameDraft
    raw: str
    format: str
    is_title_only: bool = False
    copies: tuple[CopyDraft, ...] = ()
    rules: tuple[RulesDraft, ...] = ()
    documents: tuple[str, ...] = ()
    doubts: tuple[tuple[Doubt, str], ...] = ()
    place: str = ""  # where in the file, for messages: "line 12", "row 12", "entry 3"
    known_as: tuple[
        str, ...
    ] = ()  # keys under which other sources bring it; one that ends in ":" begins them
    is_addition: bool = False  # it only adds to a record that is there, such as the pieces of a box
    expands: tuple[GameName, ...] = ()
    expanded_by: tuple[GameName, ...] = ()


class Reason(StrEnum):
    """Why a part of a file could not be imported; sentences in four languages stand in `imports.messages`."""

    NO_FILE = "no_file"
    NOT_A_FILE = "not_a_file"
    NOT_READABLE = "not_readable"
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    BINARY = "binary"
    ENCODING = "encoding"
    UNKNOWN_FORMAT = "unknown_format"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    CHARACTERS = "characters"
    LENGTHS_WRONG = "lengths_wrong"
    NO_TITLE = "no_title"
    NO_RECORD = "no_record"
    RECORDS_MISSING = "records_missing"
    PAGE_SKIPPED = "page_skipped"
    GAME_UNKNOWN = "game_unknown"
    GAME_DOUBTFUL = "game_doubtful"
    SAID_TWICE = "said_twice"
    LANGUAGE_UNKNOWN = "language_unknown"
    BARCODE_TAKEN = "barcode_taken"
    VALUE_UNREADABLE = "value_unreadable"
    CODE_DAMAGED = "code_damaged"
    CELLS_MISCOUNTED = "cells_miscounted"
    QUOTES_BROKEN = "quotes_broken"
    MERGE_MARKS = "merge_marks"
    ENCODING_GUESSED = "encoding_guessed"
    COLUMNS_UNKNOWN = "columns_unknown"
    COLUMNS_MISSING = "columns_missing"
    SECOND_TABLE = "second_table"
    OTHER_TABLE = "other_table"
    RECORD_UNKNOWN = "record_unknown"
    NOT_READY = "not_ready"
    SOURCE_REFUSED = "source_refused"
    PDF_ENCRYPTED = "pdf_encrypted"
    PDF_BROKEN = "pdf_broken"
    PDF_TOO_LONG = "pdf_too_long"
    PDF_NO_TEXT = "pdf_no_text"
    PAGE_UNREAD = "page_unread"
    PAGE_SEEN = "page_seen"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read or stored: where, why, and what was there."""

    place: str
    reason: Reason
    detail: str = ""
    raw: str = ""
    file: str = ""


@dataclass(slots=True)
class Report:
    """What an import did. Counts are of records (games or rules texts attached to a game)."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    problems: list[Problem] = field(default_factory=list)
    records: list[dict[str, object]] = field(default_factory=list)
