"""Reader of BoardGameGeek: answers of its XML API2 (thing, collection, search) and exported collections.

An answer that says "later" or "no" is a Problem in its own words. A game is known by its number there.
What BoardGameGeek asks of who shows its data, its name with a link, is `credit`. Never raises for bad data,
never touches the database.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from catalogue.draft import (
    ContributorDraft,
    CopyDraft,
    Doubt,
    GameDraft,
    GameName,
    Problem,
    PublicationDraft,
    Reason,
    RecordDraft,
)
from catalogue.imports import bgg_table, cells
from catalogue.imports.bgg_table import FORMAT, copies_of
from catalogue.text import name_key, one_line

NAME = "BoardGameGeek"
ADDRESS = "https://boardgamegeek.com/boardgame/"
KEY = re.compile(r"\Abgg:(\d+)(?::|\Z)")
ROOT = re.compile(r"<(?!\?|!--)(\w+)\b([^>]*)>")
BGG_WORDS = re.compile(
    r"boardgamegeek\.com|geekdo|termsofuse|totalitems|<item\b[^>]*\b(?:objectid|subtype|type=\"boardgame)"
)
BLANK_LINES = re.compile(r"\n\s*\n\s*(?:\n\s*)+")
NO_NAMES = re.compile(r"\A\(.*\)\Z|\AN/A\Z", re.IGNORECASE)
EXPANSION = "boardgameexpansion"
CHANGING = {
    "statistics",
    "stats",
    "thumbnail",
    "image",
    "poll",
    "poll-summary",
    "comments",
    "videos",
    "status",
}


@dataclass(frozen=True, slots=True)
class Credit:
    """Whom to name beside a record, and where its page is."""

    name: str
    url: str


def credit(source_key: str) -> Credit | None:
    """The credit line of a record by the key of its source; None for other sources."""
    found = KEY.match(source_key)
    return Credit(NAME, f"{ADDRESS}{found[1]}") if found else None


def is_answer(text: str) -> bool:
    """Whether an XML text is an answer of BoardGameGeek."""
    root = ROOT.search(text[:2000])
    if root is None:
        return False
    if root[1] in ("message", "errors", "error"):
        return True
    return root[1] == "items" and (BGG_WORDS.search(text[:20_000]) is not None or "<item" not in text)


is_table = bgg_table.is_table


def read(text: str, _language: str = "") -> Iterator[RecordDraft | Problem]:
    """The games of an answer or of an exported collection."""
    if not text.lstrip().startswith("<"):
        yield from bgg_table.read(text)
        return
    seen: dict[str, _Item] = {}
    problem = None
    try:
        for element in _elements(text):
            if isinstance(element, Problem):
                yield element
                return
            _gather(element, seen)
    except (ParseError, DefusedXmlException, ValueError) as error:
        problem = _broken(error, text)
    for item in seen.values():
        yield _draft(item)
    if problem:
        yield problem
    elif not seen:
        yield Problem("line 1", Reason.NO_RECORD, raw=text[:1000])


def _broken(error: Exception, text: str) -> Problem:
    """Where the XML ends or breaks; what came before it was whole."""
    line = getattr(error, "position", (1, 0))[0]
    return Problem(f"line {line}", Reason.TRUNCATED, detail=str(error)[:200], raw=text[-500:])


def _elements(text: str) -> Iterator[Element | Problem]:
    """The items of an answer, one at a time; or what it says instead."""
    depth = 0
    data = BytesIO(re.sub(r"\A\s*<\?xml[^>]*\?>", "", text).encode())
    for event, element in iterparse(data, events=("start", "end"), forbid_dtd=True):
        depth += 1 if event == "start" else -1
        if event == "end" and depth == 0 and element.tag in ("message", "errors", "error"):
            yield _refusal(element)
        elif event == "end" and depth == 1 and element.tag == "item":
            yield element
            element.clear()


def _refusal(root: Element) -> Problem:
    """A message in place of records: to come back later, or an error."""
    said = one_line(" ".join([*root.itertext(), root.get("message", "")]))
    is_later = root.tag == "message" and re.search(r"accepted|later|queue|try again", said, re.IGNORECASE)
    reason = Reason.NOT_READY if is_later else Reason.SOURCE_REFUSED
    return Problem("line 1", reason, detail=said[:200], raw=said)


# --- items -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Item:
    """What one or more items say of one game."""

    number: str
    answer: str  # what kind of answer says it, as the end of its key: each says other things
    place: str
    game: GameDraft
    copies: list[CopyDraft] = field(default_factory=list)
    doubts: tuple[tuple[Doubt, str], ...] = ()
    expands: tuple[GameName, ...] = ()
    expanded_by: tuple[GameName, ...] = ()
    raw: str = ""


def _gather(element: Element, seen: dict[str, _Item]) -> None:
    number = element.get("id") or element.get("objectid") or ""
    if not number.isdigit():
        raise ValueError("an item without a number")
    if number in seen:
        seen[number].copies += _copies(element, number, seen[number].copies)
        return
    titles = _titles(element)
    item = _Item(number, _answer(element), f"entry {len(seen) + 1}", _game(element, titles))
    item.copies += _copies(element, number, [])
    item.expands = _links(element, EXPANSION, inbound=True)
    item.expanded_by = _links(element, EXPANSION, inbound=False)
    item.raw = _raw(element)
    if not any(is_primary for _title, is_primary in titles):
        item.doubts = ((Doubt.TITLE_PROPOSED, item.game.title),)
    seen[number] = item


def _answer(element: Element) -> str:
    """A thing says all, an entry of a collection less, a hit of a search hardly anything."""
    if element.get("objectid"):
        return ":collection"
    return "" if element.find("link") is not None or element.find("description") is not None else ":search"


def _draft(item: _Item) -> RecordDraft:
    return RecordDraft(
        key=f"bgg:{item.number}{item.answer}",
        game=item.game,
        raw=item.raw,
        format=FORMAT,
        copies=tuple(item.copies),
        doubts=item.doubts,
        place=item.place,
        known_as=(f"bgg:{item.number}", f"bgg:{item.number}:"),
        expands=item.expands,
        expanded_by=item.expanded_by,
    )


def _raw(element: Element) -> str:
    """The item as text, without the statistics that change every day."""
    lines = []
    for child in element:
        if child.tag not in CHANGING:
            attributes = " ".join(f'{name}="{value}"' for name, value in child.attrib.items())
            lines.append(one_line(f"{child.tag} {attributes} {child.text or ''}"))
    return "\n".join(lines)


def _titles(element: Element) -> list[tuple[str, bool]]:
    """Names in their order, and whether each is the primary one; a collection's only name is."""
    found = []
    for name in element.findall("name"):
        title = one_line(unescape(name.get("value") or name.text or ""))
        if title:
            found.append((title, name.get("type", "primary") == "primary"))
    original = one_line(unescape(element.findtext("originalname") or ""))
    return found + ([(original, False)] if original else [])


