"""Which sections of two texts belong together."""

from itertools import permutations
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from catalogue.models import RulesText
from catalogue.rules.sections import Section, parse
from search.parallel import MOST_CELLS, align
from tests.search.judged_sections import JUDGED

FRENCH = """## But du jeu
Récolter 6 figues avant les autres joueurs.

## Tour de jeu
Chaque joueur déplace son paysan, dans le sens horaire.

### Piocher
Piochez deux cartes et défaussez-en une.

## Fin de la partie
La partie s'arrête après 12 tours. En cas d'égalité, partagez la victoire.
"""
GERMAN = """## Ziel des Spiels
Ernte 6 Feigen vor den anderen Spielern.

## Spielzug
Jeder Spieler bewegt seinen Bauern im Uhrzeigersinn.

### Ziehen
Ziehe zwei Karten und lege eine davon ab.

## Spielende
Das Spiel endet nach 12 Runden. Bei Gleichstand wird der Sieg geteilt.
"""


def aligned(here: str, there: str) -> tuple[str | None, ...]:
    return align(parse(here), parse(there), "fr", "de")


def without(text: str, heading: str) -> str:
    """The text without one section, its level put right."""
    kept = [part for part in text.split("\n\n") if not part.lstrip("#").startswith(f" {heading}")]
    return "\n\n".join(kept)


def test_translations_lead_from_each_section_to_the_same_one() -> None:
    assert aligned(FRENCH, GERMAN) == ("ziel-des-spiels", "spielzug", "ziehen", "spielende")


def test_a_section_that_only_one_text_has_is_left_out() -> None:
    assert aligned(FRENCH, without(GERMAN, "Ziehen")) == ("ziel-des-spiels", "spielzug", None, "spielende")
    assert aligned(without(FRENCH, "Piocher"), GERMAN) == ("ziel-des-spiels", "spielzug", "spielende")


def test_other_levels_of_headings_do_not_part_what_says_the_same() -> None:
    assert aligned(FRENCH, GERMAN.replace("### Ziehen", "## Ziehen")) == aligned(FRENCH, GERMAN)


def test_the_aim_of_the_game_is_found_where_it_stands_later() -> None:
    aim, *rest = GERMAN.split("\n\n")
    assert aligned(FRENCH, "\n\n".join([*rest, aim]))[0] == "ziel-des-spiels"


def test_sections_of_the_same_title_meet_in_a_language_that_nobody_knows() -> None:
    here = parse("## Siesta (0)\nA.\n\n## Mama (9)\nB.")
    there = parse("## Siesta (0)\nX.\n\n## Pesos (8)\nY.\n\n## Mama (9)\nZ.")
    assert align(here, there, "fr", "eu") == ("siesta-0", "mama-9")


@pytest.mark.parametrize("other", ["Wörter ohne Überschrift.", "", "## Impressum\nGedruckt in Wien."])
def test_of_what_has_nothing_in_common_nothing_is_claimed(other: str) -> None:
    assert set(aligned(FRENCH, other)) == {None}
    assert aligned("", GERMAN) == ()


def test_texts_of_very_many_sections_are_left_alone() -> None:
    many = "\n\n".join(["## Fin\nLa fin."] * 1000)
    assert len(parse(many)) ** 2 > MOST_CELLS
    assert set(align(parse(many), parse(many), "fr", "de")) == {None}


# --- on whole rules ----------------------------------------------------------------------------


def summaries() -> dict[str, dict[str, tuple[Section, ...]]]:
    """The sections of our own summaries, by game and language: the same ones in each language of a game."""
    found: dict[str, dict[str, tuple[Section, ...]]] = {}
    for path in sorted(Path(settings.BASE_DIR, "fixtures", "library", "rules").glob("*.??.md")):
        game, language, _ = path.name.split(".")
        found.setdefault(game, {})[language] = parse(path.read_text("utf-8").split("---\n", 2)[2])
    return found


def test_hardly_a_section_of_our_own_translations_is_missed_and_none_mistaken() -> None:
    missed = sections = 0
    for texts in summaries().values():
        for one, other in permutations(texts, 2):
            pairs = zip(align(texts[one], texts[other], one, other), texts[other], strict=True)
            found = [(anchor, section.anchor) for anchor, section in pairs]
            assert [pair for pair in found if pair[0] not in (None, pair[1])] == []
            missed += sum(anchor is None for anchor, _ in found)
            sections += len(found)
    assert missed / sections <= 0.02


@pytest.mark.parametrize("left_out", [3, 4, 5])
def test_sections_missing_in_either_text_hardly_mislead(left_out: int) -> None:
    """Each `left_out`-th section is taken out of the one text, and its neighbours out of the other."""
    right = wrong = 0
    for texts in summaries().values():
        for one, other in permutations(texts, 2):
            here = [(i, s) for i, s in enumerate(texts[one]) if i % left_out]
            there = [s for i, s in enumerate(texts[other]) if i % left_out != 1]
            numbers = {s.anchor: i for i, s in enumerate(texts[other])}
            got = align([s for _, s in here], there, one, other)
            claimed = [(i, numbers[a]) for (i, _), a in zip(here, got, strict=True) if a is not None]
            right += sum(i == j for i, j in claimed)
            wrong += sum(i != j for i, j in claimed)
    assert right / (right + wrong) >= 0.92


@pytest.mark.django_db
def test_rules_of_other_hands_are_aligned_as_people_judged(shared: Path) -> None:
    call_command("import_records", *sorted((shared / "seeds").glob("*.txt")), verbosity=0)
    right = wrong = possible = 0
    for (title, language, game), judgements in JUDGED.items():
        text = RulesText.objects.get(game__title=title, language=language)
        here = parse(text.current.body if text.current else "")
        assert len(here) == len(judgements)
        for other, there in summaries()[game].items():
            numbers = {section.anchor: i for i, section in enumerate(there)}
            got = [None if a is None else numbers[a] for a in align(here, there, language, other)]
            pairs = list(zip(got, judgements, strict=True))
            right += sum(number in likes for number, likes in pairs if number is not None)
            wrong += sum(number not in likes for number, likes in pairs if number is not None)
            possible += sum(bool(likes) for likes in judgements)
    assert right / (right + wrong) >= 0.98
    assert right / possible >= 0.68
