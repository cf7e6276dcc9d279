"""Rules in our Markdown as safe HTML, and as plain text.

Two walls: the parser knows no HTML and no outside links, and nh3 lets through only the tags listed here.
Called by pages, the API and search.
"""

from itertools import pairwise

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token

from catalogue.rules.markup import parser, spoken, tokens
from catalogue.rules.sections import Section, parse

TAGS = {"p", "br", "ul", "ol", "li", "strong", "em", "a", "h1", "h2", "h3", "h4", "h5", "h6"} | {
    "table", "thead", "tbody", "tr", "th", "td"
}  # fmt: skip
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "li": {"value"}} | {f"h{n}": {"id"} for n in range(1, 7)}
DEEPEST = 6


def to_html(markdown: str, *, below: int = 1) -> SafeString:
    """Safe HTML; each heading carries its anchor as `id`.

    `below` is the level of the page's own heading over the text: with 1 the outermost headings are `<h2>`.
    However the text skips levels, the page does not.
    """
    return _cleaned("".join(_section(section, below) for section in parse(markdown)))


def body_to_html(body: str) -> SafeString:
    """Safe HTML of Markdown without headings: a section's body or a passage of it."""
    return _cleaned(_blocks(body))


def plain(markdown: str) -> str:
    """The words without marks, line by line; list items keep their dash or number."""
    parts = (part for section in parse(markdown) for part in (section.heading, _plain_body(section.body)))
    return "\n\n".join(part for part in parts if part)


def _cleaned(html: str) -> SafeString:
    return mark_safe(  # noqa: S308 - this is the place that makes it safe
        nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=set(), link_rel=None)
    )


def _section(section: Section, below: int) -> str:
    if not section.heading:
        return _blocks(section.body)
    level = min(below + section.level, DEEPEST)
    heading = f'<h{level} id="{escape(section.anchor)}">{escape(section.heading)}</h{level}>\n'
    return heading + _blocks(section.body)


def _blocks(body: str) -> str:
    made = parser()
    parsed = _numbered(_without_empty_heads(tokens(body)))
    rendered: str = made.renderer.render(parsed, made.options, {})
    return rendered


def _numbered(parsed: list[Token]) -> list[Token]:
    """List items show the number that is written, not the one HTML would count."""
    for token in parsed:
        if token.type == "list_item_open" and token.info:
            token.attrs = {"value": int(token.info)}
    return parsed


def _without_empty_heads(parsed: list[Token]) -> list[Token]:
    """Tables without the head row that Markdown asks for and such a table does not have."""
    kept: list[Token] = []
    head: list[Token] | None = None
    for token in parsed:
        if token.type == "thead_open":
            head = []
        if head is None:
            kept.append(token)
            continue
        head.append(token)
        if token.type == "thead_close":
            kept += head if any(part.content for part in head) else []
            head = None
    return kept


def _plain_body(body: str) -> str:
    lines: list[str] = []
    mark = ""
    for before, token in pairwise(tokens(body)):
        if before.type == "list_item_open":
            mark += f"{before.info}{before.markup} " if before.info else "- "
        if before.type == "tr_open":
            lines.append("")
        if token.type != "inline":
            continue
        words = spoken(token.children or ())
        if before.type in {"td_open", "th_open"}:
            lines[-1] = f"{lines[-1]} {words}".strip()
        else:
            lines.append(mark + words)
            mark = ""
    return "\n".join(line for line in [*lines, mark.rstrip()] if line.strip())
