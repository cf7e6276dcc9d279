"""The public API: games, and rules passages that answer a question. Everybody may read.

Parameters are checked by serializers, so a bad one is answered with 400 and its name. Views parse, call one
function of `find`, answer. The rules texts themselves are given by `rules_api`.
"""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from catalogue import languages
from catalogue.models import Game
from loans.availability import annotate
from search.find import GameFilters, PassageHit, find_games, find_passages
from search.games import shown_games
from search.suggest import LIMIT, Suggestion, suggestions

LARGEST_PAGE = 100
LARGEST_NUMBER = 2**62
"""A number that every database can compare with the number of a row, or pass over so many rows."""


# --- parameters --------------------------------------------------------------------------------


class LanguageTagField(serializers.CharField):
    """A tag in the form of BCP 47, of a language that the library may have nothing in."""

    def to_internal_value(self, data: Any) -> str:
        """The tag."""
        tag: str = super().to_internal_value(data)
        if not languages.is_well_formed(tag):
            raise serializers.ValidationError(_("This is no language tag: say one such as fr, en or pt-BR."))
        return tag


class NothingAskedSerializer(serializers.Serializer[Any]):
    """What the address of one thing may be asked besides: nothing."""


class GamesQuerySerializer(serializers.Serializer[Any]):
    """What /api/games/ may be asked."""

    q = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="Words, or a scanned code."
    )
    players = serializers.IntegerField(required=False, min_value=1, max_value=999)
    age = serializers.IntegerField(required=False, min_value=0, max_value=120, help_text="Age in years.")
    minutes = serializers.IntegerField(
        required=False, min_value=1, max_value=10_000, help_text="Time at hand."
    )
    language = LanguageTagField(required=False, allow_blank=True, default="", help_text="BCP 47.")
    category = serializers.CharField(required=False, allow_blank=True, default="", help_text="Code or label.")
    available = serializers.BooleanField(required=False, default=False, help_text="On the shelf now.")
    limit = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_PAGE, default=50)
    offset = serializers.IntegerField(required=False, min_value=0, max_value=LARGEST_NUMBER, default=0)


class PassagesQuerySerializer(serializers.Serializer[Any]):
    """What /api/passages/ may be asked."""

    q = serializers.CharField(help_text="The question.")
    game = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="Only this game's rules."
    )
    language = LanguageTagField(
        required=False, allow_blank=True, help_text="Only texts in this language (BCP 47)."
    )
    reader = LanguageTagField(
        required=False, allow_blank=True, help_text="The asker's language; else that of the request."
    )
    exact = serializers.BooleanField(required=False, default=False, help_text="Repair no word.")
    limit = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_PAGE, default=20)


class SuggestionsQuerySerializer(serializers.Serializer[Any]):
    """What /api/suggestions/ may be asked."""

    q = serializers.CharField(allow_blank=True, help_text="What is typed so far; two letters at least.")
    game = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="Only of this game's rules."
    )
    reader = LanguageTagField(
        required=False, allow_blank=True, help_text="The reader's language; else that of the request."
    )
    limit = serializers.IntegerField(required=False, min_value=1, max_value=50, default=LIMIT)


# --- answers -----------------------------------------------------------------------------------


class CopySerializer(serializers.Serializer[Any]):
    """One box and where it is now."""

    barcode = serializers.CharField()
    call_number = serializers.CharField()
    section = serializers.CharField(source="section.name", default="")
    branch = serializers.CharField(source="branch.name", default="")
    status = serializers.CharField()
    due_back_on = serializers.DateField(allow_null=True)


class GameSerializer(serializers.Serializer[Game]):
    """A game as catalogued. Ages in months, durations in minutes; null where the record does not say."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    subtitle = serializers.CharField()
    alternative_titles = serializers.StringRelatedField(many=True)  # type: ignore[var-annotated]
    contributors = serializers.StringRelatedField(many=True)  # type: ignore[var-annotated]
    publishers = serializers.StringRelatedField(many=True, source="publications")  # type: ignore[var-annotated]
    year = serializers.IntegerField(allow_null=True)
    languages = serializers.StringRelatedField(many=True)  # type: ignore[var-annotated]
    categories = serializers.StringRelatedField(many=True)  # type: ignore[var-annotated]
    keywords = serializers.StringRelatedField(many=True)  # type: ignore[var-annotated]
    players_min = serializers.IntegerField(allow_null=True)
    players_max = serializers.IntegerField(allow_null=True)
    age_min_months = serializers.IntegerField(allow_null=True)
    age_max_months = serializers.IntegerField(allow_null=True)
    minutes_min = serializers.IntegerField(allow_null=True)
    minutes_max = serializers.IntegerField(allow_null=True)
    principle = serializers.CharField()
    contents = serializers.CharField()


class RulesHeadSerializer(serializers.Serializer[Any]):
    """A rules text of a game, without its words."""

    id = serializers.IntegerField()
    language = serializers.CharField()
    kind = serializers.CharField()
    title = serializers.CharField()
    edition = serializers.CharField()


class GameDetailSerializer(GameSerializer):
    """A game with its boxes and its rules."""

    copies = serializers.SerializerMethodField()
    rules_texts = RulesHeadSerializer(many=True)

    @extend_schema_field(CopySerializer(many=True))
    def get_copies(self, game: Game) -> list[dict[str, Any]]:
        """The boxes with their whereabouts."""
        copies = annotate(game.copies.select_related("section", "branch"))
        return list(CopySerializer(copies, many=True).data)


class GamesSerializer(serializers.Serializer[Any]):
    """A page of games."""

    total = serializers.IntegerField()
    corrected = serializers.CharField()
    degraded = serializers.BooleanField(source="is_degraded")
    games = GameSerializer(many=True)


class PassageSerializer(serializers.Serializer[PassageHit]):
    """A passage, word for word (`body`, Markdown; `html` with the matched words marked).

    `kind` "record" is the game's record instead of its rules: `text_id` is null then.
    """

    game_id = serializers.IntegerField()
    game_title = serializers.CharField()
    text_id = serializers.IntegerField(allow_null=True)
    kind = serializers.CharField()
    language = serializers.CharField()
    edition = serializers.CharField()
    revision = serializers.IntegerField()
    revised_at = serializers.DateTimeField(allow_null=True)
    anchor = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())
    body = serializers.CharField()
    html = serializers.CharField()
    score = serializers.FloatField()
    source_name = serializers.CharField()
    source_url = serializers.CharField()
    licence = serializers.CharField()
    permalink = serializers.SerializerMethodField(help_text="The page, at the heading.")

    def get_permalink(self, hit: PassageHit) -> str:
        """The whole address; of a record, that of its game's page."""
        if hit.text_id is None:
            path = reverse("game", args=[hit.game_id])
        else:
            path = f"{reverse('rules-text', args=[hit.text_id])}#{hit.anchor}"
        address: str = self.context["request"].build_absolute_uri(path)
        return address


