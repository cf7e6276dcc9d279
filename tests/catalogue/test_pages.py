"""The staff's pages: who may open them, what they keep, what they say when something cannot be saved."""

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from catalogue import records
from catalogue.draft import ContributorDraft, CopyDraft, Doubt, GameDraft, PublicationDraft, RevisionDraft
from catalogue.models import Copy, Document, Game, RulesText
from tests.make import make_copy, make_game, make_rules, make_user

pytestmark = pytest.mark.django_db

FULL = GameDraft(
    title="Finca",
    subtitle="Les fruits de Majorque",
    alternative_titles=("Finca, das Spiel", "Finca: el juego, en español"),
    document_type="jeu",
    contributors=(ContributorDraft("Ralf zur Linde", "070"), ContributorDraft("Franz Vohwinkel", "440")),
    publications=(PublicationDraft("Filosofia", "Vaudreuil-Dorion"),),
    edition="2e",
    year=2009,
    identifiers=("68862310192",),
    languages=("fr", "en"),
    categories=("A 406 Jeu de stratégie",),
    keywords=("fruits", "moulins"),
    players_min=2,
    players_max=4,
    age_min_months=120,
    minutes_min=45,
    principle="Récolter.\nLivrer. ",
    contents="1 plan de jeu, 108 fruits",
    note="\n  offert",
)


@pytest.fixture
def librarian(client: Client) -> Client:
    """A browser in which a librarian is signed in, in English."""
    client.force_login(make_user("librarian", "rosa"))
    client.cookies["django_language"] = "en"
    return client


def typed(client: Client, address: str) -> dict[str, Any]:
    """What a browser would send back from the form of a page, untouched."""
    context = client.get(address).context
    forms = context["sheet"].forms if "sheet" in context else [context["form"]]
    values: dict[str, Any] = {}
    for form in forms:
        values |= {form.add_prefix(name): form[name].value() for name in form.fields}
    if "sheet" in context:
        values["seen"] = context["sheet"].sealed
        for rows in context["sheet"].rows.values():
            management = rows.management_form
            values |= {management.add_prefix(n): management[n].value() for n in management.fields}
    else:
        values["seen"] = getattr(context["form"], "sealed", "")
        values["seen_number"] = getattr(context["form"], "seen_number", "")
    return {name: "" if value is None else value for name, value in values.items()}


def said(response: Any) -> list[str]:
    """The messages that the next page shows."""
    return [str(message) for message in get_messages(response.wsgi_request)]


# --- who may come ------------------------------------------------------------------------------


def test_a_stranger_is_sent_to_sign_in(client: Client) -> None:
    response = client.get(reverse("catalogue:game-add"))
    assert response.url == f"{reverse('login')}?next={reverse('catalogue:game-add')}"  # type: ignore[attr-defined]


def test_a_member_is_refused(client: Client) -> None:
    client.force_login(make_user())
    assert client.get(reverse("catalogue:home")).status_code == 403


def test_the_desk_is_refused(client: Client) -> None:
    client.force_login(make_user("desk"))
    assert client.post(reverse("catalogue:game-add"), {"title": "Finca"}).status_code == 403
    assert not Game.objects.exists()


def test_a_form_sent_after_the_session_has_ended_is_saved_once_signed_in_again(client: Client) -> None:
    make_user("librarian", "rosa")
    game = make_game("Finca")
    client.force_login(make_user("librarian"))
    form = typed(client, reverse("catalogue:game-edit", args=[game.pk])) | {"note": "\nlong\r\ntext"}
    client.logout()

    asked = client.post(reverse("catalogue:game-edit", args=[game.pk]), form)
    assert asked.status_code == 403
    kept = dict(asked.context["kept"])
    assert kept["note"] == "\nlong\r\ntext"

    wrong = client.post(
        asked.request["PATH_INFO"], kept | {"sign-in-username": "rosa", "sign-in-password": "x"}
    )
    assert dict(wrong.context["kept"]) == kept
    client.post(asked.request["PATH_INFO"], kept | {"sign-in-username": "rosa", "sign-in-password": "secret"})
    game.refresh_from_db()
    assert game.note == "\nlong\ntext"


