"""The till over HTTP: what should be in it, money put in and taken out, closed days. Amounts are whole cents.

A request that names no branch is about the till at which this person booked last, as on its page. What is
refused is a 409 with its codes; what is sent again under its nonce is done once, and answered with 200.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch
from loans import api, entries, till
from loans.amounts import MOST_CENTS
from loans.entries import Method
from loans.models import TillDay
from loans.money_api import ENTRY_RESPONSES, EntrySerializer, MayTakeMoney, booked, branch_at

DAYS_SHOWN = 100


# --- shapes ------------------------------------------------------------------------------------


class AtTillSerializer(serializers.Serializer[Any]):
    """At which till."""

    branch = serializers.PrimaryKeyRelatedField(
        queryset=Branch.objects.all(),
        required=False,
        default=None,
        allow_null=True,
        help_text="Nothing said: the till at which you booked last.",
    )


class FlowSerializer(serializers.Serializer[Any]):
    """What came in by one kind of money, and what went out."""

    method = serializers.ChoiceField(choices=[(method.value, method.name) for method in Method])
    came = serializers.IntegerField()
    went = serializers.IntegerField()


class TillSerializer(serializers.Serializer[Any]):
    """A till as the books have it, since the day that was closed last."""

    branch = serializers.IntegerField(source="branch.pk", default=None, allow_null=True)
    on = serializers.DateField(help_text="The day to which what is booked now belongs.")
    last_closed_on = serializers.DateField(source="last_closed.on", default=None, allow_null=True)
    opening = serializers.IntegerField(help_text="Cents in the drawer at the opening.")
    expected = serializers.IntegerField(help_text="Cents that should be in the drawer now.")
    flows = FlowSerializer(many=True)


class TillMoveSerializer(AtTillSerializer, api.NonceSerializer):
    """A float that is put into the drawer, or money that is taken out of it to the safe (negative)."""

    cents = serializers.IntegerField(min_value=-MOST_CENTS, max_value=MOST_CENTS)
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class ClosingSerializer(AtTillSerializer):
    """The count at the end of a day; it closes the days before it too."""

    on = serializers.DateField()
    counted = serializers.IntegerField(min_value=0, max_value=MOST_CENTS)
    to_safe = serializers.IntegerField(min_value=0, max_value=MOST_CENTS, required=False, default=0)
    reason = serializers.CharField(
        max_length=300,
        required=False,
        default="",
        allow_blank=True,
        help_text="Needed where the count is not what is expected.",
    )


class TillDaySerializer(serializers.ModelSerializer[TillDay]):
    """A closed day."""

    difference_cents = serializers.IntegerField()
    closed_by = serializers.CharField(source="closed_by.username", default="")

    class Meta:
        model = TillDay
        fields = (
            *("id", "branch", "on", "opening_cents", "expected_cents", "counted_cents", "difference_cents"),
            *("reason", "closed_at", "closed_by"),
        )


class FullTillDaySerializer(serializers.Serializer[Any]):
    """A closed day with what moved the money of its till; `left`: cents in the drawer afterwards."""

    day = TillDaySerializer()
    flows = FlowSerializer(many=True)
    left = serializers.IntegerField()
    entries = EntrySerializer(many=True)


OF_A_BRANCH = [OpenApiParameter("branch", int, description="Nothing said: where you booked last.")]
WRONG_BRANCH = OpenApiResponse(description="There is no such branch.")


# --- the operations ----------------------------------------------------------------------------


class Tills(APIView):
    """The till as it is now."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="till_retrieve",
        parameters=OF_A_BRANCH,
        responses={200: TillSerializer, 400: WRONG_BRANCH},
    )
    def get(self, request: Request) -> Response:
        """What should be in the drawer, and what came and went since it was closed last."""
        branch = _branch_asked(request)
        today = entries.day_of_books(branch, timezone.now())
        return Response(TillSerializer(till.read(branch, on=today)).data)


class TillMoves(APIView):
    """Money between the drawer and the safe."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="till_moves_create", request=TillMoveSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Put a float into the drawer, or take money out of it."""
        given = api.valid(TillMoveSerializer(data=request.data))
        act = api.act_of(request, given)
        branch = branch_at(given, act)
        return booked(act, lambda: till.put(branch, given["cents"], act=act, note=given["note"]))


class TillDays(APIView):
    """Closed days."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="till_days_list",
        parameters=OF_A_BRANCH,
        responses={200: TillDaySerializer(many=True), 400: WRONG_BRANCH},
    )
    def get(self, request: Request) -> Response:
        """The latest of a till, the newest first."""
        rows = TillDay.objects.filter(branch=_branch_asked(request)).select_related("closed_by")
        return Response(TillDaySerializer(rows[:DAYS_SHOWN], many=True).data)

    @extend_schema(
        operation_id="till_days_create",
        request=ClosingSerializer,
        responses={
            201: TillDaySerializer,
            200: OpenApiResponse(TillDaySerializer, description="It was closed with this count before."),
            409: OpenApiResponse(api.RefusedSerializer, description="Refused, with the reason."),
        },
    )
    def post(self, request: Request) -> Response:
        """Close a day with what was counted; a difference is booked, with its reason."""
        given = api.valid(ClosingSerializer(data=request.data))
        act = api.act_of(request)
        told = {"reason": given["reason"], "to_safe": given["to_safe"]}
        closed = till.close(branch_at(given, act), given["on"], given["counted"], act=act, **told)
        code = status.HTTP_201_CREATED if closed.closed_at == act.now else status.HTTP_200_OK
        return Response(TillDaySerializer(closed).data, status=code)


class OneTillDay(APIView):
    """One closed day."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="till_days_retrieve", responses=FullTillDaySerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """What was counted, and all that moved the money of the till since the closing before it."""
        closed = get_object_or_404(TillDay.objects.select_related("branch", "closed_by"), pk=pk)
        return Response(FullTillDaySerializer(till.closed(closed)).data)


# --- reading and answering ---------------------------------------------------------------------


def _branch_asked(request: Request) -> Branch | None:
    given = api.valid(AtTillSerializer(data=request.query_params))
    return branch_at(given, api.act_of(request))
