"""The catalogue's tables. Rows are written by `catalogue.records` and by nobody else.

Units: ages in months, durations in minutes. A `key` column holds a folded form (see `catalogue.text`)
under which the same name typed otherwise is the same row.
"""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.asked import AsideReason as AsideReason
from catalogue.asked import AskedQuestion as AskedQuestion
from catalogue.asked import Asking as Asking
from catalogue.asked import LibrarianAnswer as LibrarianAnswer
from catalogue.asked import QuestionState as QuestionState
from catalogue.box import Component as Component
from catalogue.box import ComponentList as ComponentList
from catalogue.box import Condition as Condition
from catalogue.box import Copy as Copy
from catalogue.box import CopyDifference as CopyDifference
from catalogue.box import CopyEvent as CopyEvent
from catalogue.box import Importance as Importance
from catalogue.imported import BatchState as BatchState
from catalogue.imported import ColumnMapping as ColumnMapping
from catalogue.imported import Decision as Decision
from catalogue.imported import ImportBatch as ImportBatch
from catalogue.imported import ImportItem as ImportItem
from catalogue.imported import ItemKind as ItemKind
from catalogue.imported import ItemState as ItemState
from catalogue.numbering import GivenNumber as GivenNumber
from catalogue.numbering import NumberPattern as NumberPattern
from catalogue.signs import RemovedGame as RemovedGame


class Branch(models.Model):
    """A place where copies stand and people come; its days are told in its own time zone."""

    name = models.CharField(_("name"), max_length=200)
    key = models.CharField(max_length=200, unique=True, editable=False)
    time_zone = models.CharField(_("time zone"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("branch")
        verbose_name_plural = _("branches")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Section(models.Model):
    """An area of the shelves, such as "A 407 jeu de hasard"."""

    name = models.CharField(_("name"), max_length=200)
    key = models.CharField(max_length=200, unique=True, editable=False)

    class Meta:
        verbose_name = _("section")
        verbose_name_plural = _("sections")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Person(models.Model):
    """An author, illustrator ... (or a firm in such a role): one row however often named."""

    name = models.CharField(_("name"), max_length=300)
    key = models.CharField(max_length=300, unique=True, editable=False)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ("key",)

    def __str__(self) -> str:
        return self.name


class Publisher(models.Model):
    """Who published games: one row however often named."""

    name = models.CharField(_("name"), max_length=300)
    key = models.CharField(max_length=300, unique=True, editable=False)

    class Meta:
        verbose_name = _("publisher")
        verbose_name_plural = _("publishers")
        ordering = ("key",)

    def __str__(self) -> str:
        return self.name


class Category(models.Model):
    """A class of a classification: an ESAR code with its label, or a label alone.

    `note` is the bracket that some libraries print behind the label ("jeu de règles").
    """

    code = models.CharField(_("code"), max_length=20, blank=True)
    label = models.CharField(_("label"), max_length=200, blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    key = models.CharField(max_length=200, unique=True, editable=False)

    class Meta:
        verbose_name = _("category")
        verbose_name_plural = _("categories")
        ordering = ("key",)

    def __str__(self) -> str:
        return f"{self.code} {self.label}".strip()


class Keyword(models.Model):
    """A subject word."""

    name = models.CharField(_("name"), max_length=200)
    key = models.CharField(max_length=200, unique=True, editable=False)

    class Meta:
        verbose_name = _("keyword")
        verbose_name_plural = _("keywords")
        ordering = ("key",)

    def __str__(self) -> str:
        return self.name


class Game(models.Model):
    """A title as catalogued, with all that its record says.

    `revision` counts the states of the record, its copies and its rules: whoever keeps a shadow of
    them (the search index) compares it.
    """

    title = models.CharField(_("title"), max_length=500)
    subtitle = models.CharField(_("subtitle"), max_length=500, blank=True)
    sort_title = models.CharField(max_length=500, editable=False, db_index=True)
    title_key = models.CharField(max_length=500, editable=False, db_index=True)
    document_type = models.CharField(_("document type"), max_length=200, blank=True)
    edition = models.CharField(_("edition"), max_length=300, blank=True)
    year = models.PositiveSmallIntegerField(_("year"), null=True, blank=True)
    categories = models.ManyToManyField(Category, related_name="games", verbose_name=_("categories"))
    keywords = models.ManyToManyField(Keyword, related_name="games", verbose_name=_("keywords"))
    players_min = models.PositiveSmallIntegerField(_("fewest players"), null=True, blank=True)
    players_max = models.PositiveSmallIntegerField(_("most players"), null=True, blank=True)
    age_min_months = models.PositiveSmallIntegerField(_("from age (months)"), null=True, blank=True)
    age_max_months = models.PositiveSmallIntegerField(_("to age (months)"), null=True, blank=True)
    minutes_min = models.PositiveSmallIntegerField(_("shortest (minutes)"), null=True, blank=True)
    minutes_max = models.PositiveSmallIntegerField(_("longest (minutes)"), null=True, blank=True)
    principle = models.TextField(_("principle"), blank=True)
    pedagogy = models.TextField(_("pedagogical analysis"), blank=True)
    contents = models.TextField(_("contents"), blank=True)
    note = models.TextField(_("note"), blank=True)
    revision = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ("sort_title", "pk")
        permissions = (("edit_catalogue", _("May add and correct records")),)
        indexes = (models.Index(fields=("updated_at",), name="games_by_change"),)
        constraints = (
            models.CheckConstraint(name="game_has_a_title", condition=~Q(title="")),
            models.CheckConstraint(
                name="fewest_players_first",
                condition=Q(players_min=None) | Q(players_max=None) | Q(players_min__lte=F("players_max")),
            ),
            models.CheckConstraint(
                name="lowest_age_first",
                condition=Q(age_min_months=None)
                | Q(age_max_months=None)
                | Q(age_min_months__lte=F("age_max_months")),
            ),
            models.CheckConstraint(
                name="shortest_time_first",
                condition=Q(minutes_min=None) | Q(minutes_max=None) | Q(minutes_min__lte=F("minutes_max")),
            ),
        )

    def __str__(self) -> str:
        return self.title


class AlternativeTitle(models.Model):
    """Another name of the same game: original title, title in another language, spine title."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="alternative_titles")
    title = models.CharField(_("title"), max_length=500)
    title_key = models.CharField(max_length=500, editable=False, db_index=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "pk")

    def __str__(self) -> str:
        return self.title


class Contributor(models.Model):
    """A person's part in a game; `role` is a UNIMARC relator code (070 = Auteur) or empty."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="contributors")
    person = models.ForeignKey(Person, models.PROTECT, related_name="contributions")
    role = models.CharField(_("role"), max_length=3, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "person", "role"), name="one_part_per_person_and_role"),
        )

    def __str__(self) -> str:
        return str(self.person)


class Publication(models.Model):
    """A publisher of a game, with the place as printed on the box."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="publications")
    publisher = models.ForeignKey(Publisher, models.PROTECT, related_name="publications")
    place = models.CharField(_("place"), max_length=300, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "pk")

    def __str__(self) -> str:
        return str(self.publisher)


class Identifier(models.Model):
    """A product code as printed (EAN, ISBN, UPC), and what its digits say.

    `gtin` is the 13-digit form under which a scanner may send it: also for a code whose check digit
    is missing, completed. `check_holds` is None where there is nothing to check.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="identifiers")
    printed = models.CharField(_("as printed"), max_length=64)
    gtin = models.CharField(max_length=13, blank=True, db_index=True, editable=False)
    kind = models.CharField(max_length=20, blank=True, editable=False)
    check_holds = models.BooleanField(null=True, editable=False)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "pk")

    def __str__(self) -> str:
        return self.printed


