"""Holds, bookings and transfers over HTTP: for the desk, and for members about themselves.

Refusals are answered as everywhere (see `api.exception_handler`). A member sees his own place and no name.
"""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch, Game
from loans import api, bookings, hold_lists, holds, transfers
from loans.act import Act
from loans.models import ACTIVE, Booking, BookingState, Hold, Member, Transfer
from loans.rules import Refusal, RefusalCode

LARGEST_ID = 2**63 - 1
REFUSALS = {
    404: OpenApiResponse(api.ReasonSerializer, description="No such row, card or copy."),
    409: OpenApiResponse(api.RefusedSerializer, description="Refused, with all reasons."),
}


# --- shapes ------------------------------------------------------------------------------------


class MyHoldSerializer(serializers.ModelSerializer[Hold]):
    """One's own place in a queue; `barcode` is the box that is promised, if one is."""

    title = serializers.CharField(source="game.title")
    barcode = serializers.CharField(source="copy.barcode", allow_null=True, default=None)

    class Meta:
        model = Hold
        fields: tuple[str, ...] = (
            *("id", "game", "title", "branch", "state", "position", "barcode"),
            *("placed_at", "ready_at", "expires_on"),
        )


class HoldSerializer(MyHoldSerializer):
    """A place in a queue, and whose it is."""

    card_number = serializers.CharField(source="member.card_number")

    class Meta(MyHoldSerializer.Meta):
        fields = (*MyHoldSerializer.Meta.fields, "card_number")


class PlaceMyHoldSerializer(serializers.Serializer[Any]):
    """A game that is wanted; `branch`: where it is fetched, anywhere if it is not said."""

    game = serializers.IntegerField(min_value=1, max_value=LARGEST_ID)
    branch = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, required=False, default=None, allow_null=True
    )


class PlaceHoldSerializer(PlaceMyHoldSerializer):
    """A game that a member wants."""

    card_number = serializers.CharField(max_length=200)


class HoldMoveSerializer(serializers.Serializer[Any]):
    """A new place in the queue, and why."""

    position = serializers.IntegerField(min_value=1, max_value=10_000)
    reason = serializers.CharField(max_length=300)


class BookingSerializer(serializers.ModelSerializer[Booking]):
    """Copies of a game for some days, both ends included; `handed_over` of them are out already."""

    title = serializers.CharField(source="game.title", read_only=True)
    card_number = serializers.CharField(source="member.card_number")
    game = serializers.IntegerField(source="game_id", min_value=1, max_value=LARGEST_ID)
    copies = serializers.IntegerField(min_value=1, max_value=999)
    buffer_days = serializers.IntegerField(min_value=0, max_value=bookings.LONGEST_BUFFER, default=1)
    handed_over = serializers.IntegerField(source="booked_loans.count", read_only=True)

    class Meta:
        model = Booking
        fields: tuple[str, ...] = (
            *("id", "game", "title", "card_number", "copies", "from_on", "to_on", "buffer_days", "note"),
            *("state", "handed_over"),
        )
        read_only_fields = ("state",)


class NewBookingSerializer(BookingSerializer):
    """A booking to be made; the same `nonce` is the same booking."""

    nonce = serializers.CharField(max_length=64, required=False, default="", allow_blank=True)

    class Meta(BookingSerializer.Meta):
        fields = (*BookingSerializer.Meta.fields, "nonce")


class TransferSerializer(serializers.ModelSerializer[Transfer]):
    """A box on its way; received when `received_at` says so."""

    barcode = serializers.CharField(source="copy.barcode")

    class Meta:
        model = Transfer
        fields = ("id", "barcode", "from_branch", "to_branch", "hold", "sent_at", "received_at")


class SendSerializer(serializers.Serializer[Any]):
    """A box that leaves."""

    barcode = serializers.CharField(max_length=200)
    to_branch = serializers.IntegerField(min_value=1, max_value=LARGEST_ID)


class ReceiveSerializer(serializers.Serializer[Any]):
    """A box that has come."""

    barcode = serializers.CharField(max_length=200)


# --- holds -------------------------------------------------------------------------------------


class Holds(APIView):
    """The open holds of a member or of a game; a new one."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="holds_list",
        parameters=[OpenApiParameter("card_number", str), OpenApiParameter("game", int)],
        responses={200: HoldSerializer(many=True), 404: api.ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """Of one member, of one game in order, or all."""
        rows = Hold.objects.filter(state__in=ACTIVE).select_related("game", "member", "copy")
        if card_number := request.query_params.get("card_number", "").strip():
            rows = rows.filter(member=api.member_of(card_number))
        if game := request.query_params.get("game", "").strip():
            rows = rows.filter(game=_number(game))
        return Response(HoldSerializer(rows.order_by("game", "position"), many=True).data)

    @extend_schema(
        operation_id="holds_create", request=PlaceHoldSerializer, responses={201: HoldSerializer, **REFUSALS}
    )
    def post(self, request: Request) -> Response:
        """Put a member at the end of the queue for a game."""
        given = api.valid(PlaceHoldSerializer(data=request.data))
        member = api.member_of(given["card_number"])
        hold = _place(given, member, api.act_of(request))
        return Response(HoldSerializer(hold).data, status=status.HTTP_201_CREATED)


class HoldMoves(APIView):
    """Another place in the queue."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="holds_move", request=HoldMoveSerializer, responses={200: HoldSerializer, **REFUSALS}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Move a hold in its queue, for a reason that is kept."""
        given = api.valid(HoldMoveSerializer(data=request.data))
        hold = get_object_or_404(Hold, pk=pk)
        moved = holds.move(hold, given["position"], act=api.act_of(request), reason=given["reason"])
        return Response(HoldSerializer(moved).data)


