"""The librarians' pages for questions of readers: the list, the answer, two at once, setting aside."""

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from catalogue import questions, records
from catalogue.draft import RevisionDraft
from catalogue.models import AskedQuestion, Asking, Game, RulesText
from catalogue.questions import AnswerDraft, QuestionDraft
from search import sync
from search.find import find_passages
from tests.make import NOON, make_game, make_rules, make_user

pytestmark = pytest.mark.django_db

RAIN = "Que se passe-t-il s'il pleut ?"


@pytest.fixture
def librarian(client: Client) -> Client:
    """A browser in which a librarian is signed in, in English."""
    client.force_login(make_user("librarian", "rosa"))
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def game() -> Game:
    return make_game()


def asked(game: Game | None = None, text: str = RAIN, **more: Any) -> AskedQuestion:
    return questions.ask(QuestionDraft(text, "fr", game, **more), now=NOON)


def page_of(question: AskedQuestion) -> str:
    return reverse("questions:edit", args=[question.pk])


def form(question: AskedQuestion, **typed: Any) -> dict[str, Any]:
    """What the page of a question sends back, with the answer typed in."""
    question.refresh_from_db()
    return {
        "seen": questions.mark(question),
        "wording": question.text,
        "text": "On joue dedans.",
        "language": "fr",
        "cite": "",
        "cite_address": "",
        "is_published": "on",
    } | typed


