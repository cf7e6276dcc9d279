"""Kinds of membership and categories of members over HTTP.

Who sells memberships or registers members may read them, who manages the policies changes them, as on their
pages. What was sold, or is used, stays: a 409 with a code and the remedy.
"""

from dataclasses import fields

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, members, memberships
from loans.amounts import MOST_CENTS
from loans.households_api import NameField
from loans.memberships import KindDraft
from loans.models import MemberCategory, MembershipKind

LONGEST_MONTHS = 120


class MayManageKinds(BasePermission):
    """Reading for who may register members too; changing with the permission `loans.manage_policies`."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - DRF's signature
        """Whether this user may read, or change, what is sold and to whom."""
        if request.user.has_perm("loans.manage_policies"):
            return True
        return request.method in SAFE_METHODS and request.user.has_perm("loans.manage_members")


# --- shapes ------------------------------------------------------------------------------------


class MembershipKindSerializer(serializers.ModelSerializer[MembershipKind]):
    """What is sold: for `months`, or to a day of the year (`ends_month` and `ends_day`)."""

    name = NameField(max_length=100)
    fee_cents = serializers.IntegerField(min_value=0, max_value=MOST_CENTS, default=0)
    months = serializers.IntegerField(min_value=1, max_value=LONGEST_MONTHS, allow_null=True, default=None)
    ends_month = serializers.IntegerField(min_value=1, max_value=12, allow_null=True, default=None)
    ends_day = serializers.IntegerField(min_value=1, max_value=31, allow_null=True, default=None)
    for_household = serializers.BooleanField(default=True)
    on_sale = serializers.BooleanField(default=True)

    class Meta:
        model = MembershipKind
        fields = ("id", *KindDraft.__dataclass_fields__)


class MemberCategorySerializer(serializers.ModelSerializer[MemberCategory]):
    """A category of members, such as schools."""

    name = NameField(max_length=100)

    class Meta:
        model = MemberCategory
        fields = ("id", "name")


IN_USE = OpenApiResponse(api.ReasonSerializer, description="It is used, and stays.")
NAME_TAKEN = OpenApiResponse(api.ReasonSerializer, description="Another one is called so already.")


# --- kinds of membership -----------------------------------------------------------------------


class MembershipKinds(APIView):
    """What is sold."""

    permission_classes = (MayManageKinds,)

    @extend_schema(operation_id="membership_kinds_list", responses=MembershipKindSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Every kind, on sale or not."""
        return Response(MembershipKindSerializer(MembershipKind.objects.all(), many=True).data)

    @extend_schema(
        operation_id="membership_kinds_create",
        request=MembershipKindSerializer,
        responses={201: MembershipKindSerializer},
    )
    def post(self, request: Request) -> Response:
        """Sell another kind."""
        given = api.valid(MembershipKindSerializer(data=request.data))
        kind = _save_kind(None, KindDraft(**given))
        return Response(MembershipKindSerializer(kind).data, status=status.HTTP_201_CREATED)


class OneMembershipKind(APIView):
    """One kind: shown, changed, removed."""

    permission_classes = (MayManageKinds,)

    @extend_schema(operation_id="membership_kinds_retrieve", responses=MembershipKindSerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """What it costs and how long it runs."""
        return Response(MembershipKindSerializer(get_object_or_404(MembershipKind, pk=pk)).data)

    @extend_schema(
        operation_id="membership_kinds_update",
        request=MembershipKindSerializer(partial=True),
        responses=MembershipKindSerializer,
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Change what is named; what was sold before stays as it was."""
        kind = get_object_or_404(MembershipKind, pk=pk)
        given = api.valid(MembershipKindSerializer(kind, data=request.data, partial=True))
        kept = {field.name: getattr(kind, field.name) for field in fields(KindDraft)}
        return Response(MembershipKindSerializer(_save_kind(kind, KindDraft(**kept | given))).data)

    @extend_schema(operation_id="membership_kinds_destroy", responses={204: None, 409: IN_USE})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Remove a kind that was never sold."""
        try:
            memberships.delete_kind(get_object_or_404(MembershipKind, pk=pk))
        except members.InUse:
            words = _("This membership has been sold before: take it off sale instead.")
            return _conflict("membership_kind_sold", words)
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- categories of members ---------------------------------------------------------------------


class MemberCategories(APIView):
    """The categories of members."""

    permission_classes = (MayManageKinds,)

    @extend_schema(operation_id="member_categories_list", responses=MemberCategorySerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Every category."""
        return Response(MemberCategorySerializer(MemberCategory.objects.all(), many=True).data)

    @extend_schema(
        operation_id="member_categories_create",
        request=MemberCategorySerializer,
        responses={201: MemberCategorySerializer, 409: NAME_TAKEN},
    )
    def post(self, request: Request) -> Response:
        """A new category."""
        return _save_category(None, request, status.HTTP_201_CREATED)


class OneMemberCategory(APIView):
    """One category: renamed, removed."""

    permission_classes = (MayManageKinds,)

    @extend_schema(
        operation_id="member_categories_update",
        request=MemberCategorySerializer,
        responses={200: MemberCategorySerializer, 409: NAME_TAKEN},
    )
    def put(self, request: Request, pk: int) -> Response:
        """Another name; members and policies stay with it."""
        return _save_category(get_object_or_404(MemberCategory, pk=pk), request, status.HTTP_200_OK)

    @extend_schema(operation_id="member_categories_destroy", responses={204: None, 409: IN_USE})
    def delete(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """Remove a category that no member and no policy is of."""
        category = get_object_or_404(MemberCategory, pk=pk)
        try:
            members.delete_category(category)
        except members.InUse:
            words = _("“%(name)s” has members or policies: give those another category first.")
            return _conflict("member_category_in_use", words % {"name": category.name})
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- writing and answering ---------------------------------------------------------------------


def _save_kind(kind: MembershipKind | None, draft: KindDraft) -> MembershipKind:
    try:
        return memberships.save_kind(kind, draft)
    except ValueError as error:
        words = _("Type either the months, or the day and month of the year on which it ends.")
        raise serializers.ValidationError({"months": [words]}) from error


def _save_category(category: MemberCategory | None, request: Request, code: int) -> Response:
    given = api.valid(MemberCategorySerializer(data=request.data))
    try:
        saved = members.save_category(category, given["name"])
    except members.NameTaken:
        return _conflict("name_taken", _("There is a category of this name already."))
    return Response(MemberCategorySerializer(saved).data, status=code)


def _conflict(code: str, words: str) -> Response:
    return Response({"code": code, "detail": words}, status=status.HTTP_409_CONFLICT)
