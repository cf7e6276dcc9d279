"""What members are told, over HTTP: the words of letters, the days, addresses that were refused.

For who manages notices. What is wrong with a text is told by its place, in the words of the page's form.
"""

from typing import Any

from django.forms import BaseForm
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, notice_settings
from loans.models import NoticePlan, ReturnedMail, Window
from loans.notice_forms import LONGEST_WAIT_DAYS, PlanForm, TextForm
from loans.notices_api import MayManageNotices
from loans.telling import cases, texts
from loans.telling.news import plan
from loans.telling.texts import PartText

# --- shapes ------------------------------------------------------------------------------------


class NewTextSerializer(serializers.Serializer[Any]):
    """The words of a part of a letter; greeting and closing have no subject."""

    subject = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    body = serializers.CharField(max_length=20_000)


class TextSerializer(NewTextSerializer):
    """A part of the letters in one language, and what may be filled in as `$name`."""

    part = serializers.CharField()
    language = serializers.CharField()
    is_own = serializers.BooleanField(help_text="Whether the words are the library's own.")
    placeholders = serializers.ListField(child=serializers.CharField())


class PreviewSerializer(serializers.Serializer[Any]):
    """A letter in which the words stand."""

    subject = serializers.CharField()
    text = serializers.CharField()


def _days() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=LONGEST_WAIT_DAYS)


class NoticePlanSerializer(serializers.ModelSerializer[NoticePlan]):
    """On which days what is told, and where the envelopes have their window."""

    due_soon_days = _days()
    late_1_days = _days()
    late_2_days = _days()
    late_3_days = _days()
    membership_days = _days()
    window = serializers.ChoiceField(choices=Window.choices)

    class Meta:
        model = NoticePlan
        fields = (
            *("due_soon_days", "late_1_days", "late_2_days", "late_3_days", "membership_days"),
            "window",
        )


class ReturnedMailSerializer(serializers.ModelSerializer[ReturnedMail]):
    """An address that the mail server refused: its letters go on paper."""

    card_number = serializers.CharField(source="member.card_number")

    class Meta:
        model = ReturnedMail
        fields = ("id", "card_number", "address", "at")


WHICH = [
    OpenApiParameter("part", str, OpenApiParameter.PATH, enum=texts.PARTS),
    OpenApiParameter("language", str, OpenApiParameter.PATH, enum=texts.LANGUAGES),
]


# --- the texts ---------------------------------------------------------------------------------


class Texts(APIView):
    """The words of the letters."""

    permission_classes = (MayManageNotices,)

    @extend_schema(operation_id="notices_texts_list", responses=TextSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Every part in every language."""
        return Response([_text(part, language) for language in texts.LANGUAGES for part in texts.PARTS])


class OneText(APIView):
    """The words of one part in one language."""

    permission_classes = (MayManageNotices,)

    @extend_schema(operation_id="notices_texts_retrieve", parameters=WHICH, responses=TextSerializer)
    def get(self, request: Request, part: str, language: str) -> Response:  # noqa: ARG002 - DRF's signature
        """What it says now."""
        _must_exist(part, language)
        return Response(_text(part, language))

    @extend_schema(
        operation_id="notices_texts_update",
        parameters=WHICH,
        request=NewTextSerializer,
        responses=TextSerializer,
    )
    def put(self, request: Request, part: str, language: str) -> Response:
        """Keep the library's own words."""
        form, act = _typed(request, part, language), api.act_of(request)
        draft = notice_settings.TextDraft(part=part, language=language, **form.typed())
        notice_settings.save_text(draft, by=act.by, now=act.now)
        return Response(_text(part, language))

    @extend_schema(operation_id="notices_texts_destroy", parameters=WHICH, responses={204: None})
    def delete(self, request: Request, part: str, language: str) -> Response:  # noqa: ARG002 - DRF's signature
        """Go back to the words that Ludotheca came with."""
        _must_exist(part, language)
        notice_settings.restore_text(part, language)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Previews(APIView):
    """Letters to look at while their words are written."""

    permission_classes = (MayManageNotices,)

    @extend_schema(
        operation_id="notices_texts_preview",
        parameters=WHICH,
        request=NewTextSerializer,
        responses=PreviewSerializer,
    )
    def post(self, request: Request, part: str, language: str) -> Response:
        """The letter as it would be with these words; nothing is kept and nothing is sent."""
        typed = _typed(request, part, language).typed()
        said = PartText(typed["subject"], typed["body"])
        letter = cases.example(part, language, said, now=api.act_of(request).now)
        return Response(PreviewSerializer({"subject": letter.subject, "text": letter.as_text()}).data)


# --- the days, refused addresses ---------------------------------------------------------------


class Plan(APIView):
    """The days on which what is told."""

    permission_classes = (MayManageNotices,)

    @extend_schema(operation_id="notices_plan_retrieve", responses=NoticePlanSerializer)
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """As they are now."""
        return Response(NoticePlanSerializer(plan()).data)

    @extend_schema(
        operation_id="notices_plan_update", request=NoticePlanSerializer, responses=NoticePlanSerializer
    )
    def put(self, request: Request) -> Response:
        """Other days; reminders follow one another."""
        form = PlanForm(api.valid(NoticePlanSerializer(data=request.data)))
        _must_be_valid(form)
        notice_settings.save_plan(form.plan())
        return Response(NoticePlanSerializer(plan()).data)


class ReturnedMails(APIView):
    """Addresses that were refused."""

    permission_classes = (MayManageNotices,)

    @extend_schema(operation_id="notices_returned_list", responses=ReturnedMailSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Those that are still the member's, the latest first."""
        return Response(ReturnedMailSerializer(notice_settings.returned_mails(), many=True).data)


class Trusts(APIView):
    """Addresses that work again."""

    permission_classes = (MayManageNotices,)

    @extend_schema(operation_id="notices_returned_trust", request=None, responses={204: None})
    def post(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Send to the address again."""
        notice_settings.trust_again(get_object_or_404(ReturnedMail, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- reading and answering ---------------------------------------------------------------------


def _must_exist(part: str, language: str) -> None:
    if part not in texts.PARTS or language not in texts.LANGUAGES:
        raise Http404


def _typed(request: Request, part: str, language: str) -> TextForm:
    """The form with what was sent; what cannot be filled in is refused by its place."""
    _must_exist(part, language)
    form = TextForm(api.valid(NewTextSerializer(data=request.data)), part=part)
    _must_be_valid(form)
    return form


def _must_be_valid(form: BaseForm) -> None:
    if not form.is_valid():
        told = {name: list(map(str, wrong)) for name, wrong in form.errors.items()}
        raise serializers.ValidationError(
            {name if name != "__all__" else "non_field_errors": words for name, words in told.items()}
        )


def _text(part: str, language: str) -> dict[str, Any]:
    said = texts.wording(language).parts[part]
    told = {
        "part": part,
        "language": language,
        "subject": said.subject,
        "body": said.body,
        "is_own": said.is_own,
        "placeholders": texts.KNOWN[part],
    }
    return dict(TextSerializer(told).data)
