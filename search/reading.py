"""Rules texts for reading: one state of a text with its contents, its history, and two states side by side.

Reads only. The current state is the latest by time, as in `RulesText.current`.
"""

from dataclasses import dataclass

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from catalogue.models import Revision, RulesText
from catalogue.rules import diff, render, sections
from catalogue.rules.diff import DiffBlock
from catalogue.rules.sections import Section
from search import parallel
from search.passages import targets


@dataclass(frozen=True, slots=True)
class Other:
    """Another text of the game; `anchors` of its sections in the order of the page's, where they agree."""

    text: RulesText
    anchors: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """A text in one of its states, as it is read."""

    text: RulesText
    revision: Revision
    is_current: bool
    others: list["Other"]

    @cached_property
    def contents(self) -> list[Section]:
        """The headings, in reading order."""
        return _headings(self.revision.body)

    @cached_property
    def html(self) -> SafeString:
        """The words, under the page's own <h1>."""
        return render.to_html(self.revision.body, targets=targets(self.text, self.revision.body))


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


def texts() -> QuerySet[RulesText]:
    """Rules texts with their games and the heads of their revisions, oldest first; bodies are not loaded."""
    heads = Revision.objects.defer("body", "raw")
    return RulesText.objects.select_related("game").prefetch_related(Prefetch("revisions", heads))


def page(text: RulesText, number: int | None = None) -> Page | None:
    """The text in revision `number`, or in its current state; None where there is no such state."""
    current = text.current
    revision = current if number is None else _numbered(text, number)
    if revision is None or current is None:
        return None
    revision.refresh_from_db(fields=["body"])
    others = _others(text, _headings(revision.body))
    return Page(text, revision, is_current=revision.pk == current.pk, others=others)


def _others(text: RulesText, contents: list[Section]) -> list[Other]:
    """The other texts of the game; only one of the same kind can be a translation."""
    latest = Revision.objects.filter(rules_text=OuterRef("pk")).order_by("-made_at", "-number")
    others = RulesText.objects.filter(game=text.game_id).exclude(pk=text.pk)
    return [
        Other(
            other, parallel.anchors(contents, _headings(other.words or "")) if other.kind == text.kind else ()
        )
        for other in others.annotate(words=Subquery(latest.values("body")[:1]))
    ]


def _headings(body: str) -> list[Section]:
    return [section for section in sections.parse(body) if section.heading]


def comparison(text: RulesText, old: int | None, new: int | None) -> Comparison | None:
    """Revision `old` against `new`; left out, they are the last two. None where there is no such state."""
    states = list(text.revisions.all())
    if not states:
        return None
    later = _numbered(text, new) if new is not None else states[-1]
    earlier = _numbered(text, old) if old is not None else states[-2:][0]
    if earlier is None or later is None:
        return None
    for revision in {earlier, later}:
        revision.refresh_from_db(fields=["body"])
    return Comparison(text, earlier, later, diff.compare(earlier.body, later.body))


def _numbered(text: RulesText, number: int) -> Revision | None:
    return next((r for r in text.revisions.all() if r.number == number), None)
