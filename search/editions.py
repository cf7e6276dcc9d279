"""Which edition a question means: "first edition", "2e édition", "the 2018 rules".

What is typed is compared with how the texts of the named games call their editions. Called by `find`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from catalogue.models import RulesText
from search.analysis import shelf_language, tokens
from search.questions import Question
from search.wordlists import word_list

MEANT, NOT_MEANT = 1.25, 0.6
"""What a passage is worth in the edition that is asked for, and in another one of the same game."""
YEAR = 4


@dataclass(frozen=True, slots=True)
class Editions:
    """The worth of each text by its edition; texts that are not in it count as they are."""

    worth: Mapping[int, float] = field(default_factory=dict)


def asked_for(question: Question) -> tuple[Question, Editions]:
    """The question without the words that tell the edition, and what each text is worth then."""
    if not question.games or not question.content:
        return question, Editions()
    texts = RulesText.objects.filter(game__in=question.games).values_list("pk", "language", "edition")
    called = {pk: _signs(edition, language) for pk, language, edition in texts if edition}
    cues = {place: signs for place in question.content if (signs := _cue(question, place))}
    told = {
        place
        for place, signs in cues.items()
        if 0 < sum(not signs.isdisjoint(c) for c in called.values()) < len(called)
    }
    if not told:
        return question, Editions()
    asked = [cues[place] for place in told]
    worth = {pk: MEANT if all(signs & own for signs in asked) else NOT_MEANT for pk, own in called.items()}
    words = told | {p for p in question.content if _is_edition(question, p)}
    return replace(question, used=question.used | words), Editions(worth)


def _cue(question: Question, place: int) -> frozenset[str]:
    """What a word may say of an edition: any word beside "edition", and years."""
    word = question.words[place]
    if _is_edition(question, place):
        return frozenset()
    signs = _signs(word.exact, question.language)
    is_beside = any(_is_edition(question, p) for p in (place - 1, place + 1, place + 2))
    is_year = any(s.isdigit() and len(s) == YEAR for s in signs)
    return signs if is_beside or is_year else frozenset()


def _is_edition(question: Question, place: int) -> bool:
    return (
        0 <= place < len(question.words)
        and question.words[place].fold in word_list(question.language).editions
    )


def _signs(text: str, language: str) -> frozenset[str]:
    """The words and numbers of an edition's name, those left out that all editions have."""
    shelf = shelf_language(language)
    listed = word_list(shelf)
    found: set[str] = set()
    for token in tokens(text, shelf):
        if token.fold in listed.first:
            found.add("1")
        elif token.fold not in listed.stop | listed.editions:
            found.update(token.stems)
    return frozenset(found)
