"""Questions to the librarians: asked once, answered, published in the game's FAQ, corrected, withdrawn."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from catalogue import questions, records
from catalogue.draft import RevisionDraft, RulesHead
from catalogue.models import AsideReason, AskedQuestion, Asking, Game, QuestionState, RulesText
from catalogue.questions import AnswerDraft, QuestionDraft
from catalogue.rules import sections
from tests.make import NOON, make_game, make_rules

pytestmark = pytest.mark.django_db

RAIN = "Que se passe-t-il s'il pleut ?"


def asked(text: str = RAIN, game: Game | None = None, **more: Any) -> AskedQuestion:
    """A question of a reader."""
    return questions.ask(QuestionDraft(text, "fr", game, **more), now=NOON)


def answered(question: AskedQuestion, text: str = "On joue dedans.", **more: Any) -> AskedQuestion:
    """The question with an answer, published unless said otherwise."""
    fields: dict[str, Any] = {"wording": question.text, "language": "fr", "is_published": True} | more
    seen = questions.mark(question)
    questions.answer(question, AnswerDraft(text=text, **fields), seen=seen, author="Rosa", now=NOON)
    question.refresh_from_db()
    return question


def faq_of(game: Game, language: str = "fr") -> str:
    """What the game's FAQ says now."""
    text = RulesText.objects.get(game=game, kind="faq", language=language)
    assert text.current is not None
    return text.current.body


# --- asking ------------------------------------------------------------------------------------


def test_the_same_question_of_the_same_game_is_joined_to_the_first() -> None:
    game = make_game()
    first = asked(game=game, source="a")
    again = asked("que se passe-t-il, s’il pleut?", game, source="b")
    assert again == first
    assert questions.counted().get().times == 2  # type: ignore[attr-defined]
    assert first.text == RAIN


def test_the_same_words_of_another_game_are_another_question() -> None:
    assert len({asked().pk, asked(game=make_game()).pk, asked(game=make_game("Hiboux")).pk}) == 3


def test_sending_twice_counts_once_and_takes_the_address_given_the_second_time() -> None:
    asked(source="a")
    asked(source="a", contact="lea@example.org")
    assert [a.contact for a in Asking.objects.all()] == ["lea@example.org"]


def test_the_schema_holds_one_question_of_no_game_too() -> None:
    first = asked()
    with pytest.raises(IntegrityError), transaction.atomic():
        AskedQuestion.objects.create(token="x", text="y", key=first.key, language="fr", asked_at=NOON)


@pytest.mark.parametrize("text", ["", " \n", "???", "\0"])
def test_a_question_without_words_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="needs words"):
        asked(text)


def test_one_place_asks_so_much_an_hour_and_no_more() -> None:
    for number in range(questions.MOST_AN_HOUR):
        asked(f"Question {number} ?", source="a")
    with pytest.raises(questions.TooMany):
        asked("Encore ?", source="a")
    asked("Encore ?", source="b")
    questions.ask(QuestionDraft("Enfin ?", "fr", source="a"), now=NOON + timedelta(hours=1))


def test_the_address_under_which_the_answer_stands_cannot_be_guessed() -> None:
    tokens = {asked(f"Question {number} ?").token for number in range(5)}
    assert len(tokens) == 5
    assert min(map(len, tokens)) >= 22


# --- answering ---------------------------------------------------------------------------------


def test_an_answer_becomes_an_entry_of_a_new_faq_of_the_library() -> None:
    game = make_game()
    answered(asked(game=game))
    text = RulesText.objects.get(game=game)
    assert (text.kind, text.language, text.source_name) == ("faq", "fr", "Ludotheca")
    assert faq_of(game) == f"## {RAIN}\n\nOn joue dedans."


def test_the_next_answer_is_added_to_the_same_faq_as_a_new_revision() -> None:
    game = make_game()
    answered(asked(game=game))
    answered(asked("Et la neige ?", game), "Aussi.")
    assert faq_of(game) == f"## {RAIN}\n\nOn joue dedans.\n\n## Et la neige ?\n\nAussi."
    assert RulesText.objects.get(game=game).revisions.count() == 2


def test_a_faq_that_came_from_elsewhere_is_left_alone() -> None:
    game = make_game()
    publisher = make_rules(game, "## Et le vent ?\nNon.", kind="faq", source_name="Publisher")
    answered(asked(game=game))
    assert publisher.revisions.count() == 1
    assert RulesText.objects.filter(game=game, kind="faq").count() == 2


def test_an_answer_in_another_language_stands_in_the_faq_of_that_language() -> None:
    game = make_game()
    question = answered(asked(game=game))
    answered(question, "We play inside.", wording="What if it rains?", language="en")
    assert faq_of(game) == ""
    assert faq_of(game, "en") == "## What if it rains?\n\nWe play inside."