class PassagesSerializer(serializers.Serializer[Any]):
    """The passages found. `no_answer`: the texts seem to hold none, these are only the nearest."""

    language = serializers.CharField()
    corrected = serializers.CharField()
    no_answer = serializers.BooleanField()
    degraded = serializers.BooleanField(source="is_degraded")
    games = serializers.ListField(
        child=serializers.IntegerField(), help_text="Games that the question names."
    )
    hits = PassageSerializer(many=True)


class SuggestionSerializer(serializers.Serializer[Suggestion]):
    """Something that may be meant: a game, a heading of the rules, a term.

    With `text_id` it is a place in the rules, with `game_id` alone a game, without both a question to ask.
    """

    kind = serializers.CharField(help_text="game, heading or term.")
    text = serializers.CharField()
    language = serializers.CharField(help_text="Of the text; empty where unknown.")
    beside = serializers.CharField(help_text="The game of a heading, or the title by which a game was found.")
    game_id = serializers.IntegerField(allow_null=True)
    text_id = serializers.IntegerField(allow_null=True)
    anchor = serializers.CharField()


class SuggestionsSerializer(serializers.Serializer[Any]):
    """Suggestions, kind by kind, the best of each kind first."""

    suggestions = SuggestionSerializer(many=True)


# --- views -------------------------------------------------------------------------------------

BAD_PARAMETER = OpenApiResponse(OpenApiTypes.OBJECT, "A parameter is wrong; the answer is keyed by its name.")
NOT_FOUND = OpenApiResponse(OpenApiTypes.OBJECT, "There is no such thing.")


class Games(APIView):
    """Games, found by words, a scanned code, or filters."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="games_list",
        parameters=[GamesQuerySerializer],
        responses={200: GamesSerializer, 400: BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """A page of the games that fit, best first."""
        asked = checked(GamesQuerySerializer, request)
        filters = GameFilters(
            players=asked.get("players"),
            age_years=asked.get("age"),
            minutes=asked.get("minutes"),
            language=asked["language"],
            available=asked["available"],
            category=asked["category"],
        )
        found = find_games(asked["q"], filters, limit=asked["limit"], offset=asked["offset"])
        return Response(GamesSerializer(found).data)


class GameDetail(APIView):
    """One game."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="games_retrieve", responses={200: GameDetailSerializer, 404: NOT_FOUND})
    def get(self, request: Request, pk: int) -> Response:
        """The game with its boxes and rules texts."""
        checked(NothingAskedSerializer, request)
        game = shown_games().filter(pk=pk).first()
        if game is None:
            raise Http404
        return Response(GameDetailSerializer(game).data)


class Passages(APIView):
    """Passages of rules that answer a question."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="passages_list",
        parameters=[PassagesQuerySerializer],
        responses={200: PassagesSerializer, 400: BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """The passages, best first, the asker's language before others."""
        asked = checked(PassagesQuerySerializer, request)
        found = find_passages(
            asked["q"],
            game_id=asked.get("game"),
            language=asked.get("language") or None,
            reader_language=asked.get("reader") or get_language() or "",
            is_exact=asked["exact"],
            limit=asked["limit"],
        )
        return Response(PassagesSerializer(found, context={"request": request}).data)


class Suggestions(APIView):
    """What may be meant, while it is typed."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="suggestions_list",
        parameters=[SuggestionsQuerySerializer],
        responses={200: SuggestionsSerializer, 400: BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """Games, headings and terms that begin so."""
        asked = checked(SuggestionsQuerySerializer, request)
        found = suggestions(
            asked["q"],
            game_id=asked.get("game"),
            reader_language=asked.get("reader") or get_language() or "",
            limit=asked["limit"],
        )
        return Response(SuggestionsSerializer({"suggestions": found}).data)


def checked(form: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """What was asked. A parameter that we do not know may be a filter misspelt, and is never passed over."""
    given = form(data=request.query_params)
    known = {*given.fields, api_settings.URL_FORMAT_OVERRIDE}
    if unknown := [name for name in request.query_params if name not in known]:
        names = ", ".join(given.fields) or "-"
        told = _("There is no such parameter here; these are known: %(names)s.") % {"names": names}
        raise serializers.ValidationError({name: [told] for name in unknown})
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)