def test_signing_in_again_without_the_right_saves_nothing(client: Client) -> None:
    make_user("", "member")
    sent = {"title": "Finca", "sign-in-username": "member", "sign-in-password": "secret"}
    assert client.post(reverse("catalogue:game-add"), sent).status_code == 403
    assert not Game.objects.exists()


# --- games -------------------------------------------------------------------------------------


def test_a_game_is_added_with_everything_that_was_typed(librarian: Client) -> None:
    form = typed(librarian, reverse("catalogue:game-add")) | {
        "title": "  Finca ",
        "subtitle": "Les fruits de Majorque",
        "alternative_titles": "Finca, das Spiel\r\nFinca: el juego, en español\r\n",
        "document_type": "jeu",
        "edition": "2e",
        "year": "2009",
        "contributors-0-name": "Ralf zur Linde",
        "contributors-0-role": "070",
        "contributors-1-name": "Franz Vohwinkel",
        "contributors-1-role": "440",
        "publications-0-publisher": "Filosofia",
        "publications-0-place": "Vaudreuil-Dorion",
        "identifiers": "68862310192",
        "languages": "français, en",
        "categories": "A 406 Jeu de stratégie",
        "keywords": "fruits, moulins",
        "players_min": "2",
        "players_max": "4",
        "age_min_months": "10 ans",
        "age_max_months": "99",
        "minutes_min": "45",
        "principle": "Récolter.\r\nLivrer. ",
        "contents": "1 plan de jeu, 108 fruits",
        "note": "\r\n  offert",
    }
    response = librarian.post(reverse("catalogue:game-add"), form)
    game = Game.objects.get()
    assert response.url == reverse("catalogue:game-edit", args=[game.pk])  # type: ignore[attr-defined]
    assert records.describe(game) == FULL


def test_opening_and_saving_a_record_changes_nothing(librarian: Client) -> None:
    game = records.create_game(FULL)
    address = reverse("catalogue:game-edit", args=[game.pk])
    response = librarian.post(address, typed(librarian, address))
    assert said(response) == ["Nothing was changed."]
    revision = game.revision
    game.refresh_from_db()
    assert game.revision == revision


def test_a_field_can_be_emptied(librarian: Client) -> None:
    game = records.create_game(FULL)
    address = reverse("catalogue:game-edit", args=[game.pk])
    emptied = {
        "year": "",
        "keywords": "",
        "subtitle": "",
        "contributors-0-name": "",
        "contributors-0-role": "",
    }
    librarian.post(address, typed(librarian, address) | emptied)
    now = records.describe(game.__class__.objects.get())
    assert (now.year, now.keywords, now.subtitle) == (None, (), "")
    assert now.contributors == (ContributorDraft("Franz Vohwinkel", "440"),)


