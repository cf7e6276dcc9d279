"""The engines that `search_speed` measures: ours, plain Whoosh, SQLite FTS5, tantivy, each in its folder.

Ours answers a question in full: language, game, typing errors, six languages, ranking, what is shown. The
others answer with the ten best passages of one plain query on its words; where a game is named they are
told which one. Each is used as its manual says, with defaults.
"""

import importlib
import os
import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from benchmarks.speed_corpus import MadeGame, Question

LIMIT = 10
MARKER = "zyxwvut{}"
"""A word that only an edited passage has."""


class Engine(Protocol):
    """One engine on one folder, in one process."""

    def build(self, games: Sequence[MadeGame]) -> None:
        """Index everything."""

    def ask(self, question: Question, *, is_named: bool) -> int:
        """How many passages are found, ten at most."""

    def begin(self, typed: str, language: str) -> int:
        """How many suggestions there are."""

    def edit(self, number: int) -> bool:
        """Put a new word into a text; whether it is found then."""

    @property
    def index(self) -> Path:
        """The folder whose size counts."""


def last_word(typed: str) -> str:
    """What a query for beginnings gets."""
    words: list[str] = re.findall(r"\w+", typed.lower())
    return words[-1] if words else "x"


class Ours:
    """Ludotheca with its database."""

    def __init__(self, folder: Path) -> None:
        os.environ.update(
            LUDOTHECA_DATA=str(folder), LUDOTHECA_LOG="error", DJANGO_SETTINGS_MODULE="config.settings"
        )
        importlib.import_module("django").setup()
        self.find = importlib.import_module("search.find")
        self.suggest = importlib.import_module("search.suggest")
        self.index = Path(importlib.import_module("django.conf").settings.SEARCH_INDEX_DIR)

    def build(self, games: Sequence[MadeGame]) -> None:  # noqa: ARG002
        """Only the index: the rows stand in the database already."""
        importlib.import_module("search.sync").rebuild()

    def fill(self, games: Iterable[MadeGame]) -> None:
        """The database. In bulk, past the one writer: nobody follows these rows, the index is built after."""
        importlib.import_module("django.core.management").call_command("migrate", verbosity=0)
        models, text = importlib.import_module("catalogue.models"), importlib.import_module("catalogue.text")
        now = importlib.import_module("django.utils.timezone").now()
        rows: list[Any] = []
        texts: list[Any] = []
        states: list[Any] = []
        for game in games:
            keys = {"sort_title": text.sort_key(game.title), "title_key": text.name_key(game.title)}
            rows.append(models.Game(pk=game.number, title=game.title, **keys))
            for made in game.texts:
                texts.append(models.RulesText(pk=len(texts) + 1, game_id=game.number, language=made.language))
                states.append(
                    models.Revision(rules_text_id=len(texts), number=1, body=made.markdown, made_at=now)
                )
        for some in (rows, texts, states):
            type(some[0]).objects.bulk_create(some, batch_size=500)

    def warm(self) -> None:
        """As a server does before the first question."""
        importlib.import_module("search.warming").warm()

    def ask(self, question: Question, *, is_named: bool) -> int:
        """As a member asks."""
        text = f"{question.title} {question.text}" if is_named else question.text
        found = self.find.find_passages(text, reader_language=question.language, limit=LIMIT)
        return len(found.hits)

    def begin(self, typed: str, language: str) -> int:
        """As the box asks."""
        return len(self.suggest.suggestions(typed, reader_language=language))

    def edit(self, number: int) -> bool:
        """Through the writer of the catalogue, as a librarian edits: the save rings, the index follows."""
        models = importlib.import_module("catalogue.models")
        records, draft = (
            importlib.import_module("catalogue.records"),
            importlib.import_module("catalogue.draft"),
        )
        text = models.RulesText.objects.order_by("pk")[number % models.RulesText.objects.count()]
        marker = MARKER.format(number)
        body = f"{text.current.body}\n{marker}"
        records.add_revisions(text, [draft.RevisionDraft(body=body)])
        hits = self.find.find_passages(marker, reader_language=text.language).hits
        return any(marker in hit.body for hit in hits)


class PlainWhoosh:
    """Whoosh as its quick start has it."""

    def __init__(self, folder: Path) -> None:
        self.index = folder / "whoosh"
        self.index.mkdir(parents=True, exist_ok=True)
        self.whoosh = importlib.import_module("whoosh.index")
        self.query = importlib.import_module("whoosh.query")
        self._searcher: Any = None

    def build(self, games: Sequence[MadeGame]) -> None:
        """One writer, one commit."""
        fields = importlib.import_module("whoosh.fields")
        schema = fields.Schema(
            key=fields.ID(unique=True, stored=True),
            game=fields.ID(),
            heading=fields.TEXT(stored=True),
            body=fields.TEXT(stored=True),
        )
        writer = self.whoosh.create_in(str(self.index), schema).writer()
        for key, game, heading, body in passages(games):
            writer.add_document(key=key, game=game, heading=heading, body=body)
        writer.commit()

    def _opened(self) -> Any:
        if self._searcher is None:
            self._searcher = self.whoosh.open_dir(str(self.index)).searcher()
        return self._searcher

    def _found(self, wanted: Any) -> int:
        return len([hit["body"] for hit in self._opened().search(wanted, limit=LIMIT)])

    def ask(self, question: Question, *, is_named: bool) -> int:
        """Any of the words; all of them would find next to nothing."""
        qparser = importlib.import_module("whoosh.qparser")
        parser = qparser.QueryParser("body", self._opened().schema, group=qparser.OrGroup)
        wanted = parser.parse(question.text)
        if is_named:
            wanted = self.query.And([self.query.Term("game", str(question.game)), wanted])
        return self._found(wanted)

    def begin(self, typed: str, language: str) -> int:  # noqa: ARG002
        """Headings with a word that begins so."""
        return self._found(self.query.Prefix("heading", last_word(typed)))

    def edit(self, number: int) -> bool:
        """One document replaced, a new searcher."""
        index = self.whoosh.open_dir(str(self.index))
        writer = index.writer()
        marker = MARKER.format(number)
        writer.update_document(key=str(number), game="1", heading="x", body=marker)
        writer.commit()
        with index.searcher() as searcher:
            return len(searcher.search(self.query.Term("body", marker))) == 1


