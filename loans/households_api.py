"""Households over HTTP: who belongs together, where they live, who comes and who goes.

For who may register members. What `households` refuses is a 409 with a code, as everywhere.
"""

from dataclasses import fields
from enum import StrEnum
from typing import Any

from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.text import one_line
from loans import api, households
from loans.households import HouseholdDraft
from loans.members import BY_NAME, InUse
from loans.members_api import MayManageMembers
from loans.models import Household, HouseholdMove, Member

MOST_AT_ONCE = 50


class HouseholdConflict(StrEnum):
    """Why a household stays as it is."""

    IN_USE = "household_in_use"
    NOT_THERE = "not_in_this_household"


# --- shapes ------------------------------------------------------------------------------------


class NameField(serializers.CharField):
    """A name of which something is left once it stands on one line."""

    def to_internal_value(self, data: Any) -> str:
        """The name on one line, or the refusal of an empty one."""
        name = one_line(super().to_internal_value(data))
        if not name:
            self.fail("blank")
        return name


class HouseholdSerializer(serializers.ModelSerializer[Household]):
    """How a household is called and where it lives."""

    name = NameField(max_length=200)

    class Meta:
        model = Household
        fields: tuple[str, ...] = ("id", "name", "address", "postcode", "city", "phone")


class HouseholdMemberSerializer(serializers.ModelSerializer[Member]):
    """One card of a household."""

    class Meta:
        model = Member
        fields = ("id", "card_number", "first_name", "last_name", "birth_year", "hides_loans")


class HouseholdMoveSerializer(serializers.ModelSerializer[HouseholdMove]):
    """Somebody who came or went; `left` or `joined` is null where that was none."""

    class Meta:
        model = HouseholdMove
        fields = ("member", "left", "joined", "at")


class FullHouseholdSerializer(HouseholdSerializer):
    """A household with its cards, and who came and went."""

    members = HouseholdMemberSerializer(many=True)
    moves = HouseholdMoveSerializer(many=True)

    class Meta(HouseholdSerializer.Meta):
        fields = (*HouseholdSerializer.Meta.fields, "members", "moves")


class JoinSerializer(serializers.Serializer[Any]):
    """A card that comes in."""

    card_number = serializers.CharField(max_length=200)


class LeaveSerializer(serializers.Serializer[Any]):
    """The cards that leave; `into`: the new household in which they go on together, if they do."""

    card_numbers = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=1, max_length=MOST_AT_ONCE
    )
    into = HouseholdSerializer(required=False, default=None, allow_null=True)


NO_CARD = OpenApiResponse(api.ReasonSerializer, description="No such household or card.")
NOT_ONE = OpenApiResponse(api.RefusedSerializer, description="The card is not one member's alone.")


# --- the operations ----------------------------------------------------------------------------


class Households(APIView):
    """Households: found, and made."""

    permission_classes = (MayManageMembers,)

    @extend_schema(
        operation_id="households_list",
        parameters=[OpenApiParameter("q", str), OpenApiParameter("page", int)],
        responses={200: HouseholdSerializer(many=True), 404: api.ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """Households by words of the name or the town."""
        pages = PageNumberPagination()
        page = pages.paginate_queryset(
            households.named(request.query_params.get("q", "")), request, view=self
        )
        return Response(HouseholdSerializer(page, many=True).data)

    @extend_schema(
        operation_id="households_create",
        request=HouseholdSerializer,
        responses={201: FullHouseholdSerializer},
    )
    def post(self, request: Request) -> Response:
        """A new household, with nobody in it yet."""
        given = api.valid(HouseholdSerializer(data=request.data))
        made = households.add_household(HouseholdDraft(**given))
        return Response(_full(made), status=status.HTTP_201_CREATED)


class OneHousehold(APIView):
    """One household: shown, corrected, removed."""

    permission_classes = (MayManageMembers,)

    @extend_schema(operation_id="households_retrieve", responses=FullHouseholdSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """The household with its cards, and who came and went."""
        return Response(_full(get_object_or_404(Household, pk=pk)))

    @extend_schema(
        operation_id="households_update",
        request=HouseholdSerializer(partial=True),
        responses=FullHouseholdSerializer,
    )
    def patch(self, request: Request, pk: int) -> Response:
        """The family moves: what is named changes, the rest stays, with the cards and the bill."""
        row = get_object_or_404(Household, pk=pk)
        given = api.valid(HouseholdSerializer(row, data=request.data, partial=True))
        kept = {field.name: getattr(row, field.name) for field in fields(HouseholdDraft)}
        return Response(_full(households.update_household(row, HouseholdDraft(**kept | given))))

    @extend_schema(operation_id="households_destroy", responses={204: None, 409: api.ReasonSerializer})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Remove a household that nobody belongs to and that was never billed."""
        try:
            households.delete_household(get_object_or_404(Household, pk=pk))
        except InUse:
            words = _("This household has members, or a bill that is kept: it stays.")
            return _conflict(HouseholdConflict.IN_USE, words)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Joinings(APIView):
    """Who comes into a household."""

    permission_classes = (MayManageMembers,)

    @extend_schema(
        operation_id="households_join",
        request=JoinSerializer,
        responses={200: FullHouseholdSerializer, 404: NO_CARD, 409: NOT_ONE},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Bring a member in, from another household or from none; who is in it already stays."""
        row, given = get_object_or_404(Household, pk=pk), api.valid(JoinSerializer(data=request.data))
        households.join([api.member_of(given["card_number"])], row, act=api.act_of(request))
        return Response(_full(row))


class Leavings(APIView):
    """Who leaves a household."""

    permission_classes = (MayManageMembers,)

    @extend_schema(
        operation_id="households_leave",
        request=LeaveSerializer,
        responses={
            200: OpenApiResponse(FullHouseholdSerializer, description="Where they are, or what they left."),
            404: NO_CARD,
            409: OpenApiResponse(
                api.ReasonSerializer, description="One of them is not of this household: none leaves."
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Let members leave, together into a new household or each alone; the bill stays behind."""
        row, given = get_object_or_404(Household, pk=pk), api.valid(LeaveSerializer(data=request.data))
        leaving = [api.member_of(card) for card in given["card_numbers"]]
        into = HouseholdDraft(**given["into"]) if given["into"] else None
        try:
            new = households.leave(leaving, row, act=api.act_of(request), into=into)
        except households.NotThere:
            words = _("One of these cards is not of this household (any more): nobody has left it.")
            return _conflict(HouseholdConflict.NOT_THERE, words)
        return Response(_full(new or row))


# --- reading and answering ---------------------------------------------------------------------


def _full(row: Household) -> dict[str, Any]:
    told: Any = {name: getattr(row, name) for name in HouseholdSerializer.Meta.fields}
    moves = HouseholdMove.objects.filter(Q(left=row) | Q(joined=row))
    told |= {"members": row.members.order_by(*BY_NAME), "moves": moves}
    return dict(FullHouseholdSerializer(told).data)


def _conflict(code: HouseholdConflict, words: str) -> Response:
    return Response({"code": code.value, "detail": words}, status=status.HTTP_409_CONFLICT)
