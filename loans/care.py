"""The only writer of care: conditions of boxes as moves of one table, plans, and what was done.

`care_rules` decides, `catalogue.records` stores the condition with who and why. A quarantine that a plan
asks for begins with the return itself and is taken back when that return is undone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue import components, records
from catalogue.models import Component, Condition, Copy, CopyEvent
from catalogue.text import one_line
from loans import care_rules, rules
from loans.act import Act, Refused
from loans.calendar import local_date
from loans.care_rules import Lack, Move
from loans.locks import lock_game
from loans.marks import may_have
from loans.models import CareDone, CareKind, CarePlan, DeskEvent, Loan, PieceDecision
from loans.rules import RefusalCode
from loans.transaction import in_one_transaction

EDIT_CATALOGUE = "catalogue.edit_catalogue"
MOST_LOANS, MOST_DAYS = 9999, 3660
"""The slowest rhythms of a plan."""

DUE_SHOWN = 200
"""Boxes shown of each plan; the rest comes up when these are done."""

SHELVED = (Condition.IN_SERVICE, Condition.INCOMPLETE)


# --- the condition of a box ----------------------------------------------------------------------


@in_one_transaction
def move(copy: Copy, wanted: Move, *, act: Act, why: str = "", until_on: date | None = None) -> CopyEvent:
    """Make a move of the table.

    Raises Refused where the box's state does not allow it, PermissionDenied for a librarian's move
    without the right to edit the catalogue.
    """
    if wanted in care_rules.FOR_LIBRARIANS and not act.by.has_perm(EDIT_CATALOGUE):
        raise PermissionDenied(f"The move {wanted} needs the permission {EDIT_CATALOGUE}.")
    copy = _lock(copy)
    target = care_rules.after(wanted, copy.condition)
    if target is None:
        raise Refused.because(RefusalCode.MOVE_NOT_ALLOWED, condition=copy.condition)
    if target == Condition.IN_SERVICE:
        target = care_rules.state_by_pieces(lacks_of(copy))
    return records.set_condition(copy, target, at=act.now, by=act.by, why=why, until_on=until_on)


def moves_open_to(by: User, copy: Copy) -> list[Move]:
    """What somebody may do to the box now."""
    is_librarian = by.has_perm(EDIT_CATALOGUE)
    possible = care_rules.moves_from(copy.condition)
    return [move for move in possible if is_librarian or move not in care_rules.FOR_LIBRARIANS]


def settle_by_pieces(copy: Copy, *, act: Act, why: str = "") -> CopyEvent | None:
    """Let the condition of a box that is in nobody's care follow from what the box holds."""
    if copy.condition not in care_rules.COUNTED:
        return None
    target = care_rules.state_by_pieces(lacks_of(copy))
    if target == copy.condition:
        return None
    return records.set_condition(copy, target, at=act.now, by=act.by, why=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceDraft:
    """How many of one kind of piece a box holds for good; `count` None: as many as its game's list says."""

    component: Component
    count: int | None
    note: str = ""
    playable: bool = True


@in_one_transaction
def set_differences(copy: Copy, said: Iterable[DifferenceDraft], *, act: Act) -> None:
    """Say how a box differs from its game's list; its condition follows from what it holds then."""
    for draft in said:
        components.set_difference(
            copy, draft.component, draft.count, note=draft.note, playable=draft.playable
        )
    settle_by_pieces(copy, act=act)


def lacks_of(copy: Copy) -> list[Lack]:
    """What the box lacks now: open questions, and what it will never hold again."""
    missing = copy.missing_pieces.filter(end="").exclude(decision=PieceDecision.SPARE)
    decided = {PieceDecision.SHELF: True, PieceDecision.UNPLAYABLE: False}
    lacks = [
        Lack(m.component.is_key, decided.get(PieceDecision(m.decision)))
        for m in missing.select_related("component")
    ]
    short = copy.differences.filter(count__lt=F("component__count"), component__listed=True)
    return lacks + [
        Lack(is_key=False, playable=playable) for playable in short.values_list("playable", flat=True)
    ]


def events_of(copy: Copy) -> QuerySet[CopyEvent]:
    """What became of the box, the latest first."""
    return copy.condition_events.select_related("by")


def _lock(copy: Copy) -> Copy:
    """The copy, after its game, as the desk locks them."""
    lock_game(copy.game_id)
    return Copy.objects.select_for_update(of=("self",), no_key=True).get(pk=copy.pk)


# --- what the rules ask about a box ----------------------------------------------------------------


def facts(copy: Copy, today: date) -> rules.CareFacts:
    """Quarantine and blocking care of one box; no query where the library has no plans."""
    one, plans = Copy.objects.filter(pk=copy.pk), [plan for plan in _reminders(copy) if plan.blocks]
    due = [plan.what for plan in plans if _due_boxes(plan, one, today)]
    return rules.CareFacts(
        quarantined=copy.condition == Condition.QUARANTINE,
        quarantined_until=_quarantined_until(copy),
        due="; ".join(due),
    )


def _quarantined_until(copy: Copy) -> date | None:
    if copy.condition != Condition.QUARANTINE:
        return None
    return copy.condition_events.values_list("until_on", flat=True).first()


def plans_of(copy: Copy) -> Iterable[CarePlan]:
    """The plans that hold for a box: its own, its game's, its categories', and those for all."""
    if not may_have(copy, "plans"):
        return ()
    scopes = Q(copy=copy) | Q(game=copy.game_id) | Q(category__games=copy.game_id)
    everywhere = Q(copy=None, game=None, category=None)
    return CarePlan.objects.filter(scopes | everywhere, ended_on=None).distinct()


def _reminders(copy: Copy) -> Iterable[CarePlan]:
    return (plan for plan in plans_of(copy) if plan.kind != CareKind.QUARANTINE)


# --- hooks of the desk -----------------------------------------------------------------------------


def after_check_in(copy: Copy, *, act: Act) -> None:
    """Begin the quarantine that a plan asks for."""
    if copy.condition not in SHELVED:
        return
    plans = (plan for plan in plans_of(copy) if plan.kind == CareKind.QUARANTINE)
    longest = max(plans, key=lambda plan: plan.every_days or 0, default=None)
    if longest is not None:
        today = local_date(act.now, copy.branch)
        until = care_rules.quarantine_until(today, longest.every_days or 0)
        copy.condition = move(copy, Move.QUARANTINE, act=act, why=longest.what, until_on=until).after


def when_lent(loan: Loan, *, act: Act) -> None:
    """A box whose quarantine was over, or waived, is in service again."""
    if loan.copy.condition == Condition.QUARANTINE:
        move(loan.copy, Move.BACK_IN_SERVICE, act=act)


def when_undone(event: DeskEvent, *, act: Act) -> None:
    """Take back the quarantine that began with a return which never was."""
    last = CopyEvent.objects.filter(copy=event.copy_id).first()
    if last and last.after == Condition.QUARANTINE and last.at == event.at:
        records.set_condition(last.copy, last.before, at=act.now, by=act.by)


# --- plans -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDraft:
    """What is said of a plan."""

    kind: str
    what: str
    copy: Copy | None = None
    game: Any = None
    category: Any = None
    every_loans: int | None = None
    every_days: int | None = None
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class DueBox:
    """A box for which a plan is due."""

    plan: CarePlan
    copy: Copy
    loans_since: int
    last_on: date


class PlanGap(ValueError):
    """What a plan does not say, or says twice, in the reader's words; `field` is where."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field = field


def check_plan(draft: PlanDraft) -> None:
    """Raises PlanGap for a plan without a rhythm, or of several things at once; ValueError without words."""
    if not draft.what.strip():
        raise ValueError("A plan says what to do.")
    if draft.kind == CareKind.QUARANTINE and not draft.every_days:
        raise PlanGap("every_days", _("Say how many days a quarantine lasts."))
    if not draft.every_loans and not draft.every_days:
        raise PlanGap("every_loans", _("Say after how many loans, or after how many days."))
    if sum(scope is not None for scope in (draft.copy, draft.game, draft.category)) > 1:
        raise PlanGap("barcode", _("A plan is of one box, of one game, of one category, or of all boxes."))


def add_plan(draft: PlanDraft, *, today: date) -> CarePlan:
    """A new plan that counts from today. Raises what `check_plan` raises."""
    check_plan(draft)
    return CarePlan.objects.create(
        kind=draft.kind,
        what=draft.what.strip()[:200],
        copy=draft.copy,
        game=draft.game,
        category=draft.category,
        every_loans=draft.every_loans or None,
        every_days=draft.every_days or None,
        blocks=draft.blocks,
        since_on=today,
    )


def end_plan(plan: CarePlan, *, today: date) -> None:
    """From today the plan asks for nothing more; what was done stays."""
    CarePlan.objects.filter(pk=plan.pk, ended_on=None).update(ended_on=today)


@in_one_transaction
def done(plan: CarePlan, copy: Copy, *, act: Act, note: str = "") -> CareDone:
    """What the plan asks for was done to the box now; said twice within a minute, it was done once."""
    copy = _lock(copy)
    last = CareDone.objects.filter(plan=plan, copy=copy).first()
    if last and rules.is_a_moment_ago(last.at, act.now):
        return last
    return CareDone.objects.create(plan=plan, copy=copy, at=act.now, by=act.by, note=one_line(note)[:300])


def due(today: date) -> Iterator[tuple[CarePlan, list[DueBox]]]:
    """What is due, plan by plan; plans for which nothing is due are left out."""
    plans = CarePlan.objects.filter(ended_on=None).exclude(kind=CareKind.QUARANTINE)
    for plan in plans.select_related("copy", "game", "category"):
        if boxes := _due_boxes(plan, _scope(plan), today):
            yield plan, boxes


def due_for(copy: Copy, today: date) -> list[DueBox]:
    """What is due for one box, whether it blocks or only reminds."""
    one = Copy.objects.filter(pk=copy.pk)
    return [box for plan in _reminders(copy) for box in _due_boxes(plan, one, today)]


def quarantined() -> Iterable[tuple[Copy, date | None]]:
    """The boxes in quarantine, each with its last day."""
    until = CopyEvent.objects.filter(copy=OuterRef("pk")).values("until_on")[:1]
    rows = Copy.objects.filter(condition=Condition.QUARANTINE).select_related("game")
    for copy in rows.annotate(until=Subquery(until)).order_by("until", "barcode"):
        yield copy, copy.until


def _scope(plan: CarePlan) -> QuerySet[Copy]:
    rows = Copy.objects.exclude(condition__in=(Condition.WITHDRAWN, Condition.LOST, Condition.DONATED))
    if plan.copy_id:
        return rows.filter(pk=plan.copy_id)
    if plan.game_id:
        return rows.filter(game=plan.game_id)
    return rows.filter(game__categories=plan.category_id) if plan.category_id else rows


def _due_boxes(plan: CarePlan, copies: QuerySet[Copy], today: date) -> list[DueBox]:
    """The boxes among `copies` for which the plan is due: one query, the rule applied to each row."""
    begins = timezone.make_aware(datetime.combine(plan.since_on, time.min))
    last = CareDone.objects.filter(plan=plan, copy=OuterRef("pk")).values("at")[:1]
    returned = Loan.objects.filter(copy=OuterRef("pk"), voided=False, returned_at__gt=OuterRef("since"))
    counted = returned.order_by().values("copy").annotate(n=Count("pk")).values("n")
    rows = copies.annotate(since=Coalesce(Subquery(last), begins)).annotate(
        loans_since=Coalesce(Subquery(counted), 0)
    )
    boxes = (
        DueBox(plan, copy, copy.loans_since, timezone.localtime(copy.since).date())
        for copy in rows.select_related("game", "branch")
    )
    found = [box for box in boxes if care_rules.is_due(_facts(plan, box), today)]
    return found[:DUE_SHOWN]


def _facts(plan: CarePlan, box: DueBox) -> care_rules.PlanFacts:
    return care_rules.PlanFacts(
        every_loans=plan.every_loans,
        every_days=plan.every_days,
        loans_since=box.loans_since,
        last_on=box.last_on,
    )
