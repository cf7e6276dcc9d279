"""The desk over HTTP: loans, check-ins, renewals. Reads the request, calls `desk`, shows what came of it.

Every refusal is a 409 with all its codes, every unknown code a 404 with the reason, whatever view
raised it: see `exception_handler`, which the settings name for the whole API.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.views import exception_handler as usual_exception_handler

from catalogue.models import Copy
from loans import desk, messages, scan
from loans.desk_state import CHOSEN_TERMS
from loans.models import Loan, Member
from loans.rules import Refusal, RefusalCode, Term

NOTHING: Mapping[str, Any] = MappingProxyType({})


class Permitted(BasePermission):
    """For people with a permission; a subclass names it."""

    permission: ClassVar[str]

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - DRF's signature
        """Whether this user has it."""
        return request.user.is_authenticated and request.user.has_perm(self.permission)


class MayUseDesk(Permitted):
    """Whoever may lend and take back."""

    permission = "loans.use_desk"


class NotFound(Exception):
    """A code that leads nowhere: 404, with the reason."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


# --- shapes ------------------------------------------------------------------------------------


class NonceSerializer(serializers.Serializer[Any]):
    """What every desk action may carry."""

    nonce = serializers.CharField(
        max_length=64,
        required=False,
        default="",
        allow_blank=True,
        help_text="Your own name for this one scan: the same request sent again is done once.",
    )


class WaiverSerializer(NonceSerializer):
    """Refusals to set aside; needs the permission `loans.waive_refusal`."""

    waive = serializers.ListField(
        child=serializers.ChoiceField(choices=[(code.value, code.name) for code in RefusalCode]),
        required=False,
        default=list,
    )
    waive_reason = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class LendSerializer(WaiverSerializer):
    """A copy and a card."""

    barcode = serializers.CharField(max_length=200)
    card_number = serializers.CharField(max_length=200)
    term = serializers.ChoiceField(
        choices=[(term.value, term.name) for term in (Term.USUAL, *CHOSEN_TERMS, Term.BEFORE_BOOKING)],
        required=False,
        default=Term.USUAL.value,
        help_text="For how long; the others are shorter than the usual term. "
        "BEFORE_BOOKING: until a booking that `booked_soon` tells of.",
    )


class CheckInSerializer(NonceSerializer):
    """A copy that comes back."""

    barcode = serializers.CharField(max_length=200)
    returned_at = serializers.DateTimeField(
        required=False,
        default=None,
        allow_null=True,
        help_text="When it really came back, into the book drop; now if it is not said.",
    )


class RenewSerializer(WaiverSerializer):
    """A loan that goes on."""

    loan = serializers.IntegerField(min_value=1, max_value=2**63 - 1)


class LoanSerializer(serializers.ModelSerializer[Loan]):
    """One copy with one member."""

    barcode = serializers.CharField(source="copy.barcode")
    game = serializers.IntegerField(source="copy.game_id")
    title = serializers.CharField(source="copy.game.title")
    card_number = serializers.CharField(source="member.card_number", default="")

    class Meta:
        model = Loan
        fields: tuple[str, ...] = (
            *("id", "barcode", "game", "title", "card_number"),
            *("lent_at", "lent_on", "due_on", "returned_at", "renewals", "place"),
        )


class ActionSerializer(LoanSerializer):
    """The loan as it is after an action; `event` is the action's number in the journal, for an undo."""

    event = serializers.SerializerMethodField()

    class Meta(LoanSerializer.Meta):
        fields = (*LoanSerializer.Meta.fields, "event")

    def get_event(self, loan: Loan) -> int:  # noqa: ARG002 - DRF's signature
        """The journal's number of what was done."""
        number: int = self.context["event"]
        return number


class RefusalSerializer(serializers.Serializer[Any]):
    """One reason why not."""

    code = serializers.ChoiceField(choices=[(code.value, code.name) for code in RefusalCode])
    detail = serializers.CharField(help_text="The reason and the remedy, in the language of the request.")
    waivable = serializers.BooleanField()


