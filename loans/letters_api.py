"""Letters over HTTP: those of the day made for the printer, and one mail or letter as it was written."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, notices
from loans.calendar import local_date
from loans.models import Mail
from loans.notices_api import MailSerializer, MayManageNotices
from loans.telling.letter import Letter


class MadeSerializer(serializers.Serializer[Any]):
    """How many letters are new."""

    made = serializers.IntegerField()


class FullMailSerializer(MailSerializer):
    """A mail or letter with its words; they are empty where it was not written yet."""

    subject = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()

    class Meta(MailSerializer.Meta):
        fields = (*MailSerializer.Meta.fields, "subject", "text")

    def get_subject(self, mail: Mail) -> str:
        """Its subject."""
        return Letter.from_json(mail.content).subject if mail.content else ""

    def get_text(self, mail: Mail) -> str:
        """The whole letter as plain text."""
        return Letter.from_json(mail.content).as_text() if mail.content else ""


class Letters(APIView):
    """Letters on paper."""

    permission_classes = (MayManageNotices,)

    @extend_schema(operation_id="notices_letters_create", request=None, responses=MadeSerializer)
    def post(self, request: Request) -> Response:
        """Write the letters of today for those without an address, each once; what is made counts as told."""
        now = api.act_of(request).now
        return Response({"made": notices.make_letters(local_date(now, None), now=now)})


class OneMail(APIView):
    """One mail or letter."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="notices_retrieve", responses=FullMailSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Its story, and what stood in it, without its links."""
        mail = get_object_or_404(Mail.objects.select_related("member"), pk=pk)
        return Response(FullMailSerializer(mail).data)
