"""Games days over HTTP: badges and boxes as they are scanned, what is played, everything back at the end.

As on the page, what the desk remembers from scan to scan travels with it: each answer says which badges wait
for a box, and which table further badges join; both go into the next request.
"""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, games_day
from loans.desk_api import PartSerializer, parts_of
from loans.games_day import MOST_BADGES
from loans.households_api import NameField
from loans.models import GamesDay, Loan, Player

DAYS_SHOWN = 50


# --- shapes ------------------------------------------------------------------------------------


class GamesDaySerializer(serializers.ModelSerializer[GamesDay]):
    """A day on which games are played in the house."""

    name = NameField(max_length=150)

    class Meta:
        model = GamesDay
        fields: tuple[str, ...] = ("id", "name", "held_on", "closed_at")
        read_only_fields = ("held_on", "closed_at")


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """Somebody at a table; `name` is the badge where that is no member's card."""

    name = serializers.CharField(source="*")

    class Meta:
        model = Player
        fields = ("badge", "name", "joined_at")


class TableSerializer(serializers.ModelSerializer[Loan]):
    """A box in play, and who plays; `id` is the number of its loan."""

    barcode = serializers.CharField(source="copy.barcode")
    game = serializers.IntegerField(source="copy.game_id")
    title = serializers.CharField(source="copy.game.title")
    players = PlayerSerializer(many=True)

    class Meta:
        model = Loan
        fields = ("id", "barcode", "game", "title", "lent_at", "players")


class FullGamesDaySerializer(GamesDaySerializer):
    """A games day and what is played now, the longest first."""

    tables = serializers.SerializerMethodField()

    class Meta(GamesDaySerializer.Meta):
        fields = (*GamesDaySerializer.Meta.fields, "tables")

    @extend_schema_field(TableSerializer(many=True))
    def get_tables(self, day: GamesDay) -> Any:
        """The boxes in play."""
        return TableSerializer(games_day.in_play(day), many=True).data


class GamesDayScanSerializer(api.NonceSerializer):
    """A badge or a box, and where the desk stood: what the answer to the scan before it said."""

    code = serializers.CharField(max_length=200)
    badges = serializers.ListField(
        child=serializers.CharField(max_length=64),
        required=False,
        default=list,
        max_length=MOST_BADGES,
        help_text="Those that wait for a box.",
    )
    table = serializers.IntegerField(
        min_value=1,
        max_value=2**63 - 1,
        required=False,
        default=None,
        allow_null=True,
        help_text="The box that further badges join, by its loan.",
    )


class GamesDayAnswerSerializer(serializers.Serializer[Any]):
    """What came of a scan. `badges` and `table` go into the request for the next one."""

    badges = serializers.ListField(child=serializers.CharField())
    table = serializers.IntegerField(allow_null=True)
    loan = api.LoanSerializer(allow_null=True, help_text="The box that went or came, if it was a box.")
    event = serializers.IntegerField(allow_null=True, help_text="Its number in the journal, for an undo.")


REFUSED = OpenApiResponse(api.RefusedSerializer, description="Refused, with all reasons.")


# --- the operations ----------------------------------------------------------------------------


class GamesDays(APIView):
    """Games days."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="games_days_list", responses=GamesDaySerializer(many=True))
    def get(self, request: Request) -> Response:  # noqa: ARG002 - DRF's signature
        """The latest, the newest first."""
        return Response(GamesDaySerializer(GamesDay.objects.all()[:DAYS_SHOWN], many=True).data)

    @extend_schema(
        operation_id="games_days_create", request=GamesDaySerializer, responses={201: FullGamesDaySerializer}
    )
    def post(self, request: Request) -> Response:
        """A new games day, today."""
        given = api.valid(GamesDaySerializer(data=request.data))
        day = games_day.open_day(given["name"], now=api.act_of(request).now)
        return Response(FullGamesDaySerializer(day).data, status=status.HTTP_201_CREATED)


class OneGamesDay(APIView):
    """One games day."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="games_days_retrieve", responses=FullGamesDaySerializer)
    def get(self, request: Request, pk: int) -> Response:  # noqa: ARG002 - DRF's signature
        """What is played now, and by whom."""
        return Response(FullGamesDaySerializer(get_object_or_404(GamesDay, pk=pk)).data)


class GamesDayScans(APIView):
    """Badges and boxes."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(
        operation_id="games_days_scan",
        request=GamesDayScanSerializer,
        responses={200: GamesDayAnswerSerializer, 409: REFUSED},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A box goes to the badges that wait, or comes back without any; a badge waits, or joins a table."""
        day = get_object_or_404(GamesDay.objects.select_related("member"), pk=pk)
        given = api.valid(GamesDayScanSerializer(data=request.data))
        act, waiting = api.act_of(request, given, scanned=given["code"]), tuple(given["badges"])
        found = games_day.scan_code(day, given["code"], waiting, act=act)
        if found.done:
            loan = found.done.loan
            table = loan.pk if loan.returned_at is None else None
            return _answer((), table=table, loan=loan, event=found.done.event.pk)
        joined = games_day.sit_down(day, found.badge, given["table"], now=act.now)
        if joined:
            return _answer((), table=joined.pk)
        return _answer(tuple(dict.fromkeys((*waiting, found.badge))))


class GamesDayClosings(APIView):
    """The end of games days."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="games_days_close", request=None, responses={200: PartSerializer(many=True)})
    def post(self, request: Request, pk: int) -> Response:
        """Everything comes back: what came of each box. Said again, there is nothing left."""
        day = get_object_or_404(GamesDay, pk=pk)
        return parts_of(request, games_day.close(day, act=api.act_of(request)))


def _answer(
    badges: tuple[str, ...], *, table: int | None = None, loan: Loan | None = None, event: int | None = None
) -> Response:
    told = {"badges": badges, "table": table, "loan": loan, "event": event}
    return Response(GamesDayAnswerSerializer(told).data)
