"""Privacy by clock: past loans lose their member in time, everywhere, and no figure changes."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from dateutil.relativedelta import relativedelta
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core import serializers
from django.core.management import call_command
from django.db import IntegrityError, transaction
from pytest_django import Settings

from catalogue import components
from loans import accounts, bookings, counting, desk, desk_notes, forgetting, holds, ledger
from loans.ledger import Method
from loans.models import (
    BookedLoan,
    DeskEvent,
    Entry,
    EntryKind,
    GamesDay,
    Hold,
    Loan,
    Member,
    Player,
)
from loans.reports import BY_KEY
from loans.reports_cut import Cut
from loans.rules import Refusal, RefusalCode
from tests.make import (
    NOON,
    make_act,
    make_block,
    make_category,
    make_copy,
    make_game,
    make_household,
    make_loan,
    make_member,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)
A_YEAR_ON = NOON + WEEK + relativedelta(months=12, days=1)


def past_loan(member: Member | None = None, now: datetime = NOON, **fields: Any) -> Loan:
    """A loan of a week."""
    loan = make_loan(member=member, now=now, **fields)
    desk.check_in(loan.copy, act=make_act(now=now + WEEK))
    loan.refresh_from_db()
    return loan


def remembered(loan: Loan) -> bool:
    loan.refresh_from_db()
    return loan.member is not None


# --- the clock -----------------------------------------------------------------------------------


def test_complaint_20_a_loan_is_forgotten_twelve_months_after_its_return() -> None:
    loan = past_loan()
    forgetting.forget_expired(now=A_YEAR_ON - timedelta(days=2))
    assert remembered(loan)
    told = forgetting.forget_expired(now=A_YEAR_ON)
    assert not remembered(loan)
    assert told.loans == 1
    assert forgetting.forget_expired(now=A_YEAR_ON) == forgetting.Forgotten()


def test_the_library_sets_another_time(settings: Settings) -> None:
    settings.HISTORY_MONTHS = 3
    loan = past_loan()
    forgetting.forget_expired(now=NOON + WEEK + relativedelta(months=3, days=1))
    assert not remembered(loan)


def test_a_member_may_choose_a_shorter_time_and_no_longer_one() -> None:
    quick, other = past_loan(), past_loan()
    assert quick.member
    forgetting.choose_months(quick.member, 1)
    forgetting.forget_expired(now=NOON + WEEK + relativedelta(months=1, days=1))
    assert (remembered(quick), remembered(other)) == (False, True)
    with pytest.raises(ValueError, match="24"):
        forgetting.choose_months(make_member(), 24)


def test_an_open_loan_keeps_its_member_and_the_database_sees_to_it() -> None:
    loan = make_loan()
    forgetting.forget_expired(now=NOON + relativedelta(years=5))
    assert remembered(loan)
    with pytest.raises(IntegrityError), transaction.atomic():
        Loan.objects.filter(pk=loan.pk).update(member=None)


def test_a_dry_run_counts_and_changes_nothing() -> None:
    loan = past_loan()
    assert forgetting.forget_expired(now=A_YEAR_ON, dry_run=True).loans == 1
    assert remembered(loan)


def test_many_loans_are_forgotten_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgetting, "BATCH", 2)
    member = make_member()
    for _number in range(5):
        past_loan(member)
    assert forgetting.forget_expired(now=A_YEAR_ON).loans == 5


def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    loan = past_loan()
    call_command("privacy", "forget", "--dry-run")
    assert "1 loans" in capsys.readouterr().out
    call_command("privacy", "forget")
    assert not remembered(loan)


@pytest.mark.django_db(transaction=True)  # a follower closes its connection between two runs
def test_beside_the_server_it_speaks_only_of_what_it_forgot(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("catalogue.following.time.sleep", interrupt)
    loan = past_loan()
    call_command("privacy", "forget", "--follow")
    assert not remembered(loan)
    assert "1 loans" in capsys.readouterr().out
    call_command("privacy", "forget", "--follow")
    assert capsys.readouterr().out == ""


# --- what keeps the link -------------------------------------------------------------------------


def test_open_money_keeps_the_link_until_it_is_settled() -> None:
    make_policy(fee_per_loan=300)
    loan, paid = past_loan(), past_loan()
    assert loan.member
    assert paid.member
    ledger.pay(ledger.account_of(paid.member), Method.CASH, 300, act=make_act())
    forgetting.forget_expired(now=A_YEAR_ON)
    assert (remembered(loan), remembered(paid)) == (True, False)
    ledger.pay(ledger.account_of(loan.member), Method.CASH, 300, act=make_act())
    forgetting.forget_expired(now=A_YEAR_ON)
    assert not remembered(loan)


def test_a_deposit_that_was_not_given_back_keeps_the_link() -> None:
    loan = past_loan()
    assert loan.member
    account = ledger.account_of(loan.member)
    ledger.charge(account, EntryKind.DEPOSIT, 2000, act=make_act(), about=loan)
    ledger.pay(account, Method.CASH, 2000, act=make_act())
    forgetting.forget_expired(now=A_YEAR_ON)
    assert remembered(loan)


def test_the_books_forget_the_loan_and_keep_every_cent() -> None:
    make_policy(fee_per_loan=300)
    loan = past_loan()
    assert loan.member
    account = ledger.account_of(loan.member)
    ledger.pay(account, Method.CASH, 500, act=make_act())
    before = [(line.entry.kind, line.cents, line.balance) for line in accounts.statement(account)]
    forgetting.forget_expired(now=A_YEAR_ON)
    assert [(line.entry.kind, line.cents, line.balance) for line in accounts.statement(account)] == before
    assert not Entry.objects.exclude(loan=None, event=None).exists()


# --- everywhere ----------------------------------------------------------------------------------


def test_complaint_20_the_journal_forgets_as_well_cards_reasons_and_members_who_acted_alone() -> None:
    user = make_user(username="camille")
    member = make_member(card_number="3123456", user=user)
    loan = make_loan(member=member)
    desk.renew(loan, act=make_act(by=user, now=NOON + WEEK, at_desk=False, nonce="a"))
    copy = make_copy()
    make_block(member, "Owes a pawn")
    with pytest.raises(desk.Refused):
        desk.lend(copy, member, act=make_act(now=NOON + WEEK, scanned="3123456"))
    unknown = Refusal(RefusalCode.UNKNOWN_CODE, data={"code": "3123456"})
    with pytest.raises(desk.Refused):
        desk.refuse_scan(unknown, act=make_act(now=NOON + WEEK, scanned="3123456"))
    desk.check_in(loan.copy, act=make_act(now=NOON + WEEK))
    forgetting.forget_expired(now=A_YEAR_ON)
    kept = serializers.serialize("json", DeskEvent.objects.all())
    assert "3123456" not in kept
    assert not DeskEvent.objects.filter(member=member).exists()
    assert not DeskEvent.objects.filter(by=user).exists()
    assert f'"member": {member.pk}' not in kept


def test_reservations_and_bookings_lead_to_nobody() -> None:
    member, copy = make_member(), make_copy()
    hold = holds.place_hold(copy.game, member, act=make_act())
    loan = make_loan(copy, member)
    desk.check_in(copy, act=make_act(now=NOON + WEEK))
    forgetting.forget_expired(now=A_YEAR_ON)
    assert not Hold.objects.filter(pk=hold.pk).exists()
    assert not BookedLoan.objects.filter(loan=loan).exists()


def test_an_active_reservation_stays_however_old() -> None:
    loan = make_loan()
    hold = holds.place_hold(loan.copy.game, make_member("Eva Roth"), act=make_act())
    forgetting.forget_expired(now=NOON + relativedelta(years=3))
    assert Hold.objects.filter(pk=hold.pk).exists()


def test_badges_of_a_games_day_are_forgotten_and_players_still_counted() -> None:
    host = make_member("Games Day")
    GamesDay.objects.create(name="May", held_on=date(2025, 3, 4), member=host)
    loan, guest = past_loan(host), make_member(card_number="3777777")
    for badge, member in (("3777777", guest), ("B12", None)):
        Player.objects.create(loan=loan, badge=badge, member=member, joined_at=NOON)
    forgetting.forget_expired(now=A_YEAR_ON)
    assert Player.objects.filter(loan=loan, member=None).exclude(badge__in=["3777777", "B12"]).count() == 2


def test_ended_blocks_settled_messages_and_the_admins_log_go_too() -> None:
    member, volunteer = make_member(), make_user("desk")
    block = make_block(member, ends_on=date(2025, 2, 1))
    note = desk_notes.leave(member, "Ask for the key", by=volunteer, now=NOON)
    assert note
    desk_notes.settle(note, by=volunteer, now=NOON)
    of_members = ContentType.objects.get_for_model(Member)
    line = LogEntry.objects.create(
        user=volunteer, content_type=of_members, object_repr="Camille", action_flag=CHANGE
    )
    LogEntry.objects.filter(pk=line.pk).update(action_time=NOON)
    forgetting.forget_expired(now=A_YEAR_ON)
    assert [type(row).objects.filter(pk=row.pk).exists() for row in (block, note, line)] == [False] * 3


# --- after it ------------------------------------------------------------------------------------

COUNTED = ("games", "months", "years", "categories", "ages", "member-categories", "branches", "areas")


def test_complaint_20_every_figure_is_the_same_before_and_after() -> None:
    school = make_category("School")
    family = make_household("Famille Martin", postcode="1205")
    for born, category in ((2019, school), (1980, None), (None, school), (2012, None)):
        past_loan(make_member(birth_year=born, category=category, household=family if born else None))
    cuts = [
        Cut(today=date(2025, 6, 1), first_on=date(2025, 1, 1), last_on=date(2025, 12, 31), category=one)
        for one in (None, school)
    ]
    before = [[BY_KEY[key].make(cut).rows for key in COUNTED] for cut in cuts]
    forgetting.forget_expired(now=A_YEAR_ON)
    assert not Loan.objects.exclude(member=None).exists()
    assert [[BY_KEY[key].make(cut).rows for key in COUNTED] for cut in cuts] == before
    kept = set(Loan.objects.values_list("age_band", "borrower_category__name", "postcode_area"))
    assert kept == {("6-8", "School", "12"), ("30-59", None, "12"), ("", "School", ""), ("12-17", None, "12")}


def test_a_forgotten_loan_is_neither_renewed_nor_undone_nor_refunded_and_nothing_breaks() -> None:
    loan = past_loan()
    event = DeskEvent.objects.get(loan=loan, action="check_in")
    forgetting.forget_expired(now=A_YEAR_ON)
    loan.refresh_from_db()
    event.refresh_from_db()
    with pytest.raises(desk.Refused, match=RefusalCode.LOAN_CLOSED):
        desk.renew(loan, act=make_act(now=A_YEAR_ON))
    with pytest.raises(desk.Refused, match=RefusalCode.NOT_UNDOABLE):
        desk.undo(event, act=make_act(now=A_YEAR_ON))
    with pytest.raises(ledger.Refused, match=RefusalCode.ALREADY_REVERSED):
        ledger.refund_same_day(loan, act=make_act(now=A_YEAR_ON))
    assert str(loan) == loan.copy.barcode
    assert desk.lend(loan.copy, make_member(), act=make_act(now=A_YEAR_ON)).loan.member


def test_old_bookings_are_removed_once_nothing_hangs_on_them() -> None:
    game = make_game()
    make_copy(game)
    draft = bookings.BookingDraft(
        game=game, member=make_member(), copies=1, from_on=date(2025, 4, 1), to_on=date(2025, 4, 8)
    )
    booking = bookings.book(draft, act=make_act())
    forgetting.forget_expired(now=NOON + relativedelta(months=6))
    assert type(booking).objects.filter(pk=booking.pk).exists()
    forgetting.forget_expired(now=NOON + relativedelta(months=14))
    assert not type(booking).objects.filter(pk=booking.pk).exists()


# --- pieces --------------------------------------------------------------------------------------


def test_an_open_question_about_a_piece_keeps_the_link_until_it_is_settled() -> None:
    game = make_game("Finca", contents="20 joueurs")
    loan = past_loan(copy=make_copy(game))
    count = counting.count_of(loan.events.get(action="check_in"), act=make_act())
    forgetting.forget_expired(now=A_YEAR_ON)
    assert remembered(loan)
    counting.missing(count, components.of(game)[0], 1, act=make_act())
    piece = count.missing.get()
    forgetting.forget_expired(now=A_YEAR_ON)
    assert remembered(loan)
    counting.give_up(piece, act=make_act())
    forgetting.forget_expired(now=A_YEAR_ON)
    assert not remembered(loan)
