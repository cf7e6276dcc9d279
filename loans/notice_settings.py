"""What members and the library set about letters, and the only writer of it.

Members renew by a link, stop letters that can be done without, and have a calendar of their due dates; the
library puts letters in its own words and names the days. Views call it; `notices` sends.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q, QuerySet

from loans import desk
from loans.act import Act, Done
from loans.models import (
    CalendarFeed,
    Household,
    Member,
    NoMail,
    NoticePlan,
    NoticeText,
    RenewalLink,
    ReturnedMail,
)
from loans.telling import links, texts

RENEWER = "renewal-link"
"""The account in whose name the desk's journal has what members do by a link; nobody can sign in with it."""


# --- what members do by themselves ---------------------------------------------------------------


def usable_link(token: str, now: datetime) -> RenewalLink | None:
    """The link of a token, if it may still be used."""
    pk = links.read_renewal(token)
    if pk is None:
        return None
    rows = RenewalLink.objects.select_related("loan__copy__game", "loan__copy__branch", "loan__member")
    return rows.filter(pk=pk, used_at=None, expires_at__gt=now, loan__returned_at=None).first()


@transaction.atomic
def renew_by_link(link: RenewalLink, *, now: datetime) -> Done:
    """Renew the loan of a link, which then is used up. Raises Refused as the desk does: the link lives on.

    Sent twice at once it is done once: the desk knows the link by its name.
    """
    act = Act(by=_renewer(), now=now, nonce=f"{RENEWER}-{link.pk}", at_desk=False)
    done = desk.renew(link.loan, act=act)
    RenewalLink.objects.filter(pk=link.pk, used_at=None).update(used_at=now)
    return done


def _renewer() -> User:
    user, made = User.objects.get_or_create(username=RENEWER, defaults={"is_active": False})
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    return user


def declines(party: str) -> bool:
    """Whether a party has stopped its letters."""
    return NoMail.objects.filter(_whose(party)).exists()


@transaction.atomic
def stop_letters(party: str, *, now: datetime) -> None:
    """Send only what must be from now on. Twice is once; a party that is gone is nobody's loss."""
    kind, _colon, pk = party.partition(":")
    model: type[Household | Member] = Household if kind == "household" else Member
    if model._default_manager.filter(pk=pk).exists():
        NoMail.objects.get_or_create(**{f"{kind}_id": int(pk)}, defaults={"since": now})


@transaction.atomic
def send_letters_again(party: str) -> None:
    """Send everything again."""
    NoMail.objects.filter(_whose(party)).delete()


def _whose(party: str) -> Q:
    kind, _colon, pk = party.partition(":")
    return Q(household=pk) if kind == "household" else Q(member=pk, member__isnull=False)


@transaction.atomic
def make_calendar_feed(member: Member, *, now: datetime) -> CalendarFeed:
    """A new secret address for the member's due dates; the old one, if there was one, ends."""
    secret = secrets.token_urlsafe(32)
    feed, _made = CalendarFeed.objects.update_or_create(
        member=member, defaults={"secret": secret, "made_at": now}
    )
    return feed


@transaction.atomic
def end_calendar_feed(member: Member) -> None:
    """The secret address leads nowhere any more."""
    CalendarFeed.objects.filter(member=member).delete()


# --- what the library sets -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDraft:
    """The words of a part in a language."""

    part: str
    language: str
    subject: str
    body: str


@transaction.atomic
def save_text(draft: TextDraft, *, by: User, now: datetime) -> NoticeText:
    """Keep the library's own words. Raises ValueError for a placeholder that nobody would fill in."""
    wrong = [m for text in (draft.subject, draft.body) for m in texts.mistakes_in(draft.part, text)]
    if wrong or not draft.body.strip() or draft.language not in texts.LANGUAGES:
        raise ValueError(f"Not a text of {draft.part} in {draft.language}: {wrong}")
    values = {"subject": draft.subject, "body": draft.body, "edited_at": now, "edited_by": by}
    return NoticeText.objects.update_or_create(part=draft.part, language=draft.language, defaults=values)[0]


@transaction.atomic
def restore_text(part: str, language: str) -> None:
    """Go back to the words that Ludotheca came with."""
    NoticeText.objects.filter(part=part, language=language).delete()


@transaction.atomic
def save_plan(plan: NoticePlan) -> None:
    """Keep the days on which what is told. The database refuses reminders that overtake one another."""
    plan.pk = 1
    plan.save()


def returned_mails() -> QuerySet[ReturnedMail]:
    """Addresses that were refused and that are still the member's, the latest first."""
    rows = ReturnedMail.objects.filter(address=F("member__email"))
    return rows.select_related("member").order_by("-at")


@transaction.atomic
def trust_again(returned: ReturnedMail) -> None:
    """Send to an address again that the mail server had refused: the mailbox was full, and is not now."""
    ReturnedMail.objects.filter(pk=returned.pk).delete()
