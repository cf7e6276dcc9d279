"""What boxes should hold, over HTTP: a game's list of pieces, one box's differences, spare pieces.

Lists are corrected by who may edit the catalogue; the desk looks for spare pieces, and says with which loan a
piece went missing. Counts and missing pieces: `pieces_api`.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue import components
from catalogue.api import MayEdit
from catalogue.components import LONGEST_NAME, ComponentDraft
from catalogue.models import Component, Copy, Game
from catalogue.text import name_key
from loans import api, care, counting, spare_parts
from loans.care import DifferenceDraft
from loans.charges import MOST_CENTS
from loans.component_forms import MOST
from loans.households_api import NameField
from loans.models import Loan, MissingPiece
from loans.pieces_api import REFUSALS, ExpectedSerializer, MissingPieceSerializer
from loans.rules import Refusal, RefusalCode

LARGEST = 2**63 - 1


# --- shapes ------------------------------------------------------------------------------------


class ComponentSerializer(serializers.ModelSerializer[Component]):
    """One kind of piece of a game; `count` is null where nobody has said it. Money in whole cents."""

    name = NameField(max_length=LONGEST_NAME)
    count = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, default=None, allow_null=True
    )
    price_cents = serializers.IntegerField(min_value=0, max_value=MOST_CENTS, required=False, default=0)
    spares = serializers.IntegerField(
        min_value=0, max_value=MOST, required=False, default=0, help_text="So many lie in the drawer."
    )

    class Meta:
        model = Component
        fields: tuple[str, ...] = ("id", "name", "count", "importance", "price_cents", "spares")


class NewComponentSerializer(ComponentSerializer):
    """A kind of piece that the printed contents of a game do not name."""

    game = serializers.PrimaryKeyRelatedField(queryset=Game.objects.all())

    class Meta(ComponentSerializer.Meta):
        fields = ("game", *ComponentSerializer.Meta.fields)


class DifferenceSerializer(serializers.Serializer[Any]):
    """So many of a piece are in this box for good; null: as many as the game's list says."""

    component = serializers.IntegerField(min_value=1, max_value=LARGEST)
    count = serializers.IntegerField(min_value=0, max_value=MOST, allow_null=True)
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)
    playable = serializers.BooleanField(required=False, default=True)


class BoxDifferencesSerializer(serializers.Serializer[Any]):
    """A box, and how it differs; the pieces that are not named stay as they are."""

    barcode = serializers.CharField(max_length=200)
    differences = DifferenceSerializer(many=True)


class DonorSerializer(serializers.Serializer[Any]):
    """A box off the shelf, and how many of the piece it still holds."""

    barcode = serializers.CharField()
    count = serializers.IntegerField()


class SpareSerializer(serializers.Serializer[Any]):
    """A kind of piece that could replace a missing one, and how many boxes lack it."""

    component = serializers.IntegerField(source="component.pk")
    name = serializers.CharField(source="component.name")
    game = serializers.IntegerField(source="component.game_id")
    title = serializers.CharField(source="component.game.title")
    in_drawer = serializers.IntegerField(source="component.spares")
    wanted = serializers.IntegerField(help_text="Pieces that are missing and not replaced.")
    donors = DonorSerializer(many=True)


class LossSerializer(serializers.Serializer[Any]):
    """With which loan of the box a piece went missing; null: nobody knows."""

    loan = serializers.IntegerField(min_value=1, max_value=LARGEST, allow_null=True)


# --- the list of a game, the differences of a box --------------------------------------------------


