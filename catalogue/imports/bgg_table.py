"""Collections exported from BoardGameGeek as CSV, of 22, 48 or 58 columns: found by their names.

One draft a game, with a box for each that is owned; wishes make none. Never raises for bad data, never
touches the database.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from html import unescape

from catalogue.barcodes import is_spreadsheet_damage
from catalogue.draft import CopyDraft, GameDraft, Problem, PublicationDraft, Reason, RecordDraft
from catalogue.imports import cells, columns, tables
from catalogue.text import fold, name_key, one_line

FORMAT = "bgg"
REQUIRED = ("objectid", "objectname", "own")
EXPANSION = "Expansion for Base-game"  # the category that BoardGameGeek gives them
CHANGING = {"rank", "average", "baverage", "avgweight", "numowned", "numplays"}
NAMES = {
    *("rating", "numplays", "weight", "own", "fortrade", "wanttobuy", "wanttoplay", "prevowned", "wishlist"),
    *("average", "avgweight", "rank", "originalname", "minplayers", "maxplayers", "playingtime", "itemtype"),
    *("yearpublished", "collid", "objecttype", "objectid", "objectname"),
}
MOST_COPIES = 50
FIRST_LINES = 2000  # characters among which the headings stand


def is_table(text: str) -> bool:
    """Whether a text is such an export, whole or not."""
    first = text.lstrip("\ufeff \n")[:FIRST_LINES].partition("\n")[0]
    names = {fold(name).strip(' "') for name in first.replace(";", ",").replace("\t", ",").split(",")}
    return bool(names & {"objectid", "objectname"}) and len(names & NAMES) > 2


def read(text: str) -> Iterator[RecordDraft | Problem]:
    """The games of an export."""
    table = tables.open_text(text, columns.is_heading)
    names = [fold(heading) for heading in table.headings]
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        yield Problem(table.place, Reason.COLUMNS_MISSING, detail=", ".join(missing), raw=", ".join(names))
        return
    found: dict[str, RecordDraft] = {}
    for row in table.rows():
        if isinstance(row, Problem):
            yield row
            continue
        said = {name: cell for name, cell in zip(names, row.cells, strict=False) if cell}
        draft = _draft(said, row.place, found)
        if isinstance(draft, Problem):
            yield draft
        else:
            found[draft.key] = draft
    yield from found.values()


Said = Mapping[str, str]


def _draft(said: Said, place: str, found: Mapping[str, RecordDraft]) -> RecordDraft | Problem:
    """The record of a row, or of this row and those before it that name the same game."""
    number, title = said.get("objectid", ""), one_line(unescape(said.get("objectname", "")))
    raw = "\n".join(f"{name}: {cell}" for name, cell in said.items() if name not in CHANGING)
    if not number.isdigit():
        reason = Reason.CODE_DAMAGED if is_spreadsheet_damage(number) else Reason.VALUE_UNREADABLE
        return Problem(place, reason, detail=f"objectid: {number[:80] or '–'}", raw=raw)
    if not title:
        return Problem(place, Reason.NO_TITLE, detail=number, raw=raw)
    before = found.get(f"bgg:{number}:csv")
    copies = _copies(said, number, 1 if before is None else len(before.copies) + 1)
    if before is not None:
        return _with_another_row(before, _game(said, title), copies, raw)
    return RecordDraft(
        key=f"bgg:{number}:csv",
        game=_game(said, title),
        raw=raw,
        format=FORMAT,
        copies=tuple(copies),
        place=place,
        known_as=(f"bgg:{number}", f"bgg:{number}:"),
    )


def _with_another_row(before: RecordDraft, game: GameDraft, copies: list[CopyDraft], raw: str) -> RecordDraft:
    """Another edition or box of the same game: its boxes, codes and languages come to the first row's."""
    both = replace(
        before.game,
        identifiers=tuple(dict.fromkeys((*before.game.identifiers, *game.identifiers))),
        languages=tuple(dict.fromkeys((*before.game.languages, *game.languages))),
        publications=tuple(dict.fromkeys((*before.game.publications, *game.publications))),
    )
    return replace(before, game=both, copies=(*before.copies, *copies), raw=f"{before.raw}\n\n{raw}")


def _game(said: Said, title: str) -> GameDraft:
    players = _ordered(_whole(said, "minplayers"), _whole(said, "maxplayers"))
    usual = _whole(said, "playingtime")
    minutes = _ordered(_whole(said, "minplaytime") or usual, _whole(said, "maxplaytime") or usual)
    original = one_line(unescape(said.get("originalname", "")))
    age = cells.ages(said.get("bggrecagerange", ""))
    spoken = said.get("version_languages") or said.get("language", "")
    return GameDraft(
        title=title,
        alternative_titles=(original,) if original and name_key(original) != name_key(title) else (),
        publications=tuple(PublicationDraft(p.publisher) for p in _publishers(said)),
        edition=one_line(said.get("version_nickname", "")),
        year=_whole(said, "version_yearpublished") or _whole(said, "yearpublished"),
        identifiers=_codes(said),
        languages=cells.languages(spoken)[0] if spoken else (),
        categories=(EXPANSION,) if said.get("itemtype", "") == "expansion" else (),
        players_min=players[0],
        players_max=players[1],
        age_min_months=age.low if age else None,
        minutes_min=minutes[0],
        minutes_max=minutes[1],
        note=_note(said),
    )


def _publishers(said: Said) -> tuple[PublicationDraft, ...]:
    return tuple(
        one for name in said.get("version_publishers", "").split(",") for one in cells.publishers(name)
    )


def _codes(said: Said) -> tuple[str, ...]:
    code = one_line(said.get("barcode", ""))
    return (code,) if code and not is_spreadsheet_damage(code) else ()


def _whole(said: Said, name: str) -> int | None:
    """A positive whole number; the years before our era and 0 are none."""
    value = said.get(name, "")
    return int(value) or None if value.isdigit() and len(value) < 6 else None


def _ordered(low: int | None, high: int | None) -> tuple[int | None, int | None]:
    return (high, low) if low is not None and high is not None and low > high else (low, high)


def _note(said: Said) -> str:
    """What its players recommend, and the owner's comment."""
    told = [
        f"{words} {said[name]}"
        for name, words in (("bggbestplayers", "best with"), ("bggrecplayers", "recommended with"))
        if said.get(name)
    ]
    recommended = f"BoardGameGeek: {'; '.join(told)} players" if told else ""
    return "\n".join(filter(None, [recommended, unescape(said.get("comment", ""))]))


def _copies(said: Said, number: str, start: int) -> list[CopyDraft]:
    if said.get("own") != "1":
        return []
    times = _whole(said, "quantity") or 1
    boxes = copies_of(number, said.get("collid", ""), times, section=said.get("invlocation", ""), start=start)
    note = "\n".join(said[name] for name in ("conditiontext", "privatecomment") if said.get(name))
    return [replace(box, note=note) for box in boxes]


def copies_of(number: str, entry: str, times: int, *, section: str = "", start: int = 1) -> list[CopyDraft]:
    """Boxes without labels get numbers that stay: those of the collection's entry, else of the game."""
    times = max(0, min(times, MOST_COPIES))
    of = f"BGG-{entry}" if entry else f"BGG-{number}"
    labels = [of] if entry and times == 1 else [f"{of}-{at}" for at in range(start, start + times)]
    return [CopyDraft(barcode=label, section=one_line(section)) for label in labels]
