"""Reader of saved pages of catalogues other than PMB: web sites of toy libraries, collections with software
of their own.

`labelled` cuts the page, `cells` reads the values as in tables, this module makes records of them. What has
no place of its own stands in the note. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from catalogue.draft import (
    ContributorDraft,
    Doubt,
    GameDraft,
    Problem,
    PublicationDraft,
    Reason,
    RecordDraft,
    RevisionDraft,
    RulesDraft,
    RulesHead,
)
from catalogue.imports import cells, copies, labelled, notices, values
from catalogue.imports.cells import Span
from catalogue.imports.headings import Field
from catalogue.imports.labelled import Page
from catalogue.imports.text_language import language_of
from catalogue.rules import plain, split
from catalogue.text import fold, name_key, one_line

FORMAT = "page"
LINK_WORDS = re.compile(
    r"\s*\b(?:cliquez|cliquer|click here|voir le site|voir la fiche|site officiel|klicken sie)\b.*\Z",
    re.IGNORECASE | re.DOTALL,
)
BRACKET = re.compile(r"\s*\((?P<inside>[^()]{2,60})\)\s*\Z")
ARTICLE = re.compile(r"(?:(?:le|la|les|un|une|des)\s+|l['’])", re.IGNORECASE)
SHORTEST_PROSE = 40
LONGEST_CATEGORY = 40
NO_SPAN = Span(None, None)
NOTE_FIELDS = (
    *(Field.GAME_FACT, Field.SECTION, Field.BRANCH, Field.STATUS, Field.COPY_NOTE, Field.COPY_FACT),
    *(Field.RECORD_ID, Field.BARCODE, Field.CALL_NUMBER, Field.COPIES, Field.OWNERS, Field.BGG_ID),
    *(Field.WITHDRAWN_ON, Field.IGNORED, Field.PLACE),
)


@dataclass(slots=True)
class _Reading:
    """What is gathered while one record is read."""

    page: Page
    title: str = ""
    publisher: str = ""
    categories: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def place(self) -> str:
        return f"line {self.page.line}"

    def span(self, which: Field, kind: str) -> Span:
        """Both ends out of one cell; words without a number say nothing of it."""
        value = self.page.first(which)
        if not value or not any(map(str.isdigit, value)):
            return NO_SPAN
        found = cells.IN_SPAN[kind](value)
        if found is None:
            self.problems.append(Problem(self.place, Reason.VALUE_UNREADABLE, detail=value[:300], raw=value))
        return found or NO_SPAN


def read(text: str, asked: str = "") -> Iterator[RecordDraft | Problem]:
    """The records of a page, with what could not be read."""
    boxes_at = notices.COPIES.search(text)
    body, table = (text[: boxes_at.start()], text[boxes_at.end() :]) if boxes_at else (text, "")
    pages = [page for page in labelled.cut(body) if labelled.title_of(page)[0]]
    if not pages:
        yield Problem("line 1", Reason.NO_RECORD, raw=text[:1000])
        return
    for page in pages:
        yield from _record(page, table if len(pages) == 1 else "", asked)


def _record(page: Page, table: str, asked: str) -> Iterator[RecordDraft | Problem]:
    reading = _Reading(page)
    _tell_lines_apart(reading)
    contents, rules, principle = _texts(reading)
    game = _game(reading, contents, principle)
    boxes, without_barcode = copies.read(table, game.categories) if table else ([], [])
    reading.problems += copies.without_barcode(reading.place, without_barcode)
    doubts: list[tuple[Doubt, str]] = []
    yield RecordDraft(
        key=_key(game),
        game=game,
        raw=page.raw,
        format=FORMAT,
        copies=tuple({box.barcode: box for box in boxes}.values()),
        rules=_rules(rules, game, asked, reading, doubts),
        doubts=tuple(doubts),
        place=reading.place,
    )
    yield from reading.problems


def _tell_lines_apart(reading: _Reading) -> None:
    """Title, publisher, category and prose among the lines that have no label."""
    title, others = labelled.title_of(reading.page)
    bracket = BRACKET.search(title)
    if bracket and not reading.page.first(Field.PUBLISHER) and not cells.split_award(title)[1]:
        reading.publisher, title = bracket["inside"].strip(), title[: bracket.start()]
    reading.title = in_small_letters(one_line(title))
    for line in [*others, *reading.page.rest]:
        if name_key(re.split(r"\s[:|–—-]\s", line)[-1]) == name_key(title):
            continue
        if reading.prose or len(line) >= SHORTEST_PROSE or labelled.is_heading(line):
            reading.prose.append(line)
        elif line in others and len(line) <= LONGEST_CATEGORY and not reading.page.first(Field.CATEGORY):
            reading.categories.append(line)
        else:
            reading.left.append(line)


def in_small_letters(title: str) -> str:
    """`LA RONDE DU FERMIER` -> `La Ronde du fermier`: as French titles are written; others stay."""
    if not title.isupper() or len(title.split()) < 2:
        return title
    article = ARTICLE.match(title)
    start = article.end() if article else 0
    first = title[:start].capitalize()
    return first + title[start : start + 1] + title[start + 1 :].lower()


def _texts(reading: _Reading) -> tuple[str, str, str]:
    """Contents, rules and idea of the game: told by what the texts are, not by their label alone."""
    page = reading.page
    contents, rules = split.contents_and_rules("\n".join(page.all(Field.CONTENTS)))
    said = [*page.all(Field.PRINCIPLE), "\n".join(reading.prose)]
    told = "\n\n".join(_without_tail(text, reading.title) for text in said if text).strip()
    pieces, told_rules = split.contents_and_rules(told)
    if told_rules and _has_headings(told):
        return contents or pieces, "\n\n".join(filter(None, [rules, told_rules])), ""
    return contents, rules, told


def _has_headings(text: str) -> bool:
    return sum(line.startswith("#") for line in plain.to_markdown(text).split("\n")) > 1


def _without_tail(text: str, title: str) -> str:
    """Without the last line of a page, which says the site's name and the title again."""
    lines = text.split("\n")
    last = re.split(r"\s[:|–—-]\s", lines[-1])[-1]
    return "\n".join(lines[:-1] if len(lines) > 1 and name_key(last) == name_key(title) else lines).strip()


