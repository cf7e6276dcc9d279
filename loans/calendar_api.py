"""The calendar over HTTP: days, opening rules, closures and what they move.

A change of closures with `preview` answers what it would move and changes nothing; with the `seen` of that
answer it is made only if that is still so.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch
from loans import closures, openings
from loans.api import MayUseDesk, Permitted, act_of, valid
from loans.calendar import local_date
from loans.calendar_page import BranchDays
from loans.closures import Change, ClosureDraft, Plan, PlanChanged
from loans.models import Closure, Opening
from loans.opening import DAY, DayState
from loans.openings import EARLIEST, LATEST, NeverOpen, NotARecurrence, OpeningDraft

LONGEST = timedelta(days=366)
LARGEST_ID = 2**63 - 1


class MayManageCalendar(Permitted):
    """Whoever may set opening days and closures."""

    permission = "loans.manage_calendar"


# --- shapes ------------------------------------------------------------------------------------


class BranchField(serializers.PrimaryKeyRelatedField[Branch]):
    """A branch by its id; null: all branches."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            queryset=Branch.objects.all(),
            pk_field=serializers.IntegerField(min_value=1, max_value=LARGEST_ID),
            allow_null=True,
            required=False,
            default=None,
            **options,
        )


class SpanSerializer(serializers.Serializer[Any]):
    """Days in a row, first and last included."""

    first_on = serializers.DateField()
    last_on = serializers.DateField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse days that are the wrong way round, or too far away to be meant."""
        if attrs["last_on"] < attrs["first_on"]:
            raise serializers.ValidationError({"last_on": _("This is before the first day.")})
        for name in ("first_on", "last_on"):
            if not EARLIEST <= attrs[name] <= LATEST:
                raise serializers.ValidationError({name: _("Look at the year: this day is too far away.")})
        return attrs


class DaysAskedSerializer(SpanSerializer):
    """Days of a branch, a year at most."""

    branch = BranchField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse more than a year at once."""
        if attrs["last_on"] - attrs["first_on"] > LONGEST:
            raise serializers.ValidationError({"last_on": _("Ask for a year at most.")})
        return super().validate(attrs)


class HoursSerializer(serializers.Serializer[Any]):
    """From when to when; null: not said."""

    opens_at = serializers.TimeField(allow_null=True)
    closes_at = serializers.TimeField(allow_null=True)


