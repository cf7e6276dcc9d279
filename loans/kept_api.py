"""Scans that were kept while there was no network, over HTTP: one request a scan, in their order."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from loans import api, kept
from loans.models import DeskEvent, Member

LARGEST_ID = 2**63 - 1
LONGEST_WAIT_S = 10 * 366 * 24 * 3600.0


class KeptScanSerializer(serializers.Serializer[Any]):
    """A scan as it was made, and where the desk stood: what the answer to the scan before it said."""

    nonce = serializers.CharField(
        max_length=64, help_text="Your own name for this one scan: sent again, it is done once."
    )
    code = serializers.CharField(
        max_length=200,
        allow_blank=True,
        help_text="A card, a box or a command; empty: done with the card.",
    )
    waited = serializers.FloatField(
        min_value=0, max_value=LONGEST_WAIT_S, help_text="Seconds since the scan was made."
    )
    member = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, allow_null=True, default=None, help_text="The open member."
    )
    unclear = serializers.BooleanField(
        default=False, help_text="The card scanned last was not understood: boxes go to nobody."
    )
    event = serializers.IntegerField(
        min_value=1, max_value=LARGEST_ID, allow_null=True, default=None, help_text="The desk's last answer."
    )
    account = serializers.CharField(
        max_length=150,
        allow_blank=True,
        default="",
        help_text="Who is signed in, as the page knows it: the scan is not done in anybody else's name.",
    )


class OtherAccountSerializer(serializers.Serializer[Any]):
    """Somebody else is signed in by now."""

    code = serializers.CharField()
    detail = serializers.CharField()
    account = serializers.CharField()


class MergedSerializer(serializers.Serializer[Any]):
    """What came of a kept scan. `member`, `unclear` and `event` go into the request for the next one."""

    became = serializers.ChoiceField(choices=[(became.value, became.name) for became in kept.Became])
    member = serializers.IntegerField(allow_null=True)
    unclear = serializers.BooleanField()
    event = serializers.IntegerField(allow_null=True)
    to_look_at = serializers.BooleanField(
        help_text="Refused, or done otherwise than its volunteer could see: a person should look at it."
    )
    list_length = serializers.IntegerField(help_text="How many kept scans a person should look at.")


RESPONSES = {
    200: MergedSerializer,
    409: OpenApiResponse(OtherAccountSerializer, description="Another account is signed in by now."),
}


class KeptScans(APIView):
    """Scans that were made without network."""

    permission_classes = (api.MayUseDesk,)

    @extend_schema(operation_id="desk_scans_create", request=KeptScanSerializer, responses=RESPONSES)
    def post(self, request: Request) -> Response:
        """Do what the scan meant when it was made; what cannot be done is put on the list of kept scans."""
        given = api.valid(KeptScanSerializer(data=request.data))
        account = request.user.get_username()
        if given["account"] not in {"", account}:
            return _somebody_else(account)
        act = api.act_of(request, given, scanned=given["code"])
        act = replace(act, waited=timedelta(seconds=given["waited"]))
        merged = kept.merge(given["code"], _place(given), act)
        after = merged.after
        answer = {
            "became": merged.became.value,
            "member": after.member.pk if after.member else None,
            "unclear": after.unclear,
            "event": after.shown.pk if after.shown else None,
            "to_look_at": merged.to_look_at,
            "list_length": kept.to_look_at().count(),
        }
        return Response(answer)


def _somebody_else(account: str) -> Response:
    detail = _("You are signed in as %(account)s: nothing was done.") % {"account": account}
    answer = {"code": "other_account", "detail": detail, "account": account}
    return Response(answer, status=status.HTTP_409_CONFLICT)


def _place(given: dict[str, Any]) -> kept.Place:
    member = Member.objects.filter(pk=given["member"]).first() if given["member"] else None
    shown = DeskEvent.objects.filter(pk=given["event"]).first() if given["event"] else None
    gone = given["member"] is not None and member is None
    return kept.Place(member, unclear=given["unclear"] or gone, shown=shown)