def _game(element: Element, titles: list[tuple[str, bool]]) -> GameDraft:
    title = next((one for one, is_primary in titles if is_primary), titles[0][0] if titles else "")
    if not title:
        raise ValueError("an item without a name")
    versions = [_version(one) for one in element.findall("versions/item") + element.findall("version/item")]
    stats = element.find("stats")
    low, high = _number(element, stats, "minplayers"), _number(element, stats, "maxplayers")
    shortest, longest = _minutes(element, stats)
    age = _number(element, stats, "minage")
    return GameDraft(
        title=title,
        alternative_titles=_others([one for one, _primary in titles], title),
        contributors=_people(element),
        publications=tuple(PublicationDraft(name) for name in _values(element, "boardgamepublisher")),
        year=_year(element),
        identifiers=tuple(dict.fromkeys(code for one in versions for code in one.codes)),
        languages=tuple(dict.fromkeys(tag for one in versions for tag in one.languages)),
        categories=tuple(_values(element, "boardgamecategory")),
        keywords=tuple(_values(element, "boardgamemechanic")),
        players_min=low,
        players_max=high if high is None or low is None or high >= low else None,
        age_min_months=age * 12 if age else None,
        minutes_min=shortest,
        minutes_max=longest,
        principle=_description(element),
        note="\n".join(filter(None, [_best(element), *(one.told for one in versions), _comment(element)])),
    )


def _others(names: list[str], title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name_key(name) != name_key(title)))


def _values(element: Element, kind: str) -> list[str]:
    links = (link for link in element.findall("link") if link.get("type") == kind)
    names = (one_line(unescape(link.get("value", ""))) for link in links)
    return list(dict.fromkeys(name for name in names if name and not NO_NAMES.match(name)))


