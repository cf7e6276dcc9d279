"""Boxes that are lent together, and boxes that nobody has catalogued yet, over HTTP, for the desk."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue import links
from catalogue.models import Copy, Kit
from loans import api, quick, sets
from loans.desk_api import LIST_RESPONSES, CardSerializer, parts_of
from loans.households_api import NameField
from loans.rules import Term

MOST_BOXES = 50


# --- shapes ------------------------------------------------------------------------------------


class BoxSerializer(serializers.ModelSerializer[Copy]):
    """A box and its game."""

    title = serializers.CharField(source="game.title")

    class Meta:
        model = Copy
        fields = ("barcode", "game", "title")


class KitSerializer(serializers.ModelSerializer[Kit]):
    """Boxes that are lent together."""

    boxes = serializers.SerializerMethodField()

    class Meta:
        model = Kit
        fields = ("id", "name", "boxes")

    @extend_schema_field(BoxSerializer(many=True))
    def get_boxes(self, kit: Kit) -> Any:
        """Its boxes, by barcode."""
        return BoxSerializer([box.copy for box in kit.boxes.all()], many=True).data


class NewKitSerializer(serializers.Serializer[Any]):
    """A name, and the boxes; a box is in one kit at most."""

    name = NameField(max_length=200)
    barcodes = serializers.ListField(child=serializers.CharField(max_length=200), max_length=MOST_BOXES)


class KitLoanSerializer(CardSerializer):
    """Who takes the kit, and for how long."""

    term = api.LendSerializer().fields["term"]


class QuickAddSerializer(serializers.Serializer[Any]):
    """The label on the box, or its product code, and what the game is called."""

    barcode = serializers.CharField(max_length=64)
    title = NameField(max_length=300)


KIT_RESPONSES = {
    404: OpenApiResponse(api.ReasonSerializer, description="No such kit or box."),
    409: OpenApiResponse(
        api.ReasonSerializer, description="A box is in another kit, or its label is not one box's alone."
    ),
}


# --- the operations ----------------------------------------------------------------------------


class Kits(APIView):
    """Kits."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="kits_list", responses=KitSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Every kit, by name."""
        return Response(KitSerializer(Kit.objects.prefetch_related("boxes__copy__game"), many=True).data)

    @extend_schema(
        operation_id="kits_create", request=NewKitSerializer, responses={201: KitSerializer, **KIT_RESPONSES}
    )
    def post(self, request: Request) -> Response:
        """Put boxes together."""
        return _save(None, request, status.HTTP_201_CREATED)


class OneKit(APIView):
    """One kit: changed, taken apart."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="kits_update", request=NewKitSerializer, responses={200: KitSerializer, **KIT_RESPONSES}
    )
    def put(self, request: Request, pk: int) -> Response:
        """Another name, or other boxes; loans stay as they are."""
        return _save(get_object_or_404(Kit, pk=pk), request, status.HTTP_200_OK)

    @extend_schema(operation_id="kits_destroy", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Take a kit apart; its boxes stay."""
        links.delete_kit(get_object_or_404(Kit, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class KitLoans(APIView):
    """Kits that go home."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="kits_lend", request=KitLoanSerializer, responses=LIST_RESPONSES)
    def post(self, request: Request, pk: int) -> Response:
        """Lend every box of the kit that may be lent; what came of each, by barcode."""
        kit, given = get_object_or_404(Kit, pk=pk), api.valid(KitLoanSerializer(data=request.data))
        member, act = api.member_of(given["card_number"]), api.act_of(request, given)
        copies = [box.copy for box in kit.boxes.select_related("copy__game", "copy__branch")]
        return parts_of(request, sets.lend_copies(copies, member, act=act, term=Term(given["term"])))


class QuickAdds(APIView):
    """Boxes that nobody has catalogued yet."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="quick_adds_create", request=QuickAddSerializer, responses=BoxSerializer)
    def post(self, request: Request) -> Response:
        """A record by its title alone, flagged for the cataloguer; a label that is there is that box."""
        given = api.valid(QuickAddSerializer(data=request.data))
        try:
            copy = quick.add_box(given["barcode"], given["title"], act=api.act_of(request))
        except ValueError as error:
            words = _("This is no label of a box: scan it again.")
            raise serializers.ValidationError({"barcode": [words]}) from error
        return Response(BoxSerializer(copy).data)


def _save(kit: Kit | None, request: Request, code: int) -> Response:
    given = api.valid(NewKitSerializer(data=request.data))
    copies = [api.copy_of(barcode) for barcode in given["barcodes"]]
    try:
        saved = links.save_kit(kit, given["name"], copies)
    except links.InAnotherKit as error:
        words = _("%(code)s is in the kit %(kit)s: take it out there first.")
        detail = words % {"code": error.box.copy.barcode, "kit": error.box.kit.name}
        answer = {"code": "box_in_another_kit", "detail": detail}
        return Response(answer, status=status.HTTP_409_CONFLICT)
    return Response(KitSerializer(saved).data, status=code)