class GameLanguage(models.Model):
    """A language of the game's own material, BCP 47."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="languages")
    tag = models.CharField(max_length=35)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ("position", "pk")
        constraints = (models.UniqueConstraint(fields=("game", "tag"), name="one_row_per_game_language"),)

    def __str__(self) -> str:
        return self.tag


class GameLink(models.Model):
    """An expansion, and a base game that it is played with. Written by `catalogue.links`."""

    expansion = models.ForeignKey(Game, models.CASCADE, related_name="base_links")
    base = models.ForeignKey(Game, models.CASCADE, related_name="expansion_links")

    class Meta:
        verbose_name = _("expansion")
        verbose_name_plural = _("expansions")
        ordering = ("base__title", "pk")
        constraints = (
            models.UniqueConstraint(fields=("expansion", "base"), name="an_expansion_is_linked_once"),
            models.CheckConstraint(name="a_game_expands_another", condition=~Q(expansion=F("base"))),
        )

    def __str__(self) -> str:
        return f"{self.expansion} - {self.base}"


class Kit(models.Model):
    """Boxes that are lent together. Written by `catalogue.links`."""

    name = models.CharField(_("name"), max_length=200)

    class Meta:
        verbose_name = _("kit")
        verbose_name_plural = _("kits")
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name


class KitBox(models.Model):
    """One box of a kit; a box belongs to one kit at most."""

    kit = models.ForeignKey(Kit, models.CASCADE, related_name="boxes")
    copy = models.OneToOneField(Copy, models.CASCADE, related_name="kit_box")

    class Meta:
        verbose_name = _("box of a kit")
        verbose_name_plural = _("boxes of kits")
        ordering = ("copy__barcode",)

    def __str__(self) -> str:
        return str(self.copy)


class RulesKind(models.TextChoices):
    """What a rules text is."""

    RULES = "rules", _("rules")
    ERRATA = "errata", _("errata")
    FAQ = "faq", _("FAQ")
    SUMMARY = "summary", _("summary")


class RulesText(models.Model):
    """The rules of one edition of a game in one language; its words stand in revisions."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="rules_texts", verbose_name=_("game"))
    language = models.CharField(_("language"), max_length=35)
    kind = models.CharField(_("kind"), max_length=10, choices=RulesKind.choices, default=RulesKind.RULES)
    title = models.CharField(_("title"), max_length=300, blank=True)
    edition = models.CharField(_("edition"), max_length=300, blank=True)
    source_name = models.CharField(_("source"), max_length=300, blank=True)
    source_url = models.CharField(_("source address"), max_length=1000, blank=True)
    licence = models.CharField(_("licence"), max_length=200, blank=True)
    source_key = models.CharField(max_length=300, blank=True, editable=False)

    class Meta:
        verbose_name = _("rules text")
        verbose_name_plural = _("rules texts")
        ordering = ("language", "kind", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("source_key",), condition=~Q(source_key=""), name="one_text_per_source_key"
            ),
        )

    def __str__(self) -> str:
        return self.title or f"{self.game} ({self.language})"

    @property
    def current(self) -> "Revision | None":
        """The latest revision; uses `revisions` when they are prefetched."""
        return max(self.revisions.all(), key=lambda r: (r.made_at, r.number), default=None)


