"""Rules saved as HTML or as DocBook, to our small Markdown: headings, lists, tables, emphasis; all words.

What is no text of the page (scripts, styles, menus, forms) is left out. Never refuses: tags that are unknown
or never closed only part the words. Called by `foreign`.
"""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from catalogue.rules.markup import escape
from catalogue.rules.runs import Run, markdown
from catalogue.rules.writer import Writer
from catalogue.text import one_line

SILENT = {"script", "style", "noscript", "template", "svg", "nav", "footer", "form", "button", "select"} | {
    "iframe", "object", "math"
}  # fmt: skip
HEADINGS = {f"h{level}": level for level in range(1, 7)}
PARTS = {"section", "chapter", "sect1", "sect2", "sect3", "sect4", "appendix", "article", "book", "part"}
LISTS = {"ul": False, "ol": True, "itemizedlist": False, "orderedlist": True, "menu": False, "dl": False}
ITEMS = {"li", "listitem", "dt", "dd"}
BLOCKS = {"p", "para", "simpara", "div", "blockquote", "main", "header", "aside", "figure", "figcaption"} | {
    "body", "pre", "address", "details", "summary", "hr", "caption", "note", "tip", "important", "warning"
}  # fmt: skip
BOLD, ITALIC = {"b", "strong"}, {"i", "em", "emphasis", "cite"}
CELLS = {"td", "th", "entry"}
ROWS = {"tr", "row"}
TABLES = {"table", "informaltable"}
DEEPEST = 60


def to_markdown(page: str) -> str:
    """Our Markdown."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.end()
    return reader.writer.text()


def title_of(page: str) -> str:
    """What the page calls itself: its `<title>`, else its first heading."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    reader.end()
    return reader.title or reader.first_heading


@dataclass(slots=True)
class _List:
    is_numbered: bool
    number: int = 0


@dataclass(slots=True)
class _Table:
    rows: list[list[str]] = field(default_factory=list)
    has_head: bool = False