def _people(element: Element) -> tuple[ContributorDraft, ...]:
    designers = [ContributorDraft(name, cells.AUTHOR) for name in _values(element, "boardgamedesigner")]
    artists = [ContributorDraft(name, cells.ILLUSTRATOR) for name in _values(element, "boardgameartist")]
    return (*designers, *artists)


def _links(element: Element, kind: str, *, inbound: bool) -> tuple[GameName, ...]:
    """The games that this one expands (inbound), or that expand it."""
    return tuple(
        GameName(f"bgg:{link.get('id', '')}", one_line(unescape(link.get("value", ""))))
        for link in element.findall("link")
        if link.get("type") == kind and (link.get("inbound") == "true") is inbound
    )


def _number(element: Element, stats: Element | None, name: str) -> int | None:
    """A positive number of a child's value or text, or of the statistics' attribute."""
    child = element.find(name)
    said = (child.get("value") or child.text or "") if child is not None else ""
    said = said or (stats.get(name, "") if stats is not None else "")
    said = said.strip()
    return int(said) or None if said.isdigit() and len(said) < 6 else None


def _year(element: Element) -> int | None:
    """A year of our era; older games have none here."""
    return _number(element, None, "yearpublished")


def _minutes(element: Element, stats: Element | None) -> tuple[int | None, int | None]:
    low, high = _number(element, stats, "minplaytime"), _number(element, stats, "maxplaytime")
    usual = _number(element, stats, "playingtime")
    low, high = low or usual, high or usual
    return (low, high) if low is None or high is None or low <= high else (high, low)


def _description(element: Element) -> str:
    """The text: entities were escaped once more than XML does."""
    text = unescape(element.findtext("description") or "")
    lines = "\n".join(line.strip() for line in text.split("\n"))
    return BLANK_LINES.sub("\n\n", lines).strip()


def _comment(element: Element) -> str:
    return unescape(element.findtext("comment") or "").strip()


# --- polls, versions, boxes --------------------------------------------------------------------


def _best(element: Element) -> str:
    """For how many players it is best, as its players voted."""
    poll = next((one for one in element.findall("poll") if one.get("name") == "suggested_numplayers"), None)
    if poll is None:
        return ""
    votes: dict[str, dict[str, int]] = {}
    for results in poll.findall("results"):
        counted = {one.get("value", ""): int(one.get("numvotes") or 0) for one in results.findall("result")}
        votes[results.get("numplayers", "")] = counted
    best = [number for number, counted in votes.items() if _won(counted, "Best")]
    good = [number for number, counted in votes.items() if _won(counted, "Recommended")]
    told = [f"best with {', '.join(best)}"] if best else []
    told += [f"recommended with {', '.join(good)}"] if good else []
    return f"{NAME}: {'; '.join(told)} players" if told else ""


def _won(counted: dict[str, int], answer: str) -> bool:
    return counted.get(answer, 0) > max([0, *(votes for other, votes in counted.items() if other != answer)])


@dataclass(frozen=True, slots=True)
class _Version:
    """One edition: what of it a game's record can hold, and a line that tells all."""

    languages: tuple[str, ...]
    codes: tuple[str, ...]
    told: str


def _version(element: Element) -> _Version:
    names = _titles(element)
    languages = _values(element, "language")
    code = element.find("productcode")
    codes = [one_line(code.get("value") or code.text or "")] if code is not None else []
    codes = [one for one in codes if one]
    year = _year(element)
    parts = [*_values(element, "boardgamepublisher")[:1], *languages, str(year or ""), *codes]
    title = names[0][0] if names else ""
    tags = tuple(tag for name in languages for tag in cells.languages(name)[0])
    return _Version(tags, tuple(codes), f"Edition: {title} ({', '.join(filter(None, parts))})")


def _copies(element: Element, number: str, have: list[CopyDraft]) -> list[CopyDraft]:
    """A box where the collection owns the game; wishes make none."""
    status = element.find("status")
    if status is None or status.get("own") != "1":
        return []
    private = element.find("privateinfo")
    said = {} if private is None else private.attrib
    quantity = said.get("quantity", "")
    return copies_of(
        number,
        element.get("collid", ""),
        int(quantity) if quantity.isdigit() and len(quantity) < 4 else 1,
        section=said.get("inventorylocation", ""),
        start=len(have) + 1,
    )
