"""Writes our Markdown block by block, for the converters: keeps lists, breaks and blank lines right.

Promises that no text handed to it begins a block by accident. Text is inline Markdown (see `markup.escape`).
"""

from dataclasses import dataclass, field

from catalogue.rules.markup import escape_start

DEEPEST_LIST = 6
HIGHEST, LOWEST = 2, 4  # headings: `##` to `####`


@dataclass(slots=True)
class _Item:
    depth: int
    indent: int  # of the item's own text
    number: int


@dataclass(slots=True)
class Writer:
    """One text in the making; `text()` gives it."""

    lines: list[str] = field(default_factory=list)
    open_items: list[_Item] = field(default_factory=list)
    counters: dict[int, int] = field(default_factory=dict)  # list depth -> last number

    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")

    def heading(self, level: int, text: str) -> None:
        """A heading; `level` counts hashes and is brought into 2..4."""
        self.close()
        self._blank()
        self.lines += [f"{'#' * min(max(level, HIGHEST), LOWEST)} {text}", ""]

    def line(self, text: str) -> None:
        """A line of a paragraph. After a list it begins a new one."""
        if self.open_items:
            self.close()
            self._blank()
        self.lines.append(escape_start(text.strip()))

    def item(self, depth: int, text: str, *, number: int | None = None, close: str = ".") -> None:
        """A list item, `depth` from 1; numbered where `number` is given (0: one more than the last).

        `close` is what stands behind the number, `.` or `)`.
        """
        depth = min(depth, DEEPEST_LIST)
        if not self.open_items:
            self._blank()
        self._up_to(depth - 1)
        if number is not None:
            number = number or self.counters.get(depth, 0) + 1
            self.counters[depth] = number
        mark = "- " if number is None else f"{number}{close} "
        indent = self.open_items[-1].indent if self.open_items else 0
        self.lines.append(f"{' ' * indent}{mark}{escape_start(text.strip())}")
        self.open_items.append(_Item(depth, indent + len(mark), number or 0))

    def more(self, depth: int, text: str) -> None:
        """A further line of the open item of that depth or the nearest above; without one, of a paragraph."""
        deeper = any(item.depth > depth for item in self.open_items)
        while self.open_items and self.open_items[-1].depth > depth:
            self.open_items.pop()
        if not self.open_items:
            self.line(text)
            return
        if deeper:
            self._blank()
        self.lines.append(" " * self.open_items[-1].indent + escape_start(text.strip()))

    def blank(self) -> None:
        """Ends a paragraph, not a list: what follows decides that."""
        self._blank()

    def table(self, rows: list[list[str]], *, has_head: bool) -> None:
        """A pipe table; its cells are single lines."""
        self.close()
        self._blank()
        width = max(map(len, rows))
        padded = [row + [""] * (width - len(row)) for row in rows]
        body = padded[1:] if has_head else padded
        head = padded[0] if has_head else [""] * width
        self.lines += [_row(head), "|" + "---|" * width, *map(_row, body), ""]

    def close(self) -> None:
        """Ends every open list."""
        self.open_items.clear()
        self.counters.clear()

    def _up_to(self, depth: int) -> None:
        while self.open_items and self.open_items[-1].depth > depth:
            self.open_items.pop()
        self.counters = {at: n for at, n in self.counters.items() if at <= depth + 1}

    def _blank(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
