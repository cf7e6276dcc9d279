"""The catalogue's rows and drafts as JSON. What comes in and what goes out are told apart.

Input serializers read drafts and nothing else; output serializers show rows. Called by `catalogue.api`.
"""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, PublicationDraft, RevisionDraft, RulesHead
from catalogue.forms.fields import MAX_ITEMS, fitting_name, read_language, refuse_spreadsheet_damage
from catalogue.forms.games import RANGES
from catalogue.forms.rules import LONGEST_BODY, WEB
from catalogue.merge import ROWS
from catalogue.models import Condition, Copy, Game, RulesKind, RulesText
from catalogue.records import describe


def _word(value: str) -> None:
    fitting_name(value, 200)


def _name(value: str) -> None:
    fitting_name(value, 300)


def _language(value: str) -> None:
    read_language(value)


def _role(value: str) -> None:
    if value and not (len(value) == 3 and value.isascii() and value.isdigit()):
        raise serializers.ValidationError(_("Say the UNIMARC code of a role, such as 070, or nothing."))


def _web_address(value: str) -> None:
    if value and not value.lower().startswith(WEB):
        raise serializers.ValidationError(_("Type the whole address, beginning with https://."))


def _text(longest: int, **options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=longest, required=False, allow_blank=True, **options)


def _long_text() -> serializers.CharField:
    return serializers.CharField(required=False, allow_blank=True, trim_whitespace=False)


def _number(most: int) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=most, required=False, allow_null=True)


def _texts(longest: int, *validators: Any) -> serializers.ListField:
    child = serializers.CharField(max_length=longest, validators=list(validators))
    return serializers.ListField(child=child, required=False, max_length=MAX_ITEMS)


class ContributorSerializer(serializers.Serializer[ContributorDraft]):
    """One person in one role (UNIMARC relator code)."""

    name = serializers.CharField(max_length=300, validators=[_name])
    role = _text(3, validators=[_role])


class PublicationSerializer(serializers.Serializer[PublicationDraft]):
    """One publisher, and the place as printed."""

    publisher = serializers.CharField(max_length=300, validators=[_name])
    place = _text(300)


class GameFieldsSerializer(serializers.Serializer[GameDraft]):
    """What a record says. Ages in months, durations in minutes, languages as BCP 47 tags."""

    title = serializers.CharField(max_length=500)
    subtitle = _text(500)
    alternative_titles = _texts(500)
    document_type = _text(200)
    contributors = ContributorSerializer(many=True, required=False)
    publications = PublicationSerializer(many=True, required=False)
    edition = _text(300)
    year = _number(2999)
    identifiers = _texts(64, refuse_spreadsheet_damage)
    languages = _texts(35, _language)
    categories = _texts(200, _word)
    keywords = _texts(200, _word)
    players_min = _number(999)
    players_max = _number(999)
    age_min_months = _number(1188)
    age_max_months = _number(1188)
    minutes_min = _number(9999)
    minutes_max = _number(9999)
    principle = _long_text()
    pedagogy = _long_text()
    contents = _long_text()
    note = _long_text()


