"""Rules in HTML, DocBook and wikitext as our Markdown: nothing lost, nothing that runs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.draft import Problem, RecordDraft
from catalogue.imports import rules_file
from catalogue.imports.sniff import Format, format_of
from catalogue.rules import foreign, webpage
from catalogue.rules.sections import parse

HTML = """<!DOCTYPE html><html lang="en"><head><title>The Orchard</title><style>p {color: red}</style>
<script>alert("no")</script></head><body><nav><a href="/">Home</a></nav>
<h1>The Orchard</h1><p>Each player takes <b>six apples</b> and a basket.<br>Then play begins.</p>
<h2>Setup</h2><ul><li>Shuffle the cards<ul><li>all of them</li></ul></li><li>Deal five</li></ul>
<ol start="3"><li>Turn one over</li><li>Read it aloud</li></ol>
<h2>Scoring</h2><table><tr><th>Fruit</th><th>Points</th></tr><tr><td>Apple</td><td>2</td></tr></table>
<p>A * star and [p. 4] stay &lt;words&gt; &amp; so on <img src="x" alt="(a pear)"></p></body></html>"""
DOCBOOK = """<?xml version="1.0"?><article><title>Le Verger</title><section><title>But du jeu</title>
<para>Cueillir tous les fruits avant que le corbeau n'arrive.</para><section><title>Matériel</title>
<itemizedlist><listitem><para>six pommes</para></listitem>
<listitem><para>un dé</para></listitem></itemizedlist>
</section></section></article>"""
WIKI = (
    "Le Verger\n\n== But du jeu ==\nCueillir '''tous''' les fruits du verger.\n* un\n** deux\n\n"
    "=== Fin ===\nOn compte."
)


def headings(markdown: str) -> list[tuple[int, str]]:
    return [(section.level, section.heading) for section in parse(markdown) if section.heading]


def record(text: str) -> RecordDraft:
    (found,) = rules_file.read(text)
    assert isinstance(found, RecordDraft)
    return found


def test_a_page_keeps_its_headings_lists_tables_and_emphasis() -> None:
    written = foreign.to_markdown(HTML)
    assert headings(written) == [(1, "The Orchard"), (2, "Setup"), (2, "Scoring")]
    assert "takes **six apples** and a basket.\nThen play begins." in written
    assert "- Shuffle the cards\n  - all of them\n- Deal five" in written
    assert "3. Turn one over\n4. Read it aloud" in written
    assert "| Fruit | Points |\n|---|---|\n| Apple | 2 |" in written
    assert "A \\* star and \\[p. 4] stay <words> & so on (a pear)" in written
    assert not re.search("alert|color|Home", written)


def test_docbook_has_its_sections_one_in_the_other() -> None:
    written = foreign.to_markdown(DOCBOOK)
    assert headings(written) == [(1, "Le Verger"), (2, "But du jeu"), (3, "Matériel")]
    assert "- six pommes\n- un dé" in written


def test_wikitext_is_read_as_in_a_feed() -> None:
    written = foreign.to_markdown(WIKI)
    assert headings(written) == [(1, "But du jeu"), (2, "Fin")]
    assert "**tous**" in written


@pytest.mark.parametrize(
    ("text", "title", "language"),
    [(HTML, "The Orchard", "en"), (DOCBOOK, "Le Verger", "fr"), (WIKI, "Le Verger", "fr")],
)
def test_each_form_is_recognised_and_its_language_told(text: str, title: str, language: str) -> None:
    assert format_of(text) == Format.RULES
    found = record(text)
    assert (found.game.title, found.rules[0].head.language) == (title, language)
    assert found.rules[0].revisions[0].raw == text


def test_a_head_may_stand_before_wikitext() -> None:
    found = record(f"---\ngame: Finca\nlanguage: fr\n---\n{WIKI}")
    assert found.game.title == "Finca"
    assert headings(found.rules[0].revisions[0].body)[0] == (1, "But du jeu")


@pytest.mark.parametrize("text", ["a == b and b == c", "<p>x</p>", "<root><a>1</a></root>"])
def test_what_says_nothing_is_no_rules(text: str) -> None:
    assert format_of(text) is None


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A text with a part cut out and something put in its place."""
    text = draw(st.sampled_from([HTML, DOCBOOK, WIKI]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    put = st.sampled_from(
        ["<", "<li>", "</table>", "<td>", "<ul>" * 70, "<![CDATA[x", "<script>", "{{", "&#0;", "==", ""]
    )
    return text[:start] + draw(put) + text[end:]


@settings(max_examples=200)
@given(damaged())
def test_no_damage_makes_the_reader_raise(text: str) -> None:
    assert all(isinstance(one, RecordDraft | Problem) for one in rules_file.read(text))


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            ["<li>", "<ul>", "</ul>", "<td>", "<table>", "</table>", "<h2>", "<b>", "<tr>", "<p>", "</p>"]
        ),
        max_size=12,
    )
)
def test_no_word_is_lost_whatever_the_tags_around_it(tags: list[str]) -> None:
    text = "<div>" + "".join(f"{tag} word{number} " for number, tag in enumerate(tags)) + "</div>"
    written = webpage.to_markdown(text)
    assert [f"word{number}" for number in range(len(tags))] == re.findall(r"word\d+", written)
