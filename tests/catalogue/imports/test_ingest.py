"""Importing: what is written, what is left alone, and what is asked instead of guessed."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from catalogue import records
from catalogue.draft import CopyDraft, Doubt, GameDraft, PublicationDraft, Reason, Report, RevisionDraft
from catalogue.imports.ingest import Options, import_files
from catalogue.models import Change, Copy, Flag, Game, RulesText, SourceRecord
from tests.catalogue.imports.samples import FRONT, NOTICE, RULES, TABLE, WIKI, entry, feed
from tests.make import make_copy, make_game

pytestmark = pytest.mark.django_db


class Desk:
    """Writes texts into files and imports them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *texts: str, options: Options | None = None) -> Report:
        paths = [self.folder / f"{number}.txt" for number, _ in enumerate(texts)]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text)
        return import_files(paths, options or Options())


@pytest.fixture
def bring(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def counts(report: Report) -> tuple[int, int, int]:
    return report.created, report.updated, report.unchanged


def reasons(report: Report) -> list[Reason]:
    return [problem.reason for problem in report.problems]


def correct(game: Game, **fields: Any) -> None:
    """What a librarian types into the record."""
    records.update_game(game, replace(records.describe(game), **fields))


# --- again --------------------------------------------------------------------------------------


def test_importing_the_same_again_writes_nothing(bring: Desk) -> None:
    assert counts(bring(NOTICE, TABLE, WIKI, RULES, FRONT)) == (6, 0, 0)
    before = list(Change.objects.values_list("game_id", "revision"))
    again = bring(NOTICE, TABLE, WIKI, RULES, FRONT)
    assert (counts(again), again.problems) == ((0, 0, 6), [])
    assert list(Change.objects.values_list("game_id", "revision")) == before


def test_a_changed_source_changes_its_field_only(bring: Desk) -> None:
    bring(NOTICE)
    report = bring(NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 5"))
    assert counts(report) == (0, 1, 0)
    assert [(c.field, c.old, c.new) for c in report.records[0]["changes"]] == [("players_max", "4", "5")]  # type: ignore[attr-defined]
    assert Game.objects.get().players_max == 5


def test_what_a_person_corrected_is_left_alone(bring: Desk) -> None:
    bring(NOTICE)
    correct(Game.objects.get(), title="Le moulin bleu", players_max=6, keywords=("moulin", "âne"))
    report = bring(
        NOTICE.replace("maximum de joueurs : 4", "maximum de joueurs : 5").replace(
            "(minutes) : 30", "(minutes) : 40"
        )
    )
    game = Game.objects.get()
    assert (game.title, game.players_max, game.minutes_max) == ("Le moulin bleu", 6, 40)
    assert set(game.keywords.values_list("name", flat=True)) == {"moulin", "âne"}
    assert counts(report) == (0, 1, 0)


def test_what_a_person_emptied_stays_empty_and_what_a_source_leaves_out_stays(bring: Desk) -> None:
    bring(NOTICE)
    correct(Game.objects.get(), year=None)
    bring(NOTICE.replace(" Mots-clés : moulin", "").replace("(minutes) : 30", "(minutes) : 35"))
    game = Game.objects.get()
    assert game.year is None
    assert [keyword.name for keyword in game.keywords.all()] == ["moulin"]


def test_a_notice_whose_title_was_corrected_at_its_source_is_the_same_game(bring: Desk) -> None:
    bring(NOTICE)
    assert counts(bring(NOTICE.replace("Éditions du Pré", "Le Pré"))) == (0, 1, 0)
    game = Game.objects.get()
    assert [p.publisher.name for p in game.publications.all()] == ["Le Pré"]
    assert game.rules_texts.count() == 1


def test_a_page_that_broke_off_is_completed_and_never_shortens_what_is_whole(bring: Desk) -> None:
    cut = NOTICE[: NOTICE.index(" à la dernière meule")]
    assert reasons(bring(cut)) == [Reason.TRUNCATED]
    assert Flag.objects.filter(code=Doubt.TEXT_TRUNCATED).exists()
    assert counts(bring(NOTICE)) == (0, 1, 0)
    whole = RulesText.objects.get().current
    assert whole
    assert "dernière meule" in whole.body
    bring(cut)
    assert RulesText.objects.get().current == whole
    assert Copy.objects.count() == 2


def test_one_record_said_twice_differently_is_asked_about(bring: Desk) -> None:
    other = NOTICE.replace("24 meules", "30 meules")
    report = bring(NOTICE, other)
    assert (counts(report), reasons(report)) == ((1, 0, 0), [Reason.SAID_TWICE])
    again = bring(NOTICE, other)
    assert counts(again) == (0, 0, 1)


def test_one_record_said_twice_alike_is_one_game(bring: Desk) -> None:
    assert counts(bring(NOTICE, NOTICE)) == (1, 0, 1)
    assert Game.objects.count() == 1


# --- whose record is it -------------------------------------------------------------------------


def test_a_record_typed_by_hand_is_filled_up_and_not_overwritten(bring: Desk) -> None:
    game = make_game("Moulin bleu", identifiers=("4006381333931",), players_max=3)
    assert counts(bring(NOTICE)) == (0, 1, 0)
    game.refresh_from_db()
    assert (game.players_min, game.players_max) == (2, 3)
    assert game.copies.count() == 2


def test_a_box_tells_the_game(bring: Desk) -> None:
    make_copy(make_game("Moulin bleu"), "01001")
    make_game("Moulin bleu", publications=(PublicationDraft("Autre"),))
    assert counts(bring(NOTICE)) == (0, 1, 0)
    assert Game.objects.count() == 2


def test_another_edition_of_the_same_title_is_another_game(bring: Desk) -> None:
    make_game("Moulin bleu", publications=(PublicationDraft("Éditions du Pré"),), year=1999)
    make_game("Moulin bleu", publications=(PublicationDraft("Ferme"),))
    assert counts(bring(NOTICE)) == (1, 0, 0)
    assert Game.objects.count() == 3


def test_two_games_that_could_be_meant_are_asked_about(bring: Desk) -> None:
    for _ in range(2):
        make_game("Moulin bleu", publications=(PublicationDraft("Éditions du Pré"),))
    report = bring(NOTICE, TABLE)
    assert reasons(report) == [Reason.GAME_DOUBTFUL]
    assert counts(report) == (1, 0, 0)
    assert report.problems[0].raw.startswith("Titre : Moulin bleu")


def test_a_product_code_of_a_game_with_another_title_is_asked_about(bring: Desk) -> None:
    make_game("Halma", identifiers=("4006381333931",))
    assert reasons(bring(NOTICE)) == [Reason.GAME_DOUBTFUL]


def test_the_caller_may_say_which_game_is_meant(bring: Desk) -> None:
    game = make_game("Halma", identifiers=("4006381333931",))
    assert counts(bring(NOTICE, options=Options(game=game))) == (0, 1, 0)
    assert Game.objects.get().title == "Halma"


def test_a_barcode_of_another_game_is_told_and_the_rest_is_imported(bring: Desk) -> None:
    other = make_copy(make_game("Halma"), "01001")
    report = bring(NOTICE)
    assert (counts(report), reasons(report)) == ((1, 0, 0), [Reason.BARCODE_TAKEN])
    assert "01001" in report.problems[0].detail
    assert "Halma" in report.problems[0].detail
    assert list(Game.objects.get(title="Moulin bleu").copies.values_list("barcode", flat=True)) == ["01002"]
    records.delete_copy(other)
    assert counts(bring(NOTICE)) == (0, 1, 0)
    assert Game.objects.get(title="Moulin bleu").copies.count() == 2


def test_a_box_that_a_person_took_out_or_moved_is_not_brought_back(bring: Desk) -> None:
    bring(NOTICE)
    records.delete_copy(Copy.objects.get(barcode="01001"))
    box = Copy.objects.get(barcode="01002")
    records.update_copy(box, replace(records.describe_copy(box), branch="Annexe"))
    bring(
        NOTICE.replace("(minutes) : 30", "(minutes) : 35").replace(
            "01002 Sorti jusqu'au 14/03/2026", "01002 Exclu du prêt"
        )
    )
    box = Copy.objects.select_related("branch").get()
    assert (box.barcode, str(box.branch), box.condition) == ("01002", "Annexe", "not_for_loan")


def test_a_value_too_long_for_its_column_is_left_out_and_told(bring: Desk) -> None:
    report = bring(NOTICE.replace("Mots-clés : moulin", f"Mots-clés : moulin; {'m' * 400}"))
    assert (counts(report), reasons(report)) == ((1, 0, 0), [Reason.VALUE_UNREADABLE])
    assert [keyword.name for keyword in Game.objects.get().keywords.all()] == ["moulin"]


# --- rules --------------------------------------------------------------------------------------


def test_rules_find_their_game_by_the_words_of_their_first_line(bring: Desk) -> None:
    make_game("Moulin")
    game = make_game("Moulin bleu")
    assert counts(bring(RULES)) == (1, 0, 0)
    text = game.rules_texts.get()
    assert (text.language, text.title) == ("es", "Reglas de Moulin bleu")
    assert Flag.objects.filter(game=game, code=Doubt.LANGUAGE_GUESSED, detail="es").exists()


def test_the_head_of_a_file_says_what_the_text_is(bring: Desk) -> None:
    game = make_game("Moulin bleu")
    bring(FRONT)
    text = game.rules_texts.get()
    assert (text.language, text.kind, text.edition, text.licence) == ("en", "faq", "second", "CC0-1.0")
    assert (text.source_name, text.source_url) == ("our own words", "https://example.org/mill")
    assert not game.flags.exists()
    assert text.current
    assert text.current.body.startswith("# Questions\n\n## May a donkey wait?")


def test_lines_of_a_head_that_say_nothing_known_are_told_with_their_place(bring: Desk) -> None:
    make_game("Moulin bleu")
    report = bring(FRONT.replace("kind: faq", "kind: poem").replace("edition: second", "colour: blue"))
    assert [(problem.place, problem.reason) for problem in report.problems] == [
        ("line 4", Reason.VALUE_UNREADABLE),
        ("line 5", Reason.VALUE_UNREADABLE),
    ]
    assert counts(report) == (1, 0, 0)


def test_rules_of_a_game_that_is_not_there_are_told_with_what_to_do(bring: Desk) -> None:
    report = bring(RULES)
    assert (counts(report), reasons(report)) == ((0, 0, 0), [Reason.GAME_UNKNOWN])
    assert not RulesText.objects.exists()


def test_the_caller_may_say_game_and_language(bring: Desk) -> None:
    game = make_game("Halma")
    bring(RULES, options=Options(game=game, language="es-MX"))
    assert game.rules_texts.get().language == "es-MX"
    assert not game.flags.exists()


def test_rules_come_after_the_records_of_the_same_call(bring: Desk) -> None:
    report = bring(RULES, FRONT, NOTICE)
    assert (counts(report), report.problems) == ((3, 0, 0), [])


def test_two_games_of_that_name_are_asked_about(bring: Desk) -> None:
    make_game("Moulin bleu")
    make_game("Moulin bleu")
    assert reasons(bring(RULES)) == [Reason.GAME_DOUBTFUL]


def test_a_new_state_of_a_text_is_a_revision(bring: Desk) -> None:
    make_game("Moulin bleu")
    bring(RULES)
    assert counts(bring(RULES.replace("última muela", "última rueda"))) == (0, 1, 0)
    text = RulesText.objects.get()
    assert text.revisions.count() == 2
    assert text.current
    assert "última rueda" in text.current.body


def test_a_text_that_was_corrected_here_stays_current_and_the_librarian_is_told(bring: Desk) -> None:
    make_game("Moulin bleu")
    bring(RULES)
    text = RulesText.objects.get()
    records.add_revisions(text, [RevisionDraft(body="## Fin\n\nCorregido.")])
    bring(RULES.replace("última muela", "última rueda"))
    assert text.revisions.count() == 3
    assert text.current
    assert text.current.body == "## Fin\n\nCorregido."
    assert Flag.objects.filter(code=Doubt.SOURCE_CHANGED).exists()


def test_a_text_that_a_person_took_out_is_not_brought_back(bring: Desk) -> None:
    make_game("Moulin bleu")
    bring(RULES)
    records.delete_rules_text(RulesText.objects.get())
    bring(RULES.replace("última muela", "última rueda"))
    assert not RulesText.objects.exists()


# --- wiki pages ---------------------------------------------------------------------------------


def test_a_page_whose_name_runs_a_title_together_finds_its_game(bring: Desk) -> None:
    report = bring(WIKI, NOTICE)
    assert counts(report) == (3, 0, 0)
    game = Game.objects.get(title="Moulin bleu")
    assert game.rules_texts.count() == 2
    assert not game.flags.filter(code=Doubt.TITLE_PROPOSED).exists()
    assert Game.objects.get(title="1830").flags.filter(code=Doubt.TITLE_PROPOSED).exists()


def test_a_record_takes_the_place_of_a_title_that_was_only_proposed(bring: Desk) -> None:
    bring(feed(entry("Gamehelpmoulin bleu", 3, "2023-05-01T10:00:00Z", "== But ==<br />\nMoudre.")))
    assert counts(bring(NOTICE)) == (0, 1, 0)
    game = Game.objects.get()
    assert (game.title, game.year, game.rules_texts.count()) == ("Moulin bleu", 2019, 2)


def test_a_later_feed_adds_the_revisions_that_are_new(bring: Desk) -> None:
    bring(WIKI)
    newer = entry("Gamehelpmoulinbleu", 20, "2023-06-01T10:00:00Z", "== But ==<br />\nMoudre mieux.")
    assert counts(bring(feed(newer))) == (0, 1, 0)
    text = RulesText.objects.get(source_key__contains="moulinbleu")
    assert [r.source_key for r in text.revisions.all()] == ["11", "12", "20"]
    assert text.revisions.last().made_at == datetime(2023, 6, 1, 10, tzinfo=UTC)  # type: ignore[union-attr]


# --- dry run and bad files ----------------------------------------------------------------------


def test_a_dry_run_tells_all_and_writes_nothing(bring: Desk) -> None:
    report = bring(NOTICE, RULES, options=Options(is_dry_run=True))
    assert counts(report) == (2, 0, 0)
    fields = {change.field for record in report.records for change in record["changes"]}  # type: ignore[attr-defined]
    assert {"title", "players_max", "copy", "rules", "document"} <= fields
    assert not any(model.objects.exists() for model in (Game, SourceRecord, Change, RulesText))


def test_bad_files_cost_nobody_else_anything(bring: Desk, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 20)
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "other").write_text("a;b\n1;2\n3;4\n")
    (tmp_path / "good").write_text(NOTICE)
    (tmp_path / "folder").mkdir()
    names = ["binary", "missing", "empty", "other", "folder", "good"]
    report = import_files([tmp_path / name for name in names], Options())
    assert counts(report) == (1, 0, 0)
    assert [(Path(problem.file).name, problem.reason) for problem in report.problems] == [
        ("binary", Reason.BINARY),
        ("missing", Reason.NO_FILE),
        ("empty", Reason.EMPTY),
        ("other", Reason.COLUMNS_UNKNOWN),
        ("folder", Reason.NOT_A_FILE),
    ]


def test_a_record_that_cannot_be_stored_loses_only_itself(
    bring: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = records.create_games

    def refuse_some(drafts: list[GameDraft]) -> list[Game]:
        if any(draft.title == "Moulin bleu" for draft in drafts):
            raise ValueError("no room")
        return create(drafts)

    monkeypatch.setattr(records, "create_games", refuse_some)
    report = bring(NOTICE, TABLE)
    assert (counts(report), reasons(report)) == ((1, 0, 0), [Reason.MALFORMED])
    assert "no room" in report.problems[0].detail


def test_what_came_in_is_kept(bring: Desk) -> None:
    bring(NOTICE)
    source = SourceRecord.objects.get()
    assert source.raw == NOTICE.strip()
    assert source.imported["copies"][0]["barcode"] == "01001"
    assert CopyDraft(**source.imported["copies"][0]).call_number == "PRE"
