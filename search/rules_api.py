"""The rules texts of the public API: their list, one text by sections, its passages with their permalinks.

Everybody may read, from any web page too (see `config.cors`). An answer about one text carries an ETag that
changes with the text and all that is said about it, so a program that asks again is answered in a word.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from catalogue.anchors import resolve_section
from catalogue.models import Revision, RulesKind, RulesText
from catalogue.rules.render import body_to_html
from catalogue.rules.sections import parse
from search.analysis import shelf_language
from search.api import (
    BAD_PARAMETER,
    LARGEST_NUMBER,
    LARGEST_PAGE,
    NOT_FOUND,
    LanguageTagField,
    NothingAskedSerializer,
    RulesHeadSerializer,
    checked,
)
from search.documents import SCHEMA_VERSION, current_body, texts_with_revisions
from search.marking import marked_html
from search.passages import Passage, cut

NOT_MODIFIED = OpenApiResponse(None, "It is still what the ETag or the date in the request stand for.")
CONDITIONS = [
    OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of what you have."),
    OpenApiParameter(
        "If-Modified-Since", str, OpenApiParameter.HEADER, description="When you got what you have."
    ),
]


@dataclass(frozen=True, slots=True)
class Current:
    """A rules text in its current state."""

    text: RulesText
    revision: Revision
    body: str


# --- parameters --------------------------------------------------------------------------------


class PageSerializer(serializers.Serializer[Any]):
    """Which page of a list."""

    limit = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_PAGE, default=50)
    offset = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_NUMBER, default=0)


class RulesQuerySerializer(PageSerializer):
    """What /api/rules/ may be asked."""

    game = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="Only texts of this game."
    )
    language = LanguageTagField(required=False, allow_blank=True, help_text="BCP 47; `fr` is also `fr-BE`.")
    kind = serializers.ChoiceField(required=False, allow_blank=True, choices=RulesKind.choices)


# --- answers -----------------------------------------------------------------------------------


class RulesListedSerializer(RulesHeadSerializer):
    """A rules text with its source, and which revision of it is current."""

    game_id = serializers.IntegerField()
    game_title = serializers.CharField()
    source_name = serializers.CharField()
    source_url = serializers.CharField()
    licence = serializers.CharField()
    revision = serializers.IntegerField()
    revised_at = serializers.DateTimeField()
    permalink = serializers.CharField(help_text="The page on which people read it.")


class RulesListSerializer(serializers.Serializer[Any]):
    """A page of rules texts."""

    total = serializers.IntegerField()
    rules = RulesListedSerializer(many=True)


class SectionSerializer(serializers.Serializer[Any]):
    """A section of a rules text."""

    anchor = serializers.CharField()
    level = serializers.IntegerField()
    heading = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())
    body = serializers.CharField(help_text="Markdown, without the subsections.")
    html = serializers.CharField()


class RulesSerializer(RulesListedSerializer):
    """A rules text as it reads now."""

    sections = SectionSerializer(many=True)


class TextPassageSerializer(serializers.Serializer[Any]):
    """A passage of a rules text, word for word, with all that one needs to quote it."""

    id = serializers.CharField(help_text="Its name within the text, such as `end-of-the-game~2`.")
    text_id = serializers.IntegerField()
    game_id = serializers.IntegerField()
    game_title = serializers.CharField()
    kind = serializers.CharField()
    language = serializers.CharField()
    edition = serializers.CharField()
    revision = serializers.IntegerField()
    revised_at = serializers.DateTimeField()
    anchor = serializers.CharField(help_text="The heading under which it stands.")
    path = serializers.ListField(child=serializers.CharField(), help_text="Headings, outermost first.")
    body = serializers.CharField(help_text="Markdown.")
    html = serializers.CharField()
    permalink = serializers.CharField(help_text="The page on which people read it, at the heading.")
    source_name = serializers.CharField()
    source_url = serializers.CharField()
    licence = serializers.CharField()
    previous = serializers.CharField(allow_null=True, help_text="The id of the passage before it.")
    next = serializers.CharField(allow_null=True, help_text="The id of the passage after it.")


class TextPassagesSerializer(serializers.Serializer[Any]):
    """A page of the passages of one text."""

    total = serializers.IntegerField()
    passages = TextPassageSerializer(many=True)


# --- views -------------------------------------------------------------------------------------


class RulesTexts(APIView):
    """The rules texts of all games: rules, errata, questions and answers, summaries."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="rules_list",
        parameters=[RulesQuerySerializer],
        responses={200: RulesListSerializer, 400: BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """A page of rules texts, by game."""
        asked = checked(RulesQuerySerializer, request)
        wanted = Q(revisions__isnull=False)
        if "game" in asked:
            wanted &= Q(game=asked["game"])
        if language := asked.get("language"):
            wanted &= Q(language__iexact=language) | Q(language__istartswith=f"{language}-")
        if kind := asked.get("kind"):
            wanted &= Q(kind=kind)
        found = RulesText.objects.filter(pk__in=RulesText.objects.filter(wanted).values("pk"))
        page = found.order_by("game__sort_title", "game", "language", "kind", "pk").values_list(
            "pk", flat=True
        )
        keys = list(page[asked["offset"] : asked["offset"] + asked["limit"]])
        texts = texts_with_revisions().select_related("game").in_bulk(keys)
        rules = [_listed(texts[key], request) for key in keys if key in texts]
        return Response({"total": found.count(), "rules": RulesListedSerializer(rules, many=True).data})


class Rules(APIView):
    """One rules text."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="rules_retrieve",
        parameters=CONDITIONS,
        responses={200: RulesSerializer, 304: NOT_MODIFIED, 404: NOT_FOUND},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Its current revision, section by section."""
        checked(NothingAskedSerializer, request)
        now = _current(pk)
        return _answered(request, now, lambda: RulesSerializer(_rules(now, request)).data)


class TextPassages(APIView):
    """The passages of one rules text: the pieces that the search finds and shows."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="rules_passages_list",
        parameters=[PageSerializer, *CONDITIONS],
        responses={200: TextPassagesSerializer, 304: NOT_MODIFIED, 400: BAD_PARAMETER, 404: NOT_FOUND},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """A page of the passages of its current revision, in reading order."""
        asked = checked(PageSerializer, request)
        now = _current(pk)

        def tell() -> Mapping[str, Any]:
            passages = cut(now.body)
            places = range(len(passages))[asked["offset"] : asked["offset"] + asked["limit"]]
            page = _told(now, request, passages, places)
            return {"total": len(passages), "passages": TextPassageSerializer(page, many=True).data}

        return _answered(request, now, tell)


class TextPassage(APIView):
    """One passage of a rules text."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="rules_passages_retrieve",
        parameters=CONDITIONS,
        responses={200: TextPassageSerializer, 304: NOT_MODIFIED, 404: NOT_FOUND},
    )
    def get(self, request: Request, pk: int, name: str) -> HttpResponseBase:
        """The passage of that id; of an id that is no more, the one that has its words now."""
        checked(NothingAskedSerializer, request)
        now = _current(pk)
        meant, passages = _id_now(now, name), cut(now.body)
        places = [place for place, passage in enumerate(passages) if passage.id == meant]
        if not places:
            raise Http404
        (told,) = _told(now, request, passages, places[:1])
        return _answered(request, now, lambda: TextPassageSerializer(told).data)


