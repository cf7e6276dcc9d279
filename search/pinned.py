"""The places of a rules text that people ask for again and again: setup, a turn, the end, a tie, scoring.

Pure functions on sections. Found by what the headings say, in six languages; where a heading may mean
something else nothing is pinned, because a wrong card at the top costs more than a missing one.
Called by the template tags of `table`; `bundle` shows the same.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from catalogue.rules import words
from catalogue.rules.sections import Section
from catalogue.text import fold, name_key
from search import concepts
from search.analysis import shelf_language, tokens
from search.wordlists import LANGUAGES, word_list


class Kind(StrEnum):
    """What a pinned place tells, in the order in which the cards stand."""

    COMPONENTS = "components"
    SETUP = "setup"
    PLAYERS = "players"
    PLAY = "play"
    TURN = "turn"
    END = "end"
    SCORING = "scoring"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Pin:
    """A place: the heading that says it, and its anchor. `players` is set for what holds for so many players.

    `line` is the first words of the very line below the heading, or empty where the whole section is meant.
    """

    kind: Kind
    anchor: str
    heading: str
    players: int = 0
    line: str = ""


ARTICLES = re.compile(
    r"(?:le|la|les|l|une?|el|los|las|una|the|an?|der|die|das|eine?|il|lo|gli|i|de|het|een) (?=\w)"
)


def _without_article(key: str) -> str:
    return ARTICLES.sub("", key, count=1) if ARTICLES.match(key) else key


def _phrases(text: str) -> dict[str, frozenset[str]]:
    """The folded phrases of `pinned.txt` by the name between brackets."""
    found: dict[str, set[str]] = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line.strip() and not line.startswith("#"):
            found.setdefault(name, set()).update(
                _without_article(name_key(phrase)) for phrase in line.split("|")
            )
    return {name: frozenset(phrases) for name, phrases in found.items()}


PHRASES = _phrases(Path(__file__).with_suffix(".txt").read_text(encoding="utf-8"))
END, SCORING = PHRASES["end"], PHRASES["scoring"]
KNOWN = END | SCORING | PHRASES["tie"] | PHRASES["tie-word"] | PHRASES["winner"]
MAIN = (
    (Kind.COMPONENTS, words.PIECES | PHRASES["components"]),
    (Kind.SETUP, PHRASES["setup"]),
    (Kind.PLAY, PHRASES["play"]),
    (Kind.TURN, PHRASES["turn"]),
)
"""What the main headings say when they say nothing else."""
PLAYER_NUMBER = re.compile(
    r"\b(?:nombre de joueurs|numero de jugadores|number of players|player count|spielerzahl"
    r"|anzahl der spieler"
    r"|numero (?:di|dei) giocatori|aantal spelers)\b"
)

NUMBERING = re.compile(r"^[\W_]*(?:\d{1,2}|[ivx]{1,4}|[a-h])[.):]\s*", re.IGNORECASE)
PARTS = re.compile(r"\s*(?:[/&:;,+–—]|\s-\s|\b(?:et|und|y|e|en|and|ou|oder|o|or)\b)\s*", re.IGNORECASE)
QUESTION = re.compile(r"[?¿]")
LONGEST_HEADING = 6  # words; a longer one speaks of a case, not of the game for so many players
MOST_PLAYERS = 12
ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
PAUSE = re.compile(r"\s*[:;,.(–—]")
MARKS = re.compile(r"[*_`]")
LINE_WORDS = 5
MOST_LINES = 300  # of one section; a setup that is longer is none


def pinned(sections: Sequence[Section], language: str) -> tuple[Pin, ...]:
    """The places of a text that are told by their headings, at most one a kind and number of players."""
    if shelf_language(language) not in LANGUAGES:
        return ()
    outer = _outermost(sections)
    found: dict[Kind, Pin] = {}
    for section in sections:
        for kind in _kinds(section, outer, found):
            found.setdefault(kind, Pin(kind, section.anchor, section.heading))
    if Kind.TURN in found:
        found.pop(Kind.PLAY, None)
    pins = [*found.values(), *_for_players(sections, language)]
    order = list(Kind)
    return tuple(sorted(pins, key=lambda pin: (order.index(pin.kind), pin.players)))


def _outermost(sections: Iterable[Section]) -> int:
    """The level at which the text has its main headings; a lone heading over all others is its title."""
    levels = [section.level for section in sections if section.heading]
    if not levels:
        return 0
    return 2 if levels.count(1) == 1 and levels[0] == 1 and 2 in levels else 1


def _kinds(section: Section, outer: int, found: dict[Kind, Pin]) -> Iterator[Kind]:
    """What a section tells; a bare word counts among the main headings alone."""
    parts = _parts(section.heading)
    if not parts:
        return
    is_main = section.level == outer
    above = {name_key(step) for step in section.path[:-1]}
    closes = bool(above & (END | SCORING)) or (is_main and (Kind.END in found or Kind.SCORING in found))
    if any(part in END for part in parts) or (
        is_main and parts[0] in PHRASES["bare-end"] and len(parts) == 1
    ):
        yield Kind.END
    if is_main and len(parts) == 1:
        yield from (kind for kind, phrases in MAIN if parts[0] in phrases)
    if any(part in SCORING for part in parts) and (is_main or above & END) and _all_known(parts):
        yield Kind.SCORING
    if (
        any(part in PHRASES["tie"] for part in parts)
        or _is_tie_within(parts, above)
        or (_speaks_of_ties(parts) and (closes or len(parts) > 1))
    ):
        yield Kind.TIE


def _all_known(parts: Sequence[str]) -> bool:
    return all(part in KNOWN for part in parts)


def _speaks_of_ties(parts: Sequence[str]) -> bool:
    return any(part in PHRASES["tie-word"] for part in parts) and _all_known(parts)


def _is_tie_within(parts: Sequence[str], above: set[str]) -> bool:
    """A part of the end or the scoring that opens with the word: "Ties in the normal game"."""
    return bool(above & (END | SCORING)) and parts[0].split()[0] in PHRASES["tie-word"]


def _parts(heading: str) -> list[str]:
    """The phrases of a heading, folded, whole or between its joints, without number and article."""
    bare = NUMBERING.sub("", heading)
    if QUESTION.search(bare):
        return []
    whole = _without_article(name_key(bare))
    if any(whole in phrases for phrases in (*(p for _, p in MAIN), KNOWN)):
        return [whole]
    return [key for key in (_without_article(name_key(part)) for part in PARTS.split(bare)) if key]


# --- how many players --------------------------------------------------------------------------


def _for_players(sections: Sequence[Section], language: str) -> list[Pin]:
    """What holds for 2, for 3 players ...: sections whose headings say it, else lines of the setup."""
    found: dict[int, Pin] = {}
    for section in sections:
        count = _counted(section.heading, language) if _may_count(section.heading) else 0
        if count:
            found.setdefault(count, Pin(Kind.PLAYERS, section.anchor, section.heading, count))
    for section in sections:
        lines = _player_lines(section, language) if _tells_setup(section) else {}
        if len(lines) > 1:
            for count, line in lines.items():
                found.setdefault(count, Pin(Kind.PLAYERS, section.anchor, section.heading, count, line))
    return list(found.values())


def _may_count(heading: str) -> bool:
    return bool(heading) and not QUESTION.search(heading) and len(heading.split()) <= LONGEST_HEADING


def _tells_setup(section: Section) -> bool:
    """A setup section, a part of one, or one about numbers of players as such."""
    if any(_parts(step) and _parts(step)[0] in PHRASES["setup"] for step in section.path):
        return True
    return PLAYER_NUMBER.search(name_key(section.heading)) is not None


def _player_lines(section: Section, language: str) -> dict[int, str]:
    """Number of players -> the first words of the line that begins with it."""
    found: dict[int, str] = {}
    for line in section.body.splitlines()[:MOST_LINES]:
        said = ITEM.sub("", MARKS.sub("", line)).split()[:LINE_WORDS]
        count = _counted(PAUSE.split(" ".join(said))[0], language)
        if count:
            found.setdefault(count, " ".join(said))
    return found


def _counted(text: str, language: str) -> int:
    """The one number of players that a few words speak of; 0 for none, and for several."""
    shelf = _shelf(language)
    listed = word_list(shelf)
    if (listed.players | listed.among).isdisjoint(re.split(r"[\W_]+", fold(text))):
        return 0  # the glossary need not be asked: most lines of most texts end here
    said = concepts.concepts(tokens(text, shelf), shelf)
    counts = {int(f.concept.removeprefix("players ")) for f in said if f.concept.startswith("players ")}
    return counts.pop() if len(counts) == 1 and max(counts) <= MOST_PLAYERS else 0


def _shelf(language: str) -> str:
    return shelf_language(language)
