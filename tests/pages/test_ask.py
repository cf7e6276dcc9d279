"""Asking a librarian: what the form keeps, what it refuses, and the page on which the answer stands."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from catalogue import questions
from catalogue.models import AskedQuestion, Asking, Game
from catalogue.questions import AnswerDraft
from search import sync
from tests.make import NOON, make_copy, make_game, make_member, make_rules, make_user

pytestmark = pytest.mark.django_db

RAIN = "Que se passe-t-il s'il pleut ?"


@pytest.fixture
def reader(client: Client) -> Client:
    """A visitor's browser, in English."""
    client.cookies["django_language"] = "en"
    return client


def form(**typed: Any) -> dict[str, Any]:
    """What the form sends, filled in as little as may be."""
    return {"text": RAIN, "title": "", "language": "fr", "contact": "", "website": ""} | typed


def send(reader: Client, **typed: Any) -> Any:
    return reader.post(reverse("ask"), form(**typed))


def text_of(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


# --- the way to the form -----------------------------------------------------------------------


def test_where_the_texts_are_silent_the_form_has_the_question_and_the_game_in_it(reader: Client) -> None:
    game = make_game()
    make_rules(game, "## Fin\nLa partie finit avec la dernière maison.")
    sync.rebuild()
    page = reader.get("/", {"q": "zzzq wwwv", "game": str(game.pk)})
    # Above the nearest passages and below them, and to the same form.
    (address,) = set(re.findall(r'href="(/ask/[^"]*)"', page.content.decode()))
    form_page = reader.get(address.replace("&amp;", "&"))
    assert form_page.context["form"]["text"].value() == "zzzq wwwv"
    assert form_page.context["form"].chosen == game


def test_under_passages_and_beside_a_text_there_is_a_quiet_way_to_ask(reader: Client) -> None:
    game = make_game()
    text = make_rules(game, "## Fin\nLa partie finit avec la dernière maison.")
    sync.rebuild()
    found = reader.get("/", {"q": "finca dernière maison"})
    assert f"/ask/?q=finca%20derni%C3%A8re%20maison&amp;game={game.pk}" in found.content.decode()
    assert (
        f"/ask/?q=&amp;game={game.pk}" in reader.get(reverse("rules-text", args=[text.pk])).content.decode()
    )


@pytest.mark.parametrize("query", ["?game=x", "?game=99999999999999999999", "?q=" + "a" * 5000, "?q=%00", ""])
def test_any_address_of_the_form_opens_it(reader: Client, query: str) -> None:
    assert reader.get(reverse("ask") + query).status_code == 200


# --- sending -----------------------------------------------------------------------------------


def test_a_question_sent_leads_to_a_page_of_its_own_that_waits(reader: Client) -> None:
    game = make_game()
    answer = reader.post(reverse("ask"), form(game=game.pk), follow=True)
    question = AskedQuestion.objects.get()
    assert answer.request["PATH_INFO"] == reverse("asked", args=[question.token])
    assert (question.text, question.game, question.language) == (RAIN, game, "fr")
    assert "Waiting for a librarian" in text_of(answer)
    assert RAIN.replace("'", "&#x27;") in text_of(answer)
    assert answer["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex">' in answer.content.decode()


def test_the_answer_stands_on_that_page(reader: Client) -> None:
    game = make_game()
    rules = make_rules(game, "## Fin\nOui.\n\n### Égalité\nOn partage.")
    send(reader, game=game.pk)
    question = AskedQuestion.objects.get()
    draft = AnswerDraft(
        "Et s'il pleut ?",
        "On joue *dedans*.\n\n- tous",
        "fr",
        cited_text_id=rules.pk,
        cited_anchor="egalite",
        is_published=True,
    )
    questions.answer(question, draft, seen=questions.mark(question), author="Rosa", now=NOON)
    page = reader.get(reverse("asked", args=[question.token])).content.decode()
    assert "On joue <em>dedans</em>." in page
    assert f'href="/rules/{rules.pk}/#egalite"' in page
    question.refresh_from_db()
    assert f'href="/rules/{question.entry_text_id}/#et-s-il-pleut"' in page
    assert "Waiting" not in page


def test_asking_again_what_was_answered_shows_the_answer_at_once(reader: Client) -> None:
    send(reader)
    question = AskedQuestion.objects.get()
    draft = AnswerDraft(RAIN, "On joue dedans.", "fr")
    questions.answer(question, draft, seen=questions.mark(question), author="Rosa", now=NOON)
    again = reader.post(reverse("ask"), form(text=RAIN.upper()), follow=True)
    assert "On joue dedans." in text_of(again)


def test_an_address_that_nobody_was_given_leads_nowhere(reader: Client) -> None:
    assert reader.get(reverse("asked", args=["guess"])).status_code == 404


def test_the_page_says_nothing_of_who_asked(reader: Client) -> None:
    send(reader, contact="lea@example.org")
    question = AskedQuestion.objects.get()
    assert "lea@" not in Client().get(reverse("asked", args=[question.token])).content.decode()


def test_a_member_who_is_signed_in_is_known_by_name(reader: Client) -> None:
    member = make_member("Camille Martin")
    user = make_user(username="camille")
    type(member).objects.filter(pk=member.pk).update(user=user)
    reader.force_login(user)
    assert "Camille Martin" in text_of(reader.get(reverse("ask")))
    send(reader)
    assert Asking.objects.get().name == "Camille Martin"


def test_a_visitor_leaves_no_address_that_could_be_read(reader: Client) -> None:
    send(reader)
    asking = Asking.objects.get()
    assert (asking.name, asking.contact) == ("", "")
    assert "127.0.0.1" not in asking.source
    assert len(asking.source) == 64


# --- what cannot be sent is kept ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "?!"}, "text"),
        ({"text": "a" * 601}, "text"),
        ({"text": "a\0b"}, "text"),
        ({"language": "xx"}, "language"),
        ({"contact": "lea@"}, "contact"),
        ({"contact": "Léa"}, "contact"),
        ({"title": "Nothing like it"}, "title"),
        ({"game": "99"}, "game"),
        ({"website": "https://spam.example"}, "__all__"),
    ],
)
def test_what_cannot_be_sent_is_named_and_kept(reader: Client, typed: dict[str, str], field: str) -> None:
    answer = send(reader, **typed)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert answer.context["form"]["text"].value() == form(**typed)["text"]
    assert not AskedQuestion.objects.exists()


