"""Doubts in words: what a flag on a record means, and what the librarian can do about it."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalogue.draft import Doubt
from catalogue.models import Flag


@dataclass(frozen=True, slots=True)
class DoubtText:
    """`what` is doubtful, and the `remedy`."""

    what: str | Promise
    remedy: str | Promise


TEXTS = {
    Doubt.TITLE_PROPOSED: DoubtText(
        _("The title was made from the name of a page."), _("Compare it with the box and correct it.")
    ),
    Doubt.LANGUAGE_GUESSED: DoubtText(
        _("The language of a rules text was guessed."), _("Read a line of the text and correct its language.")
    ),
    Doubt.IDENTIFIER_CHECK: DoubtText(
        _("A product code has no right check digit."),
        _("Scan the code on the box; keep it if it is printed so."),
    ),
    Doubt.CONTENTS_SPLIT: DoubtText(
        _("The contents held the rules: they were parted."),
        _("See whether the parting is in the right place."),
    ),
    Doubt.CONTENTS_CONTRADICT_RULES: DoubtText(
        _("The contents and the rules count the pieces otherwise."),
        _("Count the pieces and correct one of them."),
    ),
    Doubt.TEXT_TRUNCATED: DoubtText(
        _("The source ended in the middle of a text."),
        _("Complete the text from the box or import it again."),
    ),
    Doubt.SOURCE_CHANGED: DoubtText(
        _("The source of a rules text has changed; the text corrected here was kept."),
        _("Compare the two states in the history and take over what is better."),
    ),
    Doubt.QUICKLY_ADDED: DoubtText(
        _("The game was added at the desk, with its title only."),
        _("Complete the record with the box in your hands; check its label."),
    ),
}
UNKNOWN = DoubtText(_("An import has doubts about this record."), _("Compare the record with the box."))


def text_of(code: str) -> DoubtText:
    """The words for a flag's code; general words for a code of another version."""
    return TEXTS[Doubt(code)] if code in set(Doubt) else UNKNOWN


@dataclass(frozen=True, slots=True)
class OpenDoubt:
    """A flag that nobody has settled, with its words."""

    flag: Flag
    text: DoubtText


def with_words(flags: Iterable[Flag]) -> list[OpenDoubt]:
    """The flags with their words, in the same order."""
    return [OpenDoubt(flag, text_of(flag.code)) for flag in flags]
