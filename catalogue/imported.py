"""The tables of imports: one row a batch, one a record or problem of its files. Part of `catalogue.models`.

Written by the engine in `catalogue.imports` alone. An item says what its record means for the catalogue
before anything is written, and afterwards what was there before, so that the batch can be taken back.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class BatchState(models.TextChoices):
    """Where an import stands."""

    READING = "reading", _("being read")
    PREVIEWED = "previewed", _("read, not applied yet")
    APPLYING = "applying", _("being applied")
    STOPPED = "stopped", pgettext_lazy("import", "stopped")
    APPLIED = "applied", pgettext_lazy("import", "applied")
    UNDOING = "undoing", _("being undone")
    UNDONE = "undone", pgettext_lazy("import", "undone")
    FAILED = "failed", pgettext_lazy("import", "failed")


class ItemKind(models.TextChoices):
    """What a record means for the catalogue, as far as was seen before it was applied."""

    NEW = "new", pgettext_lazy("record", "new")
    CHANGED = "changed", pgettext_lazy("record", "changed")
    UNCHANGED = "unchanged", pgettext_lazy("record", "unchanged")
    DOUBTFUL = "doubtful", pgettext_lazy("record", "doubtful")
    PROBLEM = "problem", _("problem")


class ItemState(models.TextChoices):
    """What became of a record."""

    WAITING = "waiting", pgettext_lazy("record", "waiting")
    APPLIED = "applied", pgettext_lazy("record", "applied")
    SKIPPED = "skipped", pgettext_lazy("record", "passed over")
    FAILED = "failed", pgettext_lazy("record", "failed")
    UNDONE = "undone", pgettext_lazy("record", "undone")
    KEPT = "kept", pgettext_lazy("record", "kept in part")


class Decision(models.TextChoices):
    """What a librarian said of a doubtful record."""

    NONE = "", _("not decided")
    GAME = "game", _("this game")
    NEW = "new", _("a new game")
    SKIP = "skip", _("pass over")


class ImportBatch(models.Model):
    """Some files that are imported together.

    `files`: a list of {name, path, size, format, encoding, records}. `done` of `total` is the progress of
    the present stage: bytes while it is read, else items. `worker` is who works on it, alive at `beat_at`.
    """

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("time"))
    files = models.JSONField(default=list)
    options = models.JSONField(default=dict)
    state = models.CharField(
        _("state"), max_length=10, choices=BatchState.choices, default=BatchState.READING, db_index=True
    )
    stopped_in = models.CharField(max_length=10, choices=BatchState.choices, blank=True)
    stop_asked = models.BooleanField(default=False)
    by_command = models.BooleanField(default=False)
    counts = models.JSONField(default=dict)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    applied_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=64, blank=True)
    beat_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"#{self.pk} {', '.join(str(file['name']) for file in self.files)}"


class ImportItem(models.Model):
    """One record of a batch, or a problem that belongs to no record.

    `turn` and `position` say in which order items are applied, `sequence` in which they were. `draft` is the
    record as it was read, `diff` what it changes ([field, old, new]), `problems` what of it could not be
    stored ([reason, detail]). `twin` is the position of an earlier record of the same game. `effect` is what
    applying it did, with what was there before (see `imports.store`); `left` what an undo left alone
    ([field, what it says, why]).
    """

    batch = models.ForeignKey(ImportBatch, models.CASCADE, related_name="items")
    turn = models.PositiveSmallIntegerField(default=0)
    position = models.PositiveIntegerField()
    file = models.PositiveIntegerField(default=0)
    place = models.CharField(max_length=100, blank=True)
    source_key = models.CharField(max_length=300, blank=True)
    title = models.CharField(max_length=500, blank=True)
    kind = models.CharField(max_length=10, choices=ItemKind.choices, blank=True)
    state = models.CharField(max_length=10, choices=ItemState.choices, default=ItemState.WAITING)
    game = models.ForeignKey("catalogue.Game", models.SET_NULL, null=True, related_name="import_items")
    twin = models.PositiveIntegerField(null=True)
    draft = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True)
    diff = models.JSONField(default=list)
    problems = models.JSONField(default=list)
    has_problems = models.BooleanField(default=False)
    reason = models.CharField(max_length=40, blank=True)
    detail = models.TextField(blank=True)
    candidates = models.JSONField(default=list)
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    result = models.CharField(max_length=10, blank=True)
    sequence = models.BigIntegerField(null=True)
    is_replanned = models.BooleanField(default=False)
    effect = models.JSONField(default=dict)
    left = models.JSONField(default=list)

    class Meta:
        verbose_name = _("imported record")
        verbose_name_plural = _("imported records")
        ordering = ("turn", "position")
        constraints = (
            models.UniqueConstraint(fields=("batch", "turn", "position"), name="one_item_per_position"),
        )
        indexes = (
            models.Index(fields=("batch", "kind", "turn", "position"), name="items_by_kind"),
            models.Index(fields=("batch", "state", "turn", "position"), name="items_by_state"),
            models.Index(fields=("batch", "state", "sequence"), name="items_as_they_were_applied"),
        )

    def __str__(self) -> str:
        return f"{self.title} ({self.place})"


class ColumnMapping(models.Model):
    """What a person has said of the columns of a kind of table: {heading: field}.

    `fingerprint` names the headings in their order (see `imports.columns`). Written by `imports.mappings`.
    """

    fingerprint = models.CharField(max_length=32, unique=True)
    mapping = models.JSONField(default=dict)
    used_at = models.DateTimeField()

    class Meta:
        ordering = ("-used_at",)

    def __str__(self) -> str:
        return self.fingerprint
