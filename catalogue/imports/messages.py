"""What an import says to people: a sentence and a remedy for every reason, in the reader's language."""

import re
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from catalogue.draft import Problem, Reason


@dataclass(frozen=True, slots=True)
class Message:
    """Why something was not imported, and what the person can do about it."""

    sentence: str | Promise
    remedy: str | Promise


MESSAGES: dict[Reason, Message] = {
    Reason.NO_FILE: Message(_("There is no such file."), _("Check the path.")),
    Reason.NOT_A_FILE: Message(
        _("This is a folder or a device, not a file."), _("Name the files in it, for instance with PATH/*.")
    ),
    Reason.NOT_READABLE: Message(
        _("The file may not be read."), _("Give the user who imports the right to read it.")
    ),
    Reason.EMPTY: Message(_("The file is empty."), _("Save or export it again.")),
    Reason.TOO_LARGE: Message(
        _("The file is too large."), _("Cut it into several files and import them all in one call.")
    ),
    Reason.BINARY: Message(
        _("The file is not a text: a PDF, a spreadsheet, a picture or an archive, or damaged."),
        _("Save the page or the table as plain text and import that."),
    ),
    Reason.ENCODING: Message(
        _("Letters could not be read: this is not UTF-8, UTF-16 or Windows-1252, or the file is damaged."),
        _("Save the file as UTF-8 and import it again."),
    ),
    Reason.UNKNOWN_FORMAT: Message(
        _("This is no format that can be read: no PMB page, no MediaWiki feed, no rules text with headings."),
        _("If it is one, say which with --format."),
    ),
    Reason.TRUNCATED: Message(
        _("The file breaks off here; what was whole has been imported."),
        _("Save or download it again and import it once more: nothing is doubled."),
    ),
    Reason.MALFORMED: Message(
        _("This record could not be read or stored; all others were."),
        _("Correct it in the source or type it by hand."),
    ),
    Reason.NO_TITLE: Message(_("The record has no title."), _("Give it one in the source.")),
    Reason.NO_RECORD: Message(
        _("Nothing to import was found in the file."),
        _("Check that it is what --format says, or leave that out."),
    ),
    Reason.RECORDS_MISSING: Message(
        _("The page speaks of more records than stand in it."),
        _("Save the following pages of the list as well and import them."),
    ),
    Reason.PAGE_SKIPPED: Message(
        _("This page was passed over: it is a redirect, is blank, or is not a page of rules."),
        _("Nothing need be done; if it holds rules, save them as a text and import that."),
    ),
    Reason.GAME_UNKNOWN: Message(
        _("No game of the catalogue is named in the first line."),
        _("Say whose rules they are with --game ID, or in the head of the file with “game:”."),
    ),
    Reason.GAME_DOUBTFUL: Message(
        _("The record may mean more than one game of the catalogue, or not quite the one it resembles."),
        _("Import it alone with --game ID, or correct title, publisher or code."),
    ),
    Reason.SAID_TWICE: Message(
        _("The same record came before in this import, with other words; the first was taken."),
        _("Keep the right one of the two."),
    ),
    Reason.LANGUAGE_UNKNOWN: Message(
        _("The language of the text could not be told."),
        _("Say it with --language, for instance --language fr."),
    ),
    Reason.BARCODE_TAKEN: Message(
        _("A box of another game carries this barcode; the rest of the record was imported."),
        _("Look which box carries the label, correct the other one and import again."),
    ),
    Reason.VALUE_UNREADABLE: Message(
        _("A value could not be read and was left empty; the record keeps it as it came."),
        _("Type it by hand in the record."),
    ),
}


WHY_KEPT: dict[str, Promise] = {
    "changed": _("somebody has changed it since"),
    "used": _("it is in use: lent, reserved, or referred to by something else"),
    "later_import": _("a later import has worked on it"),
}
"""Why an undo leaves something alone, by `undo.Why`."""


def why_kept(why: str) -> str:
    """Why an undo left something alone."""
    return str(WHY_KEPT[why])


def sentence(problem: Problem) -> str:
    """Why, with the words of the source that it is about."""
    why = str(MESSAGES[problem.reason].sentence)
    if not problem.detail:
        return why
    return _now("%(why)s (%(detail)s)") % {"why": why, "detail": problem.detail}


def remedy(problem: Problem) -> str:
    """What to do."""
    return str(MESSAGES[problem.reason].remedy)


def place(where: str) -> str:
    """A draft's place ("line 12", "entry 3") in the reader's language."""
    found = re.fullmatch(r"(line|entry) (\d+)", where)
    if not found:
        return where
    words = _now("line %(number)s") if found[1] == "line" else _now("entry %(number)s")
    return words % {"number": found[2]}