class RefusedSerializer(serializers.Serializer[Any]):
    """Why not: the first reason, and all of them."""

    code = serializers.ChoiceField(choices=[(code.value, code.name) for code in RefusalCode])
    detail = serializers.CharField()
    refusals = RefusalSerializer(many=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why nothing was found."""

    code = serializers.CharField()
    detail = serializers.CharField()


ACTION_RESPONSES = {
    201: ActionSerializer,
    200: OpenApiResponse(ActionSerializer, description="The same scan had been done before."),
    404: OpenApiResponse(ReasonSerializer, description="No such card, copy or loan."),
    409: OpenApiResponse(RefusedSerializer, description="Refused, with all reasons."),
}


# --- the operations ----------------------------------------------------------------------------


class Loans(APIView):
    """The open loans of a member; a new loan."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="loans_list",
        parameters=[OpenApiParameter("card_number", str, required=True)],
        responses={200: LoanSerializer(many=True), 404: ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """What the member has at home, the first due first."""
        card_number = request.query_params.get("card_number", "")
        if not card_number.strip():
            raise serializers.ValidationError({"card_number": [_("Say whose loans: ?card_number=…")]})
        member = member_of(card_number)
        loans = member.loans.filter(returned_at=None).select_related("copy__game", "member")
        return Response(LoanSerializer(loans, many=True).data)

    @extend_schema(operation_id="loans_create", request=LendSerializer, responses=ACTION_RESPONSES)
    def post(self, request: Request) -> Response:
        """Lend a copy to a member."""
        given = valid(LendSerializer(data=request.data))
        copy, member = copy_of(given["barcode"]), member_of(given["card_number"])
        act = act_of(request, given, scanned=given["barcode"])
        term = Term(given["term"])
        return answer(desk.lend(copy, member, act=act, waiver=waiver_of(given), term=term))


class CheckIns(APIView):
    """Copies that come back."""

    permission_classes = (MayUseDesk,)

    @extend_schema(operation_id="check_ins_create", request=CheckInSerializer, responses=ACTION_RESPONSES)
    def post(self, request: Request) -> Response:
        """Take a copy back from whoever has it."""
        given = valid(CheckInSerializer(data=request.data))
        act = act_of(request, given, scanned=given["barcode"])
        copy = copy_of(given["barcode"])
        return answer(desk.check_in(copy, act=act, returned_at=given["returned_at"]))


class Renewals(APIView):
    """Loans that go on."""

    permission_classes = (MayUseDesk,)

    @extend_schema(operation_id="renewals_create", request=RenewSerializer, responses=ACTION_RESPONSES)
    def post(self, request: Request) -> Response:
        """Renew a loan from today."""
        given = valid(RenewSerializer(data=request.data))
        loan = Loan.objects.select_related("copy", "member").filter(pk=given["loan"]).first()
        if loan is None:
            raise NotFound(Refusal(RefusalCode.UNKNOWN_LOAN, data={"loan": given["loan"]}))
        return answer(desk.renew(loan, act=act_of(request, given), waiver=waiver_of(given)))


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Refused -> 409, an unknown code -> 404, both in words and codes; the rest as DRF does it."""
    reader = context["request"].user
    if isinstance(error, desk.Refused):
        told = messages.explain(error.refusals, reader)
        return Response(_told(told), status=status.HTTP_409_CONFLICT)
    if isinstance(error, NotFound):
        (told_once,) = messages.explain((error.refusal,), reader)
        reason = {"code": str(error.refusal.code), "detail": told_once.sentence}
        return Response(reason, status=status.HTTP_404_NOT_FOUND)
    response = usual_exception_handler(error, context)
    if response is not None and response.status_code == status.HTTP_404_NOT_FOUND:
        # A row that is not there is told in the same shape as a code that leads nowhere.
        response.data.setdefault("code", "not_found")
    return response


# --- reading and answering ---------------------------------------------------------------------


def valid(serializer: serializers.BaseSerializer[Any]) -> dict[str, Any]:
    """What was sent, or DRF's 400."""
    serializer.is_valid(raise_exception=True)
    given: dict[str, Any] = serializer.validated_data
    return given


def act_of(
    request: Request, given: Mapping[str, Any] = NOTHING, *, scanned: str = "", at_desk: bool = True
) -> desk.Act:
    """Who acts, when, and on which scan: `given` names it where the request may come twice."""
    assert isinstance(request.user, User)  # noqa: S101 - the permission has seen to it
    nonce, scanned = given.get("nonce", ""), scan.clean(scanned)
    return desk.Act(by=request.user, now=timezone.now(), nonce=nonce, scanned=scanned, at_desk=at_desk)


def waiver_of(given: dict[str, Any]) -> desk.Waiver:
    """What is to be set aside, and why."""
    return desk.Waiver(frozenset(map(RefusalCode, given["waive"])), given["waive_reason"])


def copy_of(barcode: str) -> Copy:
    """The one box of this code. Raises NotFound, or Refused where it may be several."""
    found = scan.read_copy(barcode)
    if len(found.copies) == 1:
        return found.copies[0]
    raise _not_one(found, many=bool(found.copies))


def member_of(card_number: str) -> Member:
    """The one member of this card. Raises NotFound, or Refused where it may be several."""
    found = scan.read_card(card_number)
    if len(found.members) == 1:
        return found.members[0]
    raise _not_one(found, many=bool(found.members))


def _not_one(found: scan.Scan, *, many: bool) -> Exception:
    data = {"code": found.code}
    if many:
        return desk.Refused.because(RefusalCode.AMBIGUOUS_CODE, **data)
    if found.found == scan.Found.DAMAGED:
        return NotFound(Refusal(RefusalCode.DAMAGED_CODE, data=data))
    return NotFound(Refusal(RefusalCode.UNKNOWN_CODE, data=data))


def answer(done: desk.Done) -> Response:
    """The loan as it is now; 200 for what had been done before."""
    code = status.HTTP_200_OK if done.repeated else status.HTTP_201_CREATED
    return Response(ActionSerializer(done.loan, context={"event": done.event.pk}).data, status=code)


def _told(told: tuple[messages.Told, ...]) -> dict[str, Any]:
    refusals = [
        {"code": str(one.refusal.code), "detail": one.sentence, "waivable": one.refusal.waivable}
        for one in told
    ]
    return {"code": refusals[0]["code"], "detail": refusals[0]["detail"], "refusals": refusals}
