"""Care of boxes over HTTP: plans, what is due, what is in quarantine, what was done, one box and its story.

Plans are made by who may edit the catalogue; the desk sees what is due and says that it is done.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.api import MayEdit
from catalogue.models import Category, Copy, Game
from loans import api, care
from loans.households_api import NameField
from loans.models import CareDone, CareKind, CarePlan
from loans.pieces_api import REFUSALS, CopyEventSerializer

EVENTS_SHOWN = 50


# --- shapes ------------------------------------------------------------------------------------


class CarePlanSerializer(serializers.ModelSerializer[CarePlan]):
    """What boxes need again and again: one box, a game's, a category's, or (none of the three named) all."""

    barcode = serializers.CharField(source="copy.barcode", default="")

    class Meta:
        model = CarePlan
        fields = (
            *("id", "kind", "what", "barcode", "game", "category", "every_loans", "every_days"),
            *("blocks", "since_on", "ended_on"),
        )


class NewCarePlanSerializer(serializers.Serializer[Any]):
    """A plan that counts from today: after so many loans, or so many days, whichever comes first."""

    kind = serializers.ChoiceField(choices=CareKind.choices)
    what = NameField(max_length=200)
    every_loans = serializers.IntegerField(
        min_value=1, max_value=care.MOST_LOANS, required=False, default=None, allow_null=True
    )
    every_days = serializers.IntegerField(
        min_value=1,
        max_value=care.MOST_DAYS,
        required=False,
        default=None,
        allow_null=True,
        help_text="Of a quarantine: how long it lasts after each return.",
    )
    blocks = serializers.BooleanField(
        required=False, default=False, help_text="Whether a box is not lent while it is due."
    )
    barcode = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    game = serializers.PrimaryKeyRelatedField(
        queryset=Game.objects.all(), required=False, default=None, allow_null=True
    )
    category = serializers.PrimaryKeyRelatedField(
        queryset=Category.objects.all(), required=False, default=None, allow_null=True
    )


class DueBoxSerializer(serializers.Serializer[Any]):
    """A box for which a plan is due, since when, and after how many loans."""

    plan = serializers.IntegerField(source="plan.pk")
    what = serializers.CharField(source="plan.what")
    blocks = serializers.BooleanField(source="plan.blocks")
    barcode = serializers.CharField(source="copy.barcode")
    title = serializers.CharField(source="copy.game.title")
    loans_since = serializers.IntegerField()
    last_on = serializers.DateField(help_text="When it was done last, or the plan began.")


class QuarantinedBoxSerializer(serializers.Serializer[Any]):
    """A box in quarantine; `until_on` is its last day, if one was said."""

    barcode = serializers.CharField()
    title = serializers.CharField(source="game.title")
    until_on = serializers.DateField(source="until", allow_null=True)


class NewCareDoneSerializer(serializers.Serializer[Any]):
    """What a plan asks for was done to a box."""

    plan = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    barcode = serializers.CharField(max_length=200)
    note = serializers.CharField(max_length=300, required=False, default="", allow_blank=True)


class CareDoneSerializer(serializers.ModelSerializer[CareDone]):
    """Care that was done."""

    barcode = serializers.CharField(source="copy.barcode")
    by = serializers.CharField(source="by.username", default="")

    class Meta:
        model = CareDone
        fields = ("plan", "barcode", "at", "by", "note")


class BoxStorySerializer(serializers.Serializer[Any]):
    """The condition of one box, what you may do to it now, what is due, and what became of it."""

    barcode = serializers.CharField(source="copy.barcode")
    condition = serializers.CharField(source="copy.condition")
    moves = serializers.ListField(
        child=serializers.CharField(), help_text="What you may send to /api/copy-moves/ now."
    )
    due = DueBoxSerializer(many=True)
    events = CopyEventSerializer(many=True)


# --- plans -------------------------------------------------------------------------------------


class CarePlans(APIView):
    """Plans of care."""

    permission_classes = (MayEdit,)

    @extend_schema(operation_id="care_plans_list", responses=CarePlanSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Those that have not ended."""
        rows = CarePlan.objects.filter(ended_on=None).select_related("copy")
        return Response(CarePlanSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="care_plans_create",
        request=NewCarePlanSerializer,
        responses={201: CarePlanSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        """A new plan."""
        given = api.valid(NewCarePlanSerializer(data=request.data))
        barcode = given.pop("barcode").strip()
        draft = care.PlanDraft(copy=api.copy_of(barcode) if barcode else None, **given)
        try:
            plan = care.add_plan(draft, today=timezone.localdate())
        except care.PlanGap as gap:
            raise serializers.ValidationError({gap.field: [str(gap)]}) from gap
        return Response(CarePlanSerializer(plan).data, status=status.HTTP_201_CREATED)


class EndedCarePlans(APIView):
    """Plans that end."""

    permission_classes = (MayEdit,)

    @extend_schema(operation_id="care_plans_end", request=None, responses=CarePlanSerializer)
    def post(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """From today the plan asks for nothing more; said again, it has ended when it did."""
        care.end_plan(get_object_or_404(CarePlan, pk=pk), today=timezone.localdate())
        return Response(CarePlanSerializer(CarePlan.objects.select_related("copy").get(pk=pk)).data)


# --- what is due -------------------------------------------------------------------------------


class DueBoxes(APIView):
    """Boxes that need care now."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="care_due_list", responses=DueBoxSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """Plan by plan."""
        boxes = [box for _plan, due in care.due(timezone.localdate()) for box in due]
        return Response(DueBoxSerializer(boxes, many=True).data)


class QuarantinedBoxes(APIView):
    """Boxes in quarantine."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="care_quarantined_list", responses=QuarantinedBoxSerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """The first over first."""
        boxes = [copy for copy, _until in care.quarantined()]
        return Response(QuarantinedBoxSerializer(boxes, many=True).data)


class CaresDone(APIView):
    """Care that is done."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="care_done_create",
        request=NewCareDoneSerializer,
        responses={
            201: CareDoneSerializer,
            404: OpenApiResponse(api.ReasonSerializer, description="No such plan or box."),
            409: REFUSALS[409],
        },
    )
    def post(self, request: Request) -> Response:
        """What a plan asks for was done to a box; said twice within a minute, it was done once."""
        given = api.valid(NewCareDoneSerializer(data=request.data))
        plan = get_object_or_404(CarePlan, pk=given["plan"])
        copy, act = api.copy_of(given["barcode"]), api.act_of(request)
        done = care.done(plan, copy, act=act, note=given["note"])
        return Response(CareDoneSerializer(done).data, status=status.HTTP_201_CREATED)


class OneBox(APIView):
    """The condition of a box, with its story."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="care_box_retrieve",
        parameters=[OpenApiParameter("barcode", str, required=True)],
        responses={200: BoxStorySerializer, **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        """What can be done to it, what is due, and what became of it, the latest first."""
        copy: Copy = api.copy_of(request.query_params.get("barcode", ""))
        told = {
            "copy": copy,
            "moves": care.moves_open_to(api.act_of(request).by, copy),
            "due": care.due_for(copy, timezone.localdate()),
            "events": care.events_of(copy)[:EVENTS_SHOWN],
        }
        return Response(BoxStorySerializer(told).data)