def said(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


# --- who may come ------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["", "desk"])
def test_others_are_refused(client: Client, game: Game, role: str) -> None:
    question = asked(game, contact="lea@example.org")
    client.force_login(make_user(role))
    assert client.get(reverse("questions:home")).status_code == 403
    assert client.post(page_of(question), form(question)).status_code == 403
    assert not question.answers.exists()


def test_the_staff_see_in_every_head_how_many_questions_wait(librarian: Client, game: Game) -> None:
    asked(game)
    asked(game, "Et la neige ?")
    link = 'href="/catalogue/questions/">Questions <span class="badge badge--warn">2</span>'
    assert link in librarian.get("/").content.decode()
    assert "/catalogue/questions/" not in Client().get("/").content.decode()


def test_an_answer_sent_after_the_session_has_ended_is_kept_through_signing_in(
    client: Client, game: Game
) -> None:
    make_user("librarian", "rosa")
    question = asked(game)
    refused = client.post(page_of(question), form(question))
    assert refused.status_code == 403
    kept = dict(refused.context["kept"])
    client.post(page_of(question), kept | {"sign-in-username": "rosa", "sign-in-password": "secret"})
    assert question.answers.get().text == "On joue dedans."


# --- the list ----------------------------------------------------------------------------------


def test_questions_stand_in_lists_by_state(librarian: Client, game: Game) -> None:
    waiting, done, spam = asked(game), asked(game, "Et la neige ?"), asked(game, "Acheter ?")
    librarian.post(page_of(done), form(done))
    aside = {"seen": questions.mark(spam), "reason": "spam"}
    librarian.post(reverse("questions:set-aside", args=[spam.pk]), aside)
    for state, question in (
        ("open", waiting),
        ("answered", done),
        ("set_aside", spam),
        ("nonsense", waiting),
    ):
        page = librarian.get(reverse("questions:home"), {"state": state})
        assert list(page.context["questions"]) == [question]


def test_what_many_ask_says_how_often(librarian: Client, game: Game) -> None:
    for source in "abc":
        asked(game, source=source)
    assert "3 times" in librarian.get(reverse("questions:home")).content.decode()


# --- answering ---------------------------------------------------------------------------------


def test_the_page_shows_the_passages_that_are_nearest(librarian: Client, game: Game) -> None:
    text = make_rules(game, "## Pluie\nS'il pleut, on range les tuiles.\n\n## Fin\nAprès six tours.")
    sync.sync()
    page = librarian.get(page_of(asked(game)))
    assert page.context["nearest"][0][0] == f"{text.pk}#pluie"
    assert "on range les tuiles" in page.content.decode()


def test_an_answer_is_published_unless_said_otherwise_and_found_at_once(
    librarian: Client, game: Game, django_capture_on_commit_callbacks: Any
) -> None:
    make_rules(game, "## Fin\nLa partie finit après six tours, et tous comptent leurs points.")
    sync.rebuild()
    question = asked(game, "Peut-on empiler deux ânes ?")
    assert librarian.get(page_of(question)).context["form"]["is_published"].value() is True
    assert find_passages("empiler ânes", game_id=game.pk, reader_language="fr").no_answer
    with django_capture_on_commit_callbacks(execute=True):
        response = librarian.post(page_of(question), form(question, text="Non : un âne par ferme."))
    assert said(response) == ["The answer is published."]
    first = find_passages("empiler ânes", game_id=game.pk, reader_language="fr").hits[0]
    assert (first.kind, first.anchor) == ("faq", "peut-on-empiler-deux-anes")
    assert "Non : un âne par ferme." in first.body


def test_each_of_many_short_answers_is_found_under_its_own_question(librarian: Client, game: Game) -> None:
    told = {
        "Peut-on empiler deux ânes ?": ("Non : un âne par ferme.", "empiler ânes"),
        "Les citrons comptent-ils double ?": ("Oui, en fin de partie.", "citrons double"),
        "Qui mélange les tuiles ?": ("Le plus jeune.", "qui mélange tuiles"),
    }
    for text, (answer, _words) in told.items():
        question = asked(game, text)
        librarian.post(page_of(question), form(question, text=answer))
    sync.sync()
    for text, (answer, words) in told.items():
        first = find_passages(words, game_id=game.pk, reader_language="fr").hits[0]
        assert (first.kind, first.path) == ("faq", (text,))
        assert answer in first.body


def test_saving_is_signed_with_the_name_of_the_librarian(librarian: Client, game: Game) -> None:
    question = asked(game)
    librarian.post(page_of(question), form(question))
    assert question.answers.get().author == "rosa"
    assert RulesText.objects.get().revisions.get().author == "rosa"


def test_the_page_of_an_answered_question_holds_its_answer(librarian: Client, game: Game) -> None:
    rules = make_rules(game, "## Fin\nOui.")
    question = asked(game)
    librarian.post(
        page_of(question), form(question, wording="Et s'il pleut ?", cite_address=f"/rules/{rules.pk}/#fin")
    )
    shown = librarian.get(page_of(question)).context["form"]
    assert shown["wording"].value() == "Et s'il pleut ?"
    assert shown["text"].value() == "On joue dedans."
    assert shown["cite_address"].value() == f"/rules/{rules.pk}/#fin"
    assert shown["is_published"].value() is True


def test_a_passage_is_cited_by_a_click(librarian: Client, game: Game) -> None:
    text = make_rules(game, "## Pluie\nS'il pleut, on range les tuiles.")
    sync.sync()
    question = asked(game)
    librarian.post(page_of(question), form(question, cite=f"{text.pk}#pluie"))
    given = question.answers.get()
    assert (given.cited_text, given.cited_anchor) == (text, "pluie")


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"text": " "}, "text"),
        ({"wording": ""}, "wording"),
        ({"language": "no language"}, "language"),
        ({"cite_address": "/rules/99999/#fin"}, "cite_address"),
        ({"cite_address": "https://elsewhere.example/#fin"}, "cite_address"),
        ({"cite": "1#nowhere"}, "cite"),
        ({"text": "a\0b"}, "text"),
    ],
)
def test_what_cannot_be_saved_is_named_and_kept(
    librarian: Client, game: Game, typed: dict[str, str], field: str
) -> None:
    question = asked(game)
    answer = librarian.post(page_of(question), form(question, **typed))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert answer.context["form"]["text"].value() == form(question, **typed)["text"]
    assert not question.answers.exists()