class GameInputSerializer(GameFieldsSerializer):
    """A record to be stored. `revision`: the one that was read; another one now means a conflict."""

    revision = serializers.IntegerField(required=False, min_value=0)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The lower bound of each range comes first."""
        for low, high in RANGES:
            if (attrs.get(low) or 0) > (attrs.get(high) or 1 << 15):
                raise serializers.ValidationError({high: _("This is less than the lower bound.")})
        return attrs

    def values(self) -> dict[str, Any]:
        """The fields that were sent, as values of a draft."""
        sent = dict(self.validated_data)
        sent.pop("revision", None)
        for name, row in ROWS.items():
            if name in sent:
                sent[name] = [row(**values) for values in sent[name]]
        if "languages" in sent:
            sent["languages"] = [read_language(tag) for tag in sent["languages"]]
        return {name: tuple(value) if isinstance(value, list) else value for name, value in sent.items()}


class CopyInputSerializer(serializers.Serializer[CopyDraft]):
    """One box to be stored."""

    barcode = serializers.CharField(max_length=64, validators=[refuse_spreadsheet_damage])
    call_number = _text(64)
    section = _text(200, validators=[_word])
    branch = _text(200, validators=[_word])
    condition = serializers.ChoiceField(choices=Condition.choices, required=False)
    note = _long_text()


class CopyRecordSerializer(serializers.ModelSerializer[Copy]):
    """One box as stored."""

    section = serializers.CharField(source="section.name", default="")
    branch = serializers.CharField(source="branch.name", default="")

    class Meta:
        model = Copy
        fields = ("id", "game", "barcode", "call_number", "section", "branch", "condition", "note")
        read_only_fields = fields


class RulesHeadInputSerializer(serializers.Serializer[RulesHead]):
    """What is said about a rules text."""

    language = serializers.CharField(max_length=35)
    kind = serializers.ChoiceField(choices=RulesKind.choices, required=False)
    title = _text(300)
    edition = _text(300)
    source_name = _text(300)
    source_url = _text(1000, validators=[_web_address])
    licence = _text(200)

    def validate_language(self, value: str) -> str:
        """The tag in its usual spelling."""
        return read_language(value)


class RevisionInputSerializer(serializers.Serializer[RevisionDraft]):
    """The next state of a text. `after`: the number of the revision that was read."""

    body = serializers.CharField(max_length=LONGEST_BODY, trim_whitespace=False)
    comment = _text(1000)
    after = serializers.IntegerField(required=False, min_value=0)


class RulesInputSerializer(RulesHeadInputSerializer):
    """A rules text with its first revision."""

    body = serializers.CharField(max_length=LONGEST_BODY, trim_whitespace=False)
    comment = _text(1000)


class RulesRecordSerializer(serializers.ModelSerializer[RulesText]):
    """A rules text as stored, with its current words."""

    body = serializers.CharField(source="current.body", default="")
    revision = serializers.IntegerField(source="current.number", default=0)

    class Meta:
        model = RulesText
        fields = (
            *("id", "game", "language", "kind", "title", "edition", "source_name", "source_url", "licence"),
            *("body", "revision"),
        )
        read_only_fields = fields


class GameRecordSerializer(serializers.Serializer[Game]):
    """A record as stored, with its copies and the numbers of its rules texts."""

    id = serializers.IntegerField()
    revision = serializers.IntegerField()
    record = GameFieldsSerializer(source="*")
    copies = CopyRecordSerializer(many=True)
    rules_texts = serializers.ListField(child=serializers.IntegerField())

    def to_representation(self, instance: Game) -> dict[str, Any]:
        """The record's own fields come from its draft, under `record`."""
        return {
            "id": instance.pk,
            "revision": instance.revision,
            "record": GameFieldsSerializer(describe(instance)).data,
            "copies": CopyRecordSerializer(
                instance.copies.select_related("section", "branch"), many=True
            ).data,
            "rules_texts": [text.pk for text in instance.rules_texts.all()],
        }


class CatalogueConflict(models.TextChoices):
    """Why something cannot be stored because of something else in the catalogue."""

    BARCODE_TAKEN = "barcode_taken"
    CHANGED_MEANWHILE = "changed_meanwhile"
    IN_USE = "in_use"


class CatalogueConflictSerializer(serializers.Serializer[dict[str, Any]]):
    """Why something was not stored: a stable code, and words in the reader's language."""

    code = serializers.ChoiceField(choices=CatalogueConflict.choices)
    detail = serializers.CharField()
    game = serializers.IntegerField(required=False, help_text="The game whose box has the barcode.")
    copy = serializers.IntegerField(required=False, help_text="The box that has the barcode.")
    revision = serializers.IntegerField(required=False, help_text="What stands there now.")
