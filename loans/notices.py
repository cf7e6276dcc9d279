"""The outbox of the library: the only writer of what it tells its members, and of what it has told.

A row for each household and day is made first, claimed before it is sent, and written down afterwards:

    waiting   made for the day; what stands in it is decided when it is sent
    sending   one run has claimed it. A run that died leaves it here: after `GIVEN_UP` it is sent once more,
              with the same identifier, and the row says that it may have come twice
    sent      it has gone, and a `Notice` says of each thing that it was told
    dropped   when its turn came there was nothing left to tell: the games were back
    failed    the server has refused it, or has put it off too often

Two runs at the same time are safe: a row is claimed by one update that only one of them wins.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from loans import receipts
from loans.calendar import local_date
from loans.models import (
    Entry,
    Loan,
    Mail,
    MailState,
    Notice,
    RenewalLink,
    ReturnedMail,
)
from loans.telling import compose, links, mails, parties
from loans.telling.compose import Sender
from loans.telling.kinds import DECLINABLE, Kind, next_try
from loans.telling.letter import Letter
from loans.telling.news import News, news
from loans.telling.parties import Party
from loans.telling.postbox import Fate, Outcome, Postbox

Clock = Callable[[], datetime]

GIVEN_UP = timedelta(minutes=30)
"""A mail that was claimed so long ago was left by a run that died: a conversation times out much sooner."""

LINK_LIVES = timedelta(days=14)
KEPT = timedelta(days=365)
KEPT_IN_SIGHT = timedelta(days=7)
LETTER = "letter:"
RECEIPT = "entry:"


# --- what is to be told --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Planned:
    """One letter that is due: to whom, and what it tells."""

    party: Party
    news: tuple[News, ...]

    def letter(self, sender: Sender) -> Letter:
        """The letter itself."""
        return compose.letter(self.party, self.news, sender)


def planned(today: date, *, whose: Iterable[int] | None = None) -> list[Planned]:
    """What would be told on `today` if it were sent now; reads only."""
    wanted = None if whose is None else set(whose)
    found = news(today, whose=wanted)
    by_member: dict[int, list[News]] = {}
    for one in found:
        by_member.setdefault(one.member.pk, []).append(one)
    letters = []
    for party in parties.parties_of(by_member, today):
        told = [one for member in party.members for one in by_member.get(member.pk, ())]
        told = [one for one in told if not (party.declines and one.kind in DECLINABLE)]
        if told:
            letters.append(Planned(party, tuple(sorted(told, key=found.index))))
    return letters


# --- the run -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Report:
    """What a run has done, in mails."""

    sent: int = 0
    dropped: int = 0
    put_off: int = 0
    failed: int = 0
    letters: int = 0
    resent: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Run:
    today: date
    clock: Clock
    postbox: Postbox
    report: Report = field(default_factory=Report)


def send(today: date, *, clock: Clock, postbox: Postbox | None = None) -> Report:
    """Send what is due on `today`, and what waits from before. May be called at any time, and again."""
    run = _Run(today, clock, postbox or Postbox())
    _take_up_what_was_left(run)
    _make_rows(run)
    try:
        for pk in _due(clock()):
            _send_one(pk, run)
            if run.report.problem:
                break
    finally:
        run.postbox.close()
    return run.report


def _take_up_what_was_left(run: _Run) -> None:
    """Mails that a run had claimed when it died: once more, and no oftener."""
    left = Mail.objects.filter(state=MailState.SENDING, claimed_at__lt=run.clock() - GIVEN_UP)
    run.report.failed += left.filter(resent=True).update(
        state=MailState.FAILED, error="Two runs ended while this mail was being sent."
    )
    run.report.resent += left.filter(resent=False).update(
        state=MailState.WAITING, resent=True, next_try_at=run.clock()
    )


def _make_rows(run: _Run) -> None:
    """A row for each letter that is due and has an address. What still waits from days before is in it."""
    now = run.clock()
    before = Mail.objects.filter(state=MailState.WAITING, on__lt=run.today, entry=None)
    unclear = set(before.filter(resent=True).values_list("party", flat=True))
    before.update(state=MailState.DROPPED, error="The next day's mail took its place.")
    due = planned(run.today)
    rows = [_row(one.party, run.today, now) for one in due if one.party.to]
    for row in rows:
        row.resent = row.party in unclear
    Mail.objects.bulk_create(rows, ignore_conflicts=True)
    run.report.letters = sum(not one.party.to for one in due)


def _row(party: Party, today: date, now: datetime) -> Mail:
    return Mail(party=party.key, on=today, member=party.addressee, to=party.to, made_at=now, next_try_at=now)


def _due(now: datetime) -> list[int]:
    rows = Mail.objects.filter(state=MailState.WAITING, next_try_at__lte=now)
    return list(rows.order_by("next_try_at", "pk").values_list("pk", flat=True))


def _send_one(pk: int, run: _Run) -> None:
    mail = _claim(pk, run.clock())
    if mail is None:
        return
    written = _written_now(mail, run)
    if written is None:
        _end(mail, MailState.DROPPED)
        run.report.dropped += 1
        return
    letter, told, party = written
    stop = "" if mail.entry_id else links.stop(party.key)
    outgoing = mails.as_mail(
        letter, to=party.to, name=f"ludotheca-{mail.pk}-{int(mail.made_at.timestamp())}", stop=stop
    )
    _write_down(mail, run.postbox.deliver(outgoing), letter, told, run)


def _claim(pk: int, now: datetime) -> Mail | None:
    """Take a mail for this run; None if another one was quicker."""
    waiting = Mail.objects.filter(pk=pk, state=MailState.WAITING, next_try_at__lte=now)
    if not waiting.update(state=MailState.SENDING, claimed_at=now, attempts=F("attempts") + 1):
        return None
    return Mail.objects.select_related("member__household", "entry").get(pk=pk)


def _written_now(mail: Mail, run: _Run) -> tuple[Letter, tuple[News, ...], Party] | None:
    """The letter as things stand now; None if there is nothing to tell any more, or nobody to tell it to."""
    now = run.clock()
    party = parties.party_of(mail.party, mail.member, run.today)
    if mail.entry:
        return _receipt(mail, mail.entry, now)
    if party is None or not party.to:
        return None
    due = planned(run.today, whose=[member.pk for member in party.members])
    one = next((each for each in due if each.party.key == party.key), None)
    if one is None:
        return None
    _address(mail, party)
    sender = Sender(now=now, renew=lambda loan: _link(mail, loan, now), stop=links.stop(party.key))
    return one.letter(sender), one.news, party


def _address(mail: Mail, party: Party) -> None:
    """The address, and who reads it, may have changed since the row was made."""
    mail.member, mail.to = party.addressee, party.to
    mail.save(update_fields=["member", "to"])


def _receipt(mail: Mail, entry: Entry, now: datetime) -> tuple[Letter, tuple[News, ...], Party]:
    party = Party(key=mail.party, members=(mail.member,), addressee=mail.member, to=mail.to, declines=False)
    letter = compose.receipt_letter(party, receipts.of_entry(entry), Sender(now=now))
    told = News(kind=Kind.RECEIPT, member=mail.member, about=f"entry:{entry.pk}:{mail.on}")
    return letter, (told,), party


def _link(mail: Mail, loan: Loan, now: datetime) -> str:
    link, _made = RenewalLink.objects.get_or_create(
        mail=mail, loan=loan, defaults={"expires_at": now + LINK_LIVES}
    )
    return links.renewal(link.pk)


# --- what became of it ---------------------------------------------------------------------------


@transaction.atomic
def _write_down(mail: Mail, outcome: Outcome, letter: Letter, told: Sequence[News], run: _Run) -> None:
    mail.error = outcome.said[:500]
    match outcome.fate:
        case Fate.SENT:
            _keep(mail, letter, told, MailState.SENT, run)
            run.report.sent += 1
        case Fate.NO_SUCH_ADDRESS | Fate.REFUSED:
            if outcome.fate == Fate.NO_SUCH_ADDRESS:
                _flag(mail, run.clock())
            _end(mail, MailState.FAILED)
            run.report.failed += 1
        case Fate.UNCLEAR if mail.resent:
            # It may have come twice already: it is not told a third time.
            _keep(mail, letter, told, MailState.FAILED, run)
            run.report.failed += 1
        case _:
            mail.resent = mail.resent or outcome.fate == Fate.UNCLEAR
            _put_off(mail, run)
    if outcome.fate == Fate.NO_SERVER:
        # The next mail would fare no better: the run ends, and the others keep their turn.
        run.report.problem = outcome.said


def _keep(mail: Mail, letter: Letter, told: Sequence[News], state: MailState, run: _Run) -> None:
    now = run.clock()
    mail.sent_at, mail.content = now, letter.without_links().as_json()
    _end(mail, state)
    rows = [
        Notice(
            mail=mail,
            member=one.member,
            kind=one.kind.value,
            about=one.about,
            on=mail.on,
            loan=one.loan,
            hold=one.hold,
        )
        for one in told
    ]
    Notice.objects.bulk_create(rows, ignore_conflicts=True)


def _put_off(mail: Mail, run: _Run) -> None:
    again = next_try(mail.attempts, run.clock())
    mail.next_try_at = again or mail.next_try_at
    _end(mail, MailState.WAITING if again else MailState.FAILED)
    if again:
        run.report.put_off += 1
    else:
        run.report.failed += 1


def _end(mail: Mail, state: MailState) -> None:
    """Leave a claimed mail in `state`; a claim that another run has taken up meanwhile is not ours to end."""
    mail.state = state
    values = ("state", "error", "sent_at", "content", "resent", "next_try_at")
    ours = Mail.objects.filter(pk=mail.pk, state=MailState.SENDING, claimed_at=mail.claimed_at)
    ours.update(**{name: getattr(mail, name) for name in values})


def _flag(mail: Mail, now: datetime) -> None:
    ReturnedMail.objects.update_or_create(
        member=mail.member, defaults={"address": mail.to, "why": mail.error, "at": now}
    )


# --- letters on paper ----------------------------------------------------------------------------


@transaction.atomic
def make_letters(today: date, *, now: datetime) -> int:
    """Write the letters of the day for those without an address, once; returns how many are new.

    What is made counts as told: it is printed from what is kept, as often as the printer needs.
    """
    run = _Run(today, lambda: now, Postbox())
    made = 0
    for one in planned(today):
        if one.party.to:
            continue
        mail, new = Mail.objects.get_or_create(
            party=f"{LETTER}{one.party.key}",
            on=today,
            defaults={
                "member": one.party.addressee,
                "made_at": now,
                "next_try_at": now,
                "state": MailState.SENDING,
                "claimed_at": now,
            },
        )
        if new:
            _keep(mail, one.letter(Sender(now=now)), one.news, MailState.PRINTED, run)
            made += 1
    return made


# --- receipts ------------------------------------------------------------------------------------


@transaction.atomic
def send_receipt(entry: Entry, *, now: datetime) -> Mail | None:
    """Put a receipt into the outbox, once a day; None where nobody has an address to send it to."""
    today = local_date(now, entry.branch)
    party = _payer(entry, today)
    if party is None or not party.to:
        return None
    row = _row(party, today, now)
    values = {name: getattr(row, name) for name in ("member", "to", "made_at", "next_try_at")}
    return Mail.objects.get_or_create(
        party=f"{RECEIPT}{entry.pk}", on=today, defaults=values | {"entry": entry}
    )[0]


def _payer(entry: Entry, today: date) -> Party | None:
    """Whose receipt it is: the member's, or that of the household on whose account it is."""
    account = receipts.account_of(entry)
    people = [entry.member] if entry.member else []
    if account and account.household:
        people = people or list(account.household.members.all())
    elif account and account.member:
        people = people or [account.member]
    found = parties.parties_of([member.pk for member in people], today)
    return next((party for party in found if party.to), None)


# --- forgetting -----------------------------------------------------------------------------------


@transaction.atomic
def forget(now: datetime) -> int:
    """Delete what was written more than a year ago, unless it is about a loan that is still open."""
    before = now - KEPT
    open_loans = Notice.objects.filter(loan__isnull=False, loan__returned_at=None).values("mail")
    old = Mail.objects.filter(made_at__lt=before).exclude(pk__in=open_loans)
    return old.delete()[1].get("loans.Mail", 0)


@transaction.atomic
def forget_about(loans: QuerySet[Loan]) -> int:
    """Delete every mail and letter that has told about these loans: for who takes names off closed loans.

    Of a loan that is still open nothing is deleted: it would be told again.
    """
    told = Notice.objects.filter(loan__in=loans.filter(returned_at__isnull=False)).values("mail")
    open_loans = Notice.objects.filter(loan__isnull=False, loan__returned_at=None).values("mail")
    rows = Mail.objects.filter(pk__in=told).exclude(pk__in=open_loans)
    return rows.delete()[1].get("loans.Mail", 0)