def test_a_corrected_answer_stands_in_the_place_of_the_first() -> None:
    game = make_game()
    question = answered(asked(game=game))
    answered(asked("Et la neige ?", game), "Aussi.")
    answered(question, "On attend.", wording="Et s'il pleut ?")
    assert faq_of(game) == "## Et s'il pleut ?\n\nOn attend.\n\n## Et la neige ?\n\nAussi."
    assert RulesText.objects.get(game=game).revisions.count() == 3
    assert question.answers.count() == 2


def test_an_answer_that_is_no_longer_published_leaves_the_faq_and_the_history_stays() -> None:
    game = make_game()
    question = answered(asked(game=game))
    answered(question, is_published=False)
    assert faq_of(game) == ""
    first = RulesText.objects.get(game=game).revisions.get(number=1)
    assert "On joue dedans." in first.body
    now = questions.answer_now(question)
    assert now is not None
    assert (now.text, now.is_published) == ("On joue dedans.", False)


def test_an_answer_without_a_game_cannot_be_published() -> None:
    with pytest.raises(ValueError, match="question about a game"):
        answered(asked())
    assert answered(asked(), is_published=False).state == QuestionState.ANSWERED


def test_a_correction_made_in_the_faq_itself_is_the_answer_from_then_on() -> None:
    game = make_game()
    question = answered(asked(game=game))
    text = RulesText.objects.get(game=game)
    body = faq_of(game).replace("dedans", "à l'intérieur")
    records.add_revisions(text, [RevisionDraft(f"## Généralités\nBonjour.\n\n{body}", made_at=NOON)])
    now = questions.answer_now(question)
    assert now is not None
    assert now.text == "On joue à l'intérieur."
    answered(question, "On attend.")
    assert faq_of(game) == f"## Généralités\nBonjour.\n\n## {RAIN}\n\nOn attend."


def test_a_question_corrected_in_the_faq_itself_keeps_its_answer() -> None:
    game = make_game()
    question = answered(asked(game=game))
    text = RulesText.objects.get(game=game)
    records.add_revisions(text, [RevisionDraft("## S'il pleut ?\n\nOn joue dedans.", made_at=NOON)])
    now = questions.answer_now(question)
    assert now is not None
    assert (now.wording, now.is_published) == ("S'il pleut ?", True)
    answered(question, "On attend.")
    assert faq_of(game) == f"## {RAIN}\n\nOn attend."


def test_the_same_answer_to_another_question_is_not_taken_for_its_own() -> None:
    game = make_game()
    first, second = (answered(asked(text, game), "Oui.") for text in (RAIN, "Et la neige ?"))
    text = RulesText.objects.get(game=game)
    records.add_revisions(text, [RevisionDraft("## Et la neige ?\n\nOui.", made_at=NOON)])
    answered(first, "Non.")
    assert faq_of(game) == f"## Et la neige ?\n\nOui.\n\n## {RAIN}\n\nNon."
    now = questions.answer_now(second)
    assert now is not None
    assert now.text == "Oui."


def test_an_entry_that_was_taken_out_by_hand_is_added_again() -> None:
    game = make_game()
    question = answered(asked(game=game))
    text = RulesText.objects.get(game=game)
    records.add_revisions(text, [RevisionDraft("## Autre chose\nOui.", made_at=NOON)])
    now = questions.answer_now(question)
    assert now is not None
    assert not now.is_published
    answered(question)
    assert faq_of(game) == f"## Autre chose\nOui.\n\n## {RAIN}\n\nOn joue dedans."


def test_a_faq_that_was_removed_is_made_again() -> None:
    game = make_game()
    question = answered(asked(game=game))
    records.delete_rules_text(RulesText.objects.get(game=game))
    question.refresh_from_db()
    answered(question)
    assert faq_of(game) == f"## {RAIN}\n\nOn joue dedans."


def test_headings_within_an_answer_stay_below_the_question() -> None:
    game = make_game()
    answered(asked(game=game), "# À deux\nOui.\n\n#### À trois\nNon.")
    parsed = sections.parse(faq_of(game))
    assert [s.path for s in parsed] == [(RAIN,), (RAIN, "À deux"), (RAIN, "À deux", "À trois")]


@pytest.mark.parametrize(
    "text", ["Et si *tout* le monde [perd](#x) ?", "# Le dièse, ou #", "2) ou 3_4_5 \\ ?"]
)
def test_no_character_of_a_question_reads_as_a_mark(text: str) -> None:
    game = make_game()
    question = answered(asked(text, game))
    assert [s.heading for s in sections.parse(faq_of(game))] == [text]
    assert question.entry_anchor == sections.parse(faq_of(game))[0].anchor