# --- what a text says now ----------------------------------------------------------------------


def _current(pk: int) -> Current:
    """The text with its words. Raises Http404 where there is none."""
    text = texts_with_revisions().select_related("game").filter(pk=pk).first()
    now = current_body(text) if text else None
    if text is None or now is None:
        raise Http404
    return Current(text, revision=now[1], body=now[0])


def _listed(text: RulesText, request: Request) -> dict[str, Any]:
    current = text.current
    return {
        **RulesHeadSerializer(text).data,
        "game_id": text.game_id,
        "game_title": text.game.title,
        "source_name": text.source_name,
        "source_url": text.source_url,
        "licence": text.licence,
        "revision": current.number if current else 0,
        "revised_at": current.made_at if current else None,
        "permalink": _permalink(text, request),
    }


def _rules(now: Current, request: Request) -> Mapping[str, Any]:
    sections = [
        {
            "anchor": s.anchor,
            "level": s.level,
            "heading": s.heading,
            "path": s.path,
            "body": s.body,
            "html": body_to_html(s.body),
        }
        for s in parse(now.body)
    ]
    return _listed(now.text, request) | {"sections": sections}


def _told(
    now: Current, request: Request, passages: Sequence[Passage], places: Iterable[int]
) -> list[dict[str, Any]]:
    """What is told of the passages at these places: making their HTML is most of the work."""
    ids = [None, *(p.id for p in passages), None]
    head = _listed(now.text, request) | {"text_id": now.text.pk}
    language = shelf_language(now.text.language)
    return [
        head
        | {
            "id": p.id,
            "anchor": p.anchor,
            "path": p.path,
            "body": p.body,
            "html": marked_html(p.body, frozenset(), language),
            "permalink": _permalink(now.text, request, p.id),
            "previous": ids[place],
            "next": ids[place + 2],
        }
        for place, p in ((place, passages[place]) for place in places)
    ]


def _id_now(now: Current, name: str) -> str | None:
    """The id under which the words stand that `name` is or was: of a passage, or of a section within one."""
    passages = cut(now.body)
    ids = {p.id for p in passages}
    if name in ids:
        return name
    anchor = resolve_section(now.text, name)
    # Of several pieces of a section the first one stands for it.
    holders = {part.anchor: p.id for p in reversed(passages) for part in p.parts}
    piece = f"{anchor}~{name.partition('~')[2]}"
    return piece if piece in ids else holders.get(anchor or "")


def _permalink(text: RulesText, request: Request, anchor: str = "") -> str:
    path = reverse("rules-text", args=[text.pk])
    return str(request.build_absolute_uri(f"{path}#{anchor}" if anchor else path))


# --- conditional requests ----------------------------------------------------------------------


def _etag(now: Current) -> str:
    """Of this state of the text and of all that is said about it, as this version of the program tells it."""
    return f'"{SCHEMA_VERSION}.{now.text.pk}.{now.revision.number}.{now.text.game.revision}"'


def _answered(request: Request, now: Current, tell: Callable[[], Any]) -> HttpResponseBase:
    """The short answer to who has it already, else what `tell` says of the text."""
    changed_at = int(now.text.game.updated_at.timestamp())
    short = get_conditional_response(request._request, etag=_etag(now), last_modified=changed_at)
    response: HttpResponseBase = short or Response(tell())
    response["ETag"] = _etag(now)
    response["Last-Modified"] = http_date(changed_at)
    return response
