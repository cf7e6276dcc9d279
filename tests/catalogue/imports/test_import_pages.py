"""A librarian brings a file, sees what it would change, decides what is doubtful, and takes it all back."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Page, expect

from catalogue import records
from catalogue.draft import PublicationDraft
from catalogue.forms.imports import NAMES
from catalogue.imports import batches, uploads
from catalogue.imports.sniff import Format
from catalogue.models import BatchState, Copy, Game, ImportBatch, ItemKind, ItemState
from tests.catalogue.imports.many import code, notice
from tests.catalogue.imports.samples import NOTICE
from tests.catalogue.imports.test_undo import library
from tests.make import make_copy, make_game, make_user
from tests.pages.browser import PHONE, grave_violations, overflow_px

MANY, DOUBTFUL = 200, 12
WIDE = {"width": 1280, "height": 900}


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def librarian(client: Client) -> Client:
    client.force_login(make_user("librarian"))
    return client


def shelf() -> None:
    """A library that has twelve games of which the file may speak, and one that it corrects."""
    for number in range(DOUBTFUL):
        make_game(f"Autre {number}", identifiers=(code(number),))
    make_game("Jeu 50", publications=(PublicationDraft("Maison 0"),), year=2010, players_min=2)


def send(client: Client, *texts: str, **fields: str) -> ImportBatch:
    """Send files, and let the worker read them."""
    files = [SimpleUploadedFile(f"page-{n}.txt", text.encode()) for n, text in enumerate(texts)]
    answer = client.post("/catalogue/imports/", {"chosen": files} | fields)
    assert answer.status_code == 302, answer.content.decode()
    call_command("imports", "work")
    return ImportBatch.objects.latest("pk")


def do(client: Client, batch: ImportBatch, what: str) -> ImportBatch:
    """Press a button, and let the worker work."""
    assert client.post(f"/catalogue/imports/{batch.pk}/do/", {"do": what}).status_code == 302
    call_command("imports", "work")
    batch.refresh_from_db()
    return batch


def page_of(client: Client, batch: ImportBatch, **query: str) -> str:
    answer = client.get(f"/catalogue/imports/{batch.pk}/", query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.django_db
def test_a_librarian_imports_many_records_decides_the_doubtful_ones_and_undoes_it_all(
    librarian: Client,
) -> None:
    shelf()
    before = library()
    batch = send(librarian, "".join(notice(number) for number in range(MANY)))

    # Beforehand: what it is, and what would change; nothing is written yet.
    assert batch.state == BatchState.PREVIEWED
    assert library() == before
    assert batch.files[0]["records"] == MANY
    assert (batch.files[0]["format"], batch.files[0]["encoding"]) == ("pmb", "UTF-8")
    counts = batches.count(batch)
    assert (counts["new"], counts["changed"], counts["doubtful"]) == (MANY - DOUBTFUL - 1, 1, DOUBTFUL)
    shown = page_of(librarian, batch, kind="changed")
    assert "most players" in shown
    assert "<ins>" in shown

    # Applied: all but the doubtful ones.
    do(librarian, batch, "apply")
    assert batch.state == BatchState.APPLIED
    assert Copy.objects.count() == MANY - DOUBTFUL
    waiting = list(batch.items.filter(state=ItemState.WAITING))
    assert [item.kind for item in waiting] == [ItemKind.DOUBTFUL] * DOUBTFUL

    # Decided: one is the game that is here, one is passed over, the others are new.
    first, second, *others = waiting
    meant = Game.objects.get(title="Autre 0")
    sent = {
        "item": [str(item.pk) for item in waiting],
        f"item-{first.pk}": f"game-{meant.pk}",
        f"item-{second.pk}": "skip",
        "all": "new",
    }
    librarian.post(f"/catalogue/imports/{batch.pk}/decide/", sent)
    assert not batch.items.filter(state=ItemState.WAITING).exists()
    assert meant.copies.count() == 1
    assert Copy.objects.count() == MANY - 1
    assert Game.objects.filter(title="Jeu 2").exists()

    # Taken back: the library is what it was.
    undo = librarian.get(f"/catalogue/imports/{batch.pk}/undo/").content.decode()
    assert f"{MANY - DOUBTFUL - 1 + len(others)} games that it brought would go." in undo
    do(librarian, batch, "undo")
    assert batch.state == BatchState.UNDONE
    assert library() == before


@pytest.mark.django_db
def test_what_an_import_wrote_itself_was_not_worked_on_since(librarian: Client) -> None:
    batch = do(librarian, send(librarian, NOTICE), "apply")
    shown = librarian.get(f"/catalogue/imports/{batch.pk}/undo/").content.decode()
    assert "1 game that it brought would go." in shown
    assert "0 record" not in shown
    assert "worked on since" not in shown


@pytest.mark.django_db
def test_a_record_that_was_here_is_counted_once_before_and_after_it_is_applied(librarian: Client) -> None:
    do(librarian, send(librarian, NOTICE), "apply")
    again = send(librarian, NOTICE)
    read = batches.count(again)["unchanged"]
    assert read == again.items.count() == 1
    assert batches.count(do(librarian, again, "apply"))["unchanged"] == read


@pytest.mark.django_db
def test_an_undo_is_not_said_in_the_words_of_a_return(librarian: Client) -> None:
    batch = do(librarian, send(librarian, NOTICE), "apply")
    librarian.cookies["django_language"] = "fr"
    shown = librarian.get(f"/catalogue/imports/{batch.pk}/undo/").content.decode()
    assert "retour" not in shown
    assert ">Défaire</button>" in shown


@pytest.mark.django_db
def test_the_page_of_an_undo_says_what_would_stay(librarian: Client) -> None:
    batch = do(librarian, send(librarian, NOTICE), "apply")
    game = Game.objects.get()
    records.add_copy(game, records.describe_copy(make_copy()).__class__(barcode="77777"))
    shown = librarian.get(f"/catalogue/imports/{batch.pk}/undo/").content.decode()
    assert "1 record was worked on since" in shown
    assert "somebody has changed it since" in shown
    do(librarian, batch, "undo")
    assert Game.objects.filter(pk=game.pk).exists()
    assert "somebody has changed it since" in page_of(librarian, batch)


@pytest.mark.django_db
def test_problems_say_where_why_and_what_to_do_on_the_page_and_as_a_table(librarian: Client) -> None:
    make_copy(make_game("Halma"), "100003")
    batch = send(librarian, notice(3), '{"a": 1}')
    shown = page_of(librarian, batch, kind="problem")
    assert "A box of another game carries this barcode" in shown
    assert "This is no format that can be read" in shown
    answer = librarian.get(f"/catalogue/imports/{batch.pk}/problems.csv")
    lines = b"".join(answer).decode("utf-8-sig").splitlines()
    assert lines[0] == "File,Place,What,Reason,Remedy,Source"
    assert lines[1].startswith("page-0.txt,line 1,100003: Halma,A box of another game")


@pytest.mark.django_db
def test_a_cell_of_the_table_is_never_a_formula(librarian: Client) -> None:
    batch = send(librarian, '=HYPERLINK("x");b\n1;2\n3;4\n')
    answer = librarian.get(f"/catalogue/imports/{batch.pk}/problems.csv")
    assert ",=HYPER" not in b"".join(answer).decode()


@pytest.mark.django_db
def test_a_decision_before_applying_is_part_of_the_preview(librarian: Client) -> None:
    game = make_game("Autre", identifiers=(code(1),))
    batch = send(librarian, notice(1))
    [item] = batch.items.all()
    librarian.post(
        f"/catalogue/imports/{batch.pk}/decide/", {"item": item.pk, f"other-{item.pk}": f"#{game.pk}"}
    )
    assert not game.copies.exists()
    do(librarian, batch, "apply")
    assert game.copies.count() == 1


@pytest.mark.django_db
def test_words_that_name_no_game_are_told_and_decide_nothing(librarian: Client) -> None:
    make_game("Autre", identifiers=(code(1),))
    batch = send(librarian, notice(1))
    [item] = batch.items.all()
    sent = {"item": item.pk, f"other-{item.pk}": "no such game"}
    answer = librarian.post(f"/catalogue/imports/{batch.pk}/decide/", sent, follow=True)
    assert "names no game, or several" in answer.content.decode()
    item.refresh_from_db()
    assert item.decision == ""


@pytest.mark.django_db
def test_what_is_sent_is_kept_where_nobody_is_served(librarian: Client) -> None:
    batch = send(librarian, NOTICE)
    path = Path(batch.files[0]["path"])
    assert path.read_text() == NOTICE
    assert path.is_relative_to(uploads.folder())
    assert path.stat().st_mode & 0o077 == 0
    librarian.post(f"/catalogue/imports/{batch.pk}/do/", {"do": "remove"})
    assert not path.exists()
    assert not ImportBatch.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a\\b\\c.txt", "x" * 400 + ".txt", "\x00", "..", "é" * 200]
)
def test_a_name_that_was_sent_leads_nowhere(name: str) -> None:
    safe = uploads.safe_name(name)
    assert safe
    assert "/" not in safe
    assert safe not in {".", ".."}
    assert len(safe.encode()) <= uploads.LONGEST_NAME


def test_every_format_has_a_name_for_people() -> None:
    assert set(NAMES) == set(Format)


@pytest.mark.django_db
def test_no_file_is_told_and_nothing_is_begun(librarian: Client) -> None:
    answer = librarian.post("/catalogue/imports/", {"language": "Klingonish"})
    assert answer.status_code == 422
    assert "Choose a file first." in answer.content.decode()
    assert "is no language we know" in answer.content.decode()
    assert not ImportBatch.objects.exists()


@pytest.mark.django_db
def test_an_import_that_brought_something_cannot_be_removed_from_the_list(librarian: Client) -> None:
    batch = do(librarian, send(librarian, NOTICE), "apply")
    answer = librarian.post(f"/catalogue/imports/{batch.pk}/do/", {"do": "remove"}, follow=True)
    assert "That cannot be done now" in answer.content.decode()
    assert ImportBatch.objects.filter(pk=batch.pk).exists()


@pytest.mark.django_db
def test_nonsense_in_the_address_is_no_error(librarian: Client) -> None:
    batch = send(librarian, NOTICE)
    assert page_of(librarian, batch, kind="x\x00", page="-7")
    assert librarian.get("/catalogue/imports/999999/").status_code == 404
    answer = librarian.post(f"/catalogue/imports/{batch.pk}/decide/", {"item": ["x", "9" * 30]})
    assert answer.status_code == 302


@pytest.mark.browser
@pytest.mark.xdist_group("browser")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_pages_in_a_browser(page: Page, tmp_path: Path, size: dict[str, int]) -> None:
    make_user("librarian", "lise")
    shelf()
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto("/accounts/login/?next=/catalogue/imports/")
    page.fill("input[name=username]", "lise")
    page.fill("input[name=password]", "secret")
    page.click("main button[type=submit], main .button--primary")
    path = tmp_path / "page.txt"
    path.write_text("".join(notice(number) for number in range(60)))
    page.set_input_files("input[type=file]", str(path))
    page.get_by_role("button", name="Read the files").click()
    expect(page.get_by_text("Waiting for its turn")).to_be_visible()
    assert_fine(page, tmp_path, "waiting")
    call_command("imports", "work")
    expect(page.get_by_role("heading", name="What it would change")).to_be_visible()
    expect(page.get_by_text("It is a new game").first).to_be_visible()
    assert_fine(page, tmp_path, "doubtful")
    for kind in ("changed", "new", "problem"):
        page.locator(f".chip[href='?kind={kind}']").click()
        assert_fine(page, tmp_path, kind)
    page.get_by_role("button", name="Apply").click()
    call_command("imports", "work")
    expect(page.get_by_role("heading", name="Its records")).to_be_visible()
    page.get_by_label("Pass it over").first.check()
    page.get_by_role("button", name="Save what was chosen").click()
    expect(page.get_by_text("1 record decided.")).to_be_visible()
    game = Game.objects.get(title="Jeu 50")
    records.update_game(game, type(records.describe(game))(title="Jeu cinquante"))
    page.get_by_role("link", name="Take it back").click()
    expect(page.get_by_role("heading", name="Take this import back?")).to_be_visible()
    assert_fine(page, tmp_path, "undo")
    page.get_by_role("button", name="Take it back").click()
    call_command("imports", "work")
    expect(page.get_by_text("undone", exact=True).first).to_be_visible()
    page.locator(".chip[href='?kind=changed']").click()
    assert_fine(page, tmp_path, "undone")
    page.goto("/catalogue/imports/")
    assert_fine(page, tmp_path, "home")


def assert_fine(page: Page, folder: Path, name: str) -> None:
    """Nothing juts out, nothing shuts anybody out; with a picture to look at."""
    page.screenshot(path=folder / f"{name}.png", full_page=True)
    assert overflow_px(page) == 0
    assert grave_violations(page) == []
