"""All that is held of a member, and nothing of it after an erasure."""

import io
import json
import zipfile
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db.models import Sum

from loans import accounts, desk, desk_notes, dossier, erasure, holds, households, ledger, memberships
from loans.erasure import Open
from loans.ledger import Method
from loans.models import (
    Account,
    Booking,
    DeskEvent,
    EntryKind,
    Hold,
    Household,
    Line,
    Loan,
    Member,
    Player,
    PrivacyRecord,
)
from tests.make import (
    NOON,
    make_act,
    make_block,
    make_copy,
    make_game,
    make_household,
    make_kind,
    make_loan,
    make_member,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)
NEAR = (Member, Household, Loan, Hold, Booking, DeskEvent, Account)
"""Rows that are somebody's: what points at one of them may be held of a member."""

NOT_HELD_OF_A_MEMBER = {
    "Account.household": "the household's bill is common; each member's own entries are told",
    "DeskEvent.loan": "told by its own member",
    "DeskEvent.undoes": "told by its own member",
    "Entry.event": "told by its own member",
    "Entry.loan": "told by its own member",
    "Hold.loan": "told by its own member",
    "HouseholdMove.joined": "told by the member who moved",
    "HouseholdMove.left": "told by the member who moved",
    "Membership.household": "told by the member who bought it",
    "Notice.hold": "told by its own member",
    "Notice.loan": "told by its own member",
    "PieceCount.event": "told by its own loan",
    "Transfer.hold": "the way of a box says nothing of a person",
}
SIGNS = ("Quetzal", "3QUETZAL3", "quetzal")


def busy_member(household: Household | None = None) -> Member:
    """Somebody of whom something stands in every table, all of it settled."""
    make_policy(fee_per_loan=300)
    user = make_user(username="quetzal")
    member = make_member(
        "Ana Quetzal", "3QUETZAL3", household=household, email="ana@quetzal.example", user=user
    )
    volunteer = make_user("desk")
    loan = make_loan(member=member)
    desk.renew(loan, act=make_act(by=user, now=NOON + WEEK, at_desk=False))
    Player.objects.create(loan=loan, badge="3QUETZAL3", member=member, joined_at=NOON)
    desk.check_in(loan.copy, act=make_act(now=NOON + WEEK))
    block = make_block(member, "Quetzal was loud", ends_on=date(2025, 2, 1))
    note = desk_notes.leave(member, "Quetzal asks for Finca", by=volunteer, now=NOON)
    memberships.sell(make_kind(), member, act=make_act())
    out = make_loan()
    holds.cancel(holds.place_hold(out.copy.game, member, act=make_act()), act=make_act())
    with pytest.raises(desk.Refused):
        desk.lend(out.copy, member, act=make_act(scanned="3QUETZAL3"))
    account = ledger.account_of(member)
    ledger.pay(account, Method.CASH, accounts.balance(account), act=make_act())
    LogEntry.objects.create(
        user=volunteer,
        content_type=ContentType.objects.get_for_model(Member),
        object_id=str(member.pk),
        object_repr="Ana Quetzal",
        action_flag=CHANGE,
    )
    assert block
    assert note
    return member


def everything() -> str:
    """All rows of all tables, as text."""
    rows = [row for model in apps.get_models() for row in model._default_manager.all()]
    return str(serializers.serialize("json", rows))


# --- handing over --------------------------------------------------------------------------------


def test_complaint_20_no_table_that_leads_to_a_member_is_forgotten() -> None:
    told = {(part.model, path.split("__")[0]) for part in dossier.PARTS for path in part.paths}
    forgotten = [
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if field.related_model in NEAR and (model, field.name) not in told
    ]
    assert sorted(set(forgotten) - set(NOT_HELD_OF_A_MEMBER) - {"Member.household"}) == []
    assert set(NOT_HELD_OF_A_MEMBER) <= set(forgotten), "an exception that is none any more"


def test_all_that_is_held_is_handed_over_as_json_and_as_tables() -> None:
    member = busy_member(make_household("Famille Quetzal", postcode="1205"))
    content = dossier.as_zip(member, by=make_user("manager"), now=NOON)
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        told = json.loads(bundle.read("data.json"))
        names = set(bundle.namelist())
    for part in ("member", "household", "loans", "desk_events", "reservations", "entries", "memberships"):
        assert told[part], part
        assert f"{part}.csv" in names
    assert told["member"][0]["email"] == "ana@quetzal.example"
    assert told["account_of_the_site"][0]["username"] == "quetzal"
    assert PrivacyRecord.objects.get().action == "exported"


