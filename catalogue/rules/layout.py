"""Pieces of printed lines -> the text of each page as it is read: columns, paragraphs, headings.

Pure functions on boxes (points, from the page's lower left corner). Called by `pdf`.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from catalogue.rules.headings import FURNITURE, LONGEST, MOST_WORDS

HYPHENS = "\x02\ufffe\u00ad\u2010-"
HYPHENATED = re.compile(rf"(?<=[^\W\d_])[{HYPHENS}]$")
NOT_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\u00ad]")
BULLET = re.compile(r"(?:[-–—•●▪◦·*■►▶✓]|\d{1,2}[.)]|[a-z]\))(?:\s|$)")
SENTENCE_END = re.compile(r"[.!?:;…»”\")]\s*$")
EDGE_LINES = 2  # so many lines at the top and the bottom of a page may be furniture
SAME_HEIGHT = 8  # points: furniture stands at one height on every page
REPEATS = 0.5  # the share of pages on which furniture stands again
STEPS = 60
MOST_CROSSING = 0.34
FEWEST_IN_COLUMN = 4
LEAST_SHARE = 0.15  # of the letters, in each column
SHORTEST_COLUMN_LINE = 8
BIG = 1.15  # letters of a heading, in those of the text
FULL = 0.85
FEWEST_HEADINGS = 2


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of one line in one column."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    is_bold: bool = False
    column: tuple[float, float] = (0, 0)  # left and right edge of what it stands in

    @property
    def height(self) -> float:
        """Of its letters."""
        return max(self.y1 - self.y0, 1.0)

    @property
    def middle(self) -> float:
        """Of the line."""
        return (self.y0 + self.y1) / 2


def texts(pages: Sequence[Sequence[Piece]]) -> list[str]:
    """The text of each page: a paragraph a line, headings marked with `#` where their letters tell them."""
    ordered = [_in_order(page) for page in pages]
    lines = [
        _without_furniture(page, heads) for page, heads in zip(ordered, _furniture(ordered), strict=True)
    ]
    marks = _heading_marks([line for page in lines for line in page])
    kept = _known_hyphens(lines)
    return [_clean("\n".join(_paragraphs(page, marks, kept))) for page in lines]


def _clean(text: str) -> str:
    """Ligatures and other forms of print as plain letters."""
    for ligature, letters in (
        ("ﬀ", "ff"),
        ("ﬁ", "fi"),
        ("ﬂ", "fl"),
        ("ﬃ", "ffi"),
        ("ﬄ", "ffl"),
        ("ﬅ", "st"),
        ("ﬆ", "st"),
    ):
        text = text.replace(ligature, letters)
    return unicodedata.normalize("NFC", NOT_TEXT.sub("", text)).strip()


# --- order -------------------------------------------------------------------------------------


def _in_order(pieces: Sequence[Piece]) -> list[Piece]:
    """Whole lines in reading order: columns one after the other, between what runs over all of them."""
    if not pieces:
        return []
    gutter = _gutter(pieces)
    if gutter is None:
        return _rows(pieces)
    ordered: list[Piece] = []
    band: list[Piece] = []
    for piece in [*sorted(pieces, key=lambda p: -p.middle), None]:
        if piece is not None and not piece.x0 < gutter < piece.x1:
            band.append(piece)
            continue
        for side in ([p for p in band if p.x1 <= gutter], [p for p in band if p.x0 >= gutter]):
            ordered += _in_order(side)
        band = []
        if piece is not None:
            ordered += _rows([piece])
    return ordered


def _gutter(pieces: Sequence[Piece]) -> float | None:
    """Where a page is parted into columns; None where it has but one."""
    left, right = min(p.x0 for p in pieces), max(p.x1 for p in pieces)
    width = right - left
    places = (left + width * (0.15 + 0.7 * step / STEPS) for step in range(STEPS + 1))
    best: tuple[float, float, float] | None = None
    for place in places:
        crossing = [p for p in pieces if p.x0 < place < p.x1]
        sides = [p for p in pieces if p.x1 <= place], [p for p in pieces if p.x0 >= place]
        if len(crossing) > MOST_CROSSING * len(pieces) or not all(_is_column(s, pieces) for s in sides):
            continue
        free = min(p.x0 for p in sides[1]) - max(p.x1 for p in sides[0])
        rating = (len(crossing), -free, place)
        best = min(best, rating) if best else rating
    return best[2] if best else None


def _is_column(side: Sequence[Piece], pieces: Sequence[Piece]) -> bool:
    letters = sum(len(p.text) for p in side)
    if len(side) < FEWEST_IN_COLUMN or letters < SHORTEST_COLUMN_LINE * len(side):
        return False
    return letters >= LEAST_SHARE * sum(len(p.text) for p in pieces)


def _rows(pieces: Sequence[Piece]) -> list[Piece]:
    """Lines from top to bottom; pieces on one base line are one."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: (-p.middle, p.x0)):
        if rows and abs(rows[-1][0].middle - piece.middle) < 0.5 * min(rows[-1][0].height, piece.height):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    column = min(p.x0 for p in pieces), max(p.x1 for p in pieces)
    return [_joined(sorted(row, key=lambda p: p.x0), column) for row in rows]


