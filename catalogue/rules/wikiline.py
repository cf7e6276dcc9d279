"""One line of wikitext as runs of text: emphasis, links, picture tokens, tags, entities.

The quote marks follow MediaWiki's own resolution of `''`, `'''` and stray apostrophes, with one help for
French and Italian: an elided article before an italic word (`d'''Adoration''`) is an apostrophe and italic.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from catalogue.rules.runs import Run

BREAK: Final = "\v"  # a line break inside a line
ITALIC, ITALIC_END, BOLD, BOLD_END = "\x01", "\x02", "\x03", "\x04"
OWN_MARKS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u2028\u2029\x85]")

QUOTES = re.compile(r"('{2,})")
ELIDED = re.compile(
    r"(?<![\w'])([cdjlmnst]|qu|dell|nell|all|un)'''(?!')([^'\n]{1,200}?)''(?!')", re.IGNORECASE
)
TAGS = (
    "abbr|b|bdi|big|blockquote|center|cite|code|dd|del|dfn|div|dl|dt|em|font|gallery|h[1-6]|hr|i|includeonly|ins|"
    "kbd|li|mark|math|noinclude|nowiki|ol|onlyinclude|p|poem|pre|q|ref|references|s|samp|section|small|span|"
    "strike|strong|sub|sup|syntaxhighlight|table|tbody|td|th|thead|tr|tt|u|ul|var|wbr"
)
INLINE = re.compile(
    rf"(?P<mark>[\x01-\x04])"
    rf"|<(?P<end>/?)(?P<tag>{TAGS})(?P<attributes>(?:\s[^<>]{{0,500}})?)/?>"
    rf"|\[\[(?P<link>[^\[\]\n]{{1,1000}})\]\]"
    rf"|\[(?P<token>[A-Z]{{2,20}})(?P<number>\d{{0,3}})\]"
    rf"|\[(?P<url>(?:https?:|mailto:)?//[^\s\[\]<>]{{1,1000}})(?P<label>[^\[\]\n]{{0,500}})\]",
    re.IGNORECASE,
)
IDENTIFIER = re.compile(r"""\bid\s*=\s*["']?([^"'<>]{1,200}?)["'\s]*(?:\s\w+\s*=|$)""", re.IGNORECASE)
FILE = re.compile(r"\s*(?:fichier|file|image|archivo|datei|bestand|media|média)\s*:", re.IGNORECASE)
FILE_LINK = re.compile(
    rf"\[\[({FILE.pattern}(?:[^\[\]\n]|\[\[[^\[\]\n]{{1,500}}\]\]){{1,2000}})\]\]", re.IGNORECASE
)
CATEGORY = re.compile(r"\s*(?:cat[ée]gor(?:ie|y|ía|ia)|kategorie|categorie)\s*:", re.IGNORECASE)
FILE_OPTION = re.compile(
    r"\s*(?:thumb|vignette|miniatur\w*|frame\w*|cadre|left|right|center|none|gauche|droite|centré|border|bordure"
    r"|upright.*|\d+px|x\d+px|\d+x\d+px|(?:alt|link|lien|page|class|lang)\s*=.*)\s*",
    re.IGNORECASE,
)
BOLD_TAGS = frozenset({"b", "strong", "u", "th", "dt", "h1", "h2", "h3", "h4", "h5", "h6"})
ITALIC_TAGS = frozenset({"i", "em", "cite", "dfn", "var"})

# The pictures of Board Game Arena's help pages in words: French, Spanish, German. Others keep their own word.
PICTURES = {
    "gem": ("gemme", "gema", "Edelstein"),
    "metal": ("métal", "metal", "Metall"),
    "food": ("nourriture", "comida", "Nahrung"),
    "water": ("eau", "agua", "Wasser"),
    "humanoid": ("humanoïde", "humanoide", "Humanoid"),
    "ship": ("vaisseau", "nave", "Schiff"),
    "vp": ("PV", "PV", "SP"),
    "coin": ("pièce", "moneda", "Münze"),
    "gold": ("or", "oro", "Gold"),
    "wood": ("bois", "madera", "Holz"),
    "stone": ("pierre", "piedra", "Stein"),
    "money": ("argent", "dinero", "Geld"),
    "card": ("carte", "carta", "Karte"),
    "energy": ("énergie", "energía", "Energie"),
    "die": ("dé", "dado", "Würfel"),
    "worker": ("ouvrier", "trabajador", "Arbeiter"),
}
PICTURE_LANGUAGES = ("fr", "es", "de")


def runs(line: str, language: str) -> list[Run]:
    """The line's runs; a text holds `BREAK` where the line is broken."""
    scanner = _Scanner(language)
    return list(scanner.read(_quoted(line)))


def identifiers(line: str) -> list[str]:
    """The ids of the tags in the line: anchors that links may point to."""
    found = (IDENTIFIER.search(tag["attributes"] or "") for tag in INLINE.finditer(line) if tag["tag"])
    return [html.unescape(match[1]).strip() for match in found if match]


