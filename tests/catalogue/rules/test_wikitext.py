"""Wikitext, tidy and untidy, as our Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.rules.render import plain, to_html
from catalogue.rules.sections import parse
from catalogue.rules.wikitext import to_markdown
from tests.catalogue.rules.sources import case, words


@pytest.mark.parametrize(
    ("wikitext", "markdown"),
    [
        ("un<br />\ndeux", "un\ndeux"),
        ("un</br><br />\ndeux", "un\ndeux"),
        ("un</br></br><br />\ndeux", "un\n\ndeux"),
        ("un<br />\n<br />\ndeux", "un\n\ndeux"),
        ("un<br>deux</br>trois", "un\ndeux\ntrois"),
        ("un\r\ndeux", "un\ndeux"),
    ],
)
def test_line_breaks_are_meant_once(wikitext: str, markdown: str) -> None:
    assert to_markdown(wikitext) == markdown


@pytest.mark.parametrize(
    ("wikitext", "markdown"),
    [
        ("==But du jeu==<br />\nGagnez.", "## But du jeu\n\nGagnez."),
        ("== Éclipses == <br />\n", "## Éclipses"),
        ("===Fin===", "### Fin"),
        ("=====Fin=====", "#### Fin"),
        ("= Précisions =\n== Plateau ==", "## Précisions\n\n### Plateau"),
        ('==<span style="color: blue">&#9312; Phase Ferme</span> ==', "## ① Phase Ferme"),
        ("=== <u><span style=\"color: red\">IV Décompte</span></u> ===", "### IV Décompte"),
        ('== <span id="GE"></span>Fin de partie ==', "## Fin de partie"),
        ("==  ==", "==  =="),
        ("a = b == c", "a = b == c"),
    ],
)  # fmt: skip
def test_headings(wikitext: str, markdown: str) -> None:
    assert to_markdown(wikitext) == markdown


@pytest.mark.parametrize(
    ("wikitext", "markdown"),
    [
        ("d'''Adoration''", "d'*Adoration*"),
        ("l''''or'''", "l'**or**"),
        ("une tuile d'''Action'' et d'''Adoration'' ici", "une tuile d'*Action* et d'*Adoration* ici"),
        ("qu'''extension'' a un coût", "qu'*extension* a un coût"),
        ("'''Note :''' rien", "**Note** : rien"),
        ("''a'' '''b''' '''''c'''''", "*a* **b** ***c***"),
        ("'''Eclipses''''').", "**Eclipses**)."),
        ("'''jamais fini", "**jamais fini**"),
        ("l'ami d'un autre", "l'ami d'un autre"),
        ("<b>gras</b> et <i>italique</i>", "**gras** et *italique*"),
        ("<u>''Attention''</u> : ici", "***Attention*** : ici"),
        ("'''un'''''deux'' trois", "**undeux** trois"),
        ("2 * 3 * 4 et a_b_c", "2 \\* 3 \\* 4 et a\\_b\\_c"),
    ],
)
def test_emphasis_beside_apostrophes(wikitext: str, markdown: str) -> None:
    assert to_markdown(wikitext) == markdown


@pytest.mark.parametrize(
    ("wikitext", "markdown"),
    [
        ("* un\n* deux", "- un\n- deux"),
        ("*- un\n*• deux\n* ● trois", "- un\n- deux\n- trois"),
        ("*-1 PV\n* - 2 PV", "- -1 PV\n- 2 PV"),
        ("* un\n** deux\n*** trois\n* quatre", "- un\n  - deux\n    - trois\n- quatre"),
        ("# un\n## deux\n## trois\n# quatre", "1. un\n   1. deux\n   2. trois\n2. quatre"),
        ("#1. un\n#2. deux", "1. un\n2. deux"),
        ("# un\n#* deux\n#: trois\n# quatre", "1. un\n   - deux\n\n   trois\n2. quatre"),
        ("* un\n*: suite\n* deux", "- un\n  suite\n- deux"),
        ("*1. '''Un'''\n:- deux\n::* - trois", "1. **Un**\n   - deux\n     - trois"),
        ("Choix :\n:A. un\n:B. deux", "Choix :\nA. un\nB. deux"),
        ("texte\n* un\ntexte", "texte\n\n- un\n\ntexte"),
        ("* un\n  suite", "- un\n  suite"),
        ("; mot\n: sens", "**mot**\nsens"),
        ("* un</br>suite", "- un\n  suite"),
    ],
)
def test_lists(wikitext: str, markdown: str) -> None:
    assert to_markdown(wikitext) == markdown


def test_a_link_leads_to_the_section_that_holds_its_anchor() -> None:
    text = (
        "Voir [[#GE|'''la fin''']].\n"
        '== <span id="GE"></span>Fin de partie ==\n==Tour==\n* <span id="x y"></span>ici'
    )
    assert to_markdown(text).splitlines()[0] == "Voir [**la fin**](#fin-de-partie)."
    assert to_markdown("[[#x_y|ici]]\n" + text).startswith("[ici](#tour)")


def test_a_link_leads_to_the_heading_of_its_words() -> None:
    text = "[[#&#9312; Phase Ferme|Ferme]] [[#Tour]]\n==<span>&#9312; Phase Ferme</span>==\n==Tour=="
    assert to_markdown(text).splitlines()[0] == "[Ferme](#1-phase-ferme) [Tour](#tour)"


def test_a_link_that_leads_nowhere_is_its_words() -> None:
    assert to_markdown("[[#Rien|ici]] [[Autre page]] [[Page|là]]") == "ici Autre page là"


def test_every_link_finds_its_section() -> None:
    text = "==A==\n==A==\n[[#A|premier]] et [[#B]]\n==B=="
    html = to_html(to_markdown(text))
    assert html.count('href="#a"') == html.count('href="#b"') == 1
    assert ' id="a-2"' in html


def test_an_outside_link_keeps_its_words_and_its_address() -> None:
    assert to_markdown("[https://exemple.invalid/x le site]") == "le site (https://exemple.invalid/x)"


@pytest.mark.parametrize(
    ("wikitext", "language", "markdown"),
    [
        ("payez 2 [GEM] et 1 [METAL]", "fr", "payez 2 gemme et 1 métal"),
        ("[FOOD] [WATER] [VP]", "fr", "nourriture eau PV"),
        ("[SHIP1] [HUMANOID5]", "fr", "vaisseau 1 humanoïde 5"),
        ("[GEM] [SHIP1]", "de", "Edelstein Schiff 1"),
        ("[GEM]", "en", "gem"),
        ("[DRAGON2]", "fr", "dragon 2"),
        ("[le jeu]", "fr", "[le jeu]"),
        ("'''[GEM]'''", "fr", "**gemme**"),
    ],
)
def test_picture_tokens_are_said_in_words(wikitext: str, language: str, markdown: str) -> None:
    assert to_markdown(wikitext, language=language) == markdown


@pytest.mark.parametrize(
    ("wikitext", "markdown"),
    [
        ("__TOC__\n__NOTOC__<br />\nJouez.", "Jouez."),
        ("un<!-- caché -->deux", "undeux"),
        ("<nowiki>''un'' [[deux]] {{trois}}</nowiki>", "''un'' [[deux]] {{trois}}"),
        ("[[Fichier:Plateau.jpg|thumb|200px|Le [[plateau|grand plateau]]]]", "Le grand plateau"),
        ("[[File:Plateau.jpg]]", "Plateau.jpg"),
        ("[[Catégorie:Jeux]]\nJouez.", "Jouez."),
        ("{{Note|Attention au {{PV}}}}", "Attention au PV"),
        ("{{clear}}Jouez.", "Jouez."),
        ("&lt;b&gt; &amp; &#9312;&nbsp;x", "<b> & ①\xa0x"),
        ("----\nJouez.", "Jouez."),
        ("<div>un</div>", "un"),
        ("#REDIRECT [[Autre]]", "1. REDIRECT Autre"),
    ],
)
def test_what_is_not_text(wikitext: str, markdown: str) -> None:
    assert to_markdown(wikitext) == markdown


def test_a_table_becomes_a_pipe_table() -> None:
    text = (
        '{| class="wikitable"\n|+ Coûts\n! Carte !! Prix\n|-\n'
        '| Or || style="x" | 2 [GEM]\n|-\n| Bois\n| a|b\n|}\nFin'
    )
    assert (
        to_markdown(text) == "Coûts\n\n| Carte | Prix |\n|---|---|\n| Or | 2 gemme |\n| Bois | a\\|b |\n\nFin"
    )


def test_a_table_without_head_cells_has_no_head() -> None:
    assert to_markdown("{|\n| a || b\n|}") == "|  |  |\n|---|---|\n| a | b |"


@pytest.mark.parametrize(
    "text",
    [
        "# x",
        "- x",
        "+ x",
        "1. x",
        "12) x",
        "## x",
        "* x",
        "| a |\n|---|",
        "[a](#b)",
        "> x",
        "<script>x</script>",
    ],
)
def test_text_never_becomes_markdown_by_accident(text: str) -> None:
    wikitext = "\n".join(f"<nowiki>{line}</nowiki>" for line in text.split("\n"))
    html = to_html(to_markdown(wikitext))
    assert html.startswith("<p>")
    assert not any(f"<{tag}" in html for tag in ("li", "h2", "table", "a ", "em", "script"))
    assert plain(to_markdown(wikitext)) == text


@pytest.mark.parametrize(
    "mark", ["'''", "''", "[[", "{{", "{|\n", "<!--", "<nowiki>", "<b>", "<span id='", "=="]
)
def test_markup_that_never_closes_keeps_the_words(mark: str) -> None:
    assert words(plain(to_markdown(f"un {mark}deux\ntrois quatre"))).startswith(
        "undeux" if mark[:2] != "<s" else "un"
    )
    assert words(plain(to_markdown(f"un {mark}deux\ntrois quatre"))).endswith("troisquatre")


MARKUP = [
    "'''",
    "''",
    "[[",
    "]]",
    "|",
    "{{",
    "}}",
    "{|",
    "|}",
    "<br />\n",
    "\n",
    "* ",
    "# ",
    ":",
    "== ",
    " ==",
    "l'",
]
HTML = [
    "<b>",
    "</b>",
    "<span>",
    "<!--",
    "-->",
    "<nowiki>",
    "</nowiki>",
    "[GEM]",
    "&#9312;",
    "#a",
    "\\",
    "_",
    "`",
    "-",
]


@given(st.lists(st.sampled_from([*MARKUP, *HTML, "mot", "été", " "]), max_size=60))
def test_any_mixture_of_marks_is_converted_without_an_error(parts: list[str]) -> None:
    markdown = to_markdown("".join(parts))
    to_html(markdown)
    assert parse(plain(markdown)) or not words(markdown)


INLINE = [
    "'''",
    "''",
    "'",
    "<b>",
    "</b>",
    "<i>",
    "</u>",
    "*",
    "_",
    "\\",
    "[",
    "](#",
    "(",
    ".",
    "\n",
    "\n* ",
    "\n# ",
]


@given(st.lists(st.sampled_from([*INLINE, "mot", "été", "l'", " "]), max_size=60))
def test_no_emphasis_mark_eats_a_word(parts: list[str]) -> None:
    spoken = "".join(part for part in parts if part in {"mot", "été", "l'"}).replace("'", "")
    assert words(plain(to_markdown("".join(parts)))).translate(str.maketrans("", "", "0123456789")) == spoken


def test_two_million_characters_are_converted() -> None:
    text = "== Tour ==<br />\n* ''Jouez'' une carte [[#Tour|ici]] [GEM].<br />\n" * 28_000
    assert to_markdown(text).count("[ici](#tour)") == 28_000


@pytest.mark.parametrize(
    "mark", ["'''", "[[", "{{a|", "{|\n", "<!--", "<b>", " ", "== a\n", "[[Fichier:", "a=b c=d "]
)
def test_half_a_million_characters_of_open_marks_are_converted(mark: str) -> None:
    to_markdown(mark * (500_000 // len(mark)) + "fin")


def test_a_feed_of_a_wiki_gives_its_sections(shared) -> None:  # type: ignore[no-untyped-def]
    feed = case(shared, "feed-flattened-gomoku.txt")
    markdown = to_markdown(feed.split("<div>")[1].split("</div>")[0])
    assert [section.heading for section in parse(markdown)] == [
        "Manuel de Bovo",
        "Introduction",
        "Comment jouer",
        "Règles du jeu, stratégies et astuces",
        "Règles du jeu",
        "Astuces du jeu",
    ]
    assert "\n  Vous pouvez continuer" in markdown