@pytest.mark.parametrize(
    ("typed_age", "months"),
    [("8", 96), ("18 mois", 18), ("2½", 30), ("3+", 36), ("18 Monate", 18), ("", None)],
)
def test_an_age_is_typed_in_years_or_months(librarian: Client, typed_age: str, months: int | None) -> None:
    form = typed(librarian, reverse("catalogue:game-add")) | {"title": "Finca", "age_min_months": typed_age}
    librarian.post(reverse("catalogue:game-add"), form)
    assert Game.objects.get().age_min_months == months


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("title", " ", "type it as it stands on the box"),
        ("year", "MMIX", "Type a whole number"),
        ("players_min", "9", "correct one of the two"),
        ("age_min_months", "tout petit", "type years (8) or months (18 months)"),
        ("languages", "klingonais", "type its code"),
        ("identifiers", "6.37702E+15", "scan or type the digits again"),
        ("keywords", "an unending word " * 20, "shorten it"),
        ("contributors-0-name", "ﷺ" * 30, "too long"),
        ("publications-0-place", "Genève", "Type the publisher of this place"),
        ("note", "a\0b", "Null characters"),
        ("contributors-TOTAL_FORMS", "x", "ManagementForm"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_remedy_and_nothing_typed_is_lost(
    librarian: Client, field: str, value: str, complaint: str
) -> None:
    form = typed(librarian, reverse("catalogue:game-add")) | {
        "title": "Finca",
        "players_max": "4",
        "principle": "half an hour of typing",
        field: value,
    }
    response = librarian.post(reverse("catalogue:game-add"), form)
    page = response.content.decode()
    assert response.status_code == 422
    assert complaint in page
    assert "half an hour of typing" in page
    assert not Game.objects.exists()


def test_each_complaint_on_top_links_to_its_field(librarian: Client) -> None:
    form = typed(librarian, reverse("catalogue:game-add")) | {"title": "", "year": "x"}
    page = librarian.post(reverse("catalogue:game-add"), form).content.decode()
    assert '<a href="#id_title">Title</a>' in page
    assert '<a href="#id_year">Year</a>' in page


def test_more_rows_come_without_javascript_and_keep_what_was_typed(librarian: Client) -> None:
    form = typed(librarian, reverse("catalogue:game-add"))
    form |= {"contributors-0-name": "Marco Teubner", "contributors-0-role": "070", "year": "19x", "more": "1"}
    response = librarian.post(reverse("catalogue:game-add"), form)
    rows = response.context["sheet"].contributors.forms
    assert len(rows) > 2
    assert rows[0]["name"].value() == "Marco Teubner"
    assert response.context["sheet"].form["year"].value() == "19x"
    assert "Not saved yet" not in response.content.decode()


def test_a_role_that_only_an_import_knows_survives_an_edit(librarian: Client) -> None:
    game = make_game("Safranito", contributors=(ContributorDraft("Somebody", "545"),))
    address = reverse("catalogue:game-edit", args=[game.pk])
    librarian.post(address, typed(librarian, address) | {"year": "2010"})
    assert records.describe(Game.objects.get()).contributors == (ContributorDraft("Somebody", "545"),)


def test_a_wrong_check_digit_is_kept_and_said(librarian: Client) -> None:
    form = typed(librarian, reverse("catalogue:game-add")) | {
        "title": "Finca",
        "identifiers": "4006381333932",
    }
    response = librarian.post(reverse("catalogue:game-add"), form)
    assert Game.objects.get().identifiers.get().printed == "4006381333932"
    assert "The check digit of 4006381333932 is wrong. It was kept; compare it with the box." in said(
        response
    )


# --- two people, one record --------------------------------------------------------------------


def test_the_second_of_two_editors_is_told_and_overwrites_nothing(librarian: Client) -> None:
    game = make_game("Finca", players_max=4, keywords=("fruits",))
    address = reverse("catalogue:game-edit", args=[game.pk])
    mine = typed(librarian, address) | {"players_max": "6", "note": "torn box"}
    records.update_game(game, GameDraft("Finca", players_max=5, keywords=("fruits", "olives")))

    told = librarian.post(address, mine)
    assert told.status_code == 409
    fields = {d.label: (d.seen, d.now, d.is_disputed) for d in told.context["meanwhile"]}
    assert fields == {"Keywords": ("fruits", "fruits, olives", False), "Most players": ("4", "5", True)}
    assert records.describe(Game.objects.get()).players_max == 5


def test_saving_again_after_being_told_keeps_both_corrections(librarian: Client) -> None:
    game = make_game("Finca", players_max=4, contributors=(ContributorDraft("A", "070"),))
    address = reverse("catalogue:game-edit", args=[game.pk])
    mine = typed(librarian, address) | {"players_max": "6"}
    theirs = GameDraft(
        "Finca", players_max=4, contributors=(ContributorDraft("A", "070"), ContributorDraft("B"))
    )
    records.update_game(game, theirs)

    told = librarian.post(address, mine)
    sheet = told.context["sheet"]
    again = mine | {"seen": sheet.sealed, "contributors-TOTAL_FORMS": 2, "contributors-INITIAL_FORMS": 2}
    again |= {"contributors-1-name": "B", "contributors-1-role": ""}
    librarian.post(address, again)
    now = records.describe(Game.objects.get())
    assert (now.players_max, now.contributors) == (6, theirs.contributors)


def test_a_copy_added_meanwhile_does_not_disturb_the_one_who_edits_the_record(librarian: Client) -> None:
    game = make_game("Finca")
    address = reverse("catalogue:game-edit", args=[game.pk])
    mine = typed(librarian, address) | {"year": "2009"}
    make_copy(game)
    assert librarian.post(address, mine).status_code == 302


def test_a_forged_picture_of_the_record_is_ignored(librarian: Client) -> None:
    game = make_game("Finca")
    address = reverse("catalogue:game-edit", args=[game.pk])
    librarian.post(address, typed(librarian, address) | {"year": "2009", "seen": "{}:forged:x"})
    assert Game.objects.get().year == 2009


# --- finding and the list of doubts ------------------------------------------------------------


@pytest.mark.parametrize("text", ["finca", "FÍNCA", "zur linde", "vohwinkel linde", "filosofia", "FIN"])
def test_a_record_is_found_by_title_person_publisher_and_call_number(librarian: Client, text: str) -> None:
    make_copy(records.create_game(FULL), call_number="FIN")
    make_game("Safranito")
    found = librarian.get(reverse("catalogue:home"), {"q": text}).context["games"]
    assert [game.title for game in found] == ["Finca"]


@pytest.mark.parametrize("scanned", ["01877", " 01877 ", "688623101924", "0688623101924", "68862310192"])
def test_a_scan_goes_straight_to_the_record(librarian: Client, scanned: str) -> None:
    copy = make_copy(records.create_game(FULL), barcode="01877")
    response = librarian.get(reverse("catalogue:home"), {"q": scanned})
    assert response.url == reverse("catalogue:game-edit", args=[copy.game_id])  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["%", "\0", "'; drop table", "*" * 5000, "🎲", "a" * 300])
