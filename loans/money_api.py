"""Money over HTTP: what is owed, charges, payments, reversals. Amounts are whole cents.

What is refused is a 409 with its codes, as everywhere (`api.exception_handler`). A payment, a charge or a
reversal that is sent again under its nonce is done once, and answered with 200.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch
from loans import accounts, entries, ledger, till
from loans.act import Act
from loans.amounts import MOST_CENTS
from loans.api import (
    NonceSerializer,
    NotFound,
    Permitted,
    ReasonSerializer,
    RefusedSerializer,
    act_of,
    member_of,
    valid,
)
from loans.entries import Method
from loans.ledger import INCOME
from loans.models import Account, Entry, EntryKind, Household, Member
from loans.receipts import cents_of
from loans.rules import Refusal, RefusalCode

ENTRIES_SHOWN = 200


class MayTakeMoney(Permitted):
    """Whoever may take money."""

    permission = "loans.use_till"


# --- shapes ------------------------------------------------------------------------------------


class EntrySerializer(serializers.ModelSerializer[Entry]):
    """One entry of the books."""

    cents = serializers.SerializerMethodField()
    by = serializers.CharField(source="by.username", default="")

    class Meta:
        model = Entry
        fields = ("id", "kind", "at", "on", "cents", "text", "by", "branch", "loan", "reverses")

    def get_cents(self, entry: Entry) -> int:
        """The amount that it moves."""
        return cents_of(entry)


class OpenChargeSerializer(serializers.Serializer[Any]):
    """A charge of which something is still to be paid."""

    entry = serializers.IntegerField()
    cents = serializers.IntegerField()
    open_cents = serializers.IntegerField()


class StandingSerializer(serializers.Serializer[Any]):
    """How a member, or their household, stands."""

    currency = serializers.CharField(help_text="ISO 4217; cents are its hundredths.")
    owed = serializers.IntegerField(help_text="Cents to be paid; negative: credit.")
    deposit = serializers.IntegerField(help_text="Cents of deposit that the library holds.")
    prepaid = serializers.IntegerField(help_text="Cents on the prepaid card.")
    open_charges = OpenChargeSerializer(many=True)


class AmountSerializer(NonceSerializer):
    """Whose account, and how much."""

    card_number = serializers.CharField(max_length=200)
    cents = serializers.IntegerField(min_value=1, max_value=MOST_CENTS)


class ChargeSerializer(AmountSerializer):
    """Something that is to be paid."""

    kind = serializers.ChoiceField(choices=[(kind.value, kind.name) for kind in INCOME])
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class PaymentSerializer(AmountSerializer):
    """Money that was taken. All of it is booked: what is more than is owed becomes credit."""

    method = serializers.ChoiceField(choices=[(method.value, method.name) for method in Method])
    branch = serializers.PrimaryKeyRelatedField(
        queryset=Branch.objects.all(),
        required=False,
        default=None,
        allow_null=True,
        help_text="Nothing said: the till at which you booked last.",
    )


class ReversalSerializer(NonceSerializer):
    """An entry that is to be taken back."""

    entry = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


ENTRY_RESPONSES = {
    201: EntrySerializer,
    200: OpenApiResponse(EntrySerializer, description="The same request had been done before."),
    404: OpenApiResponse(ReasonSerializer, description="No such card or entry."),
    409: OpenApiResponse(RefusedSerializer, description="Refused, with all reasons."),
}
OF_A_CARD = [OpenApiParameter("card_number", str, required=True)]


# --- the operations ----------------------------------------------------------------------------


class Standing(APIView):
    """What is owed."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="money_retrieve",
        parameters=OF_A_CARD,
        responses={200: StandingSerializer, 404: ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """How a member stands, together with the household."""
        owner = accounts.owner_of(member_of(request.query_params.get("card_number", "")))
        return Response(_standing(owner))


class MyStanding(APIView):
    """What the member who is signed in owes."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="my_money_retrieve", responses={200: StandingSerializer, 404: ReasonSerializer}
    )
    def get(self, request: Request) -> Response:
        """How one stands oneself."""
        member = get_object_or_404(Member.objects.select_related("household"), user=request.user)
        return Response(_standing(accounts.owner_of(member)))


class Entries(APIView):
    """The statement of an account."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(
        operation_id="money_entries_list",
        parameters=OF_A_CARD,
        responses={200: EntrySerializer(many=True), 404: ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """The latest entries, the newest first."""
        account = accounts.find(accounts.owner_of(member_of(request.query_params.get("card_number", ""))))
        lines = accounts.statement(account) if account else ()
        latest = [line.entry for line in lines[::-1][:ENTRIES_SHOWN]]
        return Response(EntrySerializer(latest, many=True).data)


class Charges(APIView):
    """Something that is to be paid."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="charges_create", request=ChargeSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Charge a member, or their household."""
        given, act, account = of_card(ChargeSerializer(data=request.data), request)
        kind, note = EntryKind(given["kind"]), given["note"]
        return booked(act, lambda: ledger.charge(account, kind, given["cents"], act=act, note=note))


class Payments(APIView):
    """Money that was taken."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="payments_create", request=PaymentSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Take a payment: it settles the oldest charges first."""
        given, act, account = of_card(PaymentSerializer(data=request.data), request)
        method, branch = Method(given["method"]), branch_at(given, act)
        return booked(act, lambda: ledger.pay(account, method, given["cents"], act=act, branch=branch))


class Reversals(APIView):
    """Entries that are taken back."""

    permission_classes = (MayTakeMoney,)

    @extend_schema(operation_id="reversals_create", request=ReversalSerializer, responses=ENTRY_RESPONSES)
    def post(self, request: Request) -> Response:
        """Take an entry back, once."""
        given = valid(ReversalSerializer(data=request.data))
        act = act_of(request, given)
        entry = Entry.objects.select_related("branch").filter(pk=given["entry"]).first()
        if entry is None:
            raise NotFound(Refusal(RefusalCode.UNKNOWN_ENTRY, data={"entry": given["entry"]}))
        is_repeated = entries.is_written(act)
        if not is_repeated and not ledger.has_right_to_reverse(act.by, entry, now=act.now):
            raise PermissionDenied
        return booked(act, lambda: ledger.reverse(entry, act=act, note=given["note"]))


# --- reading and answering ---------------------------------------------------------------------


def of_card(serializer: serializers.Serializer[Any], request: Request) -> tuple[dict[str, Any], Act, Account]:
    """What was asked, who asks, and the account of the card that it names. Raises NotFound."""
    given = valid(serializer)
    return given, act_of(request, given), ledger.account_of(member_of(given["card_number"]))


def _standing(owner: Household | Member) -> dict[str, Any]:
    purses, account = accounts.purses_of(owner), accounts.find(owner)
    charges = accounts.settlement(account).open_charges if account else ()
    open_charges = [{"entry": c.entry, "cents": c.cents, "open_cents": c.open_cents} for c in charges]
    return {
        "currency": settings.CURRENCY,
        "owed": purses.owed,
        "deposit": purses.deposit,
        "prepaid": purses.prepaid,
        "open_charges": open_charges,
    }


def booked(act: Act, write: Callable[[], Entry]) -> Response:
    """The entry that is written; 200 for one that this very request has written before."""
    code = status.HTTP_200_OK if entries.is_written(act) else status.HTTP_201_CREATED
    return Response(EntrySerializer(write()).data, status=code)


def branch_at(given: dict[str, Any], act: Act) -> Branch | None:
    """The branch that was named, or the one at whose till this person works."""
    branch: Branch | None = given["branch"] or till.till_of(act.by, Branch.objects.all())
    return branch