def test_two_questions_with_one_anchor_are_told_apart_when_the_first_one_goes() -> None:
    game = make_game()
    long = "Un très long début de question " * 4
    first, second = (answered(asked(f"{long}{end} ?", game), end) for end in ("un", "deux"))
    answered(first, is_published=False)
    second.refresh_from_db()
    now = questions.answer_now(second)
    assert now is not None
    assert now.text == "deux"
    assert now.is_published


def test_the_section_that_an_answer_cites_is_named_in_the_faq_and_is_no_part_of_the_answer() -> None:
    game = make_game()
    rules = make_rules(game, "## Fin\nOui.\n\n### Égalité\nOn partage.", "es")
    question = answered(asked(game=game), cited_text_id=rules.pk, cited_anchor="egalite")
    assert faq_of(game).endswith("On joue dedans.\n\n→ Fin › Égalité (es)")
    now = questions.answer_now(question)
    assert now is not None
    assert now.text == "On joue dedans."


# --- two librarians ----------------------------------------------------------------------------


def test_the_second_of_two_librarians_is_told() -> None:
    game = make_game()
    question = asked(game=game)
    seen = questions.mark(question)
    answered(question, "Non.")
    draft = AnswerDraft(RAIN, "Oui.", "fr", is_published=True)
    with pytest.raises(records.ChangedMeanwhile):
        questions.answer(question, draft, seen=seen, author="Ben", now=NOON)
    assert faq_of(game).endswith("Non.")


def test_a_correction_made_in_the_faq_meanwhile_is_told_too() -> None:
    game = make_game()
    question = answered(asked(game=game))
    seen = questions.mark(question)
    text = RulesText.objects.get(game=game)
    records.add_revisions(text, [RevisionDraft(faq_of(game) + " Ou pas.", made_at=NOON)])
    draft = AnswerDraft(RAIN, "Oui.", "fr", is_published=True)
    with pytest.raises(records.ChangedMeanwhile):
        questions.answer(question, draft, seen=seen, author="Ben", now=NOON)


# --- setting aside -----------------------------------------------------------------------------


def test_setting_aside_takes_the_entry_out_and_can_be_undone() -> None:
    game = make_game()
    question = answered(asked(game=game))
    seen = questions.mark(question)
    questions.set_aside(question, AsideReason.SPAM, seen=seen, author="Rosa", now=NOON)
    question.refresh_from_db()
    assert (question.state, question.aside_reason, faq_of(game)) == ("set_aside", "spam", "")
    questions.reopen(question, seen=questions.mark(question))
    question.refresh_from_db()
    assert (question.state, question.aside_reason) == ("open", "")


def test_the_schema_asks_for_a_reason() -> None:
    question = asked()
    with pytest.raises(IntegrityError), transaction.atomic():
        AskedQuestion.objects.filter(pk=question.pk).update(state="set_aside")


def test_a_question_that_was_asked_of_the_game_already_is_named() -> None:
    game = make_game()
    of_game, of_none = asked(game=game), asked()
    with pytest.raises(questions.SameQuestion) as told:
        questions.assign_game(of_none, game, seen=questions.mark(of_none))
    assert told.value.question == of_game


# --- forgetting --------------------------------------------------------------------------------


def test_who_asked_is_forgotten_a_while_after_the_answer() -> None:
    question = asked(name="Léa", contact="lea@example.org", source="a")
    answered(question, is_published=False)
    questions.forget_expired(now=NOON + questions.KEPT_AFTER_ANSWER)
    kept = Asking.objects.get()
    assert (kept.contact, kept.source) == ("lea@example.org", "")
    questions.forget_expired(now=NOON + questions.KEPT_AFTER_ANSWER + timedelta(seconds=1))
    kept.refresh_from_db()
    assert (kept.name, kept.contact) == ("", "")


def test_who_asked_is_forgotten_at_last_without_an_answer() -> None:
    asked(contact="lea@example.org")
    questions.forget_expired(now=NOON + questions.KEPT_AT_MOST + timedelta(days=1))
    assert Asking.objects.get().contact == ""


def test_nobody_is_remembered_who_gets_the_answer_at_once() -> None:
    answered(asked(source="a"), is_published=False)
    asked(source="b", name="Léa", contact="lea@example.org")
    assert [a.contact for a in Asking.objects.all()] == ["", ""]


def test_the_head_of_a_faq_can_be_corrected_without_losing_its_entries() -> None:
    game = make_game()
    question = answered(asked(game=game))
    text = RulesText.objects.get(game=game)
    records.update_rules_text(text, RulesHead(language="fr-BE", kind="faq", source_key=text.source_key))
    question.refresh_from_db()
    answered(question, "On attend.", language="fr-BE")
    assert faq_of(game, "fr-BE") == f"## {RAIN}\n\nOn attend."