def _game(reading: _Reading, contents: str, principle: str) -> GameDraft:
    page = reading.page
    players, ages, minutes = _players(reading), _ages(reading), reading.span(Field.MINUTES, "minutes")
    title, subtitle = values.title_and_subtitle(reading.title)
    return GameDraft(
        title=title,
        subtitle=subtitle or one_line(page.first(Field.SUBTITLE)),
        alternative_titles=tuple(page.all(Field.OTHER_TITLE)),
        document_type=one_line(page.first(Field.DOCUMENT_TYPE)),
        contributors=_people(page),
        publications=_publications(reading),
        edition=one_line(page.first(Field.EDITION)),
        year=values.year_of(page.first(Field.YEAR)),
        identifiers=tuple(page.all(Field.PRODUCT_CODE)),
        languages=tuple(dict.fromkeys(t for v in page.all(Field.LANGUAGES) for t in cells.languages(v)[0])),
        categories=cells.categories([*page.all(Field.CATEGORY), *reading.categories]),
        keywords=_keywords(page),
        players_min=players.low,
        players_max=players.high,
        age_min_months=ages.low,
        age_max_months=ages.high,
        minutes_min=minutes.low,
        minutes_max=minutes.high,
        principle=principle,
        pedagogy="\n".join(page.all(Field.PEDAGOGY)),
        contents=contents,
        note=_note(reading),
    )


def _people(page: Page) -> tuple[ContributorDraft, ...]:
    pairs = ((Field.AUTHOR, cells.AUTHOR), (Field.ILLUSTRATOR, cells.ILLUSTRATOR))
    found = (
        one for which, role in pairs for cell in page.all(which) for one in cells.people(_plain(cell), role)
    )
    return tuple(dict.fromkeys(found))


def _publications(reading: _Reading) -> tuple[PublicationDraft, ...]:
    printed = [_plain(cell) for cell in reading.page.all(Field.PUBLISHER)] or [reading.publisher]
    return tuple(one for cell in printed for one in cells.publishers(cell))


def _plain(cell: str) -> str:
    """Without the words of a link behind a name."""
    return LINK_WORDS.sub("", cell.replace(" | ", "; ")).strip()


def _keywords(page: Page) -> tuple[str, ...]:
    """Themes, mechanisms, features; and for whom it is, where no number says so."""
    audience = [cell for cell in page.all(Field.AGE) if not any(map(str.isdigit, cell))]
    found = [word for cell in [*page.all(Field.KEYWORDS), *audience] for word in cells.words(cell)]
    return tuple(dict.fromkeys(found))


def _players(reading: _Reading) -> Span:
    both = reading.span(Field.PLAYERS, "players")
    low = values.number(reading.page.first(Field.PLAYERS_MIN)) or both.low
    high = values.number(reading.page.first(Field.PLAYERS_MAX)) or both.high
    return _in_order(low, high, reading, Field.PLAYERS_MAX)


def _ages(reading: _Reading) -> Span:
    both = reading.span(Field.AGE, "age")
    least = reading.span(Field.AGE_MIN, "age")
    most = reading.page.first(Field.AGE_MAX)
    high = cells.upper_age(most) if most else both.high or least.high
    return _in_order(least.low if least.low is not None else both.low, high, reading, Field.AGE_MAX)


def _in_order(low: int | None, high: int | None, reading: _Reading, which: Field) -> Span:
    if low is not None and high is not None and low > high:
        detail = f"{low} > {high} {reading.page.first(which)}"
        reading.problems.append(Problem(reading.place, Reason.VALUE_UNREADABLE, detail=detail))
        return NO_SPAN
    return Span(low, high)


def _note(reading: _Reading) -> str:
    page = reading.page
    kept = [
        f"{label} : {one_line(value)}"
        for which in NOTE_FIELDS
        for label, value in page.said.get(which, ())
        if value
    ]
    own = [f"{label} : {one_line(value)}" for label, value in page.unknown if value]
    return "\n".join([*page.all(Field.NOTE), *kept, *own, *reading.left])


def _rules(
    text: str, game: GameDraft, asked: str, reading: _Reading, doubts: list[tuple[Doubt, str]]
) -> tuple[RulesDraft, ...]:
    if not text:
        return ()
    language = language_of(text, said=game.languages[0] if len(game.languages) == 1 else "", asked=asked)
    if not language.tag:
        reading.problems.append(Problem(reading.place, Reason.LANGUAGE_UNKNOWN, detail=game.title, raw=text))
        return ()
    if language.is_guessed:
        doubts.append((Doubt.LANGUAGE_GUESSED, language.tag))
    markdown = plain.to_markdown(text)
    head = RulesHead(language=language.tag, source_key=f"{_key(game)}:rules")
    return (RulesDraft(head, (RevisionDraft(body=markdown, source_key=_digest(markdown), raw=text),)),)


def _key(game: GameDraft) -> str:
    """Title, publisher, year and code, as of a PMB notice."""
    publishers = [name_key(one.publisher) for one in game.publications]
    parts = [name_key(game.title), fold(game.subtitle), *publishers, str(game.year or ""), *game.identifiers]
    return f"{FORMAT}:{_digest('|'.join(parts))}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]
