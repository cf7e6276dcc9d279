"""A rule says which errata and FAQ passages touch it: those that name it, and those clearly about it."""

import pytest
from django.test import Client
from django.urls import reverse

from search.analysis import tokens
from search.concepts import concepts
from search.find import PassageHit, find_passages
from search.sync import sync
from search.touching import Said, touched
from tests.make import make_game, make_rules

PREPARATION = (
    "Mélangez les cartes marchandise et donnez-en cinq à chacun. Les bateaux attendent, voiles repliées."
)
VOYAGE = (
    "Lancez le dé et avancez votre bateau d'autant de cases. Qui s'arrête sur un récif perd une marchandise."
)
STORM = "Quand la tempête éclate, tous les bateaux en pleine mer rentrent au port le plus proche."
MARKET = (
    "Vendez vos marchandises au prix du jour : chaque épice vaut deux pièces, chaque étoffe en vaut trois."
)
END = "Dès qu'un joueur possède trente pièces, on finit le tour et le plus riche l'emporte."
RULES = (
    ("1. Préparation", PREPARATION),
    ("2. Le voyage (p. 4)", VOYAGE),
    ("2.1 La tempête", STORM),
    ("3. Le marché", MARKET),
    ("Fin de la partie", END),
)


def said(heading: str, body: str, *, kind: str = "rules", language: str = "fr", text: int = 1) -> Said:
    """A passage as the index lays it out."""
    words, title = tokens(body, language), tokens(heading, language)
    stop = {"le", "la", "les", "de", "du", "the", "a", "et", "un", "une", "on", "que"}
    named = frozenset(t.stems[0] for t in title if t.fold not in stop)
    meant = frozenset(f.concept for part in (words, title) for f in concepts(part, language))
    stems = named | {t.stems[0] for t in words if t.fold not in stop}
    headings = (heading,) if heading else ()
    asked = named | {f.concept for f in concepts(title, language)}
    return Said(text, kind, language, heading or "top", headings, body, frozenset(stems), meant, asked)


def touched_by(note: Said, rules: tuple[tuple[str, str], ...] = RULES) -> list[str]:
    """The headings of the rules that a note touches."""
    return [name for (_, name) in touched([said(h, b) for h, b in rules], [note])]


def errata(body: str, heading: str = "", language: str = "fr") -> Said:
    return said(heading, body, kind="errata", language=language, text=2)


@pytest.mark.parametrize(
    ("body", "heading", "expected"),
    [
        ("Lire « six » au lieu de « cinq ».", "Préparation", "1. Préparation"),
        ("Lire « six » au lieu de « cinq ».", "1. PRÉPARATION :", "1. Préparation"),
        ("Sous « Fin de la partie », lire quarante.", "", "Fin de la partie"),
        ("Section 2.1 : lire « à quai ».", "", "2.1 La tempête"),
        ("Règle 3 : l'étoffe vaut quatre.", "", "3. Le marché"),
        ("p. 4, ligne 2 : lire deux.", "", "2. Le voyage (p. 4)"),
        ("Page 4 : lire deux.", "", "2. Le voyage (p. 4)"),
    ],
)
def test_a_note_touches_what_it_names(body: str, heading: str, expected: str) -> None:
    assert touched_by(errata(body, heading)) == [expected]


def test_a_question_touches_the_rule_that_speaks_of_the_same_things() -> None:
    note = said(
        "La tempête arrête-t-elle les bateaux au port ?", "Non, seulement en pleine mer.", kind="faq", text=2
    )
    assert touched_by(note) == ["2.1 La tempête"]


def test_a_note_on_something_else_touches_nothing() -> None:
    assert touched_by(errata("Merci à tous les testeurs de Lyon et de Namur.", "Crédits")) == []
    assert touched_by(errata("Il manque parfois un sachet dans la boîte.")) == []


def test_words_that_stand_everywhere_touch_nothing() -> None:
    assert touched_by(errata("Chaque bateau est une marchandise.")) == []


def test_where_two_rules_are_meant_as_much_none_is_taken() -> None:
    twice = (*RULES, ("Autre tempête", STORM))
    assert touched_by(errata("La tempête renvoie au port les bateaux en pleine mer."), twice) == []


def test_a_call_for_attention_is_no_name() -> None:
    rules = (("Exemple", PREPARATION), ("Le marché", MARKET))
    assert touched_by(errata("Lire « il ».", "Exemple"), rules) == []


def test_section_numbers_hold_across_languages_and_headings_do_not() -> None:
    assert touched_by(errata("Section 2.1: read harbour.", language="en")) == ["2.1 La tempête"]
    assert touched_by(errata("Under “Fin de la partie” read forty.", language="en")) == []


def test_errata_stand_before_faq_and_the_language_of_the_rule_before_others() -> None:
    notes = [
        said("La tempête", "Au port.", kind="faq", language="fr", text=4),
        said("x", "Section 2.1: read harbour.", kind="errata", language="en", text=3),
        said("La tempête", "Lire quai.", kind="errata", text=2),
    ]
    (touches,) = touched([said(*RULES[2])], notes).values()
    assert [(t.kind, t.language, t.heading) for t in touches] == [
        ("errata", "fr", "La tempête"),
        ("errata", "en", "x"),
        ("faq", "fr", "La tempête"),
    ]


def test_a_note_without_heading_is_called_by_its_first_words() -> None:
    (touches,) = touched(
        [said(*RULES[2])], [errata("Section 2.1 : lire « à quai » au lieu de « au port ».")]
    ).values()
    assert touches[0].heading == "Section 2.1 : lire « à quai » …"


def test_each_edition_of_the_rules_is_touched_for_itself() -> None:
    rules = [said("La tempête", STORM, text=text) for text in (1, 5)]
    assert {text for text, _ in touched(rules, [errata("Lire quai.", "La tempête")])} == {1, 5}


# --- on the card -------------------------------------------------------------------------------


def hit_for(question: str) -> PassageHit:
    sync()
    return next(h for h in find_passages(question, reader_language="fr").hits if h.kind == "rules")


@pytest.mark.django_db
def test_the_card_of_a_rule_links_to_the_errata_that_touch_it(client: Client) -> None:
    game = make_game("Port d'épices")
    make_rules(game, "\n\n".join(f"## {heading}\n\n{body} {body}" for heading, body in RULES))
    note = make_rules(game, "## La tempête\n\nLire « à quai » au lieu de « au port ».", kind="errata")
    hit = hit_for("tempête en pleine mer")
    assert [(t.text_id, t.kind, t.passage_id) for t in hit.touched_by] == [(note.pk, "errata", "la-tempete")]
    page = client.get(reverse("home"), {"q": "tempête en pleine mer"}).content.decode()
    assert f'<a href="{reverse("rules-text", args=[note.pk])}#la-tempete" lang="fr">La tempête</a>' in page


@pytest.mark.django_db
def test_a_rule_that_nothing_touches_has_no_links() -> None:
    make_rules(make_game("Port d'épices"), f"## La tempête\n\n{STORM}")
    assert hit_for("tempête en pleine mer").touched_by == ()
