"""Messages for the next volunteer over HTTP: left about a member or a box, and dealt with."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Copy
from loans import api, desk_notes
from loans.households_api import NameField
from loans.models import DeskNote, Member


class DeskNoteSerializer(serializers.ModelSerializer[DeskNote]):
    """A message; `card_number` or `barcode` says about whom or what, the other is empty."""

    card_number = serializers.CharField(source="member.card_number", default="")
    barcode = serializers.CharField(source="copy.barcode", default="")
    by = serializers.CharField(source="by.username", default="")

    class Meta:
        model = DeskNote
        fields = ("id", "card_number", "barcode", "text", "at", "by", "settled_at")


class AboutSerializer(serializers.Serializer[Any]):
    """About whom, or about which box: one of the two."""

    card_number = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    barcode = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both, and none."""
        if bool(attrs["card_number"].strip()) == bool(attrs["barcode"].strip()):
            raise serializers.ValidationError(_("Name either a card or a box."))
        return attrs


class NewDeskNoteSerializer(AboutSerializer):
    """What the next volunteer must see."""

    text = NameField(max_length=500)


class DeskNotes(APIView):
    """Messages."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="desk_notes_list",
        parameters=[OpenApiParameter("card_number", str), OpenApiParameter("barcode", str)],
        responses={200: DeskNoteSerializer(many=True), 404: api.ReasonSerializer, 409: api.RefusedSerializer},
    )
    def get(self, request: Request) -> Response:
        """Those about a member, or about a box, that nobody has dealt with yet."""
        about = _about(api.valid(AboutSerializer(data=request.query_params)))
        notes = about.desk_notes.filter(settled_at=None).select_related("member", "copy", "by")
        return Response(DeskNoteSerializer(notes, many=True).data)

    @extend_schema(
        operation_id="desk_notes_create",
        request=NewDeskNoteSerializer,
        responses={201: DeskNoteSerializer, 404: api.ReasonSerializer, 409: api.RefusedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Leave a message; the same one twice is one."""
        given = api.valid(NewDeskNoteSerializer(data=request.data))
        act = api.act_of(request)
        note = desk_notes.leave(_about(given), given["text"], by=act.by, now=act.now)
        return Response(DeskNoteSerializer(note).data, status=status.HTTP_201_CREATED)


class SettledDeskNotes(APIView):
    """Messages that are dealt with."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="desk_notes_settle", request=None, responses=DeskNoteSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Somebody has dealt with it; said again, it stays as it was."""
        note, act = get_object_or_404(DeskNote, pk=pk), api.act_of(request)
        desk_notes.settle(note, by=act.by, now=act.now)
        return Response(DeskNoteSerializer(DeskNote.objects.get(pk=pk)).data)


def _about(given: dict[str, Any]) -> Member | Copy:
    if given["card_number"].strip():
        return api.member_of(given["card_number"])
    return api.copy_of(given["barcode"])
