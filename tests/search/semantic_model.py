"""The real sentence model. Not part of the default run, which needs no extra: `make test-semantic`."""

import socket
import threading
from pathlib import Path

import numpy
import pytest

from search.sentences import UniversalSentences

QUESTIONS = {
    "fr": "Que se passe-t-il quand il n'y a plus de figues ?",
    "es": "¿Qué pasa cuando se acaban los higos?",
    "en": "What if the figs run out?",
    "de": "Was passiert, wenn die Feigen ausgehen?",
    "it": "Cosa succede quando finiscono i fichi?",
    "nl": "Wat gebeurt er als de vijgen op zijn?",
}
OTHER = "The oldest player takes the red pieces and sits by the window."


@pytest.fixture(scope="module")
def model() -> UniversalSentences:
    return UniversalSentences()


def test_a_question_is_nearest_to_itself_in_every_language(model: UniversalSentences) -> None:
    vectors = model.embed([*QUESTIONS.values(), OTHER])
    near = vectors @ vectors.T
    assert near[:-1, :-1].min() > near[:-1, -1].max()


def test_vectors_have_length_one(model: UniversalSentences) -> None:
    vectors = model.embed(["", "a", "卡牌 " * 2000, OTHER])
    assert vectors.shape == (4, model.size)
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-3)


def test_it_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the model opens a socket")

    monkeypatch.setattr(socket, "socket", refuse)
    UniversalSentences().embed([OTHER])


def test_several_threads_get_the_same_vectors() -> None:
    model, found = UniversalSentences(), {}

    def ask(number: int) -> None:
        found[number] = model.embed(list(QUESTIONS.values()))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(numpy.allclose(found[0], found[n]) for n in range(4))


def test_the_pinned_file_is_the_installed_one() -> None:
    pins = (Path(__file__).parents[2] / "requirements-semantic.txt").read_text(encoding="utf-8")
    assert UniversalSentences().version().replace("encoder-", "encoder==") in pins
