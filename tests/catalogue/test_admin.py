"""Django's admin is a second door to the same writers: every edit there is announced like any other."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalogue import records
from catalogue.draft import ContributorDraft, Doubt
from catalogue.models import Category, Change, Copy, Flag, Game, Person, RulesText
from tests.make import make_copy, make_game, make_rules, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client) -> Client:
    """A browser in which a librarian with access to the admin is signed in."""
    user = make_user("librarian", "rosa")
    user.is_staff = True
    user.save()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    return client


def fields(client: Client, address: str) -> dict[str, Any]:
    """What a browser would send back from an admin form, untouched."""
    form = client.get(address).context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    for name, field in form.fields.items():
        values[name] = field.prepare_value(values[name])
    return {name: "" if value is None else value for name, value in values.items()}


def change(client: Client, row: Any, **values: object) -> Any:
    """Open a row, change some fields, save; forget what was announced before."""
    address = reverse(f"admin:catalogue_{row._meta.model_name}_change", args=[row.pk])
    sent = fields(client, address) | values
    Change.objects.all().delete()
    return client.post(address, sent)


def announced() -> list[int]:
    """The games whose change stands in the outbox."""
    return list(Change.objects.values_list("game_id", flat=True))


def test_a_game_added_in_the_admin_is_announced(admin: Client) -> None:
    address = reverse("admin:catalogue_game_add")
    admin.post(address, fields(admin, address) | {"title": "Finca", "keywords": "fruits, olives"})
    game = Game.objects.get()
    assert records.describe(game).keywords == ("fruits", "olives")
    assert announced() == [game.pk]


def test_a_correction_in_the_admin_is_announced_and_keeps_the_rest(admin: Client) -> None:
    game = make_game("Finca", contributors=(ContributorDraft("Ralf zur Linde", "070"),), languages=("fr",))
    said = records.describe(game)
    change(admin, game, year="2009", identifiers="68862310192")
    now = records.describe(Game.objects.get())
    assert (now.year, now.identifiers) == (2009, ("68862310192",))
    assert (now.contributors, now.languages) == (said.contributors, said.languages)
    assert announced() == [game.pk]


def test_saving_unchanged_announces_nothing(admin: Client) -> None:
    change(admin, make_game("Finca", categories=("A 406 Jeu de stratégie",)))
    assert announced() == []


def test_a_copy_added_and_corrected_in_the_admin_is_announced(admin: Client) -> None:
    game = make_game()
    Change.objects.all().delete()
    address = reverse("admin:catalogue_copy_add")
    admin.post(address, fields(admin, address) | {"game": game.pk, "barcode": "01877"})
    assert announced() == [game.pk]
    change(admin, Copy.objects.get(), call_number="REI")
    assert Copy.objects.get().call_number == "REI"
    assert announced() == [game.pk]


def test_a_taken_barcode_is_a_message_of_the_form(admin: Client) -> None:
    make_copy(barcode="01877")
    response = change(admin, make_copy(), barcode="01877")
    assert response.status_code == 200
    assert "barcode" in response.context["adminform"].form.errors


def test_words_corrected_in_the_admin_become_a_revision(admin: Client) -> None:
    text = make_rules(make_game(), "## But\n\nGagner.")
    change(admin, text, body="## But\r\n\r\nPerdre.", comment="wrong way round")
    assert [(r.number, r.body) for r in text.revisions.all()][1:] == [(2, "## But\n\nPerdre.")]
    assert announced() == [text.game_id]


def test_a_rules_text_is_added_in_the_admin(admin: Client) -> None:
    game = make_game()
    Change.objects.all().delete()
    address = reverse("admin:catalogue_rulestext_add")
    admin.post(address, fields(admin, address) | {"game": game.pk, "language": "Deutsch", "body": "x"})
    assert RulesText.objects.get().language == "de"
    assert announced() == [game.pk]


def test_bulk_deletion_is_announced_for_each(admin: Client) -> None:
    games = [make_game("A"), make_game("B")]
    make_rules(games[0], "x")
    records.raise_flag(games[0], Doubt.TITLE_PROPOSED)
    pks = [game.pk for game in games]
    Change.objects.all().delete()
    sent = {"action": "delete_selected", "_selected_action": pks, "post": "yes"}
    admin.post(reverse("admin:catalogue_game_changelist"), sent)
    assert not Game.objects.exists()
    assert sorted(announced()) == sorted(pks)


def test_a_game_with_copies_is_not_deleted_in_the_admin(admin: Client) -> None:
    copy = make_copy()
    admin.post(reverse("admin:catalogue_game_delete", args=[copy.game_id]), {"post": "yes"})
    assert Game.objects.exists()


def test_a_person_renamed_is_announced_for_each_of_their_games(admin: Client) -> None:
    games = [make_game(t, contributors=(ContributorDraft("Marco teubner", "070"),)) for t in ("A", "B")]
    make_game("C")
    change(admin, Person.objects.get(), printed_name="Marco Teubner")
    assert Person.objects.get().name == "Marco Teubner"
    assert sorted(announced()) == sorted(game.pk for game in games)


def test_a_name_in_use_is_not_given_twice(admin: Client) -> None:
    make_game("A", contributors=(ContributorDraft("Marco Teubner"), ContributorDraft("M. Teubner")))
    response = change(admin, Person.objects.get(name="M. Teubner"), printed_name="marco teubner")
    assert "“Marco Teubner” is here already." in response.content.decode()


def test_a_category_is_renamed_with_its_code(admin: Client) -> None:
    game = make_game("A", categories=("A 406 jeu de strategie",))
    change(admin, Category.objects.get(), printed_name="A 406 Jeu de stratégie (jeu de règles)")
    category = Category.objects.get()
    assert (category.code, category.label, category.note) == ("A 406", "Jeu de stratégie", "jeu de règles")
    assert announced() == [game.pk]


def test_doubts_are_settled_as_an_action(admin: Client) -> None:
    records.raise_flag(make_game(), Doubt.TITLE_PROPOSED)
    sent = {"action": "settle", "_selected_action": [Flag.objects.get().pk]}
    admin.post(reverse("admin:catalogue_flag_changelist"), sent)
    assert Flag.objects.get().settled_at is not None


@pytest.mark.parametrize(
    "name", ["game", "copy", "rulestext", "person", "category", "branch", "flag", "document", "sourcerecord"]
)
def test_every_list_opens_for_a_librarian_and_not_for_the_desk(admin: Client, name: str) -> None:
    address = reverse(f"admin:catalogue_{name}_changelist")
    make_copy(branch="Genève")
    assert admin.get(address, {"q": "x"}).status_code == 200
    desk = make_user("desk")
    desk.is_staff = True
    desk.save()
    admin.force_login(desk)
    assert admin.get(address).status_code == 403
