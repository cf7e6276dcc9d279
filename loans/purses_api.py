"""Prepaid cards, credit, deposits, vouchers and refunds over HTTP. Amounts are whole cents.

Same writers, rights and refusals as the page of an account. What is sent again under its nonce is done once,
and answered with 200.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, entries, ledger
from loans.amounts import MOST_CENTS
from loans.entries import Method
from loans.models import Loan, Voucher
from loans.money_api import (
    ENTRY_RESPONSES,
    AmountSerializer,
    EntrySerializer,
    MayTakeMoney,
    booked,
    branch_at,
    of_card,
)
from loans.till_api import AtTillSerializer

VOUCHERS_SHOWN = 200
BACK, KEEP = "back", "keep"
METHODS = [(method.value, method.name) for method in Method]


class MayManageMoney(api.Permitted):
    """Whoever may end deposits."""

    permission = "loans.manage_money"


# --- shapes ------------------------------------------------------------------------------------


class CashedSerializer(AmountSerializer, AtTillSerializer):
    """Whose account, how much, by what money, at which till."""

    method = serializers.ChoiceField(choices=METHODS)


class DepositEndSerializer(AmountSerializer):
    """A deposit that ends: it is given back (first to what is owed), or kept for a reason."""

    what = serializers.ChoiceField(choices=[(BACK, "BACK"), (KEEP, "KEEP")])
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class NewVoucherSerializer(AtTillSerializer, api.NonceSerializer):
    """A voucher that is sold, or one that is given away, which needs the permission `loans.manage_money`."""

    cents = serializers.IntegerField(min_value=1, max_value=MOST_CENTS)
    method = serializers.ChoiceField(choices=METHODS, allow_null=True, help_text="Null: it is given away.")
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class VoucherSerializer(serializers.ModelSerializer[Voucher]):
    """A voucher, and whether it can still be redeemed."""

    issued_on = serializers.DateField(source="entry.on")
    is_used = serializers.BooleanField()
    is_withdrawn = serializers.BooleanField(help_text="Whether its entry was reversed.")

    class Meta:
        model = Voucher
        fields = ("code", "cents", "entry", "issued_on", "is_used", "is_withdrawn")


class RedeemSerializer(api.NonceSerializer):
    """A voucher, and on whose account its worth goes."""

    card_number = serializers.CharField(max_length=200)
    code = serializers.CharField(max_length=40)


class RefundSerializer(serializers.Serializer[Any]):
    """A loan that came home on the day on which it was lent."""

    loan = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


# --- the prepaid card, credit, deposits ----------------------------------------------------------


class TopUps(APIView):
    """Money for prepaid cards."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="top_ups_create", request=CashedSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Load the prepaid card."""
        given, act, account = of_card(CashedSerializer(data=request.data), request)
        method, branch = Method(given["method"]), branch_at(given, act)
        return booked(act, lambda: ledger.top_up(account, method, given["cents"], act=act, branch=branch))


class PrepaidPayments(APIView):
    """What is paid from prepaid cards."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="prepaid_payments_create", request=AmountSerializer, responses=ENTRY_RESPONSES
    )
    def post(self, request: Request) -> Response:
        """Pay what is owed from the prepaid card; never more than is owed, or than is on it."""
        given, act, account = of_card(AmountSerializer(data=request.data), request)
        return booked(act, lambda: ledger.pay_prepaid(account, given["cents"], act=act))


class Payouts(APIView):
    """Credit that is given back."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="payouts_create", request=CashedSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Pay credit out; never more than there is."""
        given, act, account = of_card(CashedSerializer(data=request.data), request)
        method, branch = Method(given["method"]), branch_at(given, act)
        return booked(act, lambda: ledger.pay_out(account, method, given["cents"], act=act, branch=branch))


class DepositEnds(APIView):
    """Deposits that end."""

    permission_classes = (MayManageMoney,)

    @extend_schema(
        operation_id="deposit_ends_create", request=DepositEndSerializer, responses=ENTRY_RESPONSES
    )
    def post(self, request: Request) -> Response:
        """Give a deposit back, or keep it with the reason; never more than is held."""
        given, act, account = of_card(DepositEndSerializer(data=request.data), request)
        cents, note = given["cents"], given["note"]
        if given["what"] == BACK:
            return booked(act, lambda: ledger.give_deposit_back(account, cents, act=act))
        return booked(act, lambda: ledger.keep_deposit(account, cents, act=act, note=note))


class Refunds(APIView):
    """Fees of games that came home on the day on which they were lent."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="refunds_create",
        request=RefundSerializer,
        responses={
            201: EntrySerializer(many=True),
            404: OpenApiResponse(api.ReasonSerializer, description="No such loan."),
            409: OpenApiResponse(api.RefusedSerializer, description="There is no such fee (any more)."),
        },
    )
    def post(self, request: Request) -> Response:
        """Give the fee of such a loan back, once."""
        given = api.valid(RefundSerializer(data=request.data))
        rows = Loan.objects.select_related("copy__branch", "member__household")
        loan = get_object_or_404(rows, pk=given["loan"])
        entries = ledger.refund_same_day(loan, act=api.act_of(request))
        return Response(EntrySerializer(entries, many=True).data, status=status.HTTP_201_CREATED)


# --- vouchers ------------------------------------------------------------------------------------


class Vouchers(APIView):
    """Vouchers."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="vouchers_list", responses=VoucherSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """The latest, the newest first."""
        rows = Voucher.objects.select_related("entry__reversed_by")
        rows = rows.prefetch_related("uses__entry__reversed_by").order_by("-pk")
        return Response(VoucherSerializer(rows[:VOUCHERS_SHOWN], many=True).data)

    @extend_schema(
        operation_id="vouchers_create",
        request=NewVoucherSerializer,
        responses={
            201: VoucherSerializer,
            200: OpenApiResponse(VoucherSerializer, description="The same request had been done before."),
            409: OpenApiResponse(api.RefusedSerializer, description="Refused, with all reasons."),
        },
    )
    def post(self, request: Request) -> Response:
        """Sell a voucher, or give one away; the answer has its code."""
        given = api.valid(NewVoucherSerializer(data=request.data))
        act = api.act_of(request, given)
        method = Method(given["method"]) if given["method"] else None
        if method is None and not ledger.may_give_away(act.by):
            raise PermissionDenied
        code = status.HTTP_200_OK if entries.is_written(act) else status.HTTP_201_CREATED
        facts = {"branch": branch_at(given, act), "note": given["note"]}
        voucher = ledger.issue_voucher(given["cents"], act=act, method=method, **facts)
        return Response(VoucherSerializer(voucher).data, status=code)


class Redemptions(APIView):
    """Vouchers that are redeemed."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="redemptions_create", request=RedeemSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Put the whole worth of a voucher on an account: it pays what is owed, the rest is credit."""
        given, act, account = of_card(RedeemSerializer(data=request.data), request)
        return booked(act, lambda: ledger.redeem_voucher(account, given["code"], act=act))