def test_a_question_without_a_game_gets_one_or_is_not_published(librarian: Client, game: Game) -> None:
    sync.sync()
    question = asked()
    assert librarian.get(page_of(question)).context["form"]["is_published"].value() is False
    refused = librarian.post(page_of(question), form(question))
    assert list(refused.context["form"].errors) == ["title"]
    librarian.post(page_of(question), form(question, title="finca"))
    question.refresh_from_db()
    assert question.game == game
    assert RulesText.objects.get(game=game).kind == "faq"


def test_a_question_without_a_game_is_answered_without_publishing(librarian: Client) -> None:
    question = asked()
    typed = form(question)
    del typed["is_published"]
    assert said(librarian.post(page_of(question), typed)) == ["The answer is saved."]
    assert not RulesText.objects.exists()


def test_a_game_that_was_asked_the_same_already_is_told(librarian: Client, game: Game) -> None:
    sync.sync()
    first, question = asked(game), asked()
    answer = librarian.post(page_of(question), form(question, title="finca"))
    assert answer.status_code == 409
    assert f'href="{page_of(first)}"' in answer.content.decode()


# --- two librarians ----------------------------------------------------------------------------


def test_the_second_librarian_is_told_and_loses_nothing(librarian: Client, game: Game) -> None:
    question = asked(game)
    mine = form(question, text="Oui.")
    librarian.post(page_of(question), form(question, text="Non."))
    answer = librarian.post(page_of(question), mine)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Someone else has answered" in page
    assert answer.context["meanwhile"].text == "Non."
    assert answer.context["form"]["text"].value() == "Oui."
    librarian.post(page_of(question), mine | {"seen": answer.context["seen"]})
    assert [a.text for a in question.answers.all()] == ["Non.", "Oui."]


def test_a_correction_in_the_faq_itself_is_shown_before_it_is_overwritten(
    librarian: Client, game: Game
) -> None:
    question = asked(game)
    librarian.post(page_of(question), form(question, text="Non."))
    mine = form(question, text="Oui.")
    text = RulesText.objects.get(game=game)
    records.add_revisions(text, [RevisionDraft(f"## {RAIN}\n\nPeut-être.")])
    answer = librarian.post(page_of(question), mine)
    assert answer.status_code == 409
    assert answer.context["meanwhile"].text == "Peut-être."


# --- setting aside, telling --------------------------------------------------------------------


def test_a_question_set_aside_comes_back_to_the_list(librarian: Client, game: Game) -> None:
    question = asked(game)
    aside = {"seen": questions.mark(question), "reason": "unclear"}
    librarian.post(reverse("questions:set-aside", args=[question.pk]), aside)
    question.refresh_from_db()
    librarian.post(reverse("questions:reopen", args=[question.pk]), {"seen": questions.mark(question)})
    question.refresh_from_db()
    assert question.state == "open"


def test_who_asked_a_duplicate_finds_the_answer_of_the_other(librarian: Client, game: Game) -> None:
    first, second = asked(game), asked(game, "Pluie : et alors ?")
    draft = AnswerDraft(RAIN, "On joue dedans.", "fr")
    questions.answer(first, draft, seen=questions.mark(first), author="Rosa", now=NOON)
    aside = {"seen": questions.mark(second), "reason": "duplicate", "same_as": first.pk}
    librarian.post(reverse("questions:set-aside", args=[second.pk]), aside)
    assert "On joue dedans." in Client().get(reverse("asked", args=[second.token])).content.decode()


def test_setting_aside_what_was_answered_meanwhile_is_refused(librarian: Client, game: Game) -> None:
    question = asked(game)
    seen = questions.mark(question)
    librarian.post(page_of(question), form(question))
    librarian.post(reverse("questions:set-aside", args=[question.pk]), {"seen": seen, "reason": "spam"})
    question.refresh_from_db()
    assert question.state == "answered"


def test_those_who_were_told_are_forgotten_by_a_click(librarian: Client, game: Game) -> None:
    question = asked(game, name="Léa", contact="lea@example.org")
    assert "mailto:lea@example.org" in librarian.get(page_of(question)).content.decode()
    librarian.post(reverse("questions:forget", args=[question.pk]))
    assert Asking.objects.get().contact == ""
    assert "mailto:" not in librarian.get(page_of(question)).content.decode()
