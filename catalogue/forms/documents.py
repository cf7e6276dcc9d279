"""The form that attaches a file to a game. What a file is, its first bytes say, never its name."""

from pathlib import PurePosixPath
from typing import Any, TypeAlias, cast

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from catalogue.models import Game

Upload: TypeAlias = "UploadedFile[bytes]"
LARGEST = 25 * 1024 * 1024
# SVG is left out on purpose: it is an image that can run scripts.
KINDS = {
    ".pdf": (b"%PDF-",),
    ".png": (b"\x89PNG\r\n\x1a\n",),
    ".jpg": (b"\xff\xd8\xff",),
    ".webp": (b"RIFF",),
}


class DocumentForm(forms.Form):
    """A PDF or an image, and the name under which people see it."""

    file = forms.FileField(
        label=_("File"),
        max_length=300,
        widget=forms.ClearableFileInput({"accept": ".pdf,.png,.jpg,.jpeg,.webp"}),
        help_text=_("PDF, PNG, JPEG or WebP."),
        error_messages={
            "required": _("Choose a file first."),
            "empty": _("This file is empty: choose another one."),
        },
    )
    name = forms.CharField(
        label=_("Name"), max_length=200, required=False, help_text=_("Nothing: the name of the file.")
    )

    def __init__(self, game: Game, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.game = game

    def clean_file(self) -> Upload:
        """Refuse what is too large or neither PDF nor image."""
        file = cast(Upload, self.cleaned_data["file"])
        if (file.size or 0) > LARGEST:
            raise ValidationError(
                _("This file is larger than %(most)s: make it smaller."),
                params={"most": filesizeformat(LARGEST)},
            )
        if suffix_of(file) is None:
            raise ValidationError(_("This is neither a PDF nor a PNG, JPEG or WebP image."))
        return file

    def clean(self) -> None:
        """The name: safe as a file's name, with the ending that fits the file, and free."""
        file = self.cleaned_data.get("file")
        if file is None:
            return
        name = safe_name(self.cleaned_data.get("name") or file.name or "", suffix_of(file) or "")
        if self.game.documents.filter(name=name).exclude(file="").exists():
            self.add_error(
                "name",
                ValidationError(_("“%(name)s” is here already: choose another name."), params={"name": name}),
            )
        self.cleaned_data["name"] = name


def suffix_of(file: Upload) -> str | None:
    """The ending that fits what is in the file; None where it is of no kind that we take."""
    file.seek(0)
    head = file.read(16)
    file.seek(0)
    for suffix, starts in KINDS.items():
        if head.startswith(starts) and (suffix != ".webp" or head[8:12] == b"WEBP"):
            return suffix
    return None


def safe_name(typed: str, suffix: str) -> str:
    """A name without folders, control characters or a false ending: `../a b.exe` -> `a b.exe.pdf`."""
    last = PurePosixPath(typed.replace("\\", "/")).name
    kept = "".join(c for c in last if c.isprintable()).strip(" .") or "document"
    endings = {".jpg": (".jpg", ".jpeg")}.get(suffix, (suffix,))
    return kept if kept.lower().endswith(endings) else kept + suffix
