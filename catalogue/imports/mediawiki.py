"""Reader of a MediaWiki feed of contributions: as Atom (RFC 4287), or as a capture of it that lost its tags.

Every entry holds a whole page as it was at one time; the entries of one page are the revisions of one
rules text. A page's name is not a title: where no record has that name, a title is proposed and marked
for review. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from catalogue.draft import (
    Doubt,
    GameDraft,
    Problem,
    Reason,
    RecordDraft,
    RevisionDraft,
    RulesDraft,
    RulesHead,
)
from catalogue.imports.text_language import language_of
from catalogue.rules import wikitext

FORMAT = "mediawiki"
ATOM = "{http://www.w3.org/2005/Atom}"
XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"

ENTRY = re.compile(
    r"(?P<url>https?://[^\s<>\"?]{1,200}\?title=(?P<page>[^\s<>\"&]{1,300})&(?:diff|oldid)=)"
    r"(?P<named>\d{1,12}[^\n<]{0,300}?)"
    r"(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)(?=\s*<p>)"
)
SUMMARY = re.compile(r"\s*<p>(?P<comment>.*?)</p>\s*<hr ?/?>\s*<div>(?P<text>.*)", re.DOTALL)
FEED_LANGUAGE = re.compile(r"\[(?P<tag>[a-z]{2,3})\](?=\d{4}-\d\d-\d\dT)")
REVISION_ID = re.compile(r"[?&](?:diff|oldid)=(?P<id>\d+)")
PAGE_PREFIX = re.compile(r"^game ?help[ _]*", re.IGNORECASE)
REDIRECT = re.compile(
    r"\s*#\s*(?:redirect|redirection|redirecci[óo]n|weiterleitung|doorverwijzing|rinvia)\b", re.I
)
NOT_A_PAGE = re.compile(
    r"^(?:[^:]{0,40}[ _])?(?:talk|discussion|discusi[óo]n|diskussion|overleg|discussione"
    r"|user|utilisateur|usuario|benutzer|special|sp[ée]cial|especial|spezial|file|fichier|archivo|datei|image|template|mod[èe]le|plantilla|vorlage"
    r"|category|cat[ée]gorie|categor[íi]a|kategorie|help|aide|ayuda|hilfe|mediawiki|project|projet)[^:]{0,40}:",
    re.IGNORECASE,
)
# Page names that run a title's words together, and the title.
KNOWN_TITLES = {
    "clansofcaledonia": "Clans of Caledonia",
    "lagranja": "La Granja",
    "perch": "Perch",
    "spacestationphoenix": "Space Station Phoenix",
    "teotihuacan": "Teotihuacan",
    "uptown": "Uptown",
}
LONGEST_AUTHOR = 200


@dataclass(frozen=True, slots=True)
class _Entry:
    """One revision of one page, as the feed gives it; `text` is wikitext."""

    place: str
    url: str
    page: str
    revision: int
    made_at: datetime
    comment: str
    author: str
    text: str


@dataclass(frozen=True, slots=True)
class _Feed:
    """The entries in the feed's order, what could not be read, and the language that the feed states."""

    entries: tuple[_Entry, ...]
    problems: tuple[Problem, ...]
    language: str


def read(text: str, asked: str = "") -> Iterator[RecordDraft | Problem]:
    """The pages of a feed, each with its revisions from the oldest to the newest."""
    feed = _read_atom(text) if text.lstrip().startswith("<") else _read_flattened(text)
    yield from feed.problems
    pages: dict[tuple[str, str], list[_Entry]] = {}
    for entry in feed.entries:
        pages.setdefault((_host(entry), entry.page), []).append(entry)
    if not pages and not feed.problems:
        yield Problem("line 1", Reason.NO_RECORD, raw=text[:1000])
    for entries in pages.values():
        yield from _page(sorted(entries, key=lambda e: (e.made_at, e.revision)), feed.language, asked)


def _page(entries: list[_Entry], said: str, asked: str) -> Iterator[RecordDraft | Problem]:
    """One page. `entries` run from the oldest to the newest."""
    newest = entries[-1]
    if not _holds_rules(newest):
        yield Problem(newest.place, Reason.PAGE_SKIPPED, detail=newest.page, raw=newest.text)
        return
    language = language_of(newest.text, said=said, asked=asked)
    if not language.tag:
        yield Problem(newest.place, Reason.LANGUAGE_UNKNOWN, detail=newest.page, raw=newest.text)
        return
    host, name = _host(newest), PAGE_PREFIX.sub("", newest.page)
    key = f"{FORMAT}:{host}:{newest.page}"[:300]
    title = KNOWN_TITLES.get(name.casefold()) or _spaced(name)
    doubts = [(Doubt.TITLE_PROPOSED, newest.page)] + [
        (Doubt.LANGUAGE_GUESSED, language.tag)
    ] * language.is_guessed
    head = RulesHead(
        language=language.tag, source_name=host, source_url=_page_url(newest), source_key=f"{key}:rules"[:300]
    )
    readable = [entry for entry in entries if _holds_rules(entry)]
    yield RecordDraft(
        key=key,
        game=GameDraft(title=title),
        raw=newest.text,
        format=FORMAT,
        is_title_only=True,
        rules=(RulesDraft(head, tuple(map(_revision, readable))),),
        doubts=tuple(doubts),
        place=newest.place,
    )


def _holds_rules(entry: _Entry) -> bool:
    """Not so: talk, user, template ... pages, redirects, and pages that somebody has emptied."""
    return bool(entry.text.strip()) and not NOT_A_PAGE.match(entry.page) and not REDIRECT.match(entry.text)


def _revision(entry: _Entry) -> RevisionDraft:
    return RevisionDraft(
        body=wikitext.to_markdown(entry.text),
        made_at=entry.made_at,
        comment=entry.comment,
        author=entry.author,
        source_key=str(entry.revision),
        raw=entry.text,
    )