def test_odd_questions_are_answered(librarian: Client, text: str) -> None:
    assert librarian.get(reverse("catalogue:home"), {"q": text, "page": "x"}).status_code == 200


@pytest.mark.parametrize(("sought", "field"), [("4006381333931", "identifiers"), ("Quarto", "title")])
def test_what_was_not_found_is_in_the_form_of_the_new_game(
    librarian: Client, sought: str, field: str
) -> None:
    page = librarian.get(reverse("catalogue:home"), {"q": sought}).content.decode()
    address = f"{reverse('catalogue:game-add')}?from={sought}"
    assert f'href="{address}"' in page
    assert sought in typed(librarian, address)[field]


def test_doubts_wait_on_the_first_page_until_settled(librarian: Client) -> None:
    game = make_game("perch")
    records.raise_flag(game, Doubt.TITLE_PROPOSED, "perch")
    page = librarian.get(reverse("catalogue:home")).content.decode()
    assert "The title was made from the name of a page." in page
    assert "Compare it with the box and correct it." in page
    librarian.post(reverse("catalogue:doubt-settle", args=[game.flags.get().pk]))
    assert "was made from the name" not in librarian.get(reverse("catalogue:home")).content.decode()


def test_a_record_with_copies_is_not_removed(librarian: Client) -> None:
    copy = make_copy()
    response = librarian.post(reverse("catalogue:game-delete", args=[copy.game_id]))
    assert said(response) == ["“Finca” still has copies: remove or move them first."]
    copy.delete()
    librarian.post(reverse("catalogue:game-delete", args=[copy.game_id]))
    assert not Game.objects.exists()


# --- copies ------------------------------------------------------------------------------------


def test_a_copy_is_added_with_its_leading_zeros(librarian: Client) -> None:
    game = make_game()
    sent = {"barcode": " 01877", "call_number": "REI", "section": "A 407", "condition": "in_service"}
    librarian.post(reverse("catalogue:copy-add", args=[game.pk]), sent)
    copy = Copy.objects.get()
    assert records.describe_copy(copy) == CopyDraft("01877", call_number="REI", section="A 407")


def test_a_barcode_that_is_taken_names_the_box_that_has_it(librarian: Client) -> None:
    holder = make_copy(make_game("Safranito"), "01877")
    other = make_game("Finca")
    sent = {"barcode": "01877", "call_number": "FIN", "condition": "in_service"}
    response = librarian.post(reverse("catalogue:copy-add", args=[other.pk]), sent)
    page = response.content.decode()
    assert response.status_code == 409
    assert f'<a href="{reverse("catalogue:copy-edit", args=[holder.pk])}">Safranito</a>' in page
    assert 'value="FIN"' in page


def test_the_second_box_is_proposed_the_shelf_of_the_first(librarian: Client) -> None:
    game = make_copy(call_number="REI", branch="Maison des Enfants").game
    form = librarian.get(reverse("catalogue:copy-add", args=[game.pk])).context["form"]
    assert (form["call_number"].value(), form["branch"].value()) == ("REI", "Maison des Enfants")


