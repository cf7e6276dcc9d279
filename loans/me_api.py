"""One's own card over HTTP: what is at home, renewing it, how long it is remembered.

For whoever is signed in and is a member; anybody else's loans do not exist here, but those that the
household shows (`households.loans_seen_by`). Others are told by name, never by card.
"""

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, desk, forgetting, households
from loans.calendar import local_date
from loans.models import Loan, Member
from loans.rules import Refusal, RefusalCode

NO_MEMBER = OpenApiResponse(api.ReasonSerializer, description="This account belongs to no card.")


# --- shapes ------------------------------------------------------------------------------------


class MyLoanSerializer(serializers.ModelSerializer[Loan]):
    """A game at home: one's own, or one that the household shows."""

    title = serializers.CharField(source="copy.game.title")
    game = serializers.IntegerField(source="copy.game_id")
    barcode = serializers.CharField(source="copy.barcode")
    borrower = serializers.CharField(source="member", help_text="The name of who borrowed it.")
    own = serializers.SerializerMethodField(help_text="Whether it is on one's own card.")

    class Meta:
        model = Loan
        fields = ("id", "barcode", "game", "title", "borrower", "own", "lent_on", "due_on", "renewals")

    def get_own(self, loan: Loan) -> bool:
        """Whether the reader borrowed it."""
        return bool(loan.member_id == self.context["reader"].pk)


class MyRenewalSerializer(api.NonceSerializer):
    """A loan that goes on."""

    loan = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class MyPrivacyChoiceSerializer(serializers.Serializer[Any]):
    """For how many months past loans are to be kept: one of those that are offered."""

    months = serializers.IntegerField(min_value=min(forgetting.OFFERED_MONTHS), max_value=1200)

    def validate_months(self, months: int) -> int:
        """Refuse what the library does not offer, as a choice is refused."""
        choice = serializers.ChoiceField(choices=forgetting.months_offered())
        return int(choice.run_validation(months))


class MyPrivacySerializer(serializers.Serializer[Any]):
    """How long past loans are kept, and what may be chosen; the last one offered is the library's own."""

    months = serializers.IntegerField()
    offered = serializers.ListField(child=serializers.IntegerField())
    hides_loans = serializers.BooleanField(help_text="Whether the household does not see the loans.")


# --- the operations ----------------------------------------------------------------------------


class MyLoans(APIView):
    """What is at home."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="my_loans_list", responses={200: MyLoanSerializer(many=True), 404: NO_MEMBER})
    def get(self, request: Request) -> Response:
        """One's own games and those that the household shows, the first due first."""
        member = myself(request)
        loans = _seen_by(member).select_related("copy__game", "member").order_by("due_on", "pk")
        return Response(MyLoanSerializer(loans, many=True, context={"reader": member}).data)


class MyRenewals(APIView):
    """Games at home that are wanted for longer."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="my_renewals_create",
        request=MyRenewalSerializer,
        responses={
            201: MyLoanSerializer,
            200: OpenApiResponse(MyLoanSerializer, description="The same request had been done before."),
            404: OpenApiResponse(api.ReasonSerializer, description="No member, or no such loan at home."),
            409: OpenApiResponse(api.RefusedSerializer, description="Refused, with all reasons."),
        },
    )
    def post(self, request: Request) -> Response:
        """Renew from today; nobody at home sets a refusal aside."""
        given, member = api.valid(MyRenewalSerializer(data=request.data)), myself(request)
        loan = _seen_by(member).select_related("copy", "member").filter(pk=given["loan"]).first()
        if loan is None:
            raise api.NotFound(Refusal(RefusalCode.UNKNOWN_LOAN, data={"loan": given["loan"]}))
        done = desk.renew(loan, act=replace(api.act_of(request, given), at_desk=False))
        told = MyLoanSerializer(done.loan, context={"reader": member})
        return Response(told.data, status=status.HTTP_200_OK if done.repeated else status.HTTP_201_CREATED)


class MyPrivacy(APIView):
    """How long one's past loans are remembered."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="my_privacy_retrieve", responses={200: MyPrivacySerializer, 404: NO_MEMBER})
    def get(self, request: Request) -> Response:
        """What holds now, and what may be chosen."""
        return Response(_privacy(myself(request)))

    @extend_schema(
        operation_id="my_privacy_update",
        request=MyPrivacyChoiceSerializer,
        responses={200: MyPrivacySerializer, 404: NO_MEMBER},
    )
    def put(self, request: Request) -> Response:
        """Choose for how many months past loans are kept."""
        member, given = myself(request), api.valid(MyPrivacyChoiceSerializer(data=request.data))
        forgetting.choose_months(member, given["months"])
        member.refresh_from_db()
        return Response(_privacy(member))


# --- reading -----------------------------------------------------------------------------------


def myself(request: Request) -> Member:
    """The member who is signed in, or a 404."""
    return get_object_or_404(Member, user=request.user)


def _seen_by(member: Member) -> QuerySet[Loan]:
    return households.loans_seen_by(member, local_date(timezone.now(), None))


def _privacy(member: Member) -> dict[str, Any]:
    told = {
        "months": forgetting.months_of(member),
        "offered": forgetting.months_offered(),
        "hides_loans": member.hides_loans,
    }
    return dict(MyPrivacySerializer(told).data)
