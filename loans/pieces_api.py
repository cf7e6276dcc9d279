"""Counts, missing pieces and conditions of boxes over HTTP, for the desk. Refusals are 409 as everywhere."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue import components
from catalogue.models import Copy, CopyEvent
from loans import care, counting
from loans.act import Refused
from loans.api import MayUseDesk, ReasonSerializer, RefusedSerializer, act_of, copy_of, valid
from loans.care_rules import Move
from loans.charges import MOST_CENTS
from loans.models import DeskAction, DeskEvent, MissingPiece, PieceCount, PieceDecision
from loans.rules import RefusalCode

LARGEST = 2**63 - 1
REFUSALS = {
    404: OpenApiResponse(ReasonSerializer, description="No such copy."),
    409: OpenApiResponse(RefusedSerializer, description="Refused, with the reason."),
}


# --- shapes ------------------------------------------------------------------------------------


class ExpectedSerializer(serializers.Serializer[Any]):
    """One kind of piece that a box should hold; `count` is null where the list does not say it."""

    component = serializers.IntegerField(source="component.pk")
    name = serializers.CharField(source="component.name")
    count = serializers.IntegerField(allow_null=True)
    importance = serializers.CharField(source="component.importance")
    price_cents = serializers.IntegerField(source="component.price_cents")
    spares = serializers.IntegerField(source="component.spares")
    differs = serializers.BooleanField(help_text="Whether this box differs from its game's list.")
    note = serializers.CharField()


class MissingPieceSerializer(serializers.ModelSerializer[MissingPiece]):
    """Some pieces of one kind that one box lacks. Money in whole cents."""

    barcode = serializers.CharField(source="copy.barcode")
    title = serializers.CharField(source="copy.game.title")
    name = serializers.CharField(source="component.name")

    class Meta:
        model = MissingPiece
        fields = (
            *("id", "barcode", "title", "component", "name", "quantity", "loan", "noticed_at"),
            *("decision", "charge_cents", "reversed_at", "end", "ended_at"),
        )


class CountSerializer(serializers.ModelSerializer[PieceCount]):
    """One count of one box, or the promise of one. `loan` is the loan before it."""

    barcode = serializers.CharField(source="copy.barcode")
    title = serializers.CharField(source="copy.game.title")
    missing = serializers.SerializerMethodField()

    class Meta:
        model = PieceCount
        fields = ("id", "barcode", "title", "loan", "state", "opened_at", "counted_at", "missing")

    @extend_schema_field(MissingPieceSerializer(many=True))
    def get_missing(self, count: PieceCount) -> Any:
        """What this count has found missing and is not found since."""
        rows = count.missing.filter(end="").select_related("component", "copy__game")
        return MissingPieceSerializer(rows, many=True).data


class ShortSerializer(serializers.Serializer[Any]):
    """So many of a piece are missing."""

    component = serializers.IntegerField(min_value=1, max_value=LARGEST)
    quantity = serializers.IntegerField(min_value=1, max_value=9999)


class NewCountSerializer(serializers.Serializer[Any]):
    """What was found in a box after its last return; with `later`, that it waits to be counted."""

    barcode = serializers.CharField(max_length=200)
    later = serializers.BooleanField(required=False, default=False)
    missing = ShortSerializer(many=True, required=False, default=list)


class PieceDecisionSerializer(serializers.Serializer[Any]):
    """What becomes of the box, and what the family pays."""

    decision = serializers.ChoiceField(choices=[c for c in PieceDecision.choices if c[0] != "open"])
    charge_cents = serializers.IntegerField(min_value=0, max_value=MOST_CENTS, required=False, default=0)
    donor = serializers.CharField(
        max_length=200,
        required=False,
        default="",
        allow_blank=True,
        help_text="Barcode of the box that gives it.",
    )


class FoundSerializer(serializers.Serializer[Any]):
    """How many turned up; without a number all of them."""

    quantity = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, default=None, allow_null=True
    )


class GiveUpSerializer(serializers.Serializer[Any]):
    """It will not come back."""

    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class CopyMoveSerializer(serializers.Serializer[Any]):
    """A box goes into another condition."""

    barcode = serializers.CharField(max_length=200)
    move = serializers.ChoiceField(choices=[(move.value, move.name) for move in Move])
    why = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)
    until_on = serializers.DateField(required=False, default=None, allow_null=True)


class CopyEventSerializer(serializers.ModelSerializer[CopyEvent]):
    """A dated move of one box."""

    barcode = serializers.CharField(source="copy.barcode")

    class Meta:
        model = CopyEvent
        fields = ("barcode", "before", "after", "at", "why", "until_on")


# --- the operations ----------------------------------------------------------------------------


class BoxContents(APIView):
    """What one box should hold."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="box_contents_list",
        parameters=[OpenApiParameter("barcode", str, required=True)],
        responses={200: ExpectedSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        """The list of the edition with the differences of this box."""
        copy = copy_of(request.query_params.get("barcode", ""))
        return Response(ExpectedSerializer(components.expected_in(copy), many=True).data)


class Counts(APIView):
    """Boxes that wait to be counted; a new count."""

    permission_classes = (MayUseDesk,)

    @extend_schema(operation_id="counts_list", responses={200: CountSerializer(many=True)})
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """The queue, the oldest first."""
        return Response(CountSerializer(counting.waiting(), many=True).data)

    @extend_schema(
        operation_id="counts_create", request=NewCountSerializer, responses={200: CountSerializer, **REFUSALS}
    )
    def post(self, request: Request) -> Response:
        """Say what the box holds after its last return; said twice it is said once."""
        given = valid(NewCountSerializer(data=request.data))
        copy, act = copy_of(given["barcode"]), act_of(request)
        listed = {c.pk: c for c in components.of(copy.game)}
        short = {entry["component"]: entry["quantity"] for entry in given["missing"]}
        if unknown := set(short) - set(listed):
            raise serializers.ValidationError({"missing": [f"Not a piece of this game: {min(unknown)}"]})
        count = counting.count_of(_last_return(copy), act=act)
        if not given["later"]:
            counting.counted(count, {listed[pk]: quantity for pk, quantity in short.items()}, act=act)
        return Response(CountSerializer(PieceCount.objects.get(pk=count.pk)).data)


class MissingPieces(APIView):
    """The open questions about missing pieces."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="missing_pieces_list",
        parameters=[OpenApiParameter("barcode", str)],
        responses={200: MissingPieceSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        """What is missing and not found, the newest first; of one box where the address says so."""
        rows = counting.open_questions()
        if barcode := request.query_params.get("barcode", "").strip():
            rows = rows.filter(copy=copy_of(barcode))
        return Response(MissingPieceSerializer(rows, many=True).data)


class PieceDecisions(APIView):
    """What becomes of a box that lacks a piece."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="missing_pieces_decide",
        request=PieceDecisionSerializer,
        responses={200: MissingPieceSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Shelf, spare or unplayable; and the charge."""
        piece, given = (
            get_object_or_404(MissingPiece, pk=pk),
            valid(PieceDecisionSerializer(data=request.data)),
        )
        donor = copy_of(given["donor"]) if given["donor"] else None
        decision, cents, act = PieceDecision(given["decision"]), given["charge_cents"], act_of(request)
        return _told(counting.decide(piece, decision, charge_cents=cents, donor=donor, act=act))


class Finds(APIView):
    """Pieces that turn up."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="missing_pieces_found",
        request=FoundSerializer,
        responses={200: MissingPieceSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Found: the charge is taken back."""
        piece, given = get_object_or_404(MissingPiece, pk=pk), valid(FoundSerializer(data=request.data))
        return _told(counting.found(piece, quantity=given["quantity"], act=act_of(request)))


class GiveUps(APIView):
    """Pieces that will not come back."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="missing_pieces_give_up",
        request=GiveUpSerializer,
        responses={200: MissingPieceSerializer, **REFUSALS},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The box holds less from now on; a charge stays."""
        piece, given = get_object_or_404(MissingPiece, pk=pk), valid(GiveUpSerializer(data=request.data))
        return _told(counting.give_up(piece, note=given["note"], act=act_of(request)))


class CopyMoves(APIView):
    """Boxes that go into another condition."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="copy_moves_create",
        request=CopyMoveSerializer,
        responses={201: CopyEventSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """Make a move of the table of conditions."""
        given = valid(CopyMoveSerializer(data=request.data))
        copy, wanted = copy_of(given["barcode"]), Move(given["move"])
        act, why, until_on = act_of(request), given["why"], given["until_on"]
        event = care.move(copy, wanted, act=act, why=why, until_on=until_on)
        return Response(CopyEventSerializer(event).data, status=status.HTTP_201_CREATED)


# --- reading and answering ---------------------------------------------------------------------


def _last_return(copy: Copy) -> DeskEvent:
    returns = DeskEvent.objects.filter(copy=copy, action=DeskAction.CHECK_IN, undone_by=None)
    last = returns.select_related("loan").first()
    if last is None:
        raise Refused.because(RefusalCode.NOTHING_RETURNED)
    return last


def _told(piece: MissingPiece) -> Response:
    rows = MissingPiece.objects.select_related("component", "copy__game")
    return Response(MissingPieceSerializer(rows.get(pk=piece.pk)).data)
