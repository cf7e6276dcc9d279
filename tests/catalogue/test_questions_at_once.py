"""Two readers, two librarians at the same moment: nothing stands twice and nothing is lost."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from catalogue import questions
from catalogue.models import AskedQuestion, Asking, RulesText
from catalogue.questions import AnswerDraft, QuestionDraft
from catalogue.records import ChangedMeanwhile
from tests.make import NOON, make_game

pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = 4


def at_once(act: Callable[[int], Any]) -> list[Any]:
    """What `act` gave to each of several threads that begin together; a refusal counts as an answer."""
    line = Barrier(AT_ONCE)

    def run(number: int) -> Any:
        try:
            line.wait()
            return act(number)
        except ChangedMeanwhile as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(run, range(AT_ONCE)))


def answer(question: AskedQuestion, text: str, seen: str) -> Any:
    draft = AnswerDraft(question.text, text, "fr", is_published=True)
    return questions.answer(question, draft, seen=seen, author="Rosa", now=NOON)


def test_one_question_asked_by_many_at_once_stands_once() -> None:
    game = make_game()
    ids = at_once(
        lambda n: questions.ask(QuestionDraft("Et la pluie ?", "fr", game, source=str(n)), now=NOON).pk
    )
    assert len(set(ids)) == AskedQuestion.objects.count() == 1
    assert Asking.objects.count() == AT_ONCE


def test_of_many_librarians_who_answer_one_question_at_once_one_is_heard_and_the_others_are_told() -> None:
    question = questions.ask(QuestionDraft("Et la pluie ?", "fr", make_game()), now=NOON)
    seen = questions.mark(question)
    given = at_once(lambda n: answer(question, f"Réponse {n}", seen))
    refused = [g for g in given if isinstance(g, ChangedMeanwhile)]
    assert len(refused) == AT_ONCE - 1
    assert question.answers.count() == 1
    current = RulesText.objects.get().current
    assert current is not None
    assert current.body.endswith(question.answers.get().text)


def test_answers_to_several_questions_of_one_game_at_once_all_stand_in_one_faq() -> None:
    game = make_game()
    asked = [questions.ask(QuestionDraft(f"Question {n} ?", "fr", game), now=NOON) for n in range(AT_ONCE)]
    seen = [questions.mark(q) for q in asked]
    at_once(lambda n: answer(asked[n], f"Réponse {n}", seen[n]))
    current = RulesText.objects.get().current
    assert current is not None
    assert all(f"## Question {n} ?\n\nRéponse {n}" in current.body for n in range(AT_ONCE))
