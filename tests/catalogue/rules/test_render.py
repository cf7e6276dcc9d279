"""HTML that is safe whatever the text, and looks like what was written."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.rules.markup import escape
from catalogue.rules.render import ATTRIBUTES, TAGS, body_to_html, plain, to_html
from catalogue.rules.sections import parse
from tests.catalogue.rules.sources import words

TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)([^<>]*)>")
ATTRIBUTE = re.compile(r'\s+([\w-]+)="([^"]*)"')

NASTY = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](http://exemple.invalid/x.png)",
    "<javascript:alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x][1]\n\n[1]: javascript:alert(1)",
    '<div style="background:url(x)" onclick="x()">',
    "## <svg onload=alert(1)>",
    '## " onmouseover="alert(1)',
    "| <iframe src=x> | b |\n|---|---|\n| [x](vbscript:x) | <b> |",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#x6A;avascript:alert(1)",
    "```html\n<script>alert(1)</script>\n```",
    "[x](#\" onclick=\"x)",
)  # fmt: skip


def assert_safe(html: str) -> None:
    """Only listed tags and attributes; links stay within the page."""
    for _, tag, rest in TAG.findall(html):
        assert tag in TAGS, html
        for name, value in ATTRIBUTE.findall(rest):
            assert name in ATTRIBUTES.get(tag, set()), html
            assert name != "href" or value.startswith("#"), html
    assert "<" not in TAG.sub("", html)


@pytest.mark.parametrize("text", NASTY)
def test_nothing_executable_survives(text: str) -> None:
    assert_safe(to_html(text))


@given(st.lists(st.sampled_from([*NASTY, "\n", "\n\n", "- ", "  ", "**", "*", "](#a)", "[", "\\", "|"])))
def test_nothing_executable_survives_in_any_mixture(parts: list[str]) -> None:
    assert_safe(to_html("".join(parts)))


@given(st.text(alphabet="ab<>[]()#*_|-1. \n\\&\"'`"))
def test_any_text_gives_safe_html_and_loses_no_word(text: str) -> None:
    html = to_html(text)
    assert_safe(html)
    assert words(plain(text)).replace("b", "").count("a") == text.count("a")


def test_markup_of_other_kinds_is_shown_as_it_stands() -> None:
    assert to_html("<b>x</b> &amp; `y`\n\n> z") == (
        "<p>&lt;b&gt;x&lt;/b&gt; &amp;amp; `y`</p>\n<p>&gt; z</p>\n"
    )


def test_headings_stand_below_the_heading_of_the_page() -> None:
    text = "## Tour\n\n#### Action\n\n## Fin"
    assert re.findall(r'<h(\d) id="([^"]+)">', to_html(text)) == [
        ("2", "tour"),
        ("3", "action"),
        ("2", "fin"),
    ]
    assert re.findall(r"<h(\d)", to_html(text, below=3)) == ["4", "5", "4"]


def test_no_heading_is_deeper_than_html_allows() -> None:
    assert re.findall(r"<h(\d)", to_html("## a\n### b\n#### c", below=5)) == ["6", "6", "6"]


def test_every_anchor_is_an_id_of_the_page() -> None:
    text = "## Fin\n\n## Fin\n\n### Été & “x”\n\n## ★"
    assert re.findall(r' id="([^"]+)"', to_html(text)) == [section.anchor for section in parse(text)]


def test_a_line_end_is_a_line_break() -> None:
    assert to_html("un\ndeux") == "<p>un<br>\ndeux</p>\n"


def test_links_lead_to_sections_of_the_same_text_only() -> None:
    assert to_html("[la *fin*](#fin) et [ailleurs](https://exemple.invalid)") == (
        '<p><a href="#fin">la <em>fin</em></a> et [ailleurs](https://exemple.invalid)</p>\n'
    )


def test_a_list_shows_the_numbers_that_are_written() -> None:
    html = to_html("1. un\n2. deux\n4. quatre")
    assert re.findall(r'<li value="(\d)">', html) == ["1", "2", "4"]


def test_a_table_without_head_shows_none() -> None:
    html = to_html("|  |  |\n|---|---|\n| a | b |")
    assert "<thead>" not in html
    assert html.count("<td>") == 2


def test_lists_within_lists_beyond_all_reason_lose_no_word() -> None:
    deep = "\n".join(f"{'  ' * depth}- mot{depth}" for depth in range(300))
    html = to_html(deep)
    assert all(f"mot{depth}" in html for depth in range(300))


def test_a_passage_is_rendered_without_headings_of_its_own() -> None:
    assert body_to_html("- un\n- **deux**") == "<ul>\n<li>un</li>\n<li><strong>deux</strong></li>\n</ul>\n"


def test_plain_text_keeps_the_words_and_drops_the_marks() -> None:
    text = "## Tour\n\n**Jouez** [ici](#fin).\n\n3. trois\n   encore\n- a\n\n| x | y |\n|---|---|\n| 1 | 2 |"
    assert plain(text) == "Tour\n\nJouez ici.\n3. trois\nencore\n- a\nx y\n1 2"


# --- places that links lead to -----------------------------------------------------------------

THREE_BLOCKS = "## Tour\n\nUn.\nDeux.\n\n- trois\n- quatre\n\n| a | b |\n|---|---|\n| c | d |"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (-1, '<h2 id="tour"><span id="x"></span>Tour</h2>'),
        (0, '<p><span id="x"></span>Un.'),
        (1, 'Un.<br>\n<span id="x"></span>Deux.'),
        (4, '<li><span id="x"></span>quatre</li>'),
        (8, '<td><span id="x"></span>c</td>'),
        (2, '<li><span id="x"></span>trois</li>'),
    ],
)
def test_a_place_in_a_section_is_a_target_where_its_line_begins(line: int, expected: str) -> None:
    html = to_html(THREE_BLOCKS, targets={"tour": [(line, "x")]})
    assert expected in html
    assert html.replace('<span id="x"></span>', "") == to_html(THREE_BLOCKS)


def test_no_target_is_lost_and_none_may_break_out_of_its_tag() -> None:
    html = to_html("Un.", targets={"top": [(0, "a"), (0, '"><script>'), (-1, "top")]})
    assert html.count("<span ") == 3
    assert_safe(html)


def test_where_a_page_of_the_print_begins_is_shown_as_a_mark_and_not_as_words() -> None:
    html = to_html("## A\n\n[p. 3] Word **and [p. 4] more**")
    assert '<span class="page-mark">p. 3</span> Word' in html
    assert '<strong>and <span class="page-mark">p. 4</span> more</strong>' in html


def test_foreign_text_that_looks_like_a_page_mark_stays_text() -> None:
    assert "page-mark" not in to_html(escape("see [p. 3]"))
    assert "see [p. 3]" in to_html(escape("see [p. 3]"))
