"""The catalogue for programs, under /api/catalogue/: the staff's writes, and what one reads before writing.

Every write goes to `catalogue.records`. What cannot be stored because of something else in the catalogue
is 409 with a stable code. Public reading is `/api/games/`, which belongs to `search`.
"""

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft, RevisionDraft, RulesHead
from catalogue.guard import EDIT, author_name
from catalogue.models import Copy, Game, RulesText
from catalogue.serializers import (
    CatalogueConflict,
    CatalogueConflictSerializer,
    CopyInputSerializer,
    CopyRecordSerializer,
    GameInputSerializer,
    GameRecordSerializer,
    RevisionInputSerializer,
    RulesHeadInputSerializer,
    RulesInputSerializer,
    RulesRecordSerializer,
)

CONFLICT = {409: CatalogueConflictSerializer}


class MayEdit(BasePermission):
    """Those who may add and correct records."""

    def has_permission(self, request: Request, view: APIView) -> bool:  # noqa: ARG002 - the framework's signature
        """Asks for the permission, never for a role."""
        return bool(request.user and request.user.has_perm(EDIT))


class Stale(Exception):
    """The row is at another revision than the caller has read; `revision` is the one it is at."""

    def __init__(self, revision: int) -> None:
        super().__init__(revision)
        self.revision = revision


class CatalogueView(APIView):
    """What all have in common: the permission, and how conflicts are told."""

    permission_classes = (MayEdit,)

    def handle_exception(self, exc: Exception) -> Response:
        """Turn the writers' refusals into 409 with a code."""
        match exc:
            case records.BarcodeTaken():
                told = _("This barcode is on a box of “%(title)s”.") % {"title": exc.copy.game.title}
                return _conflict(
                    CatalogueConflict.BARCODE_TAKEN, told, game=exc.copy.game_id, copy=exc.copy.pk
                )
            case Stale():
                told = _("Someone has changed this meanwhile: read it again, then correct it.")
                return _conflict(CatalogueConflict.CHANGED_MEANWHILE, told, revision=exc.revision)
            case records.InUse():
                return _conflict(
                    CatalogueConflict.IN_USE, _("This is still in use: it has copies, or it was lent before.")
                )
        return super().handle_exception(exc)


def _conflict(code: CatalogueConflict, detail: str, **more: int) -> Response:
    return Response({"code": code.value, "detail": detail} | more, status=409)


class Games(CatalogueView):
    """Records."""

    @extend_schema(request=GameInputSerializer, responses={201: GameRecordSerializer})
    def post(self, request: Request) -> Response:
        """Add a game."""
        read = GameInputSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        game = records.create_game(GameDraft(**read.values()))
        return Response(GameRecordSerializer(game).data, status=201)


class OneGame(CatalogueView):
    """One record."""

    @extend_schema(responses=GameRecordSerializer)
    def get(self, _request: Request, pk: int) -> Response:
        """What the record says, and its revision."""
        game = get_object_or_404(Game.objects.prefetch_related(*records.GAME_PARTS), pk=pk)
        return Response(GameRecordSerializer(game).data)

    @extend_schema(request=GameInputSerializer, responses={200: GameRecordSerializer} | CONFLICT)
    @transaction.atomic
    def put(self, request: Request, pk: int) -> Response:
        """Make the record say what is sent and nothing else; what is left out is emptied."""
        read = GameInputSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        game = _locked(pk)
        _refuse_stale(read.validated_data.get("revision"), game.revision)
        records.update_game(game, GameDraft(**read.values()))
        return self.get(request, pk)

    @extend_schema(responses={204: None} | CONFLICT)
    def delete(self, _request: Request, pk: int) -> Response:
        """Remove a record that has no copies."""
        records.delete_game(get_object_or_404(Game, pk=pk))
        return Response(status=204)


class Copies(CatalogueView):
    """The boxes of a game."""

    @extend_schema(request=CopyInputSerializer, responses={201: CopyRecordSerializer} | CONFLICT)
    def post(self, request: Request, pk: int) -> Response:
        """Add a box."""
        game = get_object_or_404(Game, pk=pk)
        copy = records.add_copy(game, _copy_draft(request))
        return Response(CopyRecordSerializer(copy).data, status=201)