def test_a_copy_changed_meanwhile_is_shown_and_kept(librarian: Client) -> None:
    copy = make_copy(call_number="A")
    address = reverse("catalogue:copy-edit", args=[copy.pk])
    mine = typed(librarian, address) | {"call_number": "B"}
    records.update_copy(copy, CopyDraft(copy.barcode, call_number="C"))
    told = librarian.post(address, mine)
    assert told.status_code == 409
    assert Copy.objects.get().call_number == "C"
    librarian.post(address, mine | {"seen": told.context["form"].sealed})
    assert Copy.objects.get().call_number == "B"


def test_a_copy_is_removed(librarian: Client) -> None:
    librarian.post(reverse("catalogue:copy-delete", args=[make_copy().pk]))
    assert not Copy.objects.exists()


# --- rules texts -------------------------------------------------------------------------------

BODY = "## But du jeu\n\nRécolter des fruits."


def test_a_rules_text_is_added_with_its_first_revision_signed(librarian: Client) -> None:
    game = make_game()
    sent = {"language": "Français", "kind": "rules", "body": BODY.replace("\n", "\r\n"), "comment": "typed"}
    librarian.post(reverse("catalogue:rules-add", args=[game.pk]), sent)
    text = RulesText.objects.get()
    assert text.language == "fr"
    assert text.current is not None
    assert (text.current.body, text.current.author, text.current.comment) == (BODY, "rosa", "typed")


def test_a_preview_shows_safe_html_and_saves_nothing(librarian: Client) -> None:
    game = make_game()
    sent = {"language": "fr", "kind": "rules", "body": "## But\n\n<script>alert(1)</script>", "preview": "1"}
    page = librarian.post(reverse("catalogue:rules-add", args=[game.pk]), sent).content.decode()
    assert ">But</h" in page
    assert "<script>alert" not in page
    assert not RulesText.objects.exists()


PASTED = "Préparation:\nMélangez les cartes.\n\nFin du jeu :\nComptez les points."


@pytest.mark.parametrize("more", [{}, {"preview": "1"}])
def test_headings_in_pasted_text_are_offered_before_anything_is_saved(
    librarian: Client, more: dict[str, str]
) -> None:
    sent = {"language": "fr", "kind": "rules", "body": PASTED}
    page = librarian.post(reverse("catalogue:rules-add", args=[make_game().pk]), sent | more).content.decode()
    assert "<li>Préparation</li><li>Fin du jeu</li>" in page
    assert ">Préparation</h" in page
    assert 'name="reading" value="typed"' in page
    assert PASTED in page
    assert not RulesText.objects.exists()


@pytest.mark.parametrize(
    ("choice", "body", "raw"),
    [
        ("typed", PASTED, ""),
        (
            "headings",
            "## Préparation\n\nMélangez les cartes.\n\n## Fin du jeu\n\nComptez les points.",
            PASTED,
        ),
    ],
)
def test_the_librarian_says_whether_they_are_headings(
    librarian: Client, choice: str, body: str, raw: str
) -> None:
    sent = {"language": "fr", "kind": "rules", "body": PASTED, "reading": choice}
    librarian.post(reverse("catalogue:rules-add", args=[make_game().pk]), sent)
    current = RulesText.objects.get().current
    assert current is not None
    assert (current.body, current.raw) == (body, raw)


def test_of_a_text_kept_as_typed_the_question_is_not_asked_again(librarian: Client) -> None:
    text = make_rules(make_game(), PASTED)
    address = reverse("catalogue:rules-edit", args=[text.pk])
    librarian.post(address, typed(librarian, address) | {"body": PASTED + "\nFin."})
    assert text.revisions.count() == 2


@pytest.mark.parametrize("body", [BODY, "Préparation:\n**Mélangez** les cartes.", "Une seule phrase."])
def test_text_with_marks_or_without_headings_is_saved_at_once(librarian: Client, body: str) -> None:
    sent = {"language": "fr", "kind": "rules", "body": body}
    librarian.post(reverse("catalogue:rules-add", args=[make_game().pk]), sent)
    current = RulesText.objects.get().current
    assert current is not None
    assert current.body == body


