"""Members, memberships, blocks and policies over HTTP: read the request, call the one writer, show the rows.

Members are for who may register them, the policy table for who may change it; what it decides for a member
and a box may be asked at the desk.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch, Category
from loans import api, members, memberships, policies, policy_rules
from loans.calendar import local_date
from loans.models import (
    Block,
    Household,
    Member,
    MemberCategory,
    Membership,
    MembershipKind,
    PolicyRow,
    PolicyRule,
)
from loans.policies import Decision


class MayManageMembers(api.Permitted):
    """Whoever may register members and sell memberships."""

    permission = "loans.manage_members"


class MayManagePolicies(api.Permitted):
    """Whoever may change what the library allows."""

    permission = "loans.manage_policies"


# --- shapes ------------------------------------------------------------------------------------


class MemberSerializer(serializers.ModelSerializer[Member]):
    """A member. The household is joined and left on its page, so it is shown here and not changed."""

    card_number = serializers.CharField(max_length=64, required=False)
    category = serializers.PrimaryKeyRelatedField(
        queryset=MemberCategory.objects.all(), required=False, allow_null=True
    )
    household = serializers.PrimaryKeyRelatedField[Household](read_only=True, allow_null=True)

    class Meta:
        model = Member
        fields = (
            *("id", "card_number", "first_name", "last_name", "email", "language", "category", "household"),
            *("birth_year", "hides_loans", "conditions_signed_on", "membership_ends_on"),
        )


class SaleSerializer(serializers.Serializer[Any]):
    """A membership to sell."""

    kind = serializers.PrimaryKeyRelatedField(queryset=MembershipKind.objects.filter(on_sale=True))
    nonce = serializers.CharField(max_length=64, required=False, default="", allow_blank=True)


class MembershipSerializer(serializers.ModelSerializer[Membership]):
    """A membership that was sold."""

    class Meta:
        model = Membership
        fields = ("id", "kind", "member", "household", "starts_on", "ends_on", "fee_cents", "cancelled_at")


class BlockSerializer(serializers.ModelSerializer[Block]):
    """Why a member may not borrow, and to which day (none: until it is lifted)."""

    class Meta:
        model = Block
        fields = ("id", "reason", "starts_on", "ends_on", "lifted_at")
        read_only_fields = ("starts_on", "lifted_at")


class PolicyRowSerializer(serializers.ModelSerializer[PolicyRow]):
    """One row of the policy table."""

    value = serializers.SerializerMethodField("typed_value", help_text="Null: no limit.")

    class Meta:
        model = PolicyRow
        fields = ("id", "rule", "branch", "member_category", "game_category", "class_prefix", "value")

    def typed_value(self, row: PolicyRow) -> int | bool | str | None:
        """The value in the type of its rule."""
        return policy_rules.value_of(row)


class PolicyDraftSerializer(serializers.Serializer[Any]):
    """One value of one rule for one scope; what is not named is any."""

    rule = serializers.ChoiceField(choices=PolicyRule.choices)
    value = serializers.JSONField(allow_null=True, help_text="In the type of the rule; null: no limit.")
    branch = serializers.PrimaryKeyRelatedField(
        queryset=Branch.objects.all(), required=False, allow_null=True
    )
    member_category = serializers.PrimaryKeyRelatedField(
        queryset=MemberCategory.objects.all(), required=False, allow_null=True
    )
    game_category = serializers.PrimaryKeyRelatedField(
        queryset=Category.objects.all(), required=False, allow_null=True
    )
    class_prefix = serializers.CharField(max_length=20, required=False, allow_blank=True)


class LostRowSerializer(serializers.Serializer[Any]):
    """A row that did not decide."""

    row = PolicyRowSerializer()
    why = serializers.ChoiceField(choices=[(why.value, why.name) for why in policies.Why])


class DecisionSerializer(serializers.Serializer[Any]):
    """One rule: what it comes to, which row decided (none: the built-in value), and which did not."""

    rule = serializers.ChoiceField(choices=PolicyRule.choices)
    value = serializers.SerializerMethodField("typed_value")
    row = PolicyRowSerializer(allow_null=True)
    lost = LostRowSerializer(many=True)

    def typed_value(self, decision: Decision) -> int | bool | str | None:
        """The value in the type of its rule."""
        return decision.value


# --- the operations ----------------------------------------------------------------------------


class Members(APIView):
    """Members: found, and registered."""

    permission_classes = (MayManageMembers,)

    @extend_schema(
        operation_id="members_list",
        parameters=[OpenApiParameter("q", str), OpenApiParameter("page", int)],
        responses={200: MemberSerializer(many=True), 404: api.ReasonSerializer},
    )
    def get(self, request: Request) -> Response:
        """Members by words of the name or the household's, or by the beginning of the card."""
        pages = PageNumberPagination()
        found = members.named(request.query_params.get("q", ""))
        page = pages.paginate_queryset(found.order_by(*members.BY_NAME), request, view=self)
        return Response(MemberSerializer(page, many=True).data)

    @extend_schema(
        operation_id="members_create",
        request=MemberSerializer,
        responses={201: MemberSerializer, 409: api.ReasonSerializer},
    )
    def post(self, request: Request) -> Response:
        """Register a member; without a card number the next free one is taken."""
        given = api.valid(MemberSerializer(data=request.data))
        card = given.pop("card_number", "") or members.next_card_number()
        try:
            member = members.add_member(members.MemberDraft(card_number=card, **given))
        except members.CardTaken:
            return _card_taken()
        return Response(MemberSerializer(member).data, status=status.HTTP_201_CREATED)


