"""What the books say over HTTP: who owes, the journal, receipts by mail. Amounts are whole cents."""

from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch
from loans import accounts, api, journal_csv, notices
from loans.accounts import Owing
from loans.entries import Method
from loans.models import Entry, EntryKind, Line, Mail
from loans.money_api import MayTakeMoney

# --- shapes ------------------------------------------------------------------------------------


class OwingSerializer(serializers.Serializer[Any]):
    """An account on which something is owed, or (negative) on which there is credit."""

    household = serializers.IntegerField(source="account.household_id", allow_null=True)
    member = serializers.IntegerField(source="account.member_id", allow_null=True)
    name = serializers.SerializerMethodField()
    cents = serializers.IntegerField()

    def get_name(self, owing: Owing) -> str:
        """Of the household, or of the member without one."""
        return str(owing.account.household or owing.account.member)


class CutSerializer(serializers.Serializer[Any]):
    """Which part of the journal; what is not said is not asked."""

    first_on = serializers.DateField(required=False)
    last_on = serializers.DateField(required=False)
    kind = serializers.ChoiceField(choices=EntryKind.choices, required=False)
    method = serializers.ChoiceField(
        choices=[(method.value, method.name) for method in Method], required=False
    )
    branch = serializers.PrimaryKeyRelatedField(queryset=Branch.objects.all(), required=False)


class JournalLineSerializer(serializers.ModelSerializer[Line]):
    """An amount that moves out of the account `credit` into the account `debit`."""

    on = serializers.DateField(source="entry.on")
    at = serializers.DateTimeField(source="entry.at")
    kind = serializers.CharField(source="entry.kind")
    debit = serializers.CharField()
    credit = serializers.CharField()
    currency = serializers.SerializerMethodField()
    branch = serializers.IntegerField(source="entry.branch_id", allow_null=True)
    card_number = serializers.CharField(source="entry.member.card_number", default="")
    text = serializers.CharField(source="entry.text")
    by = serializers.CharField(source="entry.by.username", default="")
    reverses = serializers.IntegerField(source="entry.reverses_id", allow_null=True)

    class Meta:
        model = Line
        fields = (
            *("entry", "on", "at", "kind", "debit", "credit", "cents", "currency"),
            *("branch", "card_number", "text", "by", "reverses"),
        )

    def get_currency(self, line: Line) -> str:  # noqa: ARG002 - DRF's signature
        """ISO 4217."""
        return str(settings.CURRENCY)


class ReceiptMailSerializer(serializers.ModelSerializer[Mail]):
    """A receipt in the outbox."""

    class Meta:
        model = Mail
        fields = ("id", "to", "state")


# --- the operations ----------------------------------------------------------------------------


class Owings(APIView):
    """Who owes."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="money_owing_list", responses=OwingSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Every account that is not at nought: who owes most first, then those with credit."""
        return Response(OwingSerializer(accounts.with_balance(), many=True).data)


class Journal(APIView):
    """The journal of the books."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="money_journal_list",
        parameters=[CutSerializer, OpenApiParameter("page", int, description="Which page, from 1.")],
        responses={
            200: JournalLineSerializer(many=True),
            400: OpenApiResponse(description="A filter cannot be read."),
            404: OpenApiResponse(description="No such page."),
        },
    )
    def get(self, request: Request) -> Response:
        """Line by line, the newest first."""
        cut = journal_csv.Cut(**api.valid(CutSerializer(data=request.query_params)))
        pages = PageNumberPagination()
        page = pages.paginate_queryset(journal_csv.lines(cut).reverse(), request, view=self)
        return Response(JournalLineSerializer(page, many=True).data)


class ReceiptMails(APIView):
    """Receipts that are sent by mail."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="money_entries_mail",
        request=None,
        responses={201: ReceiptMailSerializer, 409: api.ReasonSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Put the receipt of an entry into the outbox, once a day."""
        entry = get_object_or_404(Entry.objects.select_related("branch", "member__household"), pk=pk)
        mail = notices.send_receipt(entry, now=api.act_of(request).now)
        if mail is None:
            answer = {"code": "no_address", "detail": _("Nobody of this account has an e-mail address.")}
            return Response(answer, status=status.HTTP_409_CONFLICT)
        return Response(ReceiptMailSerializer(mail).data, status=status.HTTP_201_CREATED)
