"""Cuts the rules out of the handed files, without the importer's help, for the tests of the converters."""

import re
from pathlib import Path

WORD = re.compile(r"[^\W_]+")
WIKI_ENTRY = re.compile(
    r"index\.php\?title=(?P<page>\w+?)&diff=(?P<id>\d+?)(?P=page)\d{4}-\d\d-\d\dT[\d:]+Z<p>.*?</p>\n<hr />\n"
    r"<div>(?P<text>.*?)</div>(?=\w+https://|\w+\s*$)",
    re.DOTALL,
)
# What the field of a seed begins after, and what stands behind it.
FIELDS = {
    "finca-fr": ("000", "| Règles du jeu : |\n", " |\n"),
    "beep": ("002", "Contenu : Contenu:", "Beep/ Beep/ ["),
    "havane": ("002", "Contenu : La Havane", "La havane ["),
    "kling-dong": ("002", "Contenu :\nContenu:", "Kling-dong ["),
    "pieds": ("002", "Contenu : contenu:", "+Les Pieds dans le Plat ! ["),
    "safranito": ("004", "| Contenu : |\n", "\n|\n"),
}


def words(text: str) -> str:
    """All letters and digits in order: equal for two texts that differ in marks and white space alone."""
    return "".join(WORD.findall(text))


def seed(shared: Path, number: str) -> str:
    return next(shared.joinpath("seeds").glob(f"{number}_*")).read_text(encoding="utf-8")


def field(shared: Path, name: str) -> str:
    """The field of a seed that holds the rules, as printed."""
    number, start, end = FIELDS[name]
    text = seed(shared, number)
    begin = text.index(start) + (len("Contenu :") if start.startswith("Contenu") else len(start))
    return text[begin : text.index(end, begin)].strip()


def case(shared: Path, name: str) -> str:
    return shared.joinpath("cases", name).read_text(encoding="utf-8")


def wiki_pages(shared: Path) -> dict[str, list[str]]:
    """The wikitexts of seed 003: page -> states, newest first."""
    found = sorted(WIKI_ENTRY.finditer(seed(shared, "003")), key=lambda entry: -int(entry["id"]))
    pages: dict[str, list[str]] = {}
    for entry in found:
        pages.setdefault(entry["page"], []).append(entry["text"])
    return pages