def test_what_is_handed_over_names_no_other_member_and_no_password() -> None:
    household = make_household("Famille Quetzal")
    other = make_member("Eva Zebulon", household=household)
    make_loan(member=other)
    told = json.dumps(dossier.held(busy_member(household)))
    assert "Zebulon" not in told
    assert "md5" not in told
    assert "password" not in told


def test_complaint_23_a_name_like_a_formula_stays_text_in_the_tables() -> None:
    content = dossier.as_zip(make_member("=HYPERLINK() Roth"), by=None, now=NOON)
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        assert "'=HYPERLINK()" in bundle.read("member.csv").decode()


# --- erasing -------------------------------------------------------------------------------------


def test_complaint_20_nothing_is_left_of_an_erased_member_in_any_table() -> None:
    member = busy_member(make_household("Famille Quetzal", address="Rue du Quetzal 1"))
    assert all(sign in everything() for sign in SIGNS)
    erasure.erase(member, act=make_act())
    left = everything()
    assert [sign for sign in SIGNS if sign in left] == []


def test_the_books_still_add_up_after_an_erasure_and_say_who_did_it() -> None:
    member, manager = busy_member(), make_user("manager")
    before = Line.objects.aggregate(Sum("cents"))
    erasure.erase(member, act=make_act(by=manager))
    assert Line.objects.aggregate(Sum("cents")) == before
    assert (PrivacyRecord.objects.get().action, PrivacyRecord.objects.get().by) == ("erased", manager)
    assert erasure.erase(member, act=make_act()).erased_at == NOON
    assert PrivacyRecord.objects.count() == 1


def test_loans_debts_reservations_and_deposits_stand_in_the_way_all_told_at_once() -> None:
    make_policy(fee_per_loan=300)
    member = make_member()
    make_loan(member=member)
    holds.place_hold(make_loan().copy.game, member, act=make_act())
    with pytest.raises(erasure.NotYet) as refused:
        erasure.erase(member, act=make_act())
    assert {reason.code: reason.many for reason in refused.value.reasons} == {
        Open.LOANS: 1,
        Open.HOLDS: 1,
        Open.DEBT: 300,
    }
    assert Member.objects.get(pk=member.pk).erased_at is None


def test_the_bill_of_a_household_stands_in_the_way_of_its_last_member_only() -> None:
    household = make_household("Famille Martin")
    first, last = make_member("Eva Roth", household=household), make_member("Tom Roth", household=household)
    ledger.charge(ledger.account_of(first), EntryKind.OTHER, 500, act=make_act())
    erasure.erase(first, act=make_act())
    last = Member.objects.get(pk=last.pk)
    assert [reason.code for reason in erasure.reasons_against(last)] == [Open.DEBT]
    assert Household.objects.get(pk=household.pk).name == "Famille Martin"


def test_one_of_the_staff_who_is_erased_as_a_member_still_signs_in() -> None:
    volunteer = make_user("desk", "tom")
    erasure.erase(make_member(user=volunteer), act=make_act())
    assert User.objects.get(username="tom").is_active


def test_an_erased_card_is_found_no_more() -> None:
    member = make_member(card_number="3555555")
    erasure.erase(member, act=make_act())
    assert not Member.objects.filter(card_number="3555555").exists()
    assert households.loans_seen_by(Member.objects.get(pk=member.pk), NOON.date()).count() == 0


# --- the command ---------------------------------------------------------------------------------


def test_the_command_hands_over_and_erases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_user("manager", "lea")
    member = make_member(card_number="3555555")
    call_command("privacy", "export", "3555555", str(tmp_path / "member.zip"))
    assert zipfile.is_zipfile(tmp_path / "member.zip")
    loan = make_loan(member=member)
    with pytest.raises(CommandError, match="loans: 1"):
        call_command("privacy", "erase", "3555555", "--by", "lea")
    desk.check_in(loan.copy, act=make_act())
    call_command("privacy", "erase", "3555555", "--by", "lea")
    assert "Erased." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["export", "nobody", "x.zip"], "No member has the card"),
        (["export", "3555555", "/nowhere/x.zip"], "Cannot write"),
        (["erase", "3555555", "--by", "ghost"], "no user"),
    ],
)
def test_the_command_names_what_is_wrong(arguments: list[Any], why: str) -> None:
    make_member(card_number="3555555")
    with pytest.raises(CommandError, match=why):
        call_command("privacy", *arguments)


def test_a_games_title_is_no_personal_data() -> None:
    copy = make_copy(make_game("Quarto"))
    member = make_loan(copy).borrower
    desk.check_in(copy, act=make_act(now=NOON + WEEK))
    erasure.erase(member, act=make_act(now=NOON + WEEK))
    assert Loan.objects.get().copy.game.title == "Quarto"
