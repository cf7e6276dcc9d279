"""Undoing an import: the library as it was, but for what people have changed since, which is listed."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft, PublicationDraft, RevisionDraft
from catalogue.imports import batches
from catalogue.imports.ingest import Options, import_batch, work_on
from catalogue.imports.undo import Why, plan_undo
from catalogue.models import (
    BatchState,
    Category,
    Copy,
    Document,
    Flag,
    Game,
    ImportBatch,
    Keyword,
    Person,
    Publisher,
    RulesText,
    Section,
    SourceRecord,
)
from loans import desk
from tests.catalogue.imports.samples import NOTICE, RULES, TABLE, WIKI
from tests.make import make_act, make_copy, make_game, make_loan, make_member

pytestmark = pytest.mark.django_db
NAMED = (Category, Keyword, Person, Publisher, Section)


def bring(folder: Path, *texts: str) -> ImportBatch:
    """Import the texts, each as a file."""
    paths = [folder / f"{number}.txt" for number, _ in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return import_batch(paths, Options())


def undo(batch: ImportBatch) -> ImportBatch:
    """Take it all back."""
    batches.ask_for(batch, BatchState.UNDOING)
    assert work_on(batch)
    return batch


def left(batch: ImportBatch) -> set[tuple[str, str]]:
    """What an undo has left alone, and why."""
    return {(field, why) for item in batch.items.all() for field, _now, why in item.left}


def library() -> dict[str, Any]:
    """All that the library says, but for the numbers of its rows."""
    return {
        "games": sorted(map(_said, Game.objects.all()), key=repr),
        "names": sorted(str((row, getattr(row, "note", ""))) for kind in NAMED for row in kind.objects.all()),
        "sources": sorted(
            repr((s.key, s.game.title, s.digest, s.raw, s.imported, s.imported_at))
            for s in SourceRecord.objects.all()
        ),
    }


def _said(game: Game) -> object:
    copies = [records.describe_copy(copy) for copy in game.copies.select_related("section", "branch")]
    texts = [
        (
            records.describe_head(text),
            [(r.number, r.body, r.made_at, r.source_key, r.raw) for r in text.revisions.all()],
            sorted(text.section_aliases.values_list("old_anchor", "anchor")),
        )
        for text in game.rules_texts.all()
    ]
    documents = [document.name for document in game.documents.all()]
    flags = sorted((flag.code, flag.detail) for flag in game.flags.all())
    return records.describe(game), copies, texts, documents, flags


def correct(game: Game, **fields: Any) -> None:
    """What a librarian types into the record."""
    records.update_game(game, replace(records.describe(game), **fields))


# --- nothing was touched ------------------------------------------------------------------------


def test_what_an_import_brought_is_gone(tmp_path: Path) -> None:
    before = library()
    batch = bring(tmp_path, NOTICE, TABLE, WIKI, RULES)
    assert Game.objects.count() > 2
    undo(batch)
    assert library() == before
    assert (batch.state, batch.counts["undone"]) == (BatchState.UNDONE, 5)


def test_what_an_import_changed_says_again_what_it_said(tmp_path: Path) -> None:
    bring(tmp_path, NOTICE)
    before = library()
    changed = NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 5")
    changed = changed.replace("dernière meule", "dernière roue").replace(
        "moulin Nombre", "moulin; blé Nombre"
    )
    batch = bring(tmp_path, changed)
    assert Game.objects.get().players_max == 5
    undo(batch)
    assert library() == before


def test_batches_are_undone_one_after_the_other(tmp_path: Path) -> None:
    first = bring(tmp_path, NOTICE)
    second = bring(tmp_path, NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 5"))
    undo(second)
    undo(first)
    assert not Game.objects.exists()
    assert left(first) == set()


def test_a_game_that_a_later_import_has_worked_on_stays(tmp_path: Path) -> None:
    first = bring(tmp_path, NOTICE)
    bring(tmp_path, NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 5"))
    undo(first)
    assert Game.objects.get().players_max == 5
    assert left(first) == {("game", Why.LATER_IMPORT)}


def test_a_category_that_an_import_filled_in_is_as_it_was(tmp_path: Path) -> None:
    make_game("Halma", categories=("A 406",))
    before = library()
    undo(bring(tmp_path, NOTICE))
    assert library() == before


# --- what people did since ----------------------------------------------------------------------


def test_a_game_that_a_person_has_touched_stays_and_is_listed(tmp_path: Path) -> None:
    batch = bring(tmp_path, NOTICE, TABLE)
    correct(Game.objects.get(title="Moulin bleu"), principle="Moudre.")
    undo(batch)
    assert [game.title for game in Game.objects.all()] == ["Moulin bleu"]
    assert Game.objects.get().copies.count() == 2
    assert left(batch) == {("game", Why.CHANGED)}


def test_a_field_that_a_person_has_changed_since_stays_and_the_others_go_back(tmp_path: Path) -> None:
    bring(tmp_path, NOTICE)
    changed = NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 5")
    batch = bring(tmp_path, changed.replace("(minutes) : 30", "(minutes) : 45"))
    game = Game.objects.get()
    correct(game, players_max=6)
    undo(batch)
    game.refresh_from_db()
    assert (game.players_max, game.minutes_max) == (6, 30)
    assert left(batch) == {("players_max", Why.CHANGED)}


def test_an_end_of_a_span_goes_back_only_where_the_ends_do_not_cross(tmp_path: Path) -> None:
    bring(tmp_path, NOTICE)
    changed = NOTICE.replace("minimum de joueurs : 2", "minimum de joueurs : 3")
    batch = bring(tmp_path, changed.replace("maximum de joueurs : 4", "maximum de joueurs : 8"))
    game = Game.objects.get()
    correct(game, players_min=6)
    undo(batch)
    game.refresh_from_db()
    assert (game.players_min, game.players_max) == (6, 8)
    assert left(batch) == {("players_min", Why.CHANGED), ("players_max", Why.CHANGED)}


def test_a_game_whose_box_was_ever_lent_stays(tmp_path: Path) -> None:
    batch = bring(tmp_path, NOTICE)
    loan = make_loan(Copy.objects.get(barcode="01001"))
    desk.check_in(loan.copy, act=make_act())
    undo(batch)
    assert Game.objects.get().copies.count() == 2
    assert left(batch) == {("game", Why.USED)}


def test_a_game_that_somebody_waits_for_stays(tmp_path: Path) -> None:
    batch = bring(tmp_path, NOTICE)
    for copy in Copy.objects.all():
        records.update_copy(copy, replace(records.describe_copy(copy), condition="in_service"))
    batch.refresh_from_db()
    from loans import holds  # noqa: PLC0415

    holds.place_hold(Game.objects.get(), make_member(), act=make_act())
    undo(batch)
    assert Game.objects.exists()


def test_a_box_that_came_with_an_import_and_was_lent_stays_though_its_game_goes_back(tmp_path: Path) -> None:
    game = make_game("Moulin bleu", publications=(PublicationDraft("Éditions du Pré"),), year=2019)
    batch = bring(tmp_path, NOTICE)
    make_loan(Copy.objects.get(barcode="01001"))
    undo(batch)
    assert list(game.copies.values_list("barcode", flat=True)) == ["01001"]
    game.refresh_from_db()
    assert game.players_max is None
    assert left(batch) == {("copy", Why.USED)}


def test_a_text_that_a_person_has_gone_on_writing_stays(tmp_path: Path) -> None:
    make_game("Moulin bleu")
    batch = bring(tmp_path, RULES)
    records.add_revisions(RulesText.objects.get(), [RevisionDraft(body="## Fin\n\nCorregido.")])
    undo(batch)
    assert RulesText.objects.get().revisions.count() == 2
    assert left(batch) == {("rules", Why.CHANGED)}


def test_a_doubt_that_was_settled_is_work_that_stays(tmp_path: Path) -> None:
    batch = bring(tmp_path, NOTICE)
    records.settle_flag(Flag.objects.get(), now=datetime(2026, 1, 1, tzinfo=UTC))
    undo(batch)
    assert left(batch) == {("game", Why.CHANGED)}


def test_a_document_that_has_got_its_file_stays(tmp_path: Path) -> None:
    from django.core.files.base import ContentFile  # noqa: PLC0415

    make_game("Moulin bleu", publications=(PublicationDraft("Éditions du Pré"),), year=2019)
    batch = bring(tmp_path, NOTICE)
    document = Document.objects.get()
    records.attach_document(document.game, document.name, ContentFile(b"%PDF-"))
    undo(batch)
    assert Document.objects.exists()
    assert left(batch) == {("document", Why.CHANGED)}


def test_a_plan_says_what_undoing_would_do_and_does_nothing(tmp_path: Path) -> None:
    batch = bring(tmp_path, NOTICE)
    [item] = batch.items.all()
    made = plan_undo(item)
    assert [(step.field, step.now, step.why) for step in made.steps] == [("game", "Moulin bleu", None)]
    assert Game.objects.exists()


# --- any mix ------------------------------------------------------------------------------------

TITLES = st.sampled_from(["Moulin bleu", "Moulin vert", "L'âne", "Âne", "Roue"])
WORDS = st.sampled_from(["", "moulin", "Moulin", "blé ; roue", "âne"])
PEOPLE = st.sampled_from(
    ["Ada Pré, Auteur", "ada pré, Illustrateur ; Bo Val", "Cy Bois, Auteur ; Cy Bois, Auteur"]
)
PLACES = st.sampled_from(["Liège : Le Pré", "Le Pré", "Gand : Autre, 2019"])
CLASSES = st.sampled_from(
    ["A 406", "A 406 Jeu de stratégie", "A 406 jeu de stratégie (jeu de règles)", "Parcours"]
)


@st.composite
def notices(draw: st.DrawFn) -> str:
    """A notice in bars, of few names and numbers, so that records often mean the same thing."""
    number = st.integers(1, 6).map(str)
    low, high = sorted([draw(number), draw(number)])
    cells = {
        "Titre": draw(TITLES),
        "Type de document": "Jeu",
        "Auteurs": draw(PEOPLE),
        "Editeur": draw(PLACES),
        "ISBN/ISSN/EAN": draw(st.sampled_from(["", "4006381333931", "68862310192", "4006381333930"])),
        "Catégories": draw(CLASSES),
        "Mots-clés": draw(WORDS),
        "Nombre minimum de joueurs": low,
        "Nombre maximum de joueurs": high,
        "Contenu": draw(
            st.sampled_from(["1 âne", "2 ânes\nBut du jeu:\nMoudre avant les autres.\nFin du jeu:\nLa nuit."])
        ),
    }
    box = draw(st.sampled_from(["", "01001", "01002"]))
    table = "\n".join(f"| {name} : |\n{value} |" for name, value in cells.items() if value)
    copies = (
        f"\nExemplaires (1)\n| Code-barres | Cote | Disponibilité |\n| {box} | PRE | Disponible |"
        if box
        else ""
    )
    return f"{table}\n|{copies}\n"


EDITS = st.sampled_from(
    [
        {"players_max": 9},
        {"title": "Tourne"},
        {"keywords": ("vent",)},
        {"categories": ("A 406",)},
        {"note": "Relu."},
        {"contributors": ()},
    ]
)


class AnyMix(TestCase):
    """Any records, after any hand edits."""

    @settings(max_examples=60)
    @given(
        first=st.lists(notices(), max_size=4),
        edits=st.lists(st.tuples(st.integers(0, 9), EDITS), max_size=3),
        second=st.lists(notices(), min_size=1, max_size=5),
    )
    def test_applied_and_undone_the_library_is_the_same_to_the_letter(
        self, first: list[str], edits: list[tuple[int, dict[str, Any]]], second: list[str]
    ) -> None:
        import tempfile  # noqa: PLC0415

        with tempfile.TemporaryDirectory() as folder:
            if first:
                bring(Path(folder), *first)
            for number, fields in edits:
                games = list(Game.objects.order_by("pk"))
                if games:
                    correct(games[number % len(games)], **fields)
            before = library()
            batch = bring(Path(folder), *second)
            undo(batch)
            assert left(batch) == set()
            assert library() == before