def without_files(text: str) -> str:
    """Pictures as their captions; without one, as the name of the file."""
    return FILE_LINK.sub(_caption, text)


def _caption(found: re.Match[str]) -> str:
    name, *options = re.split(r"\|(?![^\[\]]*\]\])", found[1])
    captions = [option for option in options if not FILE_OPTION.fullmatch(option)]
    return captions[-1].strip() if captions else name.partition(":")[2].strip()


def is_category(line: str) -> bool:
    """A line that only files the page."""
    link = INLINE.fullmatch(line.strip())
    return bool(link and link["link"] and CATEGORY.match(link["link"]))


@dataclass(slots=True)
class _Scanner:
    language: str
    bold: int = 0
    italic: int = 0

    def read(self, line: str, target: str = "") -> Iterator[Run]:
        at = 0
        for found in INLINE.finditer(line):
            yield self._run(html.unescape(line[at : found.start()]), target)
            at = found.end()
            yield from self._special(found, target)
        yield self._run(html.unescape(line[at:]), target)

    def _run(self, text: str, target: str) -> Run:
        return Run(text, bold=self.bold > 0, italic=self.italic > 0, target=target)

    def _special(self, found: re.Match[str], target: str) -> Iterator[Run]:
        if found["mark"]:
            self._turn(found["mark"])
        elif found["tag"]:
            self._tag(found["tag"].lower(), ends=bool(found["end"]))
        elif found["link"]:
            yield from self._link(found["link"], target)
        elif found["token"] is not None:
            yield self._run(self._token(found), target)
        else:
            label = html.unescape(found["label"].strip())
            yield self._run(f"{label} ({found['url']})" if label else found["url"], target)

    def _turn(self, mark: str) -> None:
        self.italic = max(0, self.italic + (mark == ITALIC) - (mark == ITALIC_END))
        self.bold = max(0, self.bold + (mark == BOLD) - (mark == BOLD_END))

    def _tag(self, tag: str, *, ends: bool) -> None:
        step = -1 if ends else 1
        if tag in BOLD_TAGS:
            self.bold = max(0, self.bold + step)
        elif tag in ITALIC_TAGS:
            self.italic = max(0, self.italic + step)

    def _token(self, found: re.Match[str]) -> str:
        if not found["token"].isupper():
            return found[0]
        return f"{_said(found['token'], self.language)} {found['number']}".rstrip()

    def _link(self, content: str, outer: str) -> Iterator[Run]:
        if CATEGORY.match(content):
            return
        name, _, label = content.partition("|")
        name = html.unescape(name).strip()
        target = name[1:].strip() if name.startswith("#") else ""
        yield from self.read(label.strip() or name.lstrip(":#"), outer or target)


def _said(token: str, language: str) -> str:
    """The word for a picture; an unknown one, in an unknown language, is its own word."""
    word = token.lower()
    if word not in PICTURES or language not in PICTURE_LANGUAGES:
        return word
    return PICTURES[word][PICTURE_LANGUAGES.index(language)]


def _quoted(line: str) -> str:
    """The line with one mark of our own for each turning on or off of bold and italic."""
    line = ELIDED.sub(rf"\1'{ITALIC}\2{ITALIC_END}", line)
    parts = QUOTES.split(line)
    if len(parts) == 1:
        return line
    lengths = _lengths(parts)
    out = [parts[0]]
    open_marks: list[str] = []
    for length, text in zip(lengths, parts[2::2], strict=True):
        out += [_turned(open_marks, length), text]
    out += [_end(mark) for mark in reversed(open_marks)]
    return "".join(out)


def _lengths(parts: list[str]) -> list[int]:
    """How many quotes of each group are marks: 2, 3 or 5. The rest become apostrophes of the text before."""
    lengths = []
    for at in range(1, len(parts), 2):
        count = len(parts[at])
        marks = 3 if count == 4 else min(count, 5)
        parts[at - 1] += "'" * (count - marks)
        lengths.append(marks)
    bold, italic = (sum(length in {size, 5} for length in lengths) for size in (3, 2))
    if bold % 2 and italic % 2:
        _mend(parts, lengths)
    return lengths


def _mend(parts: list[str], lengths: list[int]) -> None:
    """Bold and italic both left open: one bold was an apostrophe and italic. MediaWiki's choice of which."""

    def rank(index: int) -> int:
        before = parts[2 * index]
        return 2 if before.endswith(" ") else 0 if before[-2:-1] in {" ", ""} else 1

    bolds = [index for index, length in enumerate(lengths) if length == 3]
    if bolds:
        chosen = min(bolds, key=rank)
        lengths[chosen] = 2
        parts[2 * chosen] += "'"


def _turned(open_marks: list[str], length: int) -> str:
    out = ""
    for mark in {2: [ITALIC], 3: [BOLD], 5: [BOLD, ITALIC]}[length]:
        if mark in open_marks:
            open_marks.remove(mark)
            out += _end(mark)
        else:
            open_marks.append(mark)
            out += mark
    return out


def _end(mark: str) -> str:
    return ITALIC_END if mark == ITALIC else BOLD_END
