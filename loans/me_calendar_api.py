"""The secret address of one's own due dates over HTTP, for a calendar program."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, notice_settings
from loans.me_api import NO_MEMBER, myself
from loans.telling import feed


class FeedSerializer(serializers.Serializer[Any]):
    """Whoever has the address sees the due dates; empty: there is none."""

    address = serializers.CharField(allow_blank=True)


class MyCalendar(APIView):
    """One's own calendar."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="my_calendar_retrieve", responses={200: FeedSerializer, 404: NO_MEMBER})
    def get(self, request: Request) -> Response:
        """The address, if one was made."""
        return Response({"address": feed.address_of(myself(request), request)})

    @extend_schema(
        operation_id="my_calendar_create", request=None, responses={201: FeedSerializer, 404: NO_MEMBER}
    )
    def post(self, request: Request) -> Response:
        """A new address; the one before it ends."""
        member = myself(request)
        notice_settings.make_calendar_feed(member, now=api.act_of(request).now)
        return Response({"address": feed.address_of(member, request)}, status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="my_calendar_destroy", responses={204: None, 404: NO_MEMBER})
    def delete(self, request: Request) -> Response:
        """The address leads nowhere any more."""
        notice_settings.end_calendar_feed(myself(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
