"""What an import did, in lines for people: one a record, in a dry run one a change, and the totals.

Only the command calls this; what programs read stands in its JSON.
"""

from typing import cast

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from catalogue import languages
from catalogue.draft import Problem
from catalogue.imports import messages
from catalogue.imports.columns import Guess, Proposal
from catalogue.imports.plan import Change, Done
from catalogue.imports.reporting import Kind, Record, Totals
from catalogue.imports.tables import Table
from catalogue.models import Game, ImportBatch, ImportItem, ItemKind

LONGEST_SHOWN = 70
# What is no column of a game; columns go by the names that the model gives them.
PARTS: dict[str, Promise] = {
    "categories": _("categories"),
    "keywords": _("keywords"),
    "alternative_titles": _("other titles"),
    "contributors": _("people"),
    "publications": _("publishers"),
    "identifiers": _("codes"),
    "languages": _("languages"),
    "copy": _("box"),
    "rules": _("rules"),
    "document": _("document"),
}


def changes(record: Record) -> list[Change]:
    """What became different."""
    return cast(list[Change], record["changes"])


def record_lines(record: Record, *, is_dry_run: bool) -> list[str]:
    """One line a record; in a dry run one more for each thing that would change."""
    told = {"done": _what_was_done(record), "title": record["title"], "game": record["game"]}
    # What a dry run would make has no number yet.
    is_here = record["game"] is not None
    line = (gettext("%(done)s: %(title)s (#%(game)s)") if is_here else gettext("%(done)s: %(title)s")) % told
    fields = dict.fromkeys(field_name(change.field) for change in changes(record))
    if fields and record["kind"] == Kind.GAME and record["result"] == Done.UPDATED:
        line += f" – {', '.join(fields)}"
    if not is_dry_run:
        return [line]
    return [line, *map(_change_line, changes(record))]


def problem_line(problem: Problem) -> str:
    """Where, why, and what to do."""
    where = ", ".join(filter(None, (problem.file, messages.place(problem.place))))
    return f"! {where}: {messages.sentence(problem)} {messages.remedy(problem)}"


def total(told: Totals) -> str:
    """Games, rules texts and categories apart, and the problems."""
    words = ngettext("%(count)s problem.", "%(count)s problems.", told.problems) % {"count": told.problems}
    return " ".join(filter(None, (_games(told), _rules(told), _categories(told), words)))


def table_line(path: str, table: Table, proposal: Proposal) -> str:
    """Which table it is that columns are told of."""
    where = f"{path} ({table.sheet})" if table.sheet else path
    return f"{where}: {proposal.kind}"


def column_line(guess: Guess) -> str:
    """What a column is taken for, and how sure that is."""
    if guess.field is None:
        return f"    {guess.heading} → –"
    return f"    {guess.heading} → {guess.field} ({guess.certainty:.0%})"


def batch_line(batch: ImportBatch) -> str:
    """One line a batch: number, day, state, counts, files."""
    counts = batch.counts or {}
    said = {
        "number": batch.pk,
        "at": date_format(timezone.localtime(batch.made_at), "SHORT_DATETIME_FORMAT"),
        "state": batch.get_state_display(),
        "new": counts.get(ItemKind.NEW, 0),
        "changed": counts.get(ItemKind.CHANGED, 0),
        "doubtful": counts.get(ItemKind.DOUBTFUL, 0),
        "files": ", ".join(str(file["name"]) for file in batch.files),
    }
    words = gettext(
        "%(number)s, %(at)s, %(state)s: %(new)s new, %(changed)s changed, %(doubtful)s doubtful; %(files)s"
    )
    return words % said


def left_lines(item: ImportItem) -> list[str]:
    """What an undo has left as it is, and why."""
    words = gettext("kept: %(title)s, %(field)s: %(why)s")
    return [
        words % {"title": item.title, "field": left_name(field), "why": messages.why_kept(why)}
        for field, _now, why in item.left
    ]


def left_name(field: str) -> str:
    """What was left alone, as people call it."""
    return gettext("the whole record") if field == "game" else field_name(field)


def undone(batch: ImportBatch) -> str:
    """What an undo did, in one line."""
    counts = batch.counts or {}
    words = gettext("Undone: %(undone)s records; kept in part: %(kept)s.")
    return words % {"undone": counts.get("undone", 0), "kept": counts.get("kept", 0)}


def field_name(field: str) -> str:
    """`players_max` -> "most players"."""
    columns = {column.name: column.verbose_name for column in Game._meta.fields}
    return str(PARTS.get(field) or columns[field])


def _what_was_done(record: Record) -> str:
    done = Done(str(record["result"]))
    if record["kind"] == Kind.GAME:
        words = {Done.CREATED: _("created"), Done.UPDATED: _("updated"), Done.UNCHANGED: _("unchanged")}
        return str(words[done])
    if record["kind"] == Kind.CATEGORY:
        return gettext("category unchanged") if done is Done.UNCHANGED else gettext("category added")
    told = next((change.new for change in changes(record) if change.field == "rules"), "")
    tag = {"language": told.partition(",")[0]}
    if done is Done.UNCHANGED or not told:
        return gettext("rules unchanged")
    if done is Done.UPDATED:
        return gettext("rules updated (%(language)s)") % tag
    if any(change.field == "title" for change in changes(record)):
        return gettext("game created, rules added (%(language)s)") % tag
    return gettext("rules added (%(language)s)") % tag


def _change_line(change: Change) -> str:
    old, new = (_value(change.field, text) for text in (change.old, change.new))
    return f"    {field_name(change.field)}: {old} → {new}"


def text_in_words(said: str) -> str:
    """Language and number of states of a rules text: "fr, 2" -> "French, 2 revisions"."""
    tag, comma, number = said.partition(", ")
    if not comma or not number.isdecimal():
        return said
    words = ngettext("%(language)s, %(count)s revision", "%(language)s, %(count)s revisions", int(number))
    return words % {"language": languages.name(tag), "count": int(number)}


def _value(field: str, text: str) -> str:
    """A value on one line; of a rules text its language and how many states it has."""
    if field == "rules" and text:
        return text_in_words(text)
    one_line = " ".join(text.split())
    shown = one_line if len(one_line) <= LONGEST_SHOWN else f"{one_line[:LONGEST_SHOWN]}…"
    return f"“{shown}”" if shown else "–"


def _counted(found: dict[Done, int]) -> dict[str, int]:
    return {"count": sum(found.values())} | {done.value: found[done] for done in Done}


def _games(told: Totals) -> str:
    found = _counted(told.games)
    if not found["count"] and any((*told.rules.values(), *told.categories.values())):
        return ""
    words = ngettext(
        "%(count)s game: %(created)s created, %(updated)s updated, %(unchanged)s unchanged.",
        "%(count)s games: %(created)s created, %(updated)s updated, %(unchanged)s unchanged.",
        found["count"],
    )
    return words % found


def _rules(told: Totals) -> str:
    found = _counted(told.rules)
    if not found["count"]:
        return ""
    words = ngettext(
        "%(count)s rules text: %(created)s added, %(updated)s updated, %(unchanged)s unchanged.",
        "%(count)s rules texts: %(created)s added, %(updated)s updated, %(unchanged)s unchanged.",
        found["count"],
    )
    return words % found


def _categories(told: Totals) -> str:
    found = _counted(told.categories)
    if not found["count"]:
        return ""
    words = ngettext(
        "%(count)s category: %(created)s added, %(unchanged)s unchanged.",
        "%(count)s categories: %(created)s added, %(unchanged)s unchanged.",
        found["count"],
    )
    return words % found
