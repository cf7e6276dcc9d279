"""From a question that the texts leave open to its answer in the first place: reader, librarian, reader."""

import re

import pytest
from playwright.sync_api import Page, expect

from catalogue import questions
from catalogue.models import AsideReason, AskedQuestion
from catalogue.questions import AnswerDraft, QuestionDraft
from tests.make import NOON, make_user
from tests.pages.browser import NARROWEST, PHONE, grave_violations, overflow_px
from tests.pages.library import indexed_finca
from tests.pages.test_accessibility import every_window

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
QUESTION = "Peut-on empiler deux ânes ?"
ANSWER = "Non : un seul âne par ferme."
both_ways = pytest.mark.parametrize(
    "window", [{}, {"java_script_enabled": False, "viewport": PHONE}], ids=["scripts", "none"], indirect=True
)


def sign_in(page: Page, then: str) -> None:
    page.goto(f"/accounts/login/?next={then}")
    page.get_by_label("Username").fill(make_user("librarian").username)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


@both_ways
def test_a_question_is_asked_answered_and_then_found_in_the_first_place(page: Page) -> None:
    game = indexed_finca()
    page.goto(f"/?q=Peut-on+empiler+deux+%C3%A2nes+%3F&game={game.pk}")
    page.get_by_role("link", name="Ask the librarian", exact=True).first.click()
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)
    expect(page.get_by_label("Finca")).to_be_checked()
    page.get_by_label("Language of the answer").select_option("fr")
    page.get_by_role("button", name="Send the question").click()
    expect(page.get_by_role("heading", name="Waiting for a librarian")).to_be_visible()
    own_page = page.url

    sign_in(page, "/catalogue/questions/")
    page.get_by_role("link", name=QUESTION).click()
    page.get_by_role("textbox", name="Answer", exact=True).fill(ANSWER)
    expect(page.get_by_label("Publish as an entry of the game's FAQ")).to_be_checked()
    page.get_by_role("button", name="Save the answer").click()
    expect(page.get_by_role("status").get_by_text("The answer is published.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()

    page.goto(own_page)
    expect(page.get_by_text(ANSWER)).to_be_visible()
    page.goto("/?q=finca+empiler+deux+anes")
    first = page.locator(".passage").first
    expect(first).to_contain_text(ANSWER)
    first.get_by_role("link", name=QUESTION).click()
    expect(page).to_have_url(re.compile(r"/rules/\d+/.*#peut-on-empiler-deux-anes$"))
    expect(page.get_by_text(ANSWER)).to_be_in_viewport()


def test_what_was_typed_survives_the_loss_of_every_cookie(page: Page) -> None:
    game = indexed_finca()
    page.goto(f"/ask/?game={game.pk}")
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_label("E-mail").fill("lea@example.org")
    page.context.clear_cookies()
    page.get_by_role("button", name="Send the question").click()
    expect(page.get_by_label("Your question")).to_have_value(QUESTION)
    expect(page.get_by_label("E-mail")).to_have_value("lea@example.org")
    page.get_by_role("button", name="Send the question").click()
    expect(page.get_by_role("heading", name="Waiting for a librarian")).to_be_visible()


def test_the_form_is_filled_in_by_keyboard_alone_and_its_trap_is_never_met(page: Page) -> None:
    indexed_finca()
    page.goto("/ask/")
    page.get_by_label("Your question").focus()
    page.keyboard.type(QUESTION)
    for _step in range(4):
        page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Send the question")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Waiting for a librarian")).to_be_visible()


def several_questions() -> list[AskedQuestion]:
    """One that waits, one answered with a citation, one set aside; of a game with rules."""
    game = indexed_finca()
    rules = game.rules_texts.get(language="fr")
    waiting, done, aside = (
        questions.ask(QuestionDraft(text, "fr", game, contact="lea@example.org"), now=NOON)
        for text in ("À égalité de fruits, qui gagne ?", "Qui commence ?", "Donaudampfschifffahrt" * 6)
    )
    draft = AnswerDraft(
        wording="Qui commence ?",
        text="Le plus jeune.\n\n- puis à gauche",
        language="fr",
        cited_text_id=rules.pk,
        cited_anchor="egalite",
        is_published=True,
    )
    questions.answer(done, draft, seen=questions.mark(done), author="Rosa", now=NOON)
    seen = questions.mark(aside)
    questions.set_aside(aside, AsideReason.SPAM, seen=seen, author="Rosa", now=NOON)
    return [waiting, done, aside]


def pages_of(several: list[AskedQuestion]) -> list[str]:
    found = [f"/asked/{q.token}/" for q in several]
    found += [f"/catalogue/questions/{q.pk}/" for q in several]
    found += [f"/catalogue/questions/?state={state}" for state in ("open", "answered", "set_aside")]
    return ["/ask/", f"/ask/?q=Qui&game={several[0].game_id}", *found]


@every_window
def test_the_pages_of_questions_have_no_grave_barrier(page: Page) -> None:
    several = several_questions()
    sign_in(page, "/catalogue/questions/")
    page.get_by_role("heading", name="Questions of readers").wait_for()
    found = []
    for path in pages_of(several):
        page.goto(path)
        found += [f"{path} {violation}" for violation in grave_violations(page)]
    page.goto("/ask/")
    page.get_by_role("button", name="Send the question").click()
    page.get_by_role("alert").wait_for()
    found += grave_violations(page)
    assert found == []


@pytest.mark.parametrize(
    "window", [{"viewport": PHONE}, {"viewport": NARROWEST}], indirect=True, ids=["390px", "320px"]
)
def test_no_page_of_questions_is_wider_than_a_phone(page: Page) -> None:
    several = several_questions()
    sign_in(page, "/catalogue/questions/")
    page.get_by_role("heading", name="Questions of readers").wait_for()
    wide = []
    for path in pages_of(several):
        page.goto(path)
        if overflow_px(page) > 0:
            wide.append(path)
    assert wide == []
