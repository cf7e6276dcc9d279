"""Letters on paper: all of a day in one PDF, each with its address where the window of the envelope is.

What is printed is what was kept when the letters were made, so a printer that jams costs nothing. Only reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import Count
from django.utils import translation
from django.utils.formats import date_format

from loans import paper
from loans.models import Mail, MailState, Member, NoticePlan, Window
from loans.telling.letter import Letter, Paragraph

DAYS_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Day:
    """A day on which letters were made, and how many."""

    on: date
    count: int


def days() -> list[Day]:
    """The latest days with letters."""
    made = Mail.objects.filter(state=MailState.PRINTED).order_by()
    rows = made.values_list("on").annotate(count=Count("pk")).order_by("-on")
    return [Day(on, count) for on, count in rows[:DAYS_SHOWN]]


def of_day(on: date) -> list[Mail]:
    """The letters of a day."""
    rows = Mail.objects.filter(on=on, state=MailState.PRINTED)
    return list(rows.select_related("member__household").order_by("pk"))


def pdf_of(mails: Sequence[Mail], plan: NoticePlan) -> bytes:
    """All the letters, each on a sheet of its own."""
    blocks: list[paper.Block] = []
    for number, mail in enumerate(mails):
        blocks += [paper.NewPage()] if number else []
        blocks += _sheet(mail, on_the_right=plan.window == Window.RIGHT)
    document = paper.Document(
        title=str(mails[0].on),
        author=settings.LIBRARY_NAME,
        language=settings.LANGUAGE_CODE,
        blocks=tuple(blocks),
        numbered=False,
    )
    return paper.pdf_of(document, paper.Paper.A4)


def address_of(member: Member) -> tuple[str, ...]:
    """Name, street, place, as the post wants them: what is not known is left out."""
    home = member.household
    if home is None:
        return (str(member),)
    place = f"{home.postcode} {home.city}".strip()
    return tuple(filter(None, (str(member), *home.address.splitlines(), place)))


def _sheet(mail: Mail, *, on_the_right: bool) -> list[paper.Block]:
    letter = Letter.from_json(mail.content)
    with translation.override(letter.language):
        day = date_format(mail.on, "DATE_FORMAT")
    address = paper.Address(settings.LIBRARY_NAME, address_of(mail.member), on_the_right=on_the_right)
    blocks: list[paper.Block] = [address, paper.Text(day), paper.Gap()]
    blocks.append(paper.Text(letter.subject, strong=True))
    for block in letter.blocks:
        blocks.append(paper.Gap())
        if isinstance(block, Paragraph):
            blocks.append(paper.Text(block.text, small=block.small))
        else:
            blocks += [paper.Row(f"–  {line.text}", detail=line.note) for line in block.lines]
    return blocks