def _host(entry: _Entry) -> str:
    """Taken as text: an address may be damaged."""
    return re.split(r"[/?#]", entry.url.partition("://")[2], maxsplit=1)[0][:100]


def _page_url(entry: _Entry) -> str:
    return entry.url.partition("&")[0][:1000]


def _spaced(name: str) -> str:
    """A title to propose for a page name: blanks where the name has capitals or underscores."""
    words = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])", " ", name.replace("_", " ")).strip()
    return words[:1].upper() + words[1:] if words else name


# --- a capture without tags --------------------------------------------------------------------


def _read_flattened(text: str) -> _Feed:
    heads = list(ENTRY.finditer(text))
    said = FEED_LANGUAGE.search(text[: heads[0].end()]) if heads else None
    entries, problems, line, counted = [], [], 1, 0
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        line += text.count("\n", counted, head.start())
        counted = head.start()
        body = text[head.end() : end]
        entry = _flattened_entry(head, body, f"line {line}")
        if entry:
            entries.append(entry)
        else:
            problems.append(_broken(f"line {line}", head["page"], body))
    return _Feed(tuple(entries), tuple(problems), said["tag"] if said else "")


def _flattened_entry(head: re.Match[str], body: str, place: str) -> _Entry | None:
    """The page's name follows the revision's number without a blank; the user follows `</div>`."""
    summary = SUMMARY.match(body)
    text, closing, author = summary["text"].rpartition("</div>") if summary else ("", "", "")
    page = unquote(head["page"]).replace("_", " ")
    revision = head["named"].removesuffix(page)
    if not revision.isdigit():
        revision = re.match(r"\d+", head["named"])[0]  # type: ignore[index]  # ENTRY begins it with a digit
    made_at, author = _moment(head["time"]), author.strip()
    if summary is None or not closing or made_at is None or not summary["comment"].startswith(author):
        return None  # broken off: what follows the last `</div>` is not the user
    return _Entry(
        place=place,
        url=head["url"] + revision,
        page=page,
        revision=int(revision),
        made_at=made_at,
        comment=_comment(summary["comment"], author),
        author=author[:LONGEST_AUTHOR],
        text=text,
    )


def _broken(place: str, page: str, raw: str) -> Problem:
    return Problem(place, Reason.TRUNCATED, detail=page, raw=raw)


def _comment(summary: str, author: str) -> str:
    """The remark of a revision, without the user's name that the wiki puts before it."""
    remark = unescape(re.sub(r"<[^>]+>", "", summary)).strip()
    return remark.removeprefix(f"{author} :").removeprefix(f"{author}:").strip()


def _moment(printed: str) -> datetime | None:
    try:
        return datetime.fromisoformat(printed.strip().replace("Z", "+00:00")).astimezone(UTC)
    except ValueError:
        return None


# --- Atom --------------------------------------------------------------------------------------


def _read_atom(text: str) -> _Feed:
    try:
        # The declaration may name an encoding that the text no longer has.
        root = fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
    except (ParseError, DefusedXmlException, ValueError) as error:
        return _rescue(text, str(error))
    entries, problems = [], []
    for number, element in enumerate(root.iter(f"{ATOM}entry"), start=1):
        entry = _atom_entry(element, f"entry {number}")
        if entry:
            entries.append(entry)
        else:
            problems.append(Problem(f"entry {number}", Reason.MALFORMED, raw=_all_text(element)))
    return _Feed(tuple(entries), tuple(problems), root.get(XML_LANGUAGE, ""))


def _rescue(text: str, error: str) -> _Feed:
    """A file that breaks off: the entries that are whole are read one by one."""
    opening = re.search(r"<feed\b[^>]*>", text)
    if not opening or "<!DOCTYPE" in text or "<!ENTITY" in text:
        return _Feed((), (Problem("line 1", Reason.MALFORMED, detail=error, raw=text[:1000]),), "")
    whole = "".join(re.findall(r"<entry\b[^>]*>.*?</entry>", text, re.DOTALL))
    problem = Problem(_place_in(error), Reason.TRUNCATED, detail=error, raw=text[-1000:])
    try:
        fromstring(f"{opening[0]}{whole}</feed>")
    except (ParseError, DefusedXmlException, ValueError):
        return _Feed((), (Problem(_place_in(error), Reason.MALFORMED, detail=error, raw=text[:1000]),), "")
    feed = _read_atom(f"{opening[0]}{whole}</feed>")
    return _Feed(feed.entries, (problem, *feed.problems), feed.language)


def _place_in(error: str) -> str:
    found = re.search(r"line (\d+)", error)
    return found[0] if found else "line 1"


def _atom_entry(element: Element, place: str) -> _Entry | None:
    url = element.findtext(f"{ATOM}id", "").strip()
    revision, made_at = REVISION_ID.search(url), _moment(element.findtext(f"{ATOM}updated", ""))
    author = element.findtext(f"{ATOM}author/{ATOM}name", "").strip()
    summary = SUMMARY.match(element.findtext(f"{ATOM}summary", ""))
    page = element.findtext(f"{ATOM}title", "").strip()
    if not (revision and made_at and summary and page):
        return None
    # The parser has undone XML's escapes; the wiki's own are undone here, once.
    text = unescape(summary["text"].rstrip().removesuffix("</div>"))
    return _Entry(
        place=place,
        url=url,
        page=page,
        revision=int(revision["id"]),
        made_at=made_at,
        comment=_comment(summary["comment"], author),
        author=author[:LONGEST_AUTHOR],
        text=text,
    )


def _all_text(element: Element) -> str:
    return " ".join(element.itertext())[:1000]
