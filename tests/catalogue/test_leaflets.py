"""Rules printed as PDF on their way in: by the command, and from the page of a game."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from catalogue import records
from catalogue.draft import Doubt, Problem, Reason
from catalogue.imports import pdf_file
from catalogue.imports.ingest import Options, import_files
from catalogue.imports.sniff import Format, recognise
from catalogue.models import Document, Game, RulesText
from tests.catalogue.rules.leaflets import leaflet, scanned, two_columns, with_headings
from tests.make import make_game, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def librarian(client: Client) -> Client:
    """A client signed in as somebody who may edit the catalogue."""
    client.force_login(make_user("librarian", "rosa"))
    client.cookies["django_language"] = "en"
    return client


def attached(game: Game, data: bytes, name: str = "regles.pdf") -> Document:
    """A PDF of a game."""
    return records.attach_document(game, name, ContentFile(data, name))


def search_it(client: Client, document: Document) -> Any:
    """Press the button."""
    return client.post(reverse("catalogue:document-rules", args=[document.pk]))


def test_a_pdf_is_known_by_its_first_bytes_even_behind_others() -> None:
    assert recognise(two_columns()).format == Format.PDF
    assert recognise(b"\n\n" + two_columns()).format == Format.PDF


def test_a_pdf_is_imported_as_the_rules_of_the_game_that_is_named(tmp_path: Path) -> None:
    game = make_game("Anything")
    path = tmp_path / "x.pdf"
    path.write_bytes(two_columns())
    report = import_files([path], Options(game=game))
    assert (report.created, report.problems) == (1, [])
    text = game.rules_texts.get()
    assert (text.language, text.title) == ("fr", "Le Verger")
    assert text.current
    assert "[p. 2]" in text.current.body
    assert game.flags.get().code == Doubt.LANGUAGE_GUESSED


def test_the_same_pdf_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.pdf"
    path.write_bytes(two_columns())
    import_files([path], Options())
    report = import_files([path], Options())
    assert (report.created, report.updated, report.unchanged) == (0, 0, 1)
    assert Game.objects.get().title == "Le Verger"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (leaflet([(60, 700, "Secret.")], password="x"), Reason.PDF_ENCRYPTED),
        (b"%PDF-1.7 broken off", Reason.PDF_BROKEN),
        (scanned(), Reason.PDF_NO_TEXT),
    ],
)
def test_a_pdf_that_cannot_be_read_says_why(
    data: bytes, reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    (problem,) = pdf_file.read(data)
    assert isinstance(problem, Problem)
    assert problem.reason == reason


def test_an_attached_pdf_is_made_searchable_by_a_button(librarian: Client) -> None:
    game = make_game("Le Verger")
    document = attached(game, two_columns())
    page = librarian.get(reverse("catalogue:game-edit", args=[game.pk])).content.decode()
    assert reverse("catalogue:document-rules", args=[document.pk]) in page
    response = search_it(librarian, document)
    text = game.rules_texts.get()
    assert response["Location"] == reverse("catalogue:rules-edit", args=[text.pk])
    assert (text.language, text.source_name) == ("fr", "regles.pdf")
    assert text.current
    assert text.current.author == "rosa"


def test_a_second_press_leads_to_the_text_that_is_there(librarian: Client) -> None:
    document = attached(make_game(), two_columns())
    search_it(librarian, document)
    search_it(librarian, document)
    assert RulesText.objects.count() == 1


def test_a_pdf_that_cannot_be_read_leaves_the_document_and_says_why(librarian: Client) -> None:
    document = attached(make_game(), b"%PDF-1.4 broken off")
    response = search_it(librarian, document)
    assert response["Location"] == reverse("catalogue:game-edit", args=[document.game_id])
    (message,) = get_messages(response.wsgi_request)
    assert "damaged" in str(message)
    assert not RulesText.objects.exists()
    assert Document.objects.exists()


def test_a_name_without_its_file_and_a_picture_have_no_such_button(librarian: Client) -> None:
    game = make_game()
    name_only = records.attach_document(game, "FINCA.pdf")
    picture = attached(game, b"\x89PNG\r\n\x1a\n", "box.png")
    page = librarian.get(reverse("catalogue:game-edit", args=[game.pk])).content.decode()
    for document in (name_only, picture):
        assert reverse("catalogue:document-rules", args=[document.pk]) not in page
    assert search_it(librarian, name_only).status_code == 302
    assert not RulesText.objects.exists()


def test_a_text_too_short_to_tell_its_language_takes_that_of_its_game(librarian: Client) -> None:
    game = make_game(languages=("nl",))
    search_it(librarian, attached(game, leaflet([(60, 700, "Pak kaart.")], head="X")))
    assert game.rules_texts.get().language == "nl"


def test_a_stranger_makes_no_rules(client: Client) -> None:
    assert search_it(client, attached(make_game(), two_columns())).status_code == 403
    assert not RulesText.objects.exists()


def test_the_page_of_the_rules_and_the_card_of_a_section_show_the_page_numbers(librarian: Client) -> None:
    game = make_game("Le Verger")
    search_it(librarian, attached(game, with_headings()))
    text = game.rules_texts.get()
    whole = librarian.get(reverse("rules-text", args=[text.pk])).content.decode()
    assert '<span class="page-mark">p. 1</span>' in whole
    card = librarian.get(reverse("rules-section", args=[text.pk, "le-corbeau-gourmand"])).content.decode()
    assert '<span class="badge">page 1</span>' in card