def test_a_correction_becomes_the_next_revision(librarian: Client) -> None:
    text = make_rules(make_game(), BODY)
    address = reverse("catalogue:rules-edit", args=[text.pk])
    librarian.post(address, typed(librarian, address) | {"body": BODY + "\n\nFin.", "comment": "end"})
    assert [r.number for r in text.revisions.all()] == [1, 2]


def test_correcting_the_language_makes_no_revision(librarian: Client) -> None:
    text = make_rules(make_game(), BODY)
    address = reverse("catalogue:rules-edit", args=[text.pk])
    librarian.post(address, typed(librarian, address) | {"language": "de"})
    text.refresh_from_db()
    assert (text.language, text.revisions.count()) == ("de", 1)


def test_a_text_revised_meanwhile_is_not_hidden_by_the_second_editor(librarian: Client) -> None:
    text = make_rules(make_game(), BODY)
    address = reverse("catalogue:rules-edit", args=[text.pk])
    mine = typed(librarian, address) | {"body": BODY + "\n\nMine."}
    records.add_revisions(text, [RevisionDraft(BODY + "\n\nTheirs.", author="paul")])

    told = librarian.post(address, mine)
    page = told.content.decode()
    assert told.status_code == 409
    assert "revision 2 by paul" in page
    assert "Theirs." in page
    assert "Mine." in page
    librarian.post(address, mine | {"seen_number": "2"})
    assert [r.number for r in text.revisions.all()] == [1, 2, 3]


def test_an_address_that_would_run_is_refused(librarian: Client) -> None:
    game = make_game()
    sent = {"language": "fr", "kind": "rules", "body": BODY, "source_url": "javascript:alert(1)"}
    response = librarian.post(reverse("catalogue:rules-add", args=[game.pk]), sent)
    assert response.status_code == 422
    assert "beginning with https://" in response.content.decode()


# --- documents ---------------------------------------------------------------------------------


def attach(client: Client, game: Game, content: bytes, file: str = "Règles.pdf", **more: str) -> Any:
    """Send a file to the page that attaches it."""
    sent = {"file": SimpleUploadedFile(file, content)} | more
    return client.post(reverse("catalogue:document-add", args=[game.pk]), sent)


def content_of(document: Document) -> bytes:
    """What the stored file holds."""
    with document.file.open() as file:
        return bytes(file.read())


def test_a_pdf_is_attached_under_its_own_name(librarian: Client) -> None:
    game = make_game()
    attach(librarian, game, b"%PDF-1.4 ...")
    document = game.documents.get()
    assert (document.name, content_of(document)) == ("Règles.pdf", b"%PDF-1.4 ...")


def test_a_name_that_an_import_left_without_its_file_takes_the_file(librarian: Client) -> None:
    game = make_game()
    records.attach_document(game, "FINCA.pdf")
    attach(librarian, game, b"%PDF-1.4 ...", "x.pdf", name="FINCA.pdf")
    assert game.documents.get().file


@pytest.mark.parametrize(
    ("content", "name", "complaint"),
    [
        (b"MZ\x90", "Règles.pdf", "neither a PDF nor"),
        (b"<svg onload='x'/>", "a.svg", "neither a PDF nor"),
        (b"", "a.pdf", "empty"),
    ],
)
def test_what_is_neither_pdf_nor_image_is_refused(
    librarian: Client, content: bytes, name: str, complaint: str
) -> None:
    game = make_game()
    response = attach(librarian, game, content, name)
    assert response.status_code == 422
    assert complaint in response.content.decode()
    assert not game.documents.exists()


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/a.pdf", "a.pdf"),
        ("..\\b.html", "b.html.pdf"),
        ("...", "document.pdf"),
        ("a\nb\u202e", "ab.pdf"),
    ],
)
def test_a_name_cannot_leave_its_folder_nor_pretend_another_kind(
    librarian: Client, name: str, kept: str
) -> None:
    game = make_game()
    attach(librarian, game, b"%PDF-1.4 ...", "x.pdf", name=name)
    assert game.documents.get().name == kept


def test_a_file_under_a_name_in_use_is_refused_and_the_first_stays(librarian: Client) -> None:
    game = make_game()
    attach(librarian, game, b"%PDF-first")
    assert attach(librarian, game, b"%PDF-second").status_code == 422
    assert content_of(game.documents.get()) == b"%PDF-first"
