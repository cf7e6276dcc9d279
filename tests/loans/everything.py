"""A library with a row of each thing that a page is about: what a walk over all addresses walks through."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.timezone import localdate

from catalogue import components, links, records
from catalogue.models import Branch, Copy
from catalogue.questions import QuestionDraft, ask
from loans import (
    bookings,
    care,
    counting,
    desk,
    desk_notes,
    games_day,
    holds,
    ledger,
    memberships,
    stocktake,
    till,
)
from loans.act import Act, Refused
from loans.bookings import BookingDraft
from loans.ledger import Method
from loans.models import EntryKind, Loan, Mail, MailState, Member, RenewalLink, ReturnedMail
from tests.make import (
    make_block,
    make_category,
    make_closure,
    make_copy,
    make_game,
    make_household,
    make_kind,
    make_member,
    make_opening,
    make_policy,
    make_rules,
    make_user,
)


def whole_library() -> User:
    """One of everything, numbered 1 where the sequences begin anew; the one who did it all may do all."""
    now = timezone.now() - timedelta(days=30)
    manager = make_user("manager", "manager")
    User.objects.filter(pk=manager.pk).update(is_staff=True, is_superuser=True, email="m@example.org")
    members, boxes = _people(now, manager), _games(now)
    _policies(now)
    _at_the_desk(now, manager, members, boxes)
    _around_the_boxes(now, manager, boxes)
    _money(now, manager, members[1])
    _letters(now, members[1])
    return User.objects.get(pk=manager.pk)


def _people(now: datetime, manager: User) -> tuple[Member, Member]:
    """Two members who may sign in, and one with a blocked card."""
    household = make_household("Famille Martin")
    member = make_member("Camille Martin", "20000012", household=household, user=make_user("", "member"))
    other = make_member("Aminata Diallo", "20000029", user=make_user("", "stranger"))
    make_block(make_member("Paul Noir", "20000036"))
    make_category()
    memberships.sell(make_kind(fee_cents=1500), member, act=Act(by=manager, now=now))
    desk_notes.leave(member, "Rendre le sac", by=manager, now=now)
    return member, other


def _games(now: datetime) -> list[Copy]:
    """A game with rules, a doubt and a question, in four boxes; another game in the last box."""
    finca = make_game("Finca", contents="108 fruits, 1 plan de jeu")
    make_rules(finca, "# But du jeu\n\nRamasser des fruits.")
    records.raise_flag(finca, "identifier_check", "68862310192")
    ask(QuestionDraft(text="Peut-on passer son tour ?", language="fr", game=finca), now=now)
    boxes = [make_copy(finca, barcode=f"9130{n}", branch="Centre", section="A") for n in range(4)]
    links.save_kit(None, "Le coffre", boxes[2:])
    return [*boxes, make_copy(make_game("Hanabi"), barcode="90859")]


def _policies(now: datetime) -> None:
    make_policy(loan_days=21, fee_per_loan=100, max_holds=9)
    make_opening("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU")
    make_closure(now.date() + timedelta(days=400), branch=Branch.objects.get(name="Centre"))


def _at_the_desk(now: datetime, by: User, members: tuple[Member, Member], boxes: list[Copy]) -> None:
    """A loan that came back, two open ones, one that was refused; a hold, a booking, a games day."""
    member, other = members
    act = Act(by=by, now=now)
    desk.lend(boxes[0], member, act=act)
    desk.check_in(boxes[0], act=Act(by=by, now=now + timedelta(days=1)))
    desk.lend(boxes[1], member, act=act)
    desk.lend(boxes[4], other, act=act)
    with suppress(Refused):
        desk.lend(boxes[1], other, act=Act(by=by, now=now + timedelta(days=3)))
    holds.place_hold(boxes[4].game, member, act=act)
    first = now.date() + timedelta(days=60)
    wanted = BookingDraft(
        game=boxes[0].game, member=other, copies=1, from_on=first, to_on=first + timedelta(days=2)
    )
    bookings.book(wanted, act=act)
    games_day.open_day("Nuit du jeu", now=now)


def _around_the_boxes(now: datetime, by: User, boxes: list[Copy]) -> None:
    """A missing piece, a plan of care, a stocktake."""
    act = Act(by=by, now=now + timedelta(days=3))
    count = counting.count_of_copy(boxes[0], boxes[0].loans.first(), act=act)
    counting.missing(count, components.of(boxes[0].game)[0], 2, act=act)
    care.add_plan(care.PlanDraft(kind="cleaning", what="Essuyer", every_loans=5), today=now.date())
    stocktake.scan_codes(stocktake.start(None, None, act=act), "91300\nXYZ", act=act)


def _money(now: datetime, by: User, member: Member) -> None:
    """A charge, a payment, a voucher, a closed day."""
    act = Act(by=by, now=now)
    account = ledger.account_of(member)
    ledger.charge(account, EntryKind.PIECES, 750, act=act, note="pion", member=member)
    ledger.receive(account, Method.CASH, 500, act=act)
    ledger.issue_voucher(1000, act=act, method=Method.CASH)
    till.close(None, localdate(now), 1500, act=act)


def _letters(now: datetime, member: Member) -> None:
    """A mail that went, with a link to renew; one that came back."""
    on, to = now.date(), "a@example.org"
    sent = Mail.objects.create(
        member=member, to=to, on=on, made_at=now, next_try_at=now, sent_at=now, state=MailState.SENT
    )
    ReturnedMail.objects.create(member=member, address=to, why="550", at=now)
    loan = Loan.objects.get(member=member, returned_at=None)
    RenewalLink.objects.create(mail=sent, loan=loan, expires_at=now + timedelta(days=90))