class OneCopy(CatalogueView):
    """One box."""

    @extend_schema(responses=CopyRecordSerializer)
    def get(self, _request: Request, pk: int) -> Response:
        """What the catalogue says of the box."""
        copy = get_object_or_404(Copy.objects.select_related("section", "branch"), pk=pk)
        return Response(CopyRecordSerializer(copy).data)

    @extend_schema(request=CopyInputSerializer, responses={200: CopyRecordSerializer} | CONFLICT)
    def put(self, request: Request, pk: int) -> Response:
        """Make the catalogue say of the box what is sent and nothing else."""
        records.update_copy(get_object_or_404(Copy, pk=pk), _copy_draft(request))
        return self.get(request, pk)

    @extend_schema(responses={204: None} | CONFLICT)
    def delete(self, _request: Request, pk: int) -> Response:
        """Remove a box that was never lent."""
        records.delete_copy(get_object_or_404(Copy, pk=pk))
        return Response(status=204)


class RulesTexts(CatalogueView):
    """The rules texts of a game."""

    @extend_schema(request=RulesInputSerializer, responses={201: RulesRecordSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Add a rules text with its first revision."""
        game = get_object_or_404(Game, pk=pk)
        read = RulesInputSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        sent = dict(read.validated_data)
        first = RevisionDraft(sent.pop("body"), comment=sent.pop("comment", ""), author=_author(request))
        text = records.add_rules_text(game, RulesHead(**sent), first)
        return Response(RulesRecordSerializer(text).data, status=201)


class OneRulesText(CatalogueView):
    """One rules text."""

    @extend_schema(responses=RulesRecordSerializer)
    def get(self, _request: Request, pk: int) -> Response:
        """What is said about the text, its current words, and the number of that revision."""
        return Response(RulesRecordSerializer(get_object_or_404(RulesText, pk=pk)).data)

    @extend_schema(request=RulesHeadInputSerializer, responses=RulesRecordSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Correct what is said about the text; its words are corrected by a new revision."""
        text = get_object_or_404(RulesText, pk=pk)
        read = RulesHeadInputSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        # The key by which an import knows its text again is no matter of the one who corrects it.
        records.update_rules_text(text, RulesHead(**read.validated_data, source_key=text.source_key))
        return self.get(request, pk)

    @extend_schema(responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Remove the text with all its revisions."""
        records.delete_rules_text(get_object_or_404(RulesText, pk=pk))
        return Response(status=204)


class Revisions(CatalogueView):
    """The states of a rules text."""

    @extend_schema(
        request=RevisionInputSerializer,
        responses={200: RulesRecordSerializer, 201: RulesRecordSerializer} | CONFLICT,
    )
    @transaction.atomic
    def post(self, request: Request, pk: int) -> Response:
        """Add the next state of the words: 201; the same words again change nothing: 200."""
        text = get_object_or_404(RulesText, pk=pk)
        read = RevisionInputSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        sent = read.validated_data
        records.lock_game(text.game_id)
        _refuse_stale(sent.get("after"), text.current.number if text.current else 0)
        draft = RevisionDraft(sent["body"], comment=sent.get("comment", ""), author=_author(request))
        added = records.add_revisions(text, [draft])
        return Response(RulesRecordSerializer(text).data, status=201 if added else 200)


def _locked(pk: int) -> Game:
    """The game, locked until the request is answered, so that nobody comes between reading and writing."""
    get_object_or_404(Game, pk=pk)
    return records.lock_game(pk)


def _refuse_stale(read: int | None, now: int) -> None:
    if read is not None and read != now:
        raise Stale(now)


def _copy_draft(request: Request) -> CopyDraft:
    read = CopyInputSerializer(data=request.data)
    read.is_valid(raise_exception=True)
    return CopyDraft(**read.validated_data)


def _author(request: Request) -> str:
    return author_name(request.user)
