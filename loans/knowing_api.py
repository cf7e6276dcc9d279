"""Stocktakes, figures and one's own data over HTTP.

A code that is sent again counts once, so a list that may have arrived is simply sent again. Amounts of
figures are whole cents.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Branch, Section
from loans import dossier, stocktake
from loans.api import MayUseDesk, Permitted, act_of, valid
from loans.calendar import local_date
from loans.figures_views import CutForm
from loans.models import Member, Stocktake, StocktakeLine
from loans.reports import BY_KEY
from loans.tables import Cell, Money


class MaySeeReports(Permitted):
    """Whoever may see lists and figures."""

    permission = "loans.see_reports"


# --- shapes --------------------------------------------------------------------------------------


class StocktakeSerializer(serializers.ModelSerializer[Stocktake]):
    """Where a stocktake looks; nothing said is everywhere."""

    branch = serializers.PrimaryKeyRelatedField(
        queryset=Branch.objects.all(), required=False, allow_null=True, default=None
    )
    section = serializers.PrimaryKeyRelatedField(
        queryset=Section.objects.all(), required=False, allow_null=True, default=None
    )

    class Meta:
        model = Stocktake
        fields = ("id", "branch", "section", "started_at", "closed_at")
        read_only_fields = ("started_at", "closed_at")


class CodesSerializer(serializers.Serializer[Any]):
    """Codes as they were scanned, in their order."""

    codes = serializers.ListField(
        child=serializers.CharField(max_length=200), min_length=1, max_length=stocktake.MOST_CODES
    )


class FindingSerializer(serializers.ModelSerializer[StocktakeLine]):
    """What a code was found to be; `copy` is empty for a code that is no box of ours."""

    class Meta:
        model = StocktakeLine
        fields: tuple[str, ...] = ("id", "code", "copy", "finding", "seen_at", "settled")


class FigureSerializer(serializers.Serializer[Any]):
    """A table: the names of its columns in the reader's language, and its rows."""

    columns = serializers.ListField(child=serializers.CharField())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))


CLOSED = OpenApiResponse(description="The stocktake is closed.")


# --- stocktakes ----------------------------------------------------------------------------------


class Stocktakes(APIView):
    """Stocktakes."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="stocktakes_create", request=StocktakeSerializer, responses={200: StocktakeSerializer}
    )
    def post(self, request: Request) -> Response:
        """Begin, or go on with the one that is open there."""
        given = valid(StocktakeSerializer(data=request.data))
        begun = stocktake.start(given["branch"], given["section"], act=act_of(request))
        return Response(StocktakeSerializer(begun).data)


class StocktakeScans(APIView):
    """Boxes that were seen."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="stocktake_scans_create",
        request=CodesSerializer,
        responses={200: FindingSerializer(many=True), 409: CLOSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write codes down; the answer says what each is."""
        row = get_object_or_404(Stocktake, pk=pk)
        codes = valid(CodesSerializer(data=request.data))["codes"]
        try:
            done = stocktake.scan_codes(row, "\n".join(codes), act=act_of(request))
        except stocktake.StocktakeClosed:
            return Response({"detail": "closed"}, status=status.HTTP_409_CONFLICT)
        return Response(FindingSerializer([one.line for one in done], many=True).data)


class StocktakeClosings(APIView):
    """The end of a stocktake."""

    permission_classes = (MayUseDesk,)

    @extend_schema(
        operation_id="stocktake_close_create", request=None, responses={200: FindingSerializer(many=True)}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Close it; the answer is what is missing. Nothing about a box changes."""
        closed = stocktake.close(get_object_or_404(Stocktake, pk=pk), act=act_of(request))
        return Response(FindingSerializer(closed.lines.filter(finding="missing"), many=True).data)


# --- figures, one's own data ---------------------------------------------------------------------


class Figures(APIView):
    """Lists and figures."""

    permission_classes = (MaySeeReports,)

    @extend_schema(
        operation_id="figures_retrieve",
        parameters=[
            OpenApiParameter("key", str, OpenApiParameter.PATH, enum=sorted(BY_KEY)),
            OpenApiParameter("first_on", OpenApiTypes.DATE, description="Twelve months ago if not said."),
            OpenApiParameter("last_on", OpenApiTypes.DATE, description="Today if not said."),
            OpenApiParameter("branch", int),
            OpenApiParameter("category", int, description="Of members."),
        ],
        responses={
            200: FigureSerializer,
            400: OpenApiResponse(description="A filter is wrong."),
            404: OpenApiResponse(description="There is no such list."),
        },
    )
    def get(self, request: Request, key: str) -> Response:
        """One of them, cut by what the address says."""
        if key not in BY_KEY:
            return Response({"detail": "unknown"}, status=status.HTTP_404_NOT_FOUND)
        form = CutForm(BY_KEY[key], request.query_params, today=local_date(timezone.now(), None))
        if not form.is_valid():
            raise ValidationError({name: list(map(str, told)) for name, told in form.errors.items()})
        table = BY_KEY[key].make(form.cut())
        return Response({"columns": table.columns, "rows": [list(map(_plain, row)) for row in table.rows]})


class MyData(APIView):
    """All that is held of the member who asks."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="my_data_retrieve", responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> Response:
        """Table by table; empty for somebody without a card."""
        member = Member.objects.filter(user=request.user.pk).first()
        return Response(dossier.held(member) if member else {})


def _plain(cell: Cell) -> Any:
    return cell.cents if isinstance(cell, Money) else cell
