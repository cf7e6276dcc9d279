"""Rules texts for reading: one state of a text with its contents, its history, and two texts side by side.

Reads only. The current state is the latest by time, as in `RulesText.current`.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from django.db.models import Prefetch, QuerySet
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from catalogue.models import Revision, RulesText
from catalogue.rules import diff, render
from catalogue.rules.diff import DiffBlock
from catalogue.rules.sections import Section
from search import parallel
from search.passages import targets
from search.places import sections_of, versions

NEWS = timedelta(days=60)
"""How long a changed text says so to everybody."""
UNCHANGED = 6
"""From so many unchanged lines in a row on, a comparison folds them away."""


@dataclass(frozen=True, slots=True)
class Other:
    """Another text of the game; `anchors` of its sections in the order of the page's, None where unsure."""

    text: RulesText
    anchors: tuple[str | None, ...]

    @property
    def is_parallel(self) -> bool:
        """Whether any section of the page has its like in it."""
        return any(self.anchors)

    @property
    def written_anchors(self) -> str:
        """The anchors with a blank between each two; nothing stands for an unsure one."""
        return " ".join(anchor or "" for anchor in self.anchors)


@dataclass(frozen=True, slots=True)
class News:
    """The text was changed lately: the day of the current state, and the last state before the news."""

    day: datetime
    before: int


@dataclass(frozen=True)
class Page:
    """A text in one of its states, as it is read."""

    text: RulesText
    revision: Revision
    is_current: bool
    others: list[Other]
    news: News | None = None

    @property
    def beside(self) -> list[Other]:
        """The texts in other languages that it can be read beside."""
        return [o for o in self.others if o.is_parallel and o.text.language != self.text.language]

    @cached_property
    def contents(self) -> list[Section]:
        """The headings, in reading order."""
        return _headings(self.revision.body)

    @cached_property
    def html(self) -> SafeString:
        """The words, under the page's own <h1>."""
        return render.to_html(self.revision.body, targets=targets(self.text, self.revision.body))


@dataclass(frozen=True, slots=True)
class Run:
    """Lines of a comparison that belong together; a folded one only says how many lines are unchanged."""

    blocks: tuple[DiffBlock, ...]
    is_folded: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two states of a text and what changed between them."""

    text: RulesText
    old: Revision
    new: Revision
    blocks: tuple[DiffBlock, ...]

    @property
    def is_same(self) -> bool:
        """Whether no word differs."""
        return all(block.kind == diff.Change.SAME for block in self.blocks)

    @property
    def runs(self) -> list[Run]:
        """The lines, long unchanged stretches folded away, unless the two states say the same."""
        stretches = [tuple(group) for _, group in groupby(self.blocks, lambda b: b.kind == diff.Change.SAME)]
        return [Run(stretch, is_folded=self._is_dull(stretch)) for stretch in stretches]

    def _is_dull(self, stretch: tuple[DiffBlock, ...]) -> bool:
        return not self.is_same and stretch[0].kind == diff.Change.SAME and len(stretch) >= UNCHANGED


def texts() -> QuerySet[RulesText]:
    """Rules texts with their games and the heads of their revisions, oldest first; bodies are not loaded."""
    heads = Revision.objects.defer("body", "raw")
    return RulesText.objects.select_related("game").prefetch_related(Prefetch("revisions", heads))


def page(
    text: RulesText, number: int | None = None, *, now: datetime, since: date | None = None
) -> Page | None:
    """The text in revision `number`, or in its current state; None where there is no such state.

    `since` is the day on which the reader last had it, such as a print of it.
    """
    current = text.current
    revision = current if number is None else _numbered(text, number)
    if revision is None or current is None:
        return None
    revision.refresh_from_db(fields=["body"])
    is_current = revision.pk == current.pk
    news = _news(text, since or timezone.localdate(now - NEWS)) if is_current else None
    return Page(text, revision, is_current=is_current, others=_others(text, revision.body), news=news)


def _news(text: RulesText, since: date) -> News | None:
    """What changed on that day or later. A text that only came in since is new, not changed."""
    states = list(text.revisions.all())
    older = [state for state in states if timezone.localdate(state.made_at) < since]
    before = older[-1] if older else states[0]
    current = states[-1]
    return None if before.pk == current.pk else News(current.made_at, before.number)


def _others(text: RulesText, body: str) -> list[Other]:
    """The other texts of the game; only one of the same kind can be a translation."""
    contents = _headings(body)
    others = [v for v in versions({text.game_id})[text.game_id] if v.text.pk != text.pk]
    return [
        Other(
            other.text,
            parallel.align(contents, _only_headed(other.sections), text.language, other.text.language)
            if other.text.kind == text.kind
            else (),
        )
        for other in others
    ]


def _headings(body: str) -> list[Section]:
    return _only_headed(sections_of(body))


def _only_headed(sections: tuple[Section, ...]) -> list[Section]:
    return [section for section in sections if section.heading]


def comparison(text: RulesText, old: int | None, new: int | None) -> Comparison | None:
    """Revision `old` against `new`; left out, they are the last two. None where there is no such state."""
    states = list(text.revisions.all())
    if not states:
        return None
    later = _numbered(text, new) if new is not None else states[-1]
    earlier = _numbered(text, old) if old is not None else states[-2:][0]
    if earlier is None or later is None:
        return None
    if (later.made_at, later.number) < (earlier.made_at, earlier.number):
        earlier, later = later, earlier  # whichever way round they were chosen
    for revision in {earlier, later}:
        revision.refresh_from_db(fields=["body"])
    return Comparison(text, earlier, later, diff.compare(earlier.body, later.body))


def _numbered(text: RulesText, number: int) -> Revision | None:
    return next((r for r in text.revisions.all() if r.number == number), None)
