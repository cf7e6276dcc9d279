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
        _("Save the page as plain text, a table as XLSX or CSV, and import that."),
    ),
    Reason.ENCODING: Message(
        _("Letters could not be read: this is not UTF-8, UTF-16 or Windows-1252, or the file is damaged."),
        _("Save the file as UTF-8 and import it again."),
    ),
    Reason.UNKNOWN_FORMAT: Message(
        _("This is no format that can be read: no catalogue page, no table, no feed, no rules text."),
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
    Reason.CHARACTERS: Message(
        _("The letters of this record could not be read: it is not written in what it says it is."),
        _("Export it as UTF-8, or type it by hand; all other records were imported."),
    ),
    Reason.LENGTHS_WRONG: Message(
        _("The lengths in this record are wrong; its fields were told apart by their end marks."),
        _("Look it over; if something is missing, export it again."),
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
    Reason.CODE_DAMAGED: Message(
        _("A spreadsheet has made a number or a day of this: digits are lost. It was left out."),
        _("Give the column the format “Text”, type it anew from the box and save the table again."),
    ),
    Reason.CELLS_MISCOUNTED: Message(
        _("The row has not as many cells as the table has columns."),
        _("Correct the row: there is a separator too many or too few, or a line break outside quotes."),
    ),
    Reason.QUOTES_BROKEN: Message(
        _("A quotation mark is missing here, or is one too many; the row was passed over."),
        _("Correct the row: a mark within a cell is written twice. Or export the table anew."),
    ),
    Reason.MERGE_MARKS: Message(
        _("Two states of the file were merged and not reconciled; these rows were passed over."),
        _("Take out the marks and one of the two states, and import the file again."),
    ),
    Reason.ENCODING_GUESSED: Message(
        _("The letters are those of an old machine; they were guessed."),
        _("Look at the accents of a few records; if they are wrong, save the table as UTF-8."),
    ),
    Reason.COLUMNS_UNKNOWN: Message(
        _("No column of this table could be told to hold the titles."),
        _("Say which one does with --map 'HEADING=title'; --show-columns shows the others."),
    ),
    Reason.COLUMNS_MISSING: Message(
        _("The table lacks columns that it must have, or that were named."),
        _("Export it again with all columns, or correct the headings."),
    ),
    Reason.SECOND_TABLE: Message(
        _("Another table begins here, with headings of its own; from here on nothing was read."),
        _("Save the two tables as two files and import both."),
    ),
    Reason.OTHER_TABLE: Message(
        _("This is a table of members, loans or something else that is not of the catalogue."),
        _("Import the table of the games here; members and loans have their own import."),
    ),
    Reason.RECORD_UNKNOWN: Message(
        _("The catalogue has no game of this number to which the table could add anything."),
        _("Import the table of the games first, or both in one call."),
    ),
    Reason.NOT_READY: Message(
        _("The answer is not ready yet."), _("Ask for it again in some minutes, and import that answer.")
    ),
    Reason.SOURCE_REFUSED: Message(
        _("The source has answered with an error, not with records."),
        _("Check the name or number that was asked for, and ask again."),
    ),
    Reason.PDF_ENCRYPTED: Message(
        _("The PDF is locked with a password."),
        _("Open it, print it to a new PDF without a password, and take that."),
    ),
    Reason.PDF_BROKEN: Message(
        _("The PDF is damaged, or cannot be opened safely."),
        _("Download it again, or open it and print it to a new PDF."),
    ),
    Reason.PDF_TOO_LONG: Message(
        _("Reading the PDF took too long and was given up."),
        _("Save the pages with the rules as a PDF of their own."),
    ),
    Reason.PDF_NO_TEXT: Message(
        _("The PDF has no text, only pictures of pages."),
        _("Install tesseract on the server, which reads pictures, or type the rules by hand."),
    ),
    Reason.PAGE_UNREAD: Message(
        _("This page has no text that can be read: it is a picture, or its letters are garbled."),
        _("Install tesseract on the server, which reads pictures, or type the page by hand."),
    ),
    Reason.PAGE_SEEN: Message(
        _("This page is a picture; its words were read from it and some letters may be wrong."),
        _("Compare it with the print."),
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
    found = re.fullmatch(r"(line|row|entry|record|page) (\d+)( \(.*\))?", where)
    if not found:
        return where
    words = {
        "line": _("line %(number)s"),
        "row": _("row %(number)s"),
        "entry": _("entry %(number)s"),
        "record": _("record %(number)s"),
        "page": _("page %(number)s"),
    }
    return str(words[found[1]]) % {"number": found[2]} + (found[3] or "")
