"""The six wiki pages of seed 003, newest state: clean sections, no mark left over, no word lost."""

import html
import re

import pytest

from catalogue.rules.render import plain, to_html
from catalogue.rules.sections import parse
from catalogue.rules.wikitext import to_markdown
from tests.catalogue.rules.sources import wiki_pages, words

HEADINGS = {
    "Gamehelpperch": ["Mise en place", "Phase de migration", "Phase de recrutement", "Phase de perchoir",
                          "Phase d'entretien", "Scores finaux"],
    "Gamehelpuptown": ["Objectif", "Matériel", "Tour de jeu", "Fin de partie", "Décompte des points"],
    "Gamehelpclansofcaledonia": ["Mise en place", "Phase 1 : Préparation", "Phase 2 : Action",
                                      "Phase 3 : Production", "Phase 4 : Décompte"],
    "Gamehelpspacestationphoenix": ["Gameplay", "Option de tour A: Déclencher l'action d'un vaisseau",
                                         "Option de tour B: Prendre les Revenus", "Fin de partie"],
    "Gamehelpteotihuacan": ["But du jeu", "Principes de base",
                                 "Préparation des joueurs (option tuiles de départ)", "Tour d'un joueur",
                                 "Eclipses", "Actions principales des plateaux"],
    "Gamehelplagranja": ["① Phase Ferme", "② Phase Revenu", "③ Phase Transport", "④ Phase Décompte",
                              "Actions toujours disponibles", "Fin du jeu"],
}  # fmt: skip
WIKI_MARKS = ("''", "[[", "]]", "<", "&#", "__TOC__", "__NOTOC__", "●", "{{", "==")
LINK = re.compile(r"\[\[#[^|\]]*\|([^\]]*)\]\]")
TOKEN = re.compile(r"\[[A-Z]+(\d*)\]")
PICTURES = re.compile("gemme|métal|nourriture|eau|humanoïde|PV|vaisseau")


@pytest.mark.parametrize("page", HEADINGS)
def test_a_page_has_its_sections(shared, page: str) -> None:  # type: ignore[no-untyped-def]
    wikitext = wiki_pages(shared)[page][0]
    found = [section for section in parse(to_markdown(wikitext)) if section.level]
    assert [section.heading for section in found if section.level == 1] == HEADINGS[page]
    assert len(found) == len(re.findall(r"^==", wikitext, re.MULTILINE))


@pytest.mark.parametrize("page", HEADINGS)
def test_a_page_shows_no_wiki_mark(shared, page: str) -> None:  # type: ignore[no-untyped-def]
    shown = plain(to_markdown(wiki_pages(shared)[page][0]))
    assert [mark for mark in WIKI_MARKS if mark in shown] == []
    assert not re.search(r"\[[A-Z]|\*|^[#:]", shown, re.MULTILINE)


@pytest.mark.parametrize("page", HEADINGS)
def test_a_page_keeps_its_words(shared, page: str) -> None:  # type: ignore[no-untyped-def]
    wikitext = wiki_pages(shared)[page][0]
    said = TOKEN.sub(r" \1 ", LINK.sub(r"\1", wikitext))
    said = html.unescape(re.sub(r"</?[a-z][^>]*>|__[A-Z]+__", " ", said))
    shown = re.sub(r"^ *\d+\. ", "", plain(to_markdown(wikitext)), flags=re.MULTILINE)
    said = re.sub(r"^[#*:]+[ -]*\d+\. ", "", said, flags=re.MULTILINE)
    assert PICTURES.sub("", words(shown)) == PICTURES.sub("", words(said))


@pytest.mark.parametrize("page", HEADINGS)
def test_every_link_of_a_page_finds_its_section(shared, page: str) -> None:  # type: ignore[no-untyped-def]
    wikitext = wiki_pages(shared)[page][0]
    shown = to_html(to_markdown(wikitext))
    targets = re.findall(r'href="#([^"]+)"', shown)
    assert set(targets) <= set(re.findall(r'id="([^"]+)"', shown))
    assert len(targets) == len(LINK.findall(wikitext))


def test_all_fifty_states_are_converted(shared) -> None:  # type: ignore[no-untyped-def]
    states = [state for page in wiki_pages(shared).values() for state in page]
    assert len(states) == 50
    for state in states:
        assert "<br" not in to_markdown(state)
