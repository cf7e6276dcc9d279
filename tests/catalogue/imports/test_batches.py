"""A batch from its first reading to its report: what is seen beforehand is what happens, or it is said."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue import records
from catalogue.draft import (
    ContributorDraft,
    CopyDraft,
    Doubt,
    GameDraft,
    Problem,
    PublicationDraft,
    Reason,
    RecordDraft,
    RevisionDraft,
    RulesDraft,
    RulesHead,
)
from catalogue.imports import batches, files, pmb, reporting
from catalogue.imports.batches import NotNow, Stint
from catalogue.imports.draft_json import from_json, to_json
from catalogue.imports.ingest import READERS, Options, import_batch, work_on
from catalogue.imports.sniff import Format
from catalogue.models import (
    BatchState,
    Category,
    Game,
    ImportBatch,
    ItemKind,
    ItemState,
    SourceRecord,
)
from tests.catalogue.imports.many import code, notice
from tests.catalogue.imports.samples import NOTICE, RULES, TABLE, WIKI
from tests.make import make_copy, make_game

pytestmark = pytest.mark.django_db


def preview(folder: Path, *texts: str) -> ImportBatch:
    """Read the texts, each as a file, and apply nothing."""
    paths = [folder / f"{number}.txt" for number, _ in enumerate(texts)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return import_batch(paths, Options(is_dry_run=True))


def apply(batch: ImportBatch) -> ImportBatch:
    """Apply what was read."""
    batches.ask_for(batch, BatchState.APPLYING)
    assert work_on(batch)
    return batch


def kinds(batch: ImportBatch) -> list[str]:
    return list(batch.items.values_list("kind", flat=True))


# --- drafts as JSON -----------------------------------------------------------------------------

TEXT = st.text(max_size=6)
HEADS = st.builds(RulesHead, language=TEXT, title=TEXT, source_key=TEXT)
REVISIONS = st.builds(
    RevisionDraft, body=TEXT, made_at=st.none() | st.datetimes(timezones=st.timezones()), raw=TEXT
)
GAMES = st.builds(
    GameDraft,
    title=TEXT,
    contributors=st.lists(st.builds(ContributorDraft, TEXT, TEXT), max_size=2).map(tuple),
    publications=st.lists(st.builds(PublicationDraft, TEXT, TEXT), max_size=2).map(tuple),
    keywords=st.lists(TEXT, max_size=2).map(tuple),
    year=st.none() | st.integers(),
    players_min=st.none() | st.just(0),
)
DRAFTS = st.builds(
    RecordDraft,
    key=TEXT,
    game=GAMES,
    raw=TEXT,
    format=TEXT,
    is_title_only=st.booleans(),
    copies=st.lists(st.builds(CopyDraft, TEXT, condition=TEXT), max_size=2).map(tuple),
    rules=st.lists(st.builds(RulesDraft, HEADS, st.lists(REVISIONS, max_size=2).map(tuple)), max_size=2).map(
        tuple
    ),
    documents=st.lists(TEXT, max_size=2).map(tuple),
    doubts=st.lists(st.tuples(st.sampled_from(Doubt), TEXT), max_size=2).map(tuple),
    place=TEXT,
)


@given(draft=DRAFTS)
def test_a_draft_comes_back_from_json_as_it_was(draft: RecordDraft) -> None:
    back = from_json(RecordDraft, to_json(draft))
    assert back == draft
    assert [type(doubt) for doubt, _ in back.doubts] == [type(doubt) for doubt, _ in draft.doubts]


# --- beforehand and afterwards ------------------------------------------------------------------


def test_a_preview_writes_no_row_of_the_catalogue(tmp_path: Path) -> None:
    batch = preview(tmp_path, NOTICE, TABLE, WIKI, RULES)
    assert not any(model.objects.exists() for model in (Game, Category, SourceRecord))
    assert kinds(batch) == ["new", "new", "new", "new", "new"]
    titles = list(batch.items.values_list("title", flat=True))
    assert titles == ["Moulin bleu", "Âne gris", "Moulin bleu", "1830", "Moulin bleu"]


def test_what_a_preview_says_is_what_is_done(tmp_path: Path) -> None:
    make_game("Moulin bleu", publications=(PublicationDraft("Éditions du Pré"),), players_max=3)
    batch = preview(tmp_path, NOTICE, TABLE, WIKI, RULES)
    before = [(r["kind"], r["result"], r["changes"]) for r in reporting.records(batch)]
    apply(batch)
    assert [(r["kind"], r["result"], r["changes"]) for r in reporting.records(batch)] == before
    assert not batch.items.filter(is_replanned=True).exists()


def test_two_records_of_one_game_in_one_file_are_one_game_and_are_seen_as_such(tmp_path: Path) -> None:
    first, again = notice(1), notice(1, box="555", **{"Année de publication": "", "Mots-clés": "vent"})
    batch = preview(tmp_path, first + notice(2) + again)
    assert kinds(batch) == ["new", "new", "changed"]
    assert batch.items.get(kind=ItemKind.CHANGED).twin == 1
    apply(batch)
    game = Game.objects.get(title="Jeu 1")
    assert {copy.barcode for copy in game.copies.all()} == {"100001", "555"}
    assert Game.objects.count() == 2


def test_a_game_that_came_since_the_preview_is_found_and_the_report_says_so(tmp_path: Path) -> None:
    batch = preview(tmp_path, notice(1))
    assert kinds(batch) == ["new"]
    make_game("Jeu 1", identifiers=(code(1),), publications=(PublicationDraft("Maison 1"),))
    apply(batch)
    [item] = batch.items.all()
    assert (item.kind, item.result, item.is_replanned) == ("changed", "updated", True)
    assert Game.objects.count() == 1


def test_a_record_that_has_become_doubtful_since_the_preview_waits(tmp_path: Path) -> None:
    batch = preview(tmp_path, notice(1))
    make_game("Autre", identifiers=(code(1),))
    apply(batch)
    [item] = batch.items.all()
    assert (item.kind, item.state, item.reason) == ("doubtful", "waiting", Reason.GAME_DOUBTFUL)
    assert Game.objects.count() == 1


def test_what_a_person_has_changed_between_preview_and_applying_is_left_alone(tmp_path: Path) -> None:
    apply(preview(tmp_path, notice(1)))
    batch = preview(tmp_path, notice(1, **{"Nombre maximum de joueurs": "7"}))
    game = Game.objects.get()
    records.update_game(game, replace(records.describe(game), players_max=9))
    apply(batch)
    game.refresh_from_db()
    assert game.players_max == 9
    [item] = batch.items.all()
    assert (item.result, item.is_replanned) == ("unchanged", True)


def test_the_same_file_again_is_no_change(tmp_path: Path) -> None:
    text = "".join(map(notice, range(30)))
    apply(preview(tmp_path, text))
    before = list(Game.objects.values_list("pk", "revision"))
    again = apply(preview(tmp_path, text))
    assert kinds(again) == ["unchanged"] * 30
    assert list(Game.objects.values_list("pk", "revision")) == before


def test_one_bad_record_among_many_loses_only_itself(tmp_path: Path) -> None:
    make_copy(make_game("Halma"), "100004")
    batch = apply(preview(tmp_path, "".join(map(notice, range(9)))))
    assert Game.objects.count() == 10
    [item] = batch.items.filter(has_problems=True)
    assert [reason for reason, _ in item.problems] == [Reason.BARCODE_TAKEN]


# --- stopping and going on ----------------------------------------------------------------------


def test_a_batch_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = preview(tmp_path, "".join(map(notice, range(120))))
    told = Stint.tell

    def stop_after_some(stint: Stint, done: int) -> None:
        if done >= 50 and stint.batch.items.filter(state=ItemState.APPLIED).exists():
            raise batches.Stopped
        told(stint, done)

    with monkeypatch.context() as patch:
        patch.setattr(Stint, "tell", stop_after_some)
        apply(batch)
    assert (batch.state, batch.stopped_in) == (BatchState.STOPPED, BatchState.APPLYING)
    assert 0 < Game.objects.count() < 120
    batches.resume(batch)
    assert work_on(batch)
    assert batch.state == BatchState.APPLIED
    assert Game.objects.count() == 120


def test_nobody_works_on_a_batch_that_another_works_on(tmp_path: Path) -> None:
    batch = preview(tmp_path, NOTICE)
    batches.ask_for(batch, BatchState.APPLYING)
    with batches.stint(batch) as mine:
        assert mine is not None
        assert not work_on(ImportBatch.objects.get())
        with pytest.raises(NotNow):
            batches.ask_for(batch, BatchState.UNDOING)
    assert not Game.objects.exists()


def test_a_batch_of_which_the_process_is_dead_is_free(tmp_path: Path) -> None:
    batch = preview(tmp_path, NOTICE)
    batches.ask_for(batch, BatchState.APPLYING)
    with batches.stint(batch) as mine:
        assert mine is not None
        dead = mine.worker.replace(f":{mine.worker.split(':')[1]}:", ":4194305:")
    ImportBatch.objects.update(worker=dead)
    assert work_on(batch)
    assert batch.state == BatchState.APPLIED


def test_what_goes_wrong_is_kept_with_the_batch_and_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = preview(tmp_path, NOTICE)
    batches.ask_for(batch, BatchState.APPLYING)

    def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("catalogue.imports.applying.store", fail)
        with pytest.raises(RuntimeError):
            work_on(batch)
    assert (batch.state, batch.failure) == (BatchState.FAILED, "RuntimeError: the disk is full")
    batches.resume(batch)
    work_on(batch)
    assert Game.objects.count() == 1


# --- long files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("piece", [2_000, 7_000, 40_000])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_long_page_read_in_pieces_says_what_it_says_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: int, encoding: str
) -> None:
    text = "".join(notice(n) if n % 3 else NOTICE.replace("Moulin bleu", f"Moulin {n}") for n in range(60))
    path = tmp_path / "page.txt"
    path.write_bytes(text.encode(encoding))
    monkeypatch.setattr(files, "PIECE", piece)
    assert list(files.Reading(path, READERS)) == list(pmb.read(text))


def test_a_reader_that_breaks_off_reports_the_rest(tmp_path: Path) -> None:
    def read(text: str, language: str = "") -> Iterator[RecordDraft | Problem]:
        yield RecordDraft("k", GameDraft(title="Halma"), raw=text, format="x")
        yield Problem("line 9", Reason.TRUNCATED, detail=language)

    path = tmp_path / "page.txt"
    path.write_text(NOTICE)
    found = list(files.Reading(path, {Format.PMB: read}, language="fr"))
    assert [type(result) for result in found] == [RecordDraft, Problem]
