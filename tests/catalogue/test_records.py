"""The only writer of the catalogue: what it keeps, what it refuses, what it announces."""

import dataclasses

import pytest

from catalogue import records
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, RevisionDraft
from catalogue.models import Change, Person
from tests.make import make_copy, make_game, make_rules

pytestmark = pytest.mark.django_db

FULL = GameDraft(
    title="+Les Pieds dans le Plat !",
    subtitle="le jeu",
    contributors=(ContributorDraft("Reinhard Staupe", "070"), ContributorDraft("Franz Vohwinkel", "440")),
    identifiers=("68862310192",),
    languages=("fr", "de"),
    categories=("A 409 jeu mathématique",),
    keywords=("calcul",),
    players_min=2,
    players_max=4,
    age_min_months=96,
)


def test_a_record_says_what_was_put_in() -> None:
    assert records.describe(records.create_game(FULL)) == FULL


def test_saving_the_same_again_writes_nothing() -> None:
    game = records.create_game(FULL)
    revision = game.revision
    assert records.update_game(game, FULL) == ()
    game.refresh_from_db()
    assert game.revision == revision


def test_an_update_names_the_fields_that_changed() -> None:
    game = records.create_game(FULL)
    changed = records.update_game(game, dataclasses.replace(FULL, players_max=6, keywords=()))
    assert changed == ("keywords", "players_max")


def test_a_person_is_one_row_however_often_named() -> None:
    make_game("A", contributors=(ContributorDraft("Marco teubner", "070"),))
    make_game("B", contributors=(ContributorDraft("Marco  Teubner", "440"),))
    assert [p.name for p in Person.objects.all()] == ["Marco teubner"]


def test_a_category_is_known_by_its_code_whatever_the_case_and_bracket() -> None:
    one = make_game("A", categories=("A 406 Jeu de stratégie",))
    two = make_game("B", categories=("[ESAR] A406 jeu de stratégie (jeu de règles)",))
    assert list(one.categories.all()) == list(two.categories.all())


def test_eleven_digits_are_kept_as_printed_and_found_under_the_completed_code() -> None:
    code = records.create_game(FULL).identifiers.get()
    assert (code.printed, code.gtin, code.check_holds) == ("68862310192", "0688623101924", None)


def test_leading_marks_and_articles_do_not_sort() -> None:
    assert records.create_game(FULL).sort_title == "pieds dans le plat"


def test_a_second_box_with_the_same_barcode_is_refused_and_names_the_first() -> None:
    first = make_copy(barcode="01877")
    with pytest.raises(records.BarcodeTaken) as taken:
        make_copy(barcode="01877")
    assert taken.value.copy == first


def test_a_correction_appends_a_revision_and_the_same_words_do_not() -> None:
    text = make_rules(make_game(), "## But\n\nGagner.")
    records.add_revisions(text, [RevisionDraft("## But\n\nPerdre.")])
    records.add_revisions(text, [RevisionDraft("## But\n\nPerdre.")])
    assert [r.number for r in text.revisions.all()] == [1, 2]
    assert text.current is not None
    assert text.current.body == "## But\n\nPerdre."


def test_every_write_leaves_the_latest_revision_in_the_outbox() -> None:
    game = make_game()
    copy = records.add_copy(game, CopyDraft("1"))
    records.update_copy(copy, CopyDraft("1", call_number="FIN"))
    make_rules(game, "x")
    game.refresh_from_db()
    assert list(Change.objects.values_list("game_id", "revision")) == [(game.pk, game.revision)]


def test_a_deleted_game_is_announced_too() -> None:
    game = make_game()
    pk, revision = game.pk, game.revision
    records.delete_game(game)
    assert list(Change.objects.values_list("game_id", "revision")) == [(pk, revision + 1)]


def test_a_game_with_copies_is_not_deleted() -> None:
    copy = make_copy()
    with pytest.raises(records.InUse):
        records.delete_game(copy.game)
