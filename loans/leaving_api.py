"""Sales that are taken back and members who leave, over HTTP: what is held of them, and erasing it."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, dossier, erasure, memberships
from loans.erasure import Reason
from loans.members_api import MayManageMembers, MembershipSerializer
from loans.models import Member, Membership
from loans.privacy_views import in_words


class MayErase(api.Permitted):
    """Whoever may erase members."""

    permission = "loans.erase_members"


# --- shapes ------------------------------------------------------------------------------------


class OpenSerializer(serializers.Serializer[Reason]):
    """What stands against erasing: how many rows, or cents, in words too."""

    code = serializers.CharField()
    count = serializers.IntegerField(source="many")
    detail = serializers.SerializerMethodField()

    def get_detail(self, reason: Reason) -> str:
        """In the language of the request."""
        return in_words(reason)


class RowsSerializer(serializers.Serializer[Any]):
    """How many rows of a table are about the member."""

    table = serializers.CharField()
    rows = serializers.IntegerField()


class HeldSerializer(serializers.Serializer[Any]):
    """What is held of a member, and what stands against erasing it."""

    held = RowsSerializer(many=True)
    open = OpenSerializer(many=True)


class ErasureSerializer(serializers.Serializer[Any]):
    """The card of the member, as a sign that it is meant."""

    card_number = serializers.CharField(max_length=64)


class NotYetSerializer(serializers.Serializer[Any]):
    """Something is still open."""

    code = serializers.CharField()
    detail = serializers.CharField()
    open = OpenSerializer(many=True)


# --- the operations ----------------------------------------------------------------------------


class TakenBack(APIView):
    """Sales that were mistakes."""

    permission_classes = (MayManageMembers,)

    @extend_schema(
        operation_id="memberships_take_back",
        request=None,
        responses={200: MembershipSerializer, 409: api.ReasonSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a sale back with its fee: everybody has the last day from before again."""
        sale = get_object_or_404(Membership.objects.select_related("member"), pk=pk)
        try:
            memberships.take_back(sale, act=api.act_of(request))
        except memberships.SoldSince:
            words = _("The last day has been changed since: correct it on the page of the member instead.")
            answer = {"code": "changed_since", "detail": words}
            return Response(answer, status=status.HTTP_409_CONFLICT)
        return Response(MembershipSerializer(Membership.objects.get(pk=pk)).data)


class Held(APIView):
    """What is held of a member."""

    permission_classes = (MayManageMembers,)

    @extend_schema(operation_id="members_data_retrieve", responses=HeldSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Table by table how much, and what has to be settled before it can be erased."""
        member = get_object_or_404(Member.objects.select_related("household"), pk=pk)
        held = [{"table": table, "rows": rows} for table, rows in dossier.counts(member)]
        return Response(HeldSerializer({"held": held, "open": erasure.reasons_against(member)}).data)


class Erasures(APIView):
    """Members who are to be forgotten."""

    permission_classes = (MayErase,)

    @extend_schema(
        operation_id="members_erase",
        request=ErasureSerializer,
        responses={204: None, 409: OpenApiResponse(NotYetSerializer, description="Something is still open.")},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Leave nothing of the member but an empty row."""
        member = get_object_or_404(Member.objects.select_related("household"), pk=pk)
        given = api.valid(ErasureSerializer(data=request.data))
        if given["card_number"] != member.card_number:
            words = _("Nothing was erased: the number typed is not the one of this card.")
            raise serializers.ValidationError({"card_number": [words]})
        try:
            erasure.erase(member, act=api.act_of(request))
        except erasure.NotYet as not_yet:
            words = _("Nothing was erased: something is still open.")
            answer = {"code": "not_yet", "detail": words, "open": not_yet.reasons}
            return Response(NotYetSerializer(answer).data, status=status.HTTP_409_CONFLICT)
        return Response(status=status.HTTP_204_NO_CONTENT)
