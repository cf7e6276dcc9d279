"""All that the desk has to do about holds today, over HTTP."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.models import Game
from loans import api, hold_lists, holds
from loans.holds_api import HoldSerializer


class QueueSerializer(serializers.ModelSerializer[Game]):
    """A game for which members wait: how many, and since when."""

    game = serializers.IntegerField(source="pk")
    size = serializers.IntegerField()
    since = serializers.DateTimeField()

    class Meta:
        model = Game
        fields = ("game", "title", "size", "since")


class HoldShelfSerializer(serializers.Serializer[Any]):
    """Boxes to fetch from the open shelves, to send to another branch, and ready for their members."""

    to_fetch = HoldSerializer(many=True)
    to_send = HoldSerializer(many=True)
    ready = HoldSerializer(many=True)
    queues = QueueSerializer(many=True)


class LapsedSerializer(serializers.Serializer[Any]):
    """How many holds were let go."""

    lapsed = serializers.IntegerField()


class HoldShelf(APIView):
    """The hold shelf."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="hold_shelf_retrieve", responses=HoldShelfSerializer)
    def get(self, request: Request) -> Response:
        """What is to be done today."""
        shelf = hold_lists.hold_shelf(api.act_of(request).now)
        return Response(HoldShelfSerializer(shelf).data)


class Lapses(APIView):
    """Holds that were not fetched in time."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="holds_expire", request=None, responses=LapsedSerializer)
    def post(self, request: Request) -> Response:
        """Let go now of what was not fetched in time: the next in line has it."""
        act = api.act_of(request)
        return Response({"lapsed": holds.expire_holds(act.now, by=act.by)})
