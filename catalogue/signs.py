"""The table of games that are gone, for whoever has a copy of their records. Part of `catalogue.models`."""

from django.db import models


class RemovedGame(models.Model):
    """A sign where a game once stood: whoever has harvested its record learns that it is gone.

    `sets` are those of OAI-PMH that it was in (see `oai.sets`). Written by `outbox`.
    """

    game_id = models.BigIntegerField(primary_key=True)
    removed_at = models.DateTimeField(db_index=True)
    sets = models.TextField(blank=True)

    def __str__(self) -> str:
        return str(self.game_id)
