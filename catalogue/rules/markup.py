"""Our small Markdown: its parser, and how foreign text is written into it.

Headings (`##` to `####`, lines of their own, read by `sections` alone), paragraphs, `- ` and `1. ` lists,
`**bold**`, `*italic*`, links inside the page `[text](#anchor)`, pipe tables; a line end is a line break;
`[p. 3]` where the third page of a print begins.
Everything else of Markdown is off: HTML, code, images, outside links and entities are plain text.
Called by the other modules of this package only.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

LINK = re.compile(r"\[((?:[^\[\]\\\n]|\\.){1,500})\]\(#([\w-]{1,200})\)")
PAGE_MARK = re.compile(r"\[p\. (\d{1,4})\]")
SPECIAL = re.compile(r"[\\*_]|(?<=\])(?=\()|\[(?=p\. \d{1,4}\])")
BLOCK_START = re.compile(r"(#{1,6}|[-+]|\d{1,9}(?=[.)]))(?=[.)]?(?:[ \t]|$))")
TABLE_RULE = re.compile(r"[-:|\s]+")

# Deeper lists would be cut off by the parser: its limit of 100 is 49 lists within one another.
DEEPEST_INDENT = 40
MANY_MARKS = re.compile(r"^([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){8})(?=(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$))")


@cache
def parser() -> MarkdownIt:
    """The parser of what stands under a heading. Made once: it keeps no state between texts."""
    made = MarkdownIt("zero", {"breaks": True, "html": False, "maxNesting": 100})
    made.enable(["list", "table", "emphasis", "balance_pairs", "escape", "newline"])
    made.enable("fragments_join", ignoreInvalid=True)
    made.inline.ruler.before("emphasis", "page_link", _page_link)
    made.inline.ruler.before("emphasis", "page_mark", _page_mark)
    return made


def _page_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    """A link to a heading of the same text. The stock rule is quadratic on `[[[[`, and allows addresses."""
    match = LINK.match(state.src, state.pos) if state.src[state.pos] == "[" else None
    if match is None or match.end() > state.posMax:
        return False
    if not silent:
        state.push("link_open", "a", 1).attrs = {"href": f"#{match[2]}"}
        end = state.posMax
        state.pos, state.posMax = match.start(1), match.end(1)
        state.md.inline.tokenize(state)
        state.posMax = end
        state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


def _page_mark(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's own signature
    """Where a page of the print begins. What stands between the marks is rendered as any other text."""
    match = PAGE_MARK.match(state.src, state.pos)
    if match is None or match.end() > state.posMax:
        return False
    if not silent:
        state.push("page_open", "span", 1).attrs = {"class": "page-mark"}
        state.push("text", "", 0).content = f"p. {match[1]}"
        state.push("page_close", "span", -1)
    state.pos = match.end()
    return True


def tokens(body: str) -> list[Token]:
    """The blocks of a text without headings."""
    return parser().parse("\n".join(_shallow(line) for line in body.splitlines()))


def _shallow(line: str) -> str:
    """The line with no more list marks and indent than the parser follows: no text may fall away."""
    line = line.expandtabs(4)
    text = line.lstrip(" ")
    line = " " * min(len(line) - len(text), DEEPEST_INDENT) + text
    return MANY_MARKS.sub(r"\1\\", line)


def inline_text(line: str) -> str:
    """One line of our Markdown without its marks."""
    return spoken(parser().parseInline(line)[0].children or ())


def spoken(children: Sequence[Token], line_break: str = "\n") -> str:
    """The words of inline tokens."""
    said: Callable[[Token], str] = lambda t: line_break if t.type in {"softbreak", "hardbreak"} else t.content  # noqa: E731
    return "".join(said(token) for token in children)


def escape(text: str) -> str:
    """Foreign text, so that none of its characters reads as an inline mark."""
    return SPECIAL.sub(lambda found: f"\\{found[0]}", text)


def escape_start(line: str) -> str:
    """A line already escaped, so that it does not begin a heading, a list or a table."""
    if TABLE_RULE.fullmatch(line):
        return f"\\{line.lstrip()}" if line.strip() else line
    found = BLOCK_START.match(line)
    if not found:
        return line
    cut = found.end() if found[1].isdigit() else 0
    return f"{line[:cut]}\\{line[cut:]}"
