"""The message catalogues: collected from code and templates, checked, compiled. English is the source.

Works with Babel alone, so that no machine needs GNU gettext. Catalogues hold no dates and no line
numbers: collecting twice changes nothing. Called by the command `translations` and by the tests.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

PACKAGES = ("config", "search", "loans", "catalogue")
TEMPLATES = "templates"
LOCALES = ("fr", "es", "de")
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
HEADER = """msgid ""
msgstr ""
"Language: {locale}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals};\\n"

"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One string of one catalogue that is not right: `what` says how."""

    locale: str
    what: str
    text: str


def collect(root: Path) -> Catalog:
    """Every string for people in the code and the templates under `root`."""
    catalog = Catalog()
    for path, source in _sources(root):
        found = extract("python", BytesIO(source.encode()), KEYWORDS, comment_tags=("Translators:",))
        for _line, text, comments, context in found:
            place = [(path.relative_to(root).as_posix(), 1)]
            catalog.add(text, locations=place, auto_comments=comments, context=context)
    return catalog


def _sources(root: Path) -> Iterator[tuple[Path, str]]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path, path.read_text(encoding="utf-8")
    for path in sorted((root / TEMPLATES).rglob("*.html")):
        code = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        # What stood around the strings is filler now; indented filler would be no Python.
        yield path, "\n".join(line.lstrip() for line in code.splitlines())


def catalogue_path(root: Path, locale: str) -> Path:
    """Where the catalogue of a language stands."""
    return root / "config" / "locale" / locale / "LC_MESSAGES" / "django.po"


def load(root: Path, locale: str) -> Catalog:
    """The catalogue of a language; an empty one where there is none yet."""
    path = catalogue_path(root, locale)
    if not path.exists():
        return Catalog(locale=locale)
    with path.open("rb") as file:
        return read_po(file, locale=locale)


def update(root: Path, locale: str, source: Catalog) -> None:
    """Bring a catalogue to the strings of `source`: translations stay, guesses and obsolete ones go."""
    catalog = load(root, locale)
    for message in catalog:
        if message.id and message.fuzzy:
            message.string = ("",) * catalog.num_plurals if message.pluralizable else ""
            message.flags.discard("fuzzy")
    catalog.update(source, no_fuzzy_matching=True)
    path = catalogue_path(root, locale)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = BytesIO()
    write_po(
        text,
        catalog,
        omit_header=True,
        ignore_obsolete=True,
        sort_by_file=True,
        include_lineno=False,
        width=110,
    )
    header = HEADER.format(locale=locale, plurals=catalog.plural_forms.rstrip(";"))
    path.write_text(header + text.getvalue().decode(), encoding="utf-8")


def compile_catalogue(root: Path, locale: str) -> Path:
    """Make the file that the running program reads; what is not translated is left to the English source."""
    path = catalogue_path(root, locale).with_suffix(".mo")
    with path.open("wb") as file:
        write_mo(file, load(root, locale))
    return path


def check(root: Path, locale: str, source: Catalog) -> list[Finding]:
    """Everything that is not right in the catalogue of a language."""
    catalog = load(root, locale)
    wanted = {(m.context, m.id) for m in source if m.id}
    have = {(m.context, m.id): m for m in catalog if m.id}
    findings = [Finding(locale, "missing", _shown(text)) for context, text in wanted - have.keys()]
    findings += [Finding(locale, "obsolete", _shown(text)) for context, text in have.keys() - wanted]
    for message in have.values():
        findings += [Finding(locale, what, _shown(message.id)) for what in _faults(message)]
    return sorted(findings, key=lambda f: (f.what, f.text))


def _shown(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


def _faults(message: Message) -> Iterator[str]:
    if message.fuzzy:
        yield "fuzzy"
    ids = [message.id] if isinstance(message.id, str) else list(message.id)
    strings = [message.string] if isinstance(message.string, str) else list(message.string or ())
    if not strings or not all(strings):
        yield "untranslated"
        return
    allowed = set().union(*map(_placeholders, ids))
    if any(_placeholders(s) - allowed for s in strings) or _placeholders(strings[-1]) != _placeholders(
        ids[-1]
    ):
        yield "placeholders differ"


def _placeholders(text: str) -> set[str]:
    return set(PLACEHOLDER.findall(text))
