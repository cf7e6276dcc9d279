"""What `search_quality` switches off, one thing at a time, and how: by putting something duller in its place.

Production code knows of no switches. A substitute takes the place of a constant or function in every module
of `search` that has the name; a name that no module has any more is an error, lest nothing be measured.
"""

import sys
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from types import ModuleType
from typing import Any

from catalogue.text import fold

Substitute = Callable[[Any], Any]
"""From what stands there to what shall stand there."""


class Baseline(StrEnum):
    """What others would put in the place of our search."""

    WHOLE_ALL = "whole text, Whoosh as it comes"
    WHOLE_ANY = "whole text, Whoosh, any word"
    BM25 = "passages, Whoosh BM25"
    FTS5 = "passages, SQLite FTS5"
    GRAMS = "passages, 4-grams"


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Something that search does. `off` maps names to substitutes; `module.name` means there only."""

    name: str
    off: dict[str, Substitute] = field(hash=False)
    is_indexed: bool = False  # whether the index must be built anew without it
    needs_typos: bool = False  # whether its use shows only in misspelt copies

    def switch_off(self) -> None:
        """Put the substitutes in place, in this process and for good."""
        for name, substitute in self.off.items():
            for module, attribute in places(name):
                setattr(module, attribute, substitute(getattr(module, attribute)))


def places(name: str) -> list[tuple[ModuleType, str]]:
    """Where a name stands. Raises LookupError where it stands nowhere."""
    only, _, attribute = name.rpartition(".")
    found = [
        (module, attribute)
        for path, module in sorted(sys.modules.items())
        if path.startswith("search.") and attribute in vars(module) and only in ("", path.split(".")[-1])
    ]
    if not found:
        raise LookupError(
            f"Nothing in search is called {name}: the mechanism has changed, change its switch."
        )
    return found


def _always(value: Any) -> Substitute:
    return lambda _there: value


def _returning(value: Any) -> Substitute:
    """A function that always gives this; a list anew each time, for the caller may add to it."""
    return lambda _there: lambda *_args, **_named: copy(value)


def _returning_the(place: int) -> Substitute:
    """A function that gives back one of its arguments untouched."""
    return lambda _there: lambda *args, **_named: args[place]


def _without_heading(there: Any) -> Any:
    return lambda body, _heading, last: there(body, [], last)


def _folded_only(_there: Any) -> Any:
    return lambda word, _language: fold(word)


def _all_worth_one(there: Any) -> Any:
    return dict.fromkeys(there, 1.0)


def _in_own_language_only(_there: Any) -> Any:
    return lambda asker: (asker,)


def _all_editions_alike(there: Any) -> Any:
    return lambda question: (question, there.__globals__["Editions"]())


MECHANISMS = (
    Mechanism(
        "headings",
        {
            "HEADING_GAIN": _always(0.0),
            "documents.read": _without_heading,
            "documents._passage_words": _without_heading,
        },
        is_indexed=True,
    ),
    Mechanism("glossary", {"glossary": _returning(())}, is_indexed=True),
    Mechanism("stems", {"_stem": _folded_only}, is_indexed=True),
    Mechanism("compounds", {"compound_parts": _returning(())}, is_indexed=True),
    Mechanism(
        "typo repair",
        {"repaired": _returning_the(1), "allowed_errors": _returning(0)},
        needs_typos=True,
    ),
    Mechanism("what stands near a word: slips, beginnings, parts", {"with_nearby": _returning_the(1)}),
    Mechanism("everyday words weigh little", {"EVERYDAY": _always(1.0), "COMMON": _always(1.0)}),
    Mechanism("words of another translation", {"TWIN": _always(0.0)}),
    Mechanism("game detection", {"_named_games": _returning([])}),
    Mechanism("question scaffolding", {"_scaffold": _returning(set())}),
    Mechanism("exact above folded above stem", {"OWN": _all_worth_one, "FOREIGN": _all_worth_one}),
    Mechanism("nearness", {"NEAR_GAIN": _always(0.0)}),
    Mechanism("things brought together with what happens to them", {"happenings": _returning(frozenset())}),
    Mechanism("terms in two pieces", {"_in_two": _returning([])}, is_indexed=True),
    Mechanism("coverage", {"COVERAGE_FLOOR": _always(1.0)}),
    Mechanism("numbers of players", {"_player_counts": _returning([])}, is_indexed=True),
    Mechanism("likeliest games looked at whole", {"SHARPNESS": _always(0.0)}),
    Mechanism("other languages", {"_shelves": _in_own_language_only}),
    Mechanism("language told by the question", {"asked_in": _returning_the(1)}),
    Mechanism(
        "asker's language first",
        {
            "OTHER_LANGUAGE": _always(1.0),
            "_at_home_first": _returning_the(0),
        },
    ),
    Mechanism("the edition that is asked for", {"asked_for": _all_editions_alike}),
    Mechanism("other editions in sight", {"VARIETY": _always(1.0)}),
    Mechanism("records among the answers", {"RECORD": _always(0.0)}),
)
