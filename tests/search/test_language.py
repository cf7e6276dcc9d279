"""Words of six languages: does a question's word meet the text's word? 74 cases, of which 72 must hold.

A case is (language, text, what is typed, whether they should meet). The cases are ours, of the kinds that
people really trip over: accents, case, elision, ligatures, plurals, compounds, hyphens, numbers, titles.
"""

import pytest

from search.analysis import compound_parts, forms, shelf_language, tokens
from search.concepts import CollectionWords

COLLECTION = CollectionWords(
    "de", {"wald": 4, "hütte": 3, "hutte": 3, "kuchen": 5, "blech": 5, "regen": 6, "schirm": 6}
)
DUTCH = CollectionWords("nl", {"water": 9, "molen": 9, "appel": 3, "boom": 8})

CASES = [
    # French: accents, case, elision, ligatures, plurals, verbs, kin
    ("fr", "La pioche épuisée", "epuisee", True),
    ("fr", "LES CHÂTEAUX FORTS", "château", True),
    ("fr", "L’âne porte le blé", "ane", True),
    ("fr", "l'âne porte le blé", "âne", True),
    ("fr", "Qu’importe la défausse", "defausses", True),
    ("fr", "jusqu'à l’épuisement", "epuisement", True),
    ("fr", "Deux œufs au nid", "oeuf", True),
    ("fr", "le nœud marin", "noeud", True),
    ("fr", "un oeuf", "Œufs", True),
    ("fr", "de\u0301fausser une carte", "défausse", True),
    ("fr", "tous les jeux", "jeu", True),
    ("fr", "la joueuse active", "joueurs", True),
    ("fr", "trois chevaux blancs", "cheval", True),
    ("fr", "chacun prend une tuile", "prendre", True),
    ("fr", "la carte est mise de côté", "mettre", True),
    ("fr", "il a reçu deux jetons", "recevoir", True),
    ("fr", "quatre ouvriers", "4", True),
    ("fr", "au 3ème tour", "troisième", True),
    ("fr", "vingt-deux points", "22", True),
    ("fr", "quatre-vingt-dix degrés", "90", True),
    ("fr", "aujourd’hui", "aujourd'hui", True),
    # Spanish
    ("es", "durante varios días", "dia", True),
    ("es", "el último día", "dias", True),
    ("es", "las fichas azules", "ficha", True),
    ("es", "el niño pequeño", "nino", True),
    ("es", "cada jugador juega una carta", "jugar", True),
    ("es", "quien empieza la ronda", "empezar", True),
    ("es", "las acciones posibles", "acción", True),
    ("es", "¿Cuántos peces?", "pez", True),
    ("es", "tres losetas", "3", True),
    # German
    ("de", "die Würfel", "wuerfel", True),
    ("de", "die Würfel", "wurfel", True),
    ("de", "in der Straße", "strasse", True),
    ("de", "STRASSE", "straße", True),
    ("de", "viele Häuser", "Haus", True),
    ("de", "sie nimmt eine Karte", "nehmen", True),
    ("de", "wurde gezogen", "ziehen", True),
    ("de", "der Zugstapel der Waldhütte", "wald", True),
    ("de", "die Waldhütte", "huette", True),
    ("de", "ein Kuchenblech", "blech", True),
    ("de", "der Regenschirm", "schirme", True),
    ("de", "einundzwanzig Punkte", "21", True),
    ("de", "zu dritt", "3", True),
    # English
    ("en", "each player's hand", "players", True),
    ("en", "the players’ dice", "die", True),
    ("en", "cards drawn earlier", "draw", True),
    ("en", "the geese fly", "goose", True),
    ("en", "twenty-one tokens", "21", True),
    ("en", "in the second round", "2nd", True),
    # Italian
    ("it", "l’ultima tessera", "ultime", True),
    ("it", "dell'isola", "isola", True),
    ("it", "la città più grande", "citta", True),
    ("it", "ha preso due carte", "prendere", True),
    ("it", "ventitre punti", "23", True),
    ("it", "le uova", "uovo", True),
    # Dutch
    ("nl", "de dobbelstenen", "dobbelsteen", True),
    ("nl", "twee foto’s", "foto", True),
    ("nl", "coördinatie", "coordinatie", True),
    ("nl", "de watermolen", "molen", True),
    ("nl", "een appelboom", "bomen", True),
    ("nl", "hij heeft gekozen", "kiezen", True),
    ("nl", "vijfentwintig munten", "25", True),
    # Titles and marks
    ("other", "Tic-Tac-Toe", "tictactoe", True),
    ("other", "Tic-Tac-Toe", "tac", True),
    ("other", "Boum/ Boum!", "boum boum", True),
    ("other", "+4", "4", True),
    ("other", "Z", "z", True),
    ("other", "Où est le loup ?", "ou est", True),
    ("other", "猫と五目並べ", "五目", True),
    # What must not meet
    ("fr", "la poste", "le pot", False),
    ("en", "the organ", "organise", False),
    ("de", "der Tisch", "Tasche", False),
    ("es", "el puerto", "la puerta", False),
    ("fr", "une main", "demain", False),
]


def _meets(language: str, text: str, typed: str) -> bool:
    known = {"de": COLLECTION, "nl": DUTCH}.get(language)
    held = {s for t in tokens(text, language, known) for s in (*t.stems, *t.parts, t.fold)}
    return all(held & {*t.stems, t.fold} for t in tokens(typed, language) if not t.is_joined)


def test_words_of_questions_meet_words_of_texts_in_six_languages() -> None:
    wrong = [case for case in CASES if _meets(*case[:3]) is not case[3]]
    assert len(CASES) == 74
    assert len(wrong) <= 2, wrong


def test_stems_are_taken_in_both_orders() -> None:
    assert {"regl"} <= set(forms("règles", "fr")[2]) & set(forms("regles", "fr")[2])


def test_places_are_those_of_the_text_as_it_stands() -> None:
    text = "Qu’est-ce qu’un œuf ? re\u0301gle"
    words = [text[t.start : t.end] for t in tokens(text, "fr") if not t.is_joined]
    assert words == ["est", "ce", "un", "œuf", "re\u0301gle"]


@pytest.mark.parametrize(
    ("tag", "language"), [("fr-BE", "fr"), ("DE", "de"), ("pt", "other"), ("", "other"), ("zh_Hans", "other")]
)
def test_a_language_tag_chooses_the_words(tag: str, language: str) -> None:
    assert shelf_language(tag) == language


def test_a_compound_is_split_only_into_words_that_occur() -> None:
    assert compound_parts("regenschirm", "de", COLLECTION) == ("regen", "schirm")
    assert compound_parts("regentonne", "de", COLLECTION) == ()
    assert compound_parts("regenschirm", "fr", COLLECTION) == ()


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "You can't lose the king's card", ["you", "can", "lose", "the", "king", "card"]),
        ("fr", "s’il n’y a plus d’or", ["il", "y", "a", "plus", "or"]),
        ("nl", "twee foto's", ["twee", "foto"]),
    ],
)
def test_what_an_apostrophe_cuts_off_is_no_word(language: str, text: str, words: list[str]) -> None:
    assert [t.fold for t in tokens(text, language)] == words


def test_an_endless_word_is_cut() -> None:
    (token,) = tokens("a" * 10_000, "fr")
    assert len(token.exact) <= 60
