"""MediaWiki's wikitext, as wikis and their feeds hold it, to our small Markdown.

Never refuses and never drops words: markup that is unknown or never closed stays as text. Every pass is
linear in the length of the text. Called by imports.
"""

import html
import re
from collections.abc import Callable, Iterator

from catalogue.rules import runs as written
from catalogue.rules import sections, wikitable
from catalogue.rules.runs import Run
from catalogue.rules.wikiline import BREAK, OWN_MARKS, identifiers, is_category, runs, without_files
from catalogue.rules.writer import Writer

FEED_LINE_END = re.compile(r"<br[ \t]*/?>[ \t]*\n", re.IGNORECASE)
LINE_BREAK = re.compile(r"</?br[ \t]*/?>", re.IGNORECASE)
BLOCK_TAG = re.compile(r"</?(?:p|div|blockquote|center|poem|pre|hr)(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
SWITCH = re.compile(r"__[A-ZÀ-Ý]{3,30}__")
HEADING = re.compile(r"[ \t]*(={1,6})(?!=)(.*[^=\s].*?)(={1,6})[ \t]*")
PREFIX = re.compile(r"([*#:;]{1,40})[ \t]*(.*)", re.DOTALL)
HAND_BULLET = re.compile(r"(?:[●•▪◦·‣]|[-–—](?!\d|\w+[-–—]))[ \t]*(?=\S)")
HAND_NUMBER = re.compile(r"(\d{1,3})[.)][ \t]+(?=\S)")
LONE_RULE = re.compile(r"-{4,}")
DEEPEST_TEMPLATE = 40
NUMBERED_ARGUMENT = re.compile(r"\s*\w{1,40}\s*=")
LAYOUT_TEMPLATES = frozenset({"-", "clear", "clr", "toc", "br", "!", "="})
PROTECTED = {ord(mark): f"&#{ord(mark)};" for mark in "'[]{}|*#:;=<>_-"}


def to_markdown(wikitext: str, *, language: str = "fr") -> str:
    """Our Markdown. `language` is the one in which picture tokens (`[GEM]`) are said."""
    lines = [line.rstrip(" \t") for line in _prepared(wikitext).split("\n")]
    return _Page(lines, language).markdown()


def _prepared(text: str) -> str:
    """Comments, templates and switches away, one kind of line end, `BREAK` for a break inside a line."""
    text = OWN_MARKS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _between(text, "<nowiki>", "</nowiki>", lambda inner: inner.translate(PROTECTED))
    text = _between(text, "<!--", "-->", lambda _: "")
    text = FEED_LINE_END.sub("\n", text)
    text = LINE_BREAK.sub(BREAK, text).replace(f"{BREAK}\n", "\n")
    text = BLOCK_TAG.sub(f"{BREAK}", text)
    return SWITCH.sub("", without_files(_without_templates(text)))


def _between(text: str, start: str, end: str, say: Callable[[str], str]) -> str:
    """`text` with what stands between the marks said otherwise; a start without end is dropped alone."""
    out = []
    at = 0
    while (opened := text.find(start, at)) >= 0:
        closed = text.find(end, opened + len(start))
        if closed < 0:
            break
        out += [text[at:opened], say(text[opened + len(start) : closed])]
        at = closed + len(end)
    return "".join(out) + text[at:].replace(start, "")


def _without_templates(text: str) -> str:
    """`{{name|words}}` -> the words, `{{name}}` -> the name: a picture template must not leave a gap."""
    levels: list[list[str]] = [[]]
    for part in re.split(r"(\{\{|\}\})", text):
        if part == "{{":
            if len(levels) < DEEPEST_TEMPLATE:
                levels.append([])
        elif part == "}}":
            if len(levels) > 1:
                inner = "".join(levels.pop())
                levels[-1].append(_template(inner))
        else:
            levels[-1].append(part)
    return "".join(part for level in levels for part in level)


def _template(inner: str) -> str:
    name, *arguments = inner.split("|")
    if arguments:
        return " ".join(NUMBERED_ARGUMENT.sub("", argument, count=1).strip() for argument in arguments)
    return "" if name.strip().lower() in LAYOUT_TEMPLATES else name.strip(" {}")


class _Page:
    """One page on its way: first its headings and anchors, then its lines."""

    def __init__(self, lines: list[str], language: str) -> None:
        self.lines = lines
        self.language = language
        self.writer = Writer()
        self.shift = any(found and _level(found) == 1 for found in map(HEADING.fullmatch, lines))
        self.anchors = self._anchors()

    def markdown(self) -> str:
        lines = iter(self.lines)
        for line in lines:
            if line.lstrip(" :").startswith("{|"):
                self._table(lines)
            else:
                self._line(line)
        return self.writer.text()

    def _heading(self, line: str) -> tuple[int, str] | None:
        """Level and words of a heading line; None when it is none or has no words."""
        found = HEADING.fullmatch(line) if "=" in line else None
        if not found:
            return None
        extra = len(found[3]) - len(found[1])
        inner = "=" * max(0, -extra) + found[2] + "=" * max(0, extra)
        words = " ".join(written.plain(runs(inner, self.language)).replace(BREAK, " ").split())
        return (_level(found) + self.shift, words) if words else None

    def _anchors(self) -> dict[str, str]:
        """What links call a place -> the anchor of the section it stands in."""
        headings: list[str] = []
        places: list[tuple[str, int]] = []
        for line in self.lines:
            heading = self._heading(line)
            if heading:
                headings.append(heading[1])
            if "<" in line:
                places += [(name, len(headings) - 1) for name in identifiers(line) if headings]
        anchors = sections.anchors(headings)
        named = {
            _name(heading): anchor for heading, anchor in zip(headings[::-1], anchors[::-1], strict=True)
        }
        return {_name(name): anchors[index] for name, index in places} | named

    def _anchor_of(self, target: str) -> str:
        return self.anchors.get(_name(target), "")

    def _line(self, line: str) -> None:
        heading = self._heading(line)
        prefix = PREFIX.fullmatch(line)
        if heading:
            self.writer.heading(heading[0], written.markdown([Run(heading[1])], self._anchor_of))
        elif is_category(line):
            return
        elif not line.strip(f" \t{BREAK}") or LONE_RULE.fullmatch(line):
            self.writer.close()
            self.writer.blank()
        elif prefix:
            self._listed(prefix[1], prefix[2])
        else:
            self._text(line)

    def _written(self, text: str) -> list[str]:
        """The text as inline Markdown, broken where it says so. Emphasis ends with each line."""
        lines: list[list[Run]] = [[]]
        for run in runs(text, self.language):
            first, *others = run.text.replace("\n", " ").split(BREAK)
            lines[-1].append(Run(first, run.bold, run.italic, run.target))
            lines += [[Run(part, run.bold, run.italic, run.target)] for part in others]
        return [written.markdown(line, self._anchor_of).strip() for line in lines]

    def _text(self, line: str) -> None:
        """Text outside lists; a line that begins with a blank goes on with the item above it."""
        put: Callable[[str], None] = self.writer.line
        if line[0] in " \t" and self.writer.open_items:
            depth = self.writer.open_items[-1].depth
            put = lambda text: self.writer.more(depth, text)  # noqa: E731
        for part in self._written(line):
            put(part) if part else self.writer.blank()

    def _listed(self, prefix: str, text: str) -> None:
        """`**- text`: the marks of the prefix, then perhaps a bullet or number made by hand."""
        bullet = HAND_BULLET.match(text)
        text = (text[bullet.end() :] if bullet else text).strip(f" {BREAK}")
        depth = len(prefix) + (bullet is not None and prefix[-1] in ":;")
        if prefix[-1] in ":;" and not bullet:
            self._indented(prefix, f"'''{text}'''" if prefix[-1] == ";" else text)
            return
        by_hand = HAND_NUMBER.match(text)
        number = 0 if prefix[-1] == "#" else None
        if by_hand:
            number, text = int(by_hand[1]), text[by_hand.end() :]
        first, *more = self._written(text)
        self.writer.item(depth, first, number=number)
        for part in filter(None, more):
            self.writer.more(depth, part)

    def _indented(self, prefix: str, text: str) -> None:
        marks = prefix.rstrip(":;")
        for part in filter(None, self._written(text)):
            self.writer.more(len(marks) or len(prefix), part)

    def _table(self, lines: Iterator[str]) -> None:
        table = wikitable.read(lines)
        for part in filter(None, self._written(table.caption)):
            self.writer.line(part)
        rows = [[" ".join(self._written(cell)).strip() for cell in row] for row in table.rows]
        if rows:
            self.writer.table(rows, has_head=table.has_head)


def _level(found: re.Match[str]) -> int:
    return min(len(found[1]), len(found[3]))


def _name(target: str) -> str:
    """MediaWiki takes blanks and underscores for the same."""
    return " ".join(html.unescape(target).replace("_", " ").split())