class RemovedText(models.Model):
    """A sign where a rules text once stood: its number stands on labels and is never given again.

    `game` is empty once the game is gone too; `title` is what the game was called.
    """

    text_id = models.BigIntegerField(primary_key=True)
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="removed_texts")
    title = models.CharField(max_length=500)
    language = models.CharField(max_length=35)

    def __str__(self) -> str:
        return f"{self.title} ({self.language})"


class Revision(models.Model):
    """A dated state of a rules text, in our Markdown. The latest by `made_at` is current; none is edited."""

    rules_text = models.ForeignKey(RulesText, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField(_("number"))
    body = models.TextField(_("text"))
    made_at = models.DateTimeField(_("time"))
    comment = models.CharField(_("comment"), max_length=1000, blank=True)
    author = models.CharField(_("author"), max_length=200, blank=True)
    source_key = models.CharField(max_length=300, blank=True, editable=False)
    raw = models.TextField(blank=True, editable=False)

    class Meta:
        ordering = ("made_at", "number")
        constraints = (
            models.UniqueConstraint(fields=("rules_text", "number"), name="one_revision_per_number"),
            models.UniqueConstraint(
                fields=("rules_text", "source_key"),
                condition=~Q(source_key=""),
                name="one_revision_per_source_key",
            ),
        )

    def __str__(self) -> str:
        return f"{self.rules_text} #{self.number}"


class SectionAlias(models.Model):
    """An anchor that a text's sections no longer have, and the section that says the same now.

    Kept by `anchors` with every new revision, so that old links keep leading to their words.
    """

    rules_text = models.ForeignKey(RulesText, models.CASCADE, related_name="section_aliases")
    old_anchor = models.CharField(max_length=100)
    anchor = models.CharField(max_length=100)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("rules_text", "old_anchor"), name="one_section_per_old_anchor"),
        )

    def __str__(self) -> str:
        return f"#{self.old_anchor} -> #{self.anchor}"


class Document(models.Model):
    """A file that belongs to a game, or only its name where the file is not here."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="documents")
    name = models.CharField(_("name"), max_length=300)
    file = models.FileField(_("file"), blank=True)

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("game", "name"), name="one_document_per_name"),)

    def __str__(self) -> str:
        return self.name


class Flag(models.Model):
    """Something on a record that a librarian should look at; `code` is a value of `draft.Doubt`."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="flags")
    code = models.CharField(max_length=40)
    detail = models.CharField(max_length=500, blank=True)
    raised_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("raised_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "code", "detail"), name="a_doubt_is_raised_once"),
        )

    def __str__(self) -> str:
        return self.code


class SourceRecord(models.Model):
    """The input a game was imported from, as it came, so that a better reader can read it again.

    `imported` is the draft that was last taken from it: where the game now says something else, a
    person has corrected it, and a later import leaves that alone.
    """

    key = models.CharField(max_length=300, unique=True)
    game = models.ForeignKey(Game, models.CASCADE, related_name="sources")
    format = models.CharField(max_length=30)
    digest = models.CharField(max_length=64)
    raw = models.TextField()
    imported = models.JSONField(default=dict)
    imported_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("imported_at", "pk")

    def __str__(self) -> str:
        return self.key


class Change(models.Model):
    """The outbox: one row a game whose shadow elsewhere is older than `revision`.

    Written in the transaction of the change itself; whoever has followed it deletes the row if it
    still shows the revision that was followed. `game_id` is a plain number, for games also vanish.
    """

    game_id = models.BigIntegerField(unique=True)
    revision = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.game_id}@{self.revision}"