class _Reader(HTMLParser):
    """Hears the tags; words wait in `runs` until a block ends."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.writer = Writer()
        self.runs: list[Run] = []
        self.silent: list[str] = []
        self.bold = self.italic = self.depth = 0
        self.heading = 0
        self.lists: list[_List] = []
        self.item: tuple[int, int | None] | None = None
        self.tables: list[_Table] = []
        self.is_title = False
        self.title = self.first_heading = ""

    # --- tags ----------------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.silent or tag in SILENT:
            if tag in SILENT:
                self.silent = [*self.silent, tag][:DEEPEST]
            return
        if tag == "br":
            self.runs.append(Run("\n"))
        elif tag == "img":
            self.handle_data(dict(attrs).get("alt") or "")
        elif tag in BOLD:
            self.bold += 1
        elif tag in ITALIC:
            self.italic += 1
        else:
            self._open(tag, dict(attrs))

    def _open(self, tag: str, attrs: dict[str, str | None]) -> None:
        if tag == "title" and not self.depth:
            self.is_title = True
        elif tag in TABLES | ROWS | CELLS:
            self._open_table(tag)
        elif tag in HEADINGS or tag == "title":
            self._flush()
            self.heading = HEADINGS.get(tag, self.depth)
        else:
            self._open_block(tag, attrs)

    def _open_block(self, tag: str, attrs: dict[str, str | None]) -> None:
        if tag not in PARTS | LISTS.keys() | ITEMS | BLOCKS:
            return
        self._flush()
        if tag in PARTS:
            self.depth = min(self.depth + 1, DEEPEST)
        elif tag in LISTS:
            start = attrs.get("start") or ""
            first = int(start) - 1 if start.isdecimal() and len(start) < 4 else 0
            self.lists = [*self.lists, _List(LISTS[tag], first)][:DEEPEST]
        elif tag in ITEMS:
            self._begin_item(is_bare=tag in {"dt", "dd"})

    def _open_table(self, tag: str) -> None:
        if tag in TABLES:
            self._flush()
            self.tables.append(_Table())
        elif self.tables:
            self._cell()
            table = self.tables[-1]
            if tag in ROWS:
                table.rows.append([])
            table.rows = table.rows or [[]]
            table.has_head = table.has_head or (tag == "th" and len(table.rows) == 1)

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent = self.silent[: self.silent.index(tag)] if tag in self.silent else self.silent
        elif tag in BOLD:
            self.bold = max(0, self.bold - 1)
        elif tag in ITALIC:
            self.italic = max(0, self.italic - 1)
        elif tag == "title" and self.is_title:
            self.is_title = False
        elif tag in HEADINGS or tag == "title":
            self._flush()
            self.heading = 0
        elif tag in CELLS | ROWS and self.tables:
            self._cell(is_end=tag in CELLS)
        elif tag in TABLES and self.tables:
            self._cell()
            self._end_table()
        else:
            self._close(tag)

    def _close(self, tag: str) -> None:
        if tag in PARTS:
            self._flush()
            self.depth = max(0, self.depth - 1)
        elif tag in LISTS:
            self._flush()
            self.lists = self.lists[:-1]
            self.item = None
        elif tag in ITEMS:
            self._flush()
            self.item = None
        elif tag in BLOCKS:
            self._flush()

    def handle_data(self, data: str) -> None:
        if self.is_title:
            self.title = one_line(f"{self.title}{data}")[:300]
        elif not self.silent and data:
            self.runs.append(Run(data, bold=self.bold > 0, italic=self.italic > 0))

    def unknown_decl(self, data: str) -> None:
        """`<![CDATA[words]]>`, or a mark that nobody knows."""
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    def end(self) -> None:
        """All that still waits."""
        while self.tables:
            self._cell()
            self._end_table()
        self._flush()

    # --- blocks --------------------------------------------------------------------------------

    def _begin_item(self, *, is_bare: bool) -> None:
        number = None
        if self.lists and self.lists[-1].is_numbered and not is_bare:
            self.lists[-1].number += 1
            number = self.lists[-1].number
        self.item = (max(1, len(self.lists)), number)

    def _lines(self) -> list[str]:
        lines: list[list[Run]] = [[]]
        for run in self.runs:
            if run.text == "\n" and not run.marks:
                lines.append([])
            else:
                lines[-1].append(run)
        self.runs = []
        return [line for line in map(_written, lines) if line]

    def _flush(self) -> None:
        """The words that wait become a heading, an item or a paragraph."""
        if self.tables:
            return
        if self.heading:
            self._end_heading()
        elif lines := self._lines():
            self._begin_block(lines[0])
            for line in lines[1:]:
                self._go_on(line)

    def _end_heading(self) -> None:
        words = one_line("".join(run.text for run in self.runs))
        self.runs = []
        if words:
            self.first_heading = self.first_heading or words[:300]
            self.writer.heading(self.heading + 1, escape(words))

    def _begin_block(self, line: str) -> None:
        if self.item:
            depth, number = self.item
            self.writer.item(depth, line, number=number)
            self.item = None
            return
        if not self.lists:
            self.writer.close()
            self.writer.blank()
        self._go_on(line)

    def _go_on(self, line: str) -> None:
        if self.lists:
            self.writer.more(len(self.lists), line)
        else:
            self.writer.line(line)

    def _cell(self, *, is_end: bool = False) -> None:
        words = " ".join(self._lines())
        table = self.tables[-1]
        if words or is_end:
            table.rows = table.rows or [[]]
            table.rows[-1].append(words)

    def _end_table(self) -> None:
        table = self.tables.pop()
        rows = [row for row in table.rows if any(row)]
        if self.tables:  # a table within a cell: its words stay in that cell
            self.runs += [Run(" ".join(cell for row in rows for cell in row))]
        elif rows:
            self.writer.table(rows, has_head=table.has_head)


def _written(runs: list[Run]) -> str:
    """One line of Markdown, blanks made one."""
    return one_line(markdown(runs, lambda _target: ""))