class OneMember(APIView):
    """One member: shown, and corrected."""

    permission_classes = (MayManageMembers,)

    @extend_schema(operation_id="members_retrieve", responses=MemberSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """All that is kept of a member."""
        return Response(MemberSerializer(get_object_or_404(Member, pk=pk)).data)

    @extend_schema(
        operation_id="members_update",
        request=MemberSerializer(partial=True),
        responses={200: MemberSerializer, 409: api.ReasonSerializer},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Correct what is named; the rest stays."""
        member = get_object_or_404(Member, pk=pk)
        given = api.valid(MemberSerializer(member, data=request.data, partial=True))
        draft = members.describe_member(member)
        kept = {name: getattr(draft, name) for name in members.MemberDraft.__dataclass_fields__}
        try:
            member = members.update_member(member, members.MemberDraft(**kept | given))
        except members.CardTaken:
            return _card_taken()
        return Response(MemberSerializer(member).data)

    @extend_schema(operation_id="members_destroy", responses={204: None, 409: api.ReasonSerializer})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Remove a member who has never borrowed or paid."""
        member = get_object_or_404(Member, pk=pk)
        try:
            members.delete_member(member)
        except members.InUse:
            words = _("%(member)s has borrowed or paid before, and that is kept: block the card instead.")
            answer = {"code": "member_in_use", "detail": words % {"member": member}}
            return Response(answer, status=status.HTTP_409_CONFLICT)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Sales(APIView):
    """Memberships of a member."""

    permission_classes = (MayManageMembers,)

    @extend_schema(operation_id="memberships_list", responses=MembershipSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """What was sold to the member or to the household, the latest first."""
        sold = memberships.sales_of(get_object_or_404(Member, pk=pk))
        return Response(MembershipSerializer(sold, many=True).data)

    @extend_schema(
        operation_id="memberships_create", request=SaleSerializer, responses={201: MembershipSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Sell a membership; the same nonce sent again is one sale."""
        given = api.valid(SaleSerializer(data=request.data))
        act = api.act_of(request, given)
        sale = memberships.sell(given["kind"], get_object_or_404(Member, pk=pk), act=act)
        return Response(MembershipSerializer(sale).data, status=status.HTTP_201_CREATED)


class Blocks(APIView):
    """Blocks of a member."""

    permission_classes = (MayManageMembers,)

    @extend_schema(operation_id="blocks_list", responses=BlockSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """All blocks of the member, lifted or over ones too."""
        return Response(BlockSerializer(get_object_or_404(Member, pk=pk).blocks.all(), many=True).data)

    @extend_schema(operation_id="blocks_create", request=BlockSerializer, responses={201: BlockSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Block the member from today."""
        member, today = get_object_or_404(Member, pk=pk), local_date(timezone.now(), None)
        given = api.valid(BlockSerializer(data=request.data))
        ends_on = given.get("ends_on")
        if ends_on is not None and ends_on < today:
            raise serializers.ValidationError(
                {"ends_on": [_("This day is over: a block ends today or later.")]}
            )
        block = members.block(
            member, given["reason"], starts_on=today, ends_on=ends_on, by=api.act_of(request).by
        )
        return Response(BlockSerializer(block).data, status=status.HTTP_201_CREATED)


class Lift(APIView):
    """The end of a block."""

    permission_classes = (MayManageMembers,)

    @extend_schema(operation_id="blocks_lift", request=None, responses=BlockSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Lift a block; one that was lifted before stays as it is."""
        block = get_object_or_404(Block, pk=pk)
        members.lift(block, by=api.act_of(request).by, now=timezone.now())
        block.refresh_from_db()
        return Response(BlockSerializer(block).data)


class Policies(APIView):
    """The policy table."""

    permission_classes = (MayManagePolicies,)

    @extend_schema(operation_id="policies_list", responses=PolicyRowSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Every row. The most exact one that fits decides: branch, then members, then games."""
        return Response(PolicyRowSerializer(policies.all_rows(), many=True).data)

    @extend_schema(
        operation_id="policies_put", request=PolicyDraftSerializer, responses={200: PolicyRowSerializer}
    )
    def put(self, request: Request) -> Response:
        """Say a value for a scope; it takes the place of the one before. No open loan is moved."""
        given = api.valid(PolicyDraftSerializer(data=request.data))
        rule = PolicyRule(given.pop("rule"))
        try:
            value = policy_rules.value_from_json(rule, given.pop("value"))
            row = policies.put_policy(policies.PolicyDraft(rule=rule, value=value, **given))
        except ValueError as error:
            raise serializers.ValidationError({"value": [str(error)]}) from error
        return Response(PolicyRowSerializer(row).data)


class OnePolicy(APIView):
    """One row of the table."""

    permission_classes = (MayManagePolicies,)

    @extend_schema(operation_id="policies_destroy", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Take a row out: what is less exact holds again."""
        policies.delete_policy(get_object_or_404(PolicyRow, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Decisions(APIView):
    """What the table comes to."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="policies_decided",
        parameters=[OpenApiParameter("card_number", str, required=True), OpenApiParameter("barcode", str)],
        responses={
            200: DecisionSerializer(many=True),
            404: OpenApiResponse(api.ReasonSerializer, description="No such card or copy."),
        },
    )
    def get(self, request: Request) -> Response:
        """For every rule, what would apply to a member and a box, which row decides, and why no other."""
        member = api.member_of(request.query_params.get("card_number", ""))
        barcode = request.query_params.get("barcode", "")
        copy = api.copy_of(barcode) if barcode else None
        return Response(DecisionSerializer(policies.explain(member, copy), many=True).data)


def _card_taken() -> Response:
    detail = _("This card belongs to another member already: scan another one.")
    return Response({"code": "card_taken", "detail": detail}, status=status.HTTP_409_CONFLICT)
