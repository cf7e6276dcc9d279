"""What a person has to look at, over HTTP: scans that were kept without network, findings of a stocktake."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.guard import EDIT
from loans import api, kept, messages, stocktake
from loans.act import refusals_of
from loans.knowing_api import FindingSerializer
from loans.models import KeptScan, Settled, Stocktake, StocktakeLine

# --- shapes ------------------------------------------------------------------------------------


class ToLookAtSerializer(serializers.ModelSerializer[KeptScan]):
    """A kept scan that was refused, or did something else than its volunteer could see."""

    event = serializers.IntegerField(source="event.pk")
    action = serializers.CharField(source="event.action")
    scanned = serializers.CharField(source="event.scanned")
    at = serializers.DateTimeField(source="event.at")
    by = serializers.CharField(source="event.by.username", default="")
    barcode = serializers.CharField(source="event.copy.barcode", default="")
    card_number = serializers.CharField(source="card.card_number", default="")
    reasons = serializers.SerializerMethodField(help_text="Why not, in the language of the request.")

    class Meta:
        model = KeptScan
        fields = ("id", "event", "action", "scanned", "at", "by", "barcode", "card_number", "reasons")

    def get_reasons(self, row: KeptScan) -> list[str]:
        """The sentences of all refusals."""
        told = messages.explain(refusals_of(row.event), self.context["reader"])
        return [one.sentence for one in told]


class LineSerializer(FindingSerializer):
    """A finding, and what you may do about it."""

    remedies = serializers.SerializerMethodField()

    class Meta(FindingSerializer.Meta):
        fields = (*FindingSerializer.Meta.fields, "remedies")

    def get_remedies(self, line: StocktakeLine) -> list[str]:
        """The usual thing first; nothing once it was seen to."""
        return [how.value for how in stocktake.remedies_open_to(self.context["reader"], line)]


class SettlingSerializer(serializers.Serializer[Any]):
    """What is done about a finding."""

    how = serializers.ChoiceField(choices=Settled.choices)


# --- kept scans ----------------------------------------------------------------------------------


class ScansToLookAt(APIView):
    """Kept scans that need a look."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="desk_scans_to_look_at", responses=ToLookAtSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Those that nobody has ticked off."""
        context = {"reader": request.user}
        return Response(ToLookAtSerializer(kept.to_look_at(), many=True, context=context).data)


class SettledScans(APIView):
    """Kept scans that are ticked off."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="desk_scans_settle", request=None, responses={204: None})
    def post(self, request: Request, pk: int) -> Response:
        """Tick one off; said again, it is off the list already."""
        act = api.act_of(request)
        kept.settle(get_object_or_404(KeptScan, pk=pk), by=act.by, now=act.now)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- findings of a stocktake -----------------------------------------------------------------------


class StocktakeLines(APIView):
    """What a stocktake has found."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="stocktake_lines_list", responses=LineSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Every line but the boxes in their place."""
        lines = stocktake.surprises(get_object_or_404(Stocktake, pk=pk))
        return Response(LineSerializer(lines, many=True, context={"reader": request.user}).data)


class SettledLines(APIView):
    """Findings that are seen to."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="stocktake_lines_settle",
        request=SettlingSerializer,
        responses={
            200: LineSerializer,
            409: OpenApiResponse(
                api.ReasonSerializer, description="The box has moved since, or the writer refuses."
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Do something about one finding; the same twice is once."""
        line = get_object_or_404(StocktakeLine.objects.select_related("copy"), pk=pk)
        how = Settled(api.valid(SettlingSerializer(data=request.data))["how"])
        if stocktake.is_for_librarians(line, how) and not request.user.has_perm(EDIT):
            raise PermissionDenied
        try:
            line = stocktake.settle(line, how, act=api.act_of(request))
        except stocktake.CannotSettle:
            words = _("That box has moved since: look at it again before you do this.")
            return Response({"code": "changed_since", "detail": words}, status=status.HTTP_409_CONFLICT)
        return Response(LineSerializer(line, context={"reader": request.user}).data)
