"""The words of letters: placeholders that cannot do harm, four languages that say the same, editing."""

from datetime import UTC, datetime
from string import Template

import pytest

from loans import notice_settings
from loans.models import NoticeText
from loans.telling import placeholders, texts
from loans.telling.placeholders import Mistake
from tests.make import make_user

NOW = datetime(2025, 3, 4, 12, tzinfo=UTC)


def test_placeholders_are_filled_in() -> None:
    values = {"name": "Lou", "games": "Finca"}
    assert placeholders.filled("$name: ${games}s, 5 $$", values) == "Lou: Fincas, 5 $"


def test_what_nobody_fills_in_is_named_with_its_place_and_what_may_be_meant() -> None:
    text = "Hello $name,\n\nyour $gmaes and $xyz cost 5 $."
    assert placeholders.mistakes(text, ("name", "games")) == [
        Mistake(3, 6, "gmaes", "games"),
        Mistake(3, 17, "xyz"),
        Mistake(3, 29, ""),
    ]


@pytest.mark.parametrize("text", ["{{ secret }}", "{% load x %}", "%(name)s", "{name.__class__}", "$$name"])
def test_no_other_syntax_means_anything(text: str) -> None:
    assert placeholders.mistakes(text, ("name",)) == []
    assert placeholders.filled(text, {"name": "Lou"}) == text.replace("$$", "$")


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_language_has_every_part_with_placeholders_that_are_known(language: str) -> None:
    wording = texts.shipped_wording(language)
    assert set(wording.parts) == set(texts.PARTS)
    for part, said in wording.parts.items():
        assert texts.mistakes_in(part, said.subject) == texts.mistakes_in(part, said.body) == []
        assert bool(said.subject) == texts.has_subject(part)


def names_in(text: str) -> set[str]:
    """The placeholders of a text."""
    return set(Template(text).get_identifiers())


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_language_fills_in_the_same_words(language: str) -> None:
    words, french = texts.shipped_wording(language).words, texts.shipped_wording("fr").words
    used = {word: names_in(text) for word, text in words.items()}
    assert used == {word: names_in(text) for word, text in french.items()}


@pytest.mark.parametrize("part", texts.PARTS)
def test_a_list_is_told_in_every_language_or_in_none(part: str) -> None:
    told = [names_in(texts.shipped_wording(code).parts[part].body) for code in texts.LANGUAGES]
    assert all(names == told[0] for names in told)


@pytest.mark.django_db
def test_the_librarys_own_words_take_the_place_of_those_that_came_with_it() -> None:
    draft = notice_settings.TextDraft(part="due_soon", language="fr", subject="Psst", body="Rendez $games !")
    notice_settings.save_text(draft, by=make_user("manager"), now=NOW)
    assert texts.wording("fr").parts["due_soon"].body == "Rendez $games !"
    assert texts.wording("de").parts["due_soon"] == texts.shipped_wording("de").parts["due_soon"]
    notice_settings.restore_text("due_soon", "fr")
    assert texts.wording("fr").parts["due_soon"] == texts.shipped_wording("fr").parts["due_soon"]


@pytest.mark.django_db
def test_the_writer_refuses_words_that_cannot_be_filled_in() -> None:
    draft = notice_settings.TextDraft(part="greeting", language="fr", subject="", body="Bonjour $gmaes")
    with pytest.raises(ValueError, match="gmaes"):
        notice_settings.save_text(draft, by=make_user("manager"), now=NOW)
    assert not NoticeText.objects.exists()