class Components(APIView):
    """What should be in the boxes of a game."""

    permission_classes = (MayEdit,)

    @extend_schema(
        operation_id="components_list",
        parameters=[OpenApiParameter("game", int, required=True)],
        responses={200: ComponentSerializer(many=True), 404: api.ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """The list of a game, in printed order."""
        asked = serializers.IntegerField(min_value=1, max_value=LARGEST)
        game = get_object_or_404(Game, pk=asked.run_validation(request.query_params.get("game")))
        return Response(ComponentSerializer(components.of(game), many=True).data)

    @extend_schema(
        operation_id="components_create",
        request=NewComponentSerializer,
        responses={201: NewComponentSerializer},
    )
    def post(self, request: Request) -> Response:
        """Add a kind of piece to the list of a game."""
        given = api.valid(NewComponentSerializer(data=request.data))
        row = components.add(given.pop("game"), ComponentDraft(**given))
        return Response(NewComponentSerializer(row).data, status=status.HTTP_201_CREATED)


class OneComponent(APIView):
    """One kind of piece: corrected, struck out."""

    permission_classes = (MayEdit,)

    @extend_schema(
        operation_id="components_update", request=ComponentSerializer, responses=ComponentSerializer
    )
    def put(self, request: Request, pk: int) -> Response:
        """Correct, price, count the spare pieces; what the printed contents say later changes it no more."""
        row = get_object_or_404(Component, pk=pk)
        given = api.valid(ComponentSerializer(data=request.data))
        components.correct(row, ComponentDraft(**given))
        return Response(ComponentSerializer(Component.objects.get(pk=pk)).data)

    @extend_schema(operation_id="components_destroy", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Strike it out: what was printed is no piece."""
        components.strike(get_object_or_404(Component, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class BoxDifferences(APIView):
    """How one box differs for good from the list of its game."""

    permission_classes = (MayEdit,)

    @extend_schema(
        operation_id="box_differences_update",
        request=BoxDifferencesSerializer,
        responses={200: ExpectedSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request) -> Response:
        """Say what the box holds; its condition follows. The answer is its list as it is now."""
        given = api.valid(BoxDifferencesSerializer(data=request.data))
        copy = api.copy_of(given["barcode"])
        said = _differences(copy, given["differences"])
        care.set_differences(copy, said, act=api.act_of(request))
        return Response(ExpectedSerializer(components.expected_in(copy), many=True).data)


def _differences(copy: Copy, given: list[dict[str, Any]]) -> list[DifferenceDraft]:
    listed = {row.pk: row for row in components.of(copy.game)}
    if unknown := {one["component"] for one in given} - set(listed):
        words = _("Not a piece of this game: %(component)s") % {"component": min(unknown)}
        raise serializers.ValidationError({"differences": [words]})
    return [DifferenceDraft(**one | {"component": listed[one["component"]]}) for one in given]


# --- for the desk --------------------------------------------------------------------------------


class Spares(APIView):
    """The bank of spare pieces."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="spares_list",
        parameters=[OpenApiParameter("q", str, description="Words of the game's title or of the piece.")],
        responses=SpareSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """What lies in the drawer, and what boxes off the shelf could give."""
        found = spare_parts.find(name_key(request.query_params.get("q", "")))
        return Response([_told(spare) for spare in found])


def _told(spare: spare_parts.Spare) -> dict[str, Any]:
    donors = [{"barcode": copy.barcode, "count": count} for copy, count in spare.donors]
    told = {"component": spare.component, "wanted": spare.wanted, "donors": donors}
    return dict(SpareSerializer(told).data)


class Losses(APIView):
    """With which loan pieces went missing."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="missing_pieces_lost_with",
        request=LossSerializer,
        responses={
            200: MissingPieceSerializer,
            404: OpenApiResponse(api.ReasonSerializer, description="No such piece or loan."),
            409: REFUSALS[409],
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Say with which loan of the box; what was charged moves along, or is taken back."""
        piece, given = get_object_or_404(MissingPiece, pk=pk), api.valid(LossSerializer(data=request.data))
        loan = Loan.objects.filter(pk=given["loan"]).first() if given["loan"] else None
        if given["loan"] and loan is None:
            raise api.NotFound(Refusal(RefusalCode.UNKNOWN_LOAN, data={"loan": given["loan"]}))
        counting.lost_with(piece, loan, act=api.act_of(request))
        rows = MissingPiece.objects.select_related("component", "copy__game")
        return Response(MissingPieceSerializer(rows.get(pk=pk)).data)