class DaySerializer(serializers.Serializer[Any]):
    """One day."""

    day = serializers.DateField()
    state = serializers.ChoiceField(choices=[(state.value, state.name) for state in DayState])
    hours = HoursSerializer(many=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Of the closures that cover it.")


class OpeningSerializer(serializers.Serializer[Any]):
    """Days on which a branch is open: an RFC 5545 recurrence of whole days, from a day."""

    id = serializers.IntegerField(read_only=True)
    branch = BranchField()
    starts_on = serializers.DateField()
    rrule = serializers.CharField(max_length=300)
    opens_at = serializers.TimeField(allow_null=True, required=False, default=None)
    closes_at = serializers.TimeField(allow_null=True, required=False, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a recurrence that names no day, and hours the wrong way round."""
        try:
            openings.check_recurrence(attrs["starts_on"], attrs["rrule"])
        except NotARecurrence as error:
            raise serializers.ValidationError({"rrule": str(error)}) from error
        if attrs["opens_at"] and attrs["closes_at"] and attrs["closes_at"] <= attrs["opens_at"]:
            raise serializers.ValidationError({"closes_at": _("It closes after it opens.")})
        return attrs


class ClosureSerializer(SpanSerializer):
    """Days of closure."""

    id = serializers.IntegerField(read_only=True)
    branch = BranchField()
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class ConsentSerializer(serializers.Serializer[Any]):
    """Only look, or do what was seen."""

    preview = serializers.BooleanField(required=False, default=False, help_text="Answer, and change nothing.")
    seen = serializers.CharField(
        max_length=64, required=False, default="", allow_blank=True, help_text="`seen` of the preview."
    )


class ClosureChangeSerializer(ClosureSerializer, ConsentSerializer):
    """Days of closure, to look at or to enter."""


class RedatingSerializer(serializers.Serializer[Any]):
    """A loan whose due date moves."""

    loan = serializers.IntegerField(source="loan.pk")
    barcode = serializers.CharField(source="loan.copy.barcode")
    promised_on = serializers.DateField()
    due_before = serializers.DateField()
    due_after = serializers.DateField()


class LeftAloneSerializer(serializers.Serializer[Any]):
    """A loan that the closure once moved, and that has gone its own way since."""

    loan = serializers.IntegerField(source="loan.pk")
    because = serializers.ChoiceField(choices=[(each.value, each.name) for each in closures.Because])


class PlanSerializer(serializers.Serializer[Any]):
    """What a change of closures does to the open loans."""

    seen = serializers.CharField()
    moves = RedatingSerializer(many=True)
    left_alone = LeftAloneSerializer(many=True)


class ConflictSerializer(serializers.Serializer[Any]):
    """Why not; `plan` as it stands now, where it is no longer what was seen."""

    code = serializers.ChoiceField(choices=[("never_open", "NEVER_OPEN"), ("plan_changed", "PLAN_CHANGED")])
    detail = serializers.CharField()
    plan = PlanSerializer(required=False)


CONFLICT = OpenApiResponse(ConflictSerializer, description="No day would be open, or the plan has changed.")
WRONG = OpenApiResponse(description="What was sent cannot be read; by field.")
NOT_THERE = OpenApiResponse(description="There is no such row.")
CONSENT = [OpenApiParameter("preview", bool), OpenApiParameter("seen", str)]


# --- operations --------------------------------------------------------------------------------


class Days(APIView):
    """When a branch is open."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="calendar_days_list",
        parameters=[DaysAskedSerializer],
        responses={200: DaySerializer(many=True), 400: WRONG},
    )
    def get(self, request: Request) -> Response:
        """The days of a branch: open, closed or not said."""
        asked = valid(DaysAskedSerializer(data=request.query_params))
        days = BranchDays(asked["branch"], local_date(timezone.now(), asked["branch"]))
        length = (asked["last_on"] - asked["first_on"]).days + 1
        told = [days.day(asked["first_on"] + number * DAY) for number in range(length)]
        return Response(DaySerializer(told, many=True).data)


class Openings(APIView):
    """The opening rules."""

    permission_classes = (MayManageCalendar,)

    @extend_schema(operation_id="calendar_openings_list", responses={200: OpeningSerializer(many=True)})
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """All opening rules."""
        return Response(OpeningSerializer(Opening.objects.select_related("branch"), many=True).data)

    @extend_schema(
        operation_id="calendar_openings_create",
        request=OpeningSerializer,
        responses={201: OpeningSerializer, 400: WRONG, 409: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Add an opening rule."""
        return _opening(None, request, status.HTTP_201_CREATED)


class OneOpening(APIView):
    """An opening rule."""

    permission_classes = (MayManageCalendar,)

    @extend_schema(
        operation_id="calendar_openings_update",
        request=OpeningSerializer,
        responses={200: OpeningSerializer, 400: WRONG, 404: NOT_THERE, 409: CONFLICT},
    )
    def put(self, request: Request, pk: int) -> Response:
        """Change an opening rule. Open loans keep their due date."""
        return _opening(_row(Opening, pk), request, status.HTTP_200_OK)

    @extend_schema(
        operation_id="calendar_openings_destroy", responses={204: None, 404: NOT_THERE, 409: CONFLICT}
    )
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Remove an opening rule."""
        row = _row(Opening, pk)

        def remove() -> Response:
            openings.delete_openings([row], today=local_date(timezone.now(), None))
            return Response(status=status.HTTP_204_NO_CONTENT)

        return _or_conflict(remove)


class Closures(APIView):
    """The closures that stand."""

    permission_classes = (MayManageCalendar,)

    @extend_schema(operation_id="calendar_closures_list", responses={200: ClosureSerializer(many=True)})
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """All closures that were not lifted."""
        rows = Closure.objects.filter(lifted_at=None).select_related("branch")
        return Response(ClosureSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="calendar_closures_create",
        request=ClosureChangeSerializer,
        responses={200: PlanSerializer, 201: PlanSerializer, 400: WRONG, 409: CONFLICT},
    )
    def post(self, request: Request) -> Response:
        """Close on these days and move the loans that are due then; or say what it would move."""
        given = valid(ClosureChangeSerializer(data=request.data))
        return _changed(Change(new=(_draft(given),)), request, given, done=status.HTTP_201_CREATED)


class OneClosure(APIView):
    """A closure that stands."""

    permission_classes = (MayManageCalendar,)

    @extend_schema(
        operation_id="calendar_closures_update",
        request=ClosureChangeSerializer,
        responses={200: PlanSerializer, 400: WRONG, 404: NOT_THERE, 409: CONFLICT},
    )
    def put(self, request: Request, pk: int) -> Response:
        """Give a closure other days; or say what that would move."""
        given = valid(ClosureChangeSerializer(data=request.data))
        return _changed(Change(old=_row(Closure, pk, lifted_at=None), to=_draft(given)), request, given)

    @extend_schema(
        operation_id="calendar_closures_destroy",
        parameters=CONSENT,
        responses={200: PlanSerializer, 400: WRONG, 404: NOT_THERE, 409: CONFLICT},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Lift a closure and put back what it moved; or say what that would move."""
        given = valid(ConsentSerializer(data=request.query_params))
        return _changed(Change(old=_row(Closure, pk, lifted_at=None)), request, given)


# --- reading and answering ---------------------------------------------------------------------


def _row(model: type[Any], pk: int, **known: Any) -> Any:
    row = model.objects.select_related("branch").filter(pk=pk, **known).first() if pk <= LARGEST_ID else None
    if row is None:
        raise Http404
    return row


def _draft(given: dict[str, Any]) -> ClosureDraft:
    return ClosureDraft(**{name: given[name] for name in ("first_on", "last_on", "branch", "reason")})


def _opening(row: Opening | None, request: Request, done: int) -> Response:
    draft = OpeningDraft(**valid(OpeningSerializer(data=request.data)))

    def save() -> Response:
        saved = openings.save_opening(row, draft, today=local_date(timezone.now(), None))
        return Response(OpeningSerializer(saved).data, status=done)

    return _or_conflict(save)


def _changed(
    change: Change, request: Request, given: dict[str, Any], *, done: int = status.HTTP_200_OK
) -> Response:
    by = act_of(request).by

    def make() -> Response:
        if given["preview"]:
            return Response(PlanSerializer(closures.plan(change, now=timezone.now())).data)
        made = closures.apply(change, by=by, now=timezone.now(), seen=given["seen"] or None)
        return Response(PlanSerializer(made).data, status=done)

    return _or_conflict(make)


def _or_conflict(work: Callable[[], Response]) -> Response:
    """The answer of `work`, or a 409 that says what stands in the way."""
    try:
        return work()
    except NeverOpen:
        detail = _("No day within a year would be open, and then nothing can be lent.")
        return _conflict("never_open", detail)
    except PlanChanged as changed:
        detail = _("Meanwhile a game has gone out or come back. Nothing was changed yet.")
        return _conflict("plan_changed", detail, changed.plan)


def _conflict(code: str, detail: str, plan: Plan | None = None) -> Response:
    body: dict[str, Any] = {"code": code, "detail": detail}
    if plan:
        body["plan"] = PlanSerializer(plan).data
    return Response(body, status=status.HTTP_409_CONFLICT)