class HoldShelvings(APIView):
    """Boxes that were fetched from the shelves."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="holds_shelve", request=None, responses={200: HoldSerializer, **REFUSALS})
    def post(self, request: Request, pk: int) -> Response:
        """The promised box lies on the hold shelf now."""
        return Response(
            HoldSerializer(holds.shelve(get_object_or_404(Hold, pk=pk), act=api.act_of(request))).data
        )


class HoldCancellations(APIView):
    """Places that are given up."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="holds_cancel", request=None, responses={200: HoldSerializer, **REFUSALS})
    def post(self, request: Request, pk: int) -> Response:
        """Take a member out of the queue."""
        return Response(
            HoldSerializer(holds.cancel(get_object_or_404(Hold, pk=pk), act=api.act_of(request))).data
        )


class MyHolds(APIView):
    """One's own open holds; a new one."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="my_holds_list", responses={200: MyHoldSerializer(many=True), 404: None})
    def get(self, request: Request) -> Response:
        """What one waits for, what is ready first."""
        return Response(MyHoldSerializer(hold_lists.of_member(_myself(request)), many=True).data)

    @extend_schema(
        operation_id="my_holds_create",
        request=PlaceMyHoldSerializer,
        responses={201: MyHoldSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Ask for a game."""
        given = api.valid(PlaceMyHoldSerializer(data=request.data))
        hold = _place(given, _myself(request), api.act_of(request, at_desk=False))
        return Response(MyHoldSerializer(hold).data, status=status.HTTP_201_CREATED)


class MyHoldCancellations(APIView):
    """One's own places that are given up."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="my_holds_cancel", request=None, responses={200: MyHoldSerializer, **REFUSALS}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Give up one's own place; anybody else's does not exist here."""
        hold = get_object_or_404(Hold, pk=pk, member=_myself(request))
        return Response(MyHoldSerializer(holds.cancel(hold, act=api.act_of(request, at_desk=False))).data)


# --- bookings ----------------------------------------------------------------------------------


class Bookings(APIView):
    """The bookings to come; a new one."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="bookings_list", responses={200: BookingSerializer(many=True)})
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """All that are planned or handed over and not past."""
        coming = Booking.objects.filter(to_on__gte=timezone.localdate()).exclude(state=BookingState.CANCELLED)
        rows = coming.select_related("game", "member").prefetch_related("booked_loans")
        return Response(BookingSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="bookings_create",
        request=NewBookingSerializer,
        responses={201: BookingSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Book copies of a game."""
        given = api.valid(NewBookingSerializer(data=request.data))
        act = api.act_of(request, {"nonce": given.pop("nonce")})
        member = api.member_of(given.pop("member")["card_number"])
        draft = bookings.BookingDraft(game=_game(given.pop("game_id")), member=member, **given)
        booking = bookings.book(draft, act=act)
        return Response(BookingSerializer(booking).data, status=status.HTTP_201_CREATED)


class BookingCancellations(APIView):
    """Bookings that are not wanted any more."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="bookings_cancel", request=None, responses={200: BookingSerializer, **REFUSALS}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Give the boxes free."""
        booking = bookings.cancel(get_object_or_404(Booking, pk=pk), act=api.act_of(request))
        return Response(BookingSerializer(booking).data)


# --- transfers ---------------------------------------------------------------------------------


class Transfers(APIView):
    """The boxes on their way; one more."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="transfers_list", responses={200: TransferSerializer(many=True)})
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """All that are not yet received."""
        rows = Transfer.objects.filter(received_at=None).select_related("copy")
        return Response(TransferSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="transfers_create",
        request=SendSerializer,
        responses={201: TransferSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Send a box to another branch."""
        given = api.valid(SendSerializer(data=request.data))
        to_branch = get_object_or_404(Branch, pk=given["to_branch"])
        transfer = transfers.send(api.copy_of(given["barcode"]), to_branch, act=api.act_of(request))
        return Response(TransferSerializer(transfer).data, status=status.HTTP_201_CREATED)


class TransferArrivals(APIView):
    """Boxes that have come."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="transfers_receive",
        request=ReceiveSerializer,
        responses={200: TransferSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Receive a box by its label."""
        given = api.valid(ReceiveSerializer(data=request.data))
        transfer = transfers.receive(api.copy_of(given["barcode"]), act=api.act_of(request))
        if transfer is None:
            raise Http404
        return Response(TransferSerializer(transfer).data)


# --- reading -----------------------------------------------------------------------------------


def _place(given: dict[str, Any], member: Member, act: Act) -> Hold:
    branch = get_object_or_404(Branch, pk=given["branch"]) if given["branch"] else None
    return holds.place_hold(_game(given["game"]), member, branch=branch, act=act)


def _game(pk: int) -> Game:
    return get_object_or_404(Game, pk=pk)


def _myself(request: Request) -> Member:
    return get_object_or_404(Member, user=request.user)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise api.NotFound(Refusal(RefusalCode.UNKNOWN_CODE, data={"code": text[:64]}))
    return int(text)