def test_the_trap_for_programs_is_empty_again_for_a_person(reader: Client) -> None:
    page = send(reader, website="https://spam.example").content.decode()
    assert "spam.example" not in page
    assert "please send it once more" in page


def test_too_many_questions_are_stopped_and_the_text_is_kept(reader: Client) -> None:
    for number in range(questions.MOST_AN_HOUR):
        assert send(reader, text=f"Question {number} ?").status_code == 302
    answer = send(reader, text="Encore une ?")
    assert answer.status_code == 429
    assert answer.context["form"]["text"].value() == "Encore une ?"
    assert reader.post(reverse("ask"), form(), REMOTE_ADDR="192.0.2.7").status_code == 302


def test_behind_a_proxy_visitors_are_told_apart_by_what_the_proxy_itself_says(
    reader: Client, settings: Any
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for forwarded in ("192.0.2.7", "192.0.2.8", "made up, 192.0.2.8"):
        headers = {"x-forwarded-proto": "https", "x-forwarded-for": forwarded}
        reader.post(reverse("ask"), form(), headers=headers)
    assert len(set(Asking.objects.values_list("source", flat=True))) == 2


def test_a_form_without_a_good_token_comes_back_as_it_was_typed() -> None:
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    answer = strict.post(reverse("ask"), form(contact="lea@example.org"))
    assert answer.status_code == 403
    assert answer.context["form"]["text"].value() == RAIN
    assert answer.context["form"]["contact"].value() == "lea@example.org"
    assert not AskedQuestion.objects.exists()
    token = answer.context["csrf_token"]
    assert strict.post(reverse("ask"), form(csrfmiddlewaretoken=str(token))).status_code == 302


def test_a_staff_form_without_a_good_token_is_not_shown_again() -> None:
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    answer = strict.post(reverse("catalogue:game-add"), {"title": "From elsewhere"})
    assert answer.status_code == 403
    assert "From elsewhere" not in answer.content.decode()


# --- which game --------------------------------------------------------------------------------


@pytest.fixture
def two() -> tuple[Game, Game]:
    """Two games whose titles have a word in common."""
    games = make_game("Le verger"), make_game("Le petit verger", alternative_titles=("Obstgärtchen",))
    make_copy(games[1], "04127")
    sync.rebuild()
    return games


@pytest.mark.parametrize("typed", ["le petit  VERGER", "Obstgartchen", "04127"])
def test_a_game_that_is_sure_is_taken(reader: Client, two: tuple[Game, Game], typed: str) -> None:
    assert send(reader, title=typed).status_code == 302
    assert AskedQuestion.objects.get().game == two[1]


def test_of_several_games_the_reader_chooses(reader: Client, two: tuple[Game, Game]) -> None:
    asked = send(reader, title="verger")
    assert asked.status_code == 422
    assert set(asked.context["form"].offered) == set(two)
    assert send(reader, title="verger", offered_for="verger", game=two[1].pk).status_code == 302
    assert AskedQuestion.objects.get().game == two[1]


def test_of_several_games_none_may_be_meant(reader: Client, two: tuple[Game, Game]) -> None:
    assert send(reader, title="verger", offered_for="verger", game="").status_code == 302
    assert AskedQuestion.objects.get().game is None


def test_another_game_that_is_typed_counts_more_than_the_one_of_the_page(
    reader: Client, two: tuple[Game, Game]
) -> None:
    finca = make_game()
    send(reader, title="le verger", offered_for="", game=finca.pk)
    assert AskedQuestion.objects.get().game == two[0]


def test_a_game_of_the_page_can_be_left(reader: Client) -> None:
    make_game()
    send(reader, offered_for="", game="")
    assert AskedQuestion.objects.get().game is None
