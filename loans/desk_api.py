"""The desk over HTTP, the rarer actions: renew all, swap, undo, a list of boxes. See `api` for refusals."""

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, desk, messages, sets
from loans.models import DeskAction, DeskEvent
from loans.rules import Refusal, RefusalCode, Term


class CardSerializer(api.NonceSerializer):
    """A member."""

    card_number = serializers.CharField(max_length=200)


class UndoSerializer(api.NonceSerializer):
    """One of the latest actions, by its number in the journal."""

    event = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class LoanListSerializer(CardSerializer):
    """Boxes for one member."""

    barcodes = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=1, max_length=sets.MOST_AT_ONCE
    )
    term = api.LendSerializer().fields["term"]


class PartSerializer(serializers.Serializer[Any]):
    """What came of one part: done with its loan, or refused with all reasons."""

    event = serializers.IntegerField(help_text="Its number in the journal.")
    done = serializers.BooleanField()
    scanned = serializers.CharField(allow_blank=True)
    loan = api.LoanSerializer(allow_null=True)
    refusals = api.RefusalSerializer(many=True)


LIST_RESPONSES = {
    200: OpenApiResponse(PartSerializer(many=True), description="What came of each part, in order."),
    404: OpenApiResponse(api.ReasonSerializer, description="No such card."),
    409: OpenApiResponse(api.RefusedSerializer, description="The card is not one member's alone."),
}


class Swaps(APIView):
    """Boxes that are still on another card."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="swaps_create", request=api.LendSerializer, responses=api.ACTION_RESPONSES)
    def post(self, request: Request) -> Response:
        """Take a copy back from whoever has it, then lend it; the return stands if the loan is refused."""
        given = api.valid(api.LendSerializer(data=request.data))
        copy, member = api.copy_of(given["barcode"]), api.member_of(given["card_number"])
        act = api.act_of(request, given, scanned=given["barcode"])
        waiver, term = api.waiver_of(given), Term(given["term"])
        return api.answer(sets.swap(copy, member, act=act, waiver=waiver, term=term))


class RenewalsOfAll(APIView):
    """All loans of a member at once."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="renewals_all_create", request=CardSerializer, responses=LIST_RESPONSES)
    def post(self, request: Request) -> Response:
        """Renew every open loan that may be renewed."""
        given = api.valid(CardSerializer(data=request.data))
        member = api.member_of(given["card_number"])
        return parts_of(request, sets.renew_all(member, act=api.act_of(request, given)))


class LoanLists(APIView):
    """A list of boxes for one member: a school, a nursery."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="loan_lists_create", request=LoanListSerializer, responses=LIST_RESPONSES)
    def post(self, request: Request) -> Response:
        """Lend every box of the list that may be lent."""
        given = api.valid(LoanListSerializer(data=request.data))
        member, act = api.member_of(given["card_number"]), api.act_of(request, given)
        term = Term(given["term"])
        return parts_of(request, sets.lend_many(given["barcodes"], member, act=act, term=term))


class Undos(APIView):
    """Actions that are taken back."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="undos_create", request=UndoSerializer, responses=api.ACTION_RESPONSES)
    def post(self, request: Request) -> Response:
        """Take back one of the last fifty actions."""
        given = api.valid(UndoSerializer(data=request.data))
        event = DeskEvent.objects.select_related("copy", "member").filter(pk=given["event"]).first()
        if event is None:
            raise api.NotFound(Refusal(RefusalCode.UNKNOWN_EVENT, data={"event": given["event"]}))
        return api.answer(desk.undo(event, act=api.act_of(request, given)))


def parts_of(request: Request, events: Iterable[DeskEvent]) -> Response:
    """What came of each part, as the answer."""
    parts = [
        {
            "event": event.pk,
            "done": event.action != DeskAction.REFUSE,
            "scanned": event.scanned,
            "loan": event.loan,
            "refusals": [
                {"code": told.refusal.code, "detail": told.sentence, "waivable": told.refusal.waivable}
                for told in messages.explain(desk.refusals_of(event), request.user)
            ],
        }
        for event in events
    ]
    return Response(PartSerializer(parts, many=True).data)
