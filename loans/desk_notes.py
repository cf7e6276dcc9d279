"""Messages for the next volunteer, about a member or about a box: the only writer of `DeskNote`."""

from datetime import datetime

from django.contrib.auth.models import User

from catalogue.models import Copy
from catalogue.text import one_line
from loans.models import DeskNote, Member


def leave(about: Member | Copy, text: str, *, by: User, now: datetime) -> DeskNote | None:
    """Leave a message; None where nothing was said. The same message twice is one."""
    text = one_line(text)[:500]
    if not text:
        return None
    whose = {"member": about} if isinstance(about, Member) else {"copy": about}
    note, _ = DeskNote.objects.get_or_create(
        **whose, text=text, settled_at=None, defaults={"at": now, "by": by}
    )
    return note


def settle(note: DeskNote, *, by: User, now: datetime) -> None:
    """Somebody has dealt with it."""
    DeskNote.objects.filter(pk=note.pk, settled_at=None).update(settled_at=now, settled_by=by)
