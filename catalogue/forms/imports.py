"""The forms of imports: which files, and what a librarian says of doubtful records."""

from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from catalogue import languages, lookup
from catalogue.imports.sniff import MEGABYTE, Format
from catalogue.models import Decision, Game, ImportItem

LARGEST_UPLOAD = 1024 * MEGABYTE
MOST_FILES = 50
LONGEST_NUMBER = 18
NAMES = {
    Format.PMB: _("Saved pages of a PMB catalogue"),
    Format.MEDIAWIKI: _("Feed of a wiki (MediaWiki)"),
    Format.RULES: _("Rules as text"),
    Format.TABLE: _("Table (CSV, TSV, XLSX)"),
    Format.BGG: _("BoardGameGeek (XML or CSV)"),
}


def format_name(code: str) -> str:
    """A format as people call it; a format that has no name here goes by its code."""
    names = {str(known): name for known, name in NAMES.items()}
    return str(names.get(code, code))


class FilesInput(forms.ClearableFileInput):
    """Several files in one field."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Each file by itself, and not too many, and not too much."""
        files = [super(FilesField, self).clean(one, initial) for one in (data or [None])]
        if len(files) > MOST_FILES:
            raise ValidationError(_("At most %(most)s files at once."), params={"most": MOST_FILES})
        if sum(file.size or 0 for file in files) > LARGEST_UPLOAD:
            raise ValidationError(
                _("These files are larger than %(most)s together: bring them one after the other."),
                params={"most": filesizeformat(LARGEST_UPLOAD)},
            )
        return files


class UploadForm(forms.Form):
    """The files to import, and what of them cannot be seen."""

    chosen = FilesField(
        label=_("Files"),
        max_length=300,
        help_text=_("One or several. They are read first; nothing is written before you have seen it."),
        error_messages={
            "required": _("Choose a file first."),
            "empty": _("This file is empty: choose another one."),
        },
    )
    format = forms.ChoiceField(label=_("What they are"), required=False)
    language = forms.CharField(
        label=_("Language of texts that do not say theirs"),
        required=False,
        max_length=languages.LONGEST,
        help_text=_("A tag such as fr, es or pt-BR; nothing: it is recognised."),
    )

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        choices = [("", _("Recognise it")), *((str(one), format_name(one)) for one in Format)]
        cast(forms.ChoiceField, self.fields["format"]).choices = choices

    def clean_language(self) -> str:
        """A tag that we know, or nothing."""
        said = self.cleaned_data["language"]
        tag = languages.normal(said) if said else ""
        if tag is None:
            raise ValidationError(
                _("“%(said)s” is no language we know: say its tag, such as fr, es or pt-BR."),
                params={"said": said},
            )
        return tag


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of one doubtful record. `typed` is what names no game, where something was typed."""

    item: ImportItem
    decision: Decision
    game: Game | None = None
    typed: str = ""


def read_decisions(sent: QueryDict, items: list[ImportItem]) -> list[Said]:
    """Each record of which something was said; `all` speaks of those of which nothing was said by itself."""
    found = []
    for item in items:
        said = sent.get(f"item-{item.pk}", "") or sent.get("all", "")
        typed = sent.get(f"other-{item.pk}", "").replace("\0", "").strip()
        if typed:
            game = game_named(typed)
            found.append(Said(item, Decision.GAME, game, "" if game else typed))
        elif said.startswith("game-"):
            game = Game.objects.filter(pk=row_number(said[5:])).first()
            found.append(Said(item, Decision.GAME, game, "" if game else said[5:]))
        elif said in {Decision.NEW, Decision.SKIP}:
            found.append(Said(item, Decision(said)))
    return found


def game_named(typed: str) -> Game | None:
    """The game that a number with #, a label or a product code stands for, or that alone has this title."""
    if typed.startswith("#"):
        return Game.objects.filter(pk=row_number(typed[1:])).first()
    game = lookup.scanned_game(typed)
    if game is not None:
        return game
    found = list(lookup.find_games(typed)[:2])
    return found[0] if len(found) == 1 else None


def row_number(sent: str) -> int:
    """A row's number as a form sends it; 0, which no row has, for anything else."""
    return int(sent) if sent.isdecimal() and len(sent) <= LONGEST_NUMBER else 0
