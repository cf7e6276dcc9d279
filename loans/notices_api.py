"""What members are told, over HTTP: the log for the desk, what is due for who manages notices. Reads only."""

from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, notices
from loans.calendar import local_date
from loans.desk_state import read_day
from loans.models import Mail, MailState, Notice
from loans.notices import Planned
from loans.telling.compose import Sender


class MayManageNotices(api.Permitted):
    """Whoever may set and see what members are told."""

    permission = "loans.manage_notices"


class NoticeSerializer(serializers.ModelSerializer[Notice]):
    """One thing that was told."""

    class Meta:
        model = Notice
        fields = ("kind", "member", "loan", "hold")


class MailSerializer(serializers.ModelSerializer[Mail]):
    """One mail or letter, and what it told."""

    notices = NoticeSerializer(many=True)
    card_number = serializers.CharField(source="member.card_number")

    class Meta:
        model = Mail
        fields: tuple[str, ...] = (
            "id",
            "on",
            "card_number",
            "to",
            "state",
            "attempts",
            "sent_at",
            "resent",
            "error",
            "notices",
        )


class DueSerializer(serializers.Serializer[Any]):
    """A letter as it would be if it went now; `to` is empty where it goes on paper."""

    card_number = serializers.CharField(source="party.addressee.card_number")
    to = serializers.CharField(source="party.to")
    language = serializers.CharField(source="party.language")
    kinds = serializers.SerializerMethodField()
    subject = serializers.SerializerMethodField()
    text = serializers.SerializerMethodField()

    def get_kinds(self, planned: Planned) -> list[str]:
        """What it tells."""
        return list(dict.fromkeys(one.kind.value for one in planned.news))

    def get_subject(self, planned: Planned) -> str:
        """Its subject."""
        return planned.letter(Sender(now=timezone.now())).subject

    def get_text(self, planned: Planned) -> str:
        """The whole letter as plain text."""
        return planned.letter(Sender(now=timezone.now())).as_text()


class LogFilter(serializers.Serializer[Any]):
    """Which part of the log."""

    on = serializers.DateField(required=False)
    card_number = serializers.CharField(required=False, max_length=64)
    state = serializers.ChoiceField(required=False, choices=MailState.choices)


class DayFilter(serializers.Serializer[Any]):
    """As if it were this day; today if none is said."""

    on = serializers.DateField(required=False)

    def validate_on(self, on: date) -> date:
        """Letters are counted out for days before and after it."""
        if read_day(on.isoformat()) is None:
            raise serializers.ValidationError(_("A day is written like 2026-11-30."))
        return on


PAGE = OpenApiParameter("page", int, description="Which page, from 1.")


class Log(APIView):
    """What was sent, newest first."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="notices_list",
        parameters=[LogFilter, PAGE],
        responses={
            200: MailSerializer(many=True),
            400: OpenApiResponse(description="A filter cannot be read."),
            404: OpenApiResponse(description="No such page."),
        },
    )
    def get(self, request: Request) -> Response:
        """The mails and letters of a day, of a member, or in a state."""
        asked = api.valid(LogFilter(data=request.query_params))
        names = {"on": "on", "card_number": "member__card_number", "state": "state"}
        wanted = {names[name]: value for name, value in asked.items()}
        rows = Mail.objects.filter(**wanted).select_related("member").prefetch_related("notices")
        pages = PageNumberPagination()
        page = pages.paginate_queryset(rows, request, view=self)
        return Response(MailSerializer(page, many=True).data)


class Due(APIView):
    """What would be sent now."""

    permission_classes = (MayManageNotices,)

    @extend_schema(
        operation_id="notices_due",
        parameters=[DayFilter],
        responses={
            200: DueSerializer(many=True),
            400: OpenApiResponse(description="The day cannot be read."),
        },
    )
    def get(self, request: Request) -> Response:
        """Every letter that is due on a day; nothing is written and nothing is sent."""
        asked = api.valid(DayFilter(data=request.query_params))
        on: date = asked.get("on") or local_date(timezone.now(), None)
        return Response(DueSerializer(notices.planned(on), many=True).data)