def _joined(row: list[Piece], column: tuple[float, float]) -> Piece:
    return Piece(
        " ".join(p.text for p in row),
        row[0].x0,
        min(p.y0 for p in row),
        max(p.x1 for p in row),
        max(p.y1 for p in row),
        max(p.size for p in row),
        is_bold=all(p.is_bold for p in row),
        column=column,
    )


# --- furniture ---------------------------------------------------------------------------------


def _furniture(pages: Sequence[Sequence[Piece]]) -> list[set[int]]:
    """For each page which of its lines are running heads, feet or page numbers.

    What stands at the edge of most pages in the same words, numbers apart; of a head its first is kept
    on the first page, where it is the title.
    """
    edges = [_edge(page) for page in pages]
    times = Counter(
        key for page, edge in zip(pages, edges, strict=True) for key in {_key(page[i]) for i in edge}
    )
    needed = max(2, REPEATS * sum(bool(page) for page in pages))
    found = []
    for number, (page, edge) in enumerate(zip(pages, edges, strict=True)):
        repeated = {i for i in edge if times[_key(page[i])] >= needed}
        titles = {i for i in repeated if not number and i in edge[:1] and _key(page[i])[0].strip("#- ")}
        alone = {i for i in edge if FURNITURE.fullmatch(page[i].text.strip())}
        found.append((repeated - titles) | alone)
    return found


def _edge(page: Sequence[Piece]) -> list[int]:
    """The lines highest and lowest on the page, wherever they come in reading order."""
    by_height = sorted(range(len(page)), key=lambda i: -page[i].middle)
    return by_height if len(page) <= EDGE_LINES * 2 else [*by_height[:EDGE_LINES], *by_height[-EDGE_LINES:]]


def _key(line: Piece) -> tuple[str, int]:
    """Its words, numbers apart, and roughly its height on the page."""
    return re.sub(r"\d+", "#", line.text.strip().lower()), round(line.middle / SAME_HEIGHT)


def _without_furniture(page: Sequence[Piece], furniture: set[int]) -> list[Piece]:
    return [line for i, line in enumerate(page) if i not in furniture]


# --- headings ----------------------------------------------------------------------------------


def _heading_marks(lines: Sequence[Piece]) -> dict[tuple[float, bool], str]:
    """Which letters make a heading, and its mark: the biggest `#`, then `##`; none where nothing tells."""
    body = _body(lines)
    kinds = Counter(_kind(line) for line in lines if _may_head(line, body))
    if sum(kinds.values()) < FEWEST_HEADINGS or sum(kinds.values()) > len(lines) / 2:
        return {}
    ranked = sorted(kinds, reverse=True)
    return {kind: "#" * min(place, 3) + " " for place, kind in enumerate(ranked, start=1)}


