"""Rules in our Markdown as safe HTML, and as plain text.

Two walls: the parser knows no HTML and no outside links, and nh3 lets through only the tags listed here.
Called by pages, the API and search.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token

from catalogue.rules.markup import parser, spoken, tokens
from catalogue.rules.sections import Section, parse

TAGS = {"p", "br", "ul", "ol", "li", "strong", "em", "a", "h1", "h2", "h3", "h4", "h5", "h6"} | {
    "table", "thead", "tbody", "tr", "th", "td", "span"
}  # fmt: skip
ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "li": {"value"}, "span": {"id", "class"}} | {
    f"h{n}": {"id"} for n in range(1, 7)
}
DEEPEST = 6

Targets: TypeAlias = Mapping[str, Sequence[tuple[int, str]]]
"""Further places that links lead to: anchor of a section -> (line of its body, id); line -1: its heading."""


def to_html(markdown: str, *, below: int = 1, targets: Targets | None = None) -> SafeString:
    """Safe HTML; each heading carries its anchor as `id`, each of the `targets` is an empty `<span>`.

    `below` is the level of the page's own heading over the text: with 1 the outermost headings are `<h2>`.
    However the text skips levels, the page does not.
    """
    wanted = targets or {}
    html = "".join(_section(section, below, wanted.get(section.anchor, ())) for section in parse(markdown))
    return _cleaned(html)


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


def _section(section: Section, below: int, targets: Sequence[tuple[int, str]]) -> str:
    over = "".join(_span(name) for line, name in targets if line < 0)
    within = [target for target in targets if target[0] >= 0]
    if not section.heading:
        return over + _blocks(section.body, within)
    level = min(below + section.level, DEEPEST)
    heading = f'<h{level} id="{escape(section.anchor)}">{over}{escape(section.heading)}</h{level}>\n'
    return heading + _blocks(section.body, within)


def _span(name: str) -> str:
    return f'<span id="{escape(name)}"></span>'


def _blocks(body: str, targets: Sequence[tuple[int, str]] = ()) -> str:
    made = parser()
    parsed = _numbered(_without_empty_heads(_targeted(tokens(body), targets)))
    rendered: str = made.renderer.render(parsed, made.options, {})
    return rendered


def _targeted(parsed: list[Token], targets: Sequence[tuple[int, str]]) -> list[Token]:
    """The blocks with a span where each target's line begins, or the next line that has words.

    A place inside a line is told by its line: Markdown's parser does not say where its words stood.
    """
    waiting = sorted(targets)[::-1]
    for token in parsed if waiting else ():
        if token.type == "inline" and token.map and token.children:
            token.children = _with_spans(token.children, token.map, waiting)
    return [*parsed, *(Token("html_block", "", 0, content=_span(name)) for _, name in waiting[::-1])]


def _with_spans(children: list[Token], lines: list[int], waiting: list[tuple[int, str]]) -> list[Token]:
    """The words of one block; the targets that lie in it are taken off the end of `waiting`."""
    line, last = lines[0], lines[1] - 1
    kept: list[Token] = []
    for child in (None, *children):
        if child is not None:
            kept.append(child)
            if child.type not in {"softbreak", "hardbreak"}:
                continue
            line += 1
        while waiting and waiting[-1][0] <= line <= last:
            kept.append(Token("html_inline", "", 0, content=_span(waiting.pop()[1])))
    return kept


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
