"""Where each copy is now: derived for a whole queryset, stored nowhere.

What is wrong with a box is the catalogue's fact, who has it is an open loan; the two meet here only.
The public catalogue, the API and the desk all ask here.
"""

from datetime import date
from typing import TYPE_CHECKING, TypedDict

from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Now, TruncDate
from django.db.models.lookups import LessThan
from django.utils.translation import gettext_lazy as _

from catalogue.models import Condition, Copy, CopyEvent
from loans.models import Hold, Loan, Transfer

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class Availability(models.TextChoices):
    """Where a copy is."""

    ON_SHELF = "on_shelf", _("on the shelf")
    ON_HOLD = "on_hold", _("on the hold shelf")
    IN_TRANSIT = "in_transit", _("on its way")
    ON_LOAN = "on_loan", _("on loan")
    IN_REPAIR = "in_repair", _("in repair")
    NOT_FOR_LOAN = "not_for_loan", _("not for loan")
    LOST = "lost", _("lost")
    WITHDRAWN = "withdrawn", _("withdrawn")
    UNPLAYABLE = "unplayable", _("not playable: pieces are missing")
    CLEANING = "cleaning", _("being cleaned")
    QUARANTINE = "quarantine", _("in quarantine")
    DONATED = "donated", _("given away")


LENDABLE = (Condition.IN_SERVICE, Condition.INCOMPLETE)
"""The conditions in which a box may go out; the rule itself is `rules.CONDITIONS_REFUSED`."""


class Whereabouts(TypedDict):
    """What `annotate` adds to a copy: a value of Availability, and the due date of an open loan."""

    status: str
    due_back_on: date | None


class GameId(TypedDict):
    """A row of `available_games`."""

    game_id: int


def annotate(copies: "QuerySet[Copy]") -> "QuerySet[WithAnnotations[Copy, Whereabouts]]":
    """The same copies with `.status` and `.due_back_on`, in the same one query."""
    open_loan = Loan.objects.filter(copy=OuterRef("pk"), returned_at=None)
    due_back_on = Subquery(open_loan.values("due_on")[:1])
    return copies.annotate(due_back_on=due_back_on).annotate(status=_status())


def _status() -> Case:
    """A lost or withdrawn box is nowhere, whoever had it; a box in repair that is on loan is on loan."""
    return Case(
        When(Q(condition=Condition.WITHDRAWN), then=Value(Availability.WITHDRAWN)),
        When(Q(condition=Condition.DONATED), then=Value(Availability.DONATED)),
        When(Q(condition=Condition.LOST), then=Value(Availability.LOST)),
        When(Q(due_back_on__isnull=False), then=Value(Availability.ON_LOAN)),
        When(_in_transit(), then=Value(Availability.IN_TRANSIT)),
        When(_is_in_order() & _promised(), then=Value(Availability.ON_HOLD)),
        When(_is_in_order(), then=Value(Availability.ON_SHELF)),
        default=F("condition"),
        output_field=models.CharField(),
    )


def _promised() -> Exists:
    return Exists(Hold.objects.filter(copy=OuterRef("pk")))


def _in_transit() -> Exists:
    return Exists(Transfer.objects.filter(copy=OuterRef("pk"), received_at=None))


def available_games() -> "QuerySet[Copy, GameId]":
    """The games with a copy on the shelf, for `Game.objects.filter(pk__in=available_games())`."""
    on_loan = Loan.objects.filter(copy=OuterRef("pk"), returned_at=None)
    free = Copy.objects.filter(_is_in_order(), ~Exists(on_loan), ~_promised(), ~_in_transit())
    return free.values("game_id")


def _is_in_order() -> Q:
    """Fit to go out; or in a quarantine whose last day is over, which its next loan will write down."""
    last = CopyEvent.objects.filter(copy=OuterRef("pk")).order_by("-at", "-pk").values("until_on")[:1]
    is_over = LessThan(Subquery(last), TruncDate(Now()))
    return Q(condition__in=LENDABLE) | Q(is_over, condition=Condition.QUARANTINE)