def _body(lines: Sequence[Piece]) -> tuple[float, bool]:
    """The letters in which most of the text is set."""
    sizes: Counter[tuple[float, bool]] = Counter()
    for line in lines:
        sizes[_kind(line)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else (0.0, False)


def _kind(line: Piece) -> tuple[float, bool]:
    return round(line.size), line.is_bold


def _may_head(line: Piece, body: tuple[float, bool]) -> bool:
    is_marked = line.size >= BIG * body[0] or (line.is_bold and not body[1] and line.size >= body[0] * 0.95)
    text = line.text.strip()
    is_short = len(text) <= LONGEST and len(text.split()) <= MOST_WORDS
    return is_marked and is_short and any(c.isalpha() for c in text) and not BULLET.match(text + " ")


# --- paragraphs --------------------------------------------------------------------------------


def _known_hyphens(pages: Sequence[Sequence[Piece]]) -> set[str]:
    """Words that the text writes with a hyphen inside a line: at its end the hyphen is theirs."""
    words = (
        word for page in pages for line in page for word in re.findall(r"[^\W\d_]+-[^\W\d_]+", line.text)
    )
    return {word.lower() for word in words}


def _paragraphs(
    page: Sequence[Piece], marks: dict[tuple[float, bool], str], hyphens: set[str]
) -> Iterator[str]:
    leading = _leading(page)
    held = ""
    for before, line in pairwise([None, *page]):
        if line is None:
            continue
        mark = marks.get(_kind(line), "") if marks and _is_heading(line) else ""
        is_new = before is None or bool(mark) or held.startswith("#") or _starts(before, line, leading)
        if held and mark and held.startswith(mark) and before and _goes_on(before, line, leading):
            held = f"{held} {line.text.strip()}"
            continue
        if is_new:
            if held:
                yield from _ended(held)
            held = mark + line.text.strip()
        else:
            held = _join(held, line.text.strip(), hyphens)
    if held:
        yield from _ended(held)


def _ended(held: str) -> Iterator[str]:
    yield from ("", held, "") if held.startswith("#") else (held,)


def _is_heading(line: Piece) -> bool:
    text = line.text.strip()
    return len(text) <= LONGEST and len(text.split()) <= MOST_WORDS and not BULLET.match(text + " ")


def _goes_on(before: Piece, line: Piece, leading: float) -> bool:
    """Whether a heading runs over two lines."""
    return _kind(before) == _kind(line) and 0 < before.middle - line.middle < 1.6 * max(
        before.height, leading / 1.6
    )


def _leading(page: Sequence[Piece]) -> float:
    """The usual way from line to line."""
    steps = [a.middle - b.middle for a, b in pairwise(page) if 0 < a.middle - b.middle < 4 * a.height]
    return median(steps) if steps else 0.0


def _starts(before: Piece, line: Piece, leading: float) -> bool:
    """Whether a line begins a paragraph."""
    text = line.text.strip()
    if BULLET.match(text + " "):
        return True
    if HYPHENATED.search(before.text.rstrip()) and text[:1].islower():
        return False
    if text[:1].islower():
        return False
    step = before.middle - line.middle
    if 0 < leading * 1.4 < step and before.column == line.column:
        return True
    width = line.column[1] - line.column[0]
    is_full = before.x1 - before.column[0] >= FULL * (before.column[1] - before.column[0]) if width else True
    return (
        not is_full
        if not SENTENCE_END.search(before.text)
        else not is_full or line.x0 > before.x0 + line.height
    )


def _join(held: str, text: str, hyphens: set[str]) -> str:
    if not HYPHENATED.search(held) or not text[:1].islower():
        return f"{held} {text}"
    first, last = re.search(r"[^\W\d_]*$", held[:-1]), re.match(r"[^\W\d_]*", text)
    word = f"{first[0] if first else ''}-{last[0] if last else ''}".lower()
    return held[:-1] + ("-" if word in hyphens else "") + text