class Fts5:
    """SQLite's full-text tables."""

    def __init__(self, folder: Path) -> None:
        self.index = folder / "fts5"
        self.index.mkdir(parents=True, exist_ok=True)
        self.base = sqlite3.connect(self.index / "passages.sqlite3", isolation_level=None)
        self.base.execute("PRAGMA journal_mode=WAL")

    def build(self, games: Sequence[MadeGame]) -> None:
        """One transaction."""
        self.base.execute(
            "CREATE VIRTUAL TABLE p USING fts5(game, heading, body,"
            " tokenize='unicode61 remove_diacritics 2', prefix='2 3')"
        )
        self.base.execute("BEGIN")
        rows = ((int(key), f"g{game}", heading, body) for key, game, heading, body in passages(games))
        self.base.executemany("INSERT INTO p(rowid, game, heading, body) VALUES (?, ?, ?, ?)", rows)
        self.base.execute("COMMIT")

    def _found(self, wanted: str) -> int:
        asked = "SELECT body FROM p WHERE p MATCH ? ORDER BY rank LIMIT ?"
        return len(self.base.execute(asked, (wanted, LIMIT)).fetchall())

    def ask(self, question: Question, *, is_named: bool) -> int:
        """Any of the words, BM25."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.text))
        return self._found(f"game:g{question.game} AND body:({words})" if is_named else f"body:({words})")

    def begin(self, typed: str, language: str) -> int:  # noqa: ARG002
        """Headings with a word that begins so."""
        return self._found(f'heading:"{last_word(typed)}"*')

    def edit(self, number: int) -> bool:
        """One row replaced."""
        marker = MARKER.format(number)
        self.base.execute("UPDATE p SET body = ? WHERE rowid = ?", (marker, number + 1))
        return self._found(f"body:{marker}") == 1


class Tantivy:
    """tantivy by its Python package (requirements-bench.txt), one thread."""

    def __init__(self, folder: Path) -> None:
        self.tantivy = importlib.import_module("tantivy")
        self.index = folder / "tantivy"
        self.index.mkdir(parents=True, exist_ok=True)
        builder = self.tantivy.SchemaBuilder()
        for name in ("key", "game"):
            builder.add_text_field(name, stored=True, tokenizer_name="raw")
        for name in ("heading", "body"):
            builder.add_text_field(name, stored=True)
        self.schema = builder.build()
        self.engine = self.tantivy.Index(self.schema, path=str(self.index))

    def build(self, games: Sequence[MadeGame]) -> None:
        """One writer, one commit."""
        writer = self.engine.writer(num_threads=1)
        for key, game, heading, body in passages(games):
            writer.add_document(self.tantivy.Document(key=key, game=game, heading=heading, body=body))
        writer.commit()
        writer.wait_merging_threads()

    def _found(self, wanted: Any) -> int:
        searcher = self.engine.searcher()
        hits = searcher.search(wanted, LIMIT).hits
        return len([searcher.doc(address)["body"] for _, address in hits])

    def ask(self, question: Question, *, is_named: bool) -> int:
        """Any of the words, BM25."""
        words = " ".join(re.findall(r"\w+", question.text))
        wanted = self.engine.parse_query(words, ["body"])
        if is_named:
            game = self.tantivy.Query.term_query(self.schema, "game", str(question.game))
            must = self.tantivy.Occur.Must
            wanted = self.tantivy.Query.boolean_query([(must, game), (must, wanted)])
        return self._found(wanted)

    def begin(self, typed: str, language: str) -> int:  # noqa: ARG002
        """Headings with a word that begins so."""
        return self._found(self.tantivy.Query.regex_query(self.schema, "heading", f"{last_word(typed)}.*"))

    def edit(self, number: int) -> bool:
        """One document replaced."""
        marker = MARKER.format(number)
        writer = self.engine.writer(num_threads=1)
        writer.delete_documents("key", str(number))
        writer.add_document(self.tantivy.Document(key=str(number), game="1", heading="x", body=marker))
        writer.commit()
        self.engine.reload()
        return self._found(self.engine.parse_query(marker, ["body"])) == 1


ENGINES: dict[str, type[Ours] | type[PlainWhoosh] | type[Fts5] | type[Tantivy]] = {
    "Ludotheca": Ours,
    "plain Whoosh": PlainWhoosh,
    "SQLite FTS5": Fts5,
    "tantivy": Tantivy,
}


def passages(games: Iterable[MadeGame]) -> Iterable[tuple[str, str, str, str]]:
    """Key, game, heading and body of every passage."""
    key = 0
    for game in games:
        for text in game.texts:
            for section in text.sections:
                key += 1
                yield str(key), str(game.number), section.heading, section.body
