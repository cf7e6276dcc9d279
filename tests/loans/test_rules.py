"""What the library allows, as tables of plain values: no database, no clock."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from loans import meaning, rules
from loans.meaning import Meaning
from loans.rules import RefusalCode

TODAY = date(2025, 3, 4)
NOW = datetime(2025, 3, 4, 12, 0, tzinfo=UTC)
POLICY = rules.Policy(loan_days=21, max_loans=3, max_renewals=2, lends_while_late=False)
HOLDING = rules.Holding(loan_id=7, member_id=8, since=NOW - timedelta(days=3))
FREE = rules.Situation(
    today=TODAY,
    policy=POLICY,
    borrower=rules.Borrower(),
    condition="in_service",
    holding=None,
    due_on=TODAY + timedelta(days=21),
)
RUNNING = rules.RenewalSituation(
    today=TODAY,
    policy=POLICY,
    borrower=rules.Borrower(open_loans=1),
    is_open=True,
    due_on=TODAY + timedelta(days=2),
    renewals=0,
    new_due_on=TODAY + timedelta(days=21),
    at_desk=True,
)


def codes(refusals: tuple[rules.Refusal, ...]) -> list[RefusalCode]:
    return [refusal.code for refusal in refusals]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, None),
        ({"condition": "incomplete"}, None),
        ({"condition": "lost"}, RefusalCode.COPY_LOST),
        ({"condition": "withdrawn"}, RefusalCode.COPY_WITHDRAWN),
        ({"condition": "in_repair"}, RefusalCode.COPY_IN_REPAIR),
        ({"condition": "not_for_loan"}, RefusalCode.COPY_NOT_FOR_LOAN),
        ({"holding": HOLDING}, RefusalCode.COPY_ON_LOAN),
        ({"due_on": None}, RefusalCode.NEVER_OPEN),
        ({"borrower": rules.Borrower(block_reason="Key lost")}, RefusalCode.MEMBER_BLOCKED),
        ({"borrower": rules.Borrower(membership_ends_on=TODAY)}, None),
        (
            {"borrower": rules.Borrower(membership_ends_on=TODAY - timedelta(days=1))},
            RefusalCode.MEMBERSHIP_ENDED,
        ),
        ({"borrower": rules.Borrower(open_loans=2)}, None),
        ({"borrower": rules.Borrower(open_loans=3)}, RefusalCode.LOAN_LIMIT_REACHED),
        ({"borrower": rules.Borrower(open_loans=1, late_loans=1)}, RefusalCode.MEMBER_HAS_LATE_LOANS),
        (
            {
                "borrower": rules.Borrower(open_loans=1, late_loans=1),
                "policy": replace(POLICY, lends_while_late=True),
            },
            None,
        ),
    ],
)
def test_each_reason_against_a_loan(change: dict[str, Any], code: RefusalCode | None) -> None:
    assert codes(rules.may_lend(replace(FREE, **change))) == ([code] if code else [])


def test_all_reasons_at_once_the_box_first_then_the_member_then_the_calendar() -> None:
    borrower = rules.Borrower(
        membership_ends_on=date(2024, 1, 1), block_reason="Key lost", open_loans=9, late_loans=1
    )
    worst = replace(FREE, holding=HOLDING, condition="in_repair", borrower=borrower, due_on=None)
    assert codes(rules.may_lend(worst)) == [
        RefusalCode.COPY_ON_LOAN,
        RefusalCode.COPY_IN_REPAIR,
        RefusalCode.MEMBER_BLOCKED,
        RefusalCode.MEMBERSHIP_ENDED,
        RefusalCode.MEMBER_HAS_LATE_LOANS,
        RefusalCode.LOAN_LIMIT_REACHED,
        RefusalCode.NEVER_OPEN,
    ]


def test_a_box_that_is_out_lost_or_withdrawn_cannot_be_waived() -> None:
    for change in ({"holding": HOLDING}, {"condition": "lost"}, {"condition": "withdrawn"}):
        assert not rules.may_lend(replace(FREE, **change))[0].waivable


def test_what_lies_with_the_member_is_known_before_the_first_scan() -> None:
    standing = rules.Standing(today=TODAY, policy=POLICY, borrower=rules.Borrower(open_loans=3))
    assert codes(rules.may_borrow(standing)) == [RefusalCode.LOAN_LIMIT_REACHED]


def test_a_refusal_survives_the_journal() -> None:
    (refusal,) = rules.may_lend(replace(FREE, holding=HOLDING))
    assert rules.Refusal.from_json(refusal.as_json()) == refusal
    assert refusal.data["since"] == HOLDING.since.isoformat()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, None),
        ({"is_open": False}, RefusalCode.LOAN_CLOSED),
        ({"renewals": 2}, RefusalCode.RENEWALS_USED_UP),
        ({"new_due_on": RUNNING.due_on}, RefusalCode.RENEWAL_GAINS_NOTHING),
        ({"new_due_on": None}, RefusalCode.NEVER_OPEN),
        ({"due_on": TODAY - timedelta(days=1)}, None),
        ({"due_on": TODAY - timedelta(days=1), "at_desk": False}, RefusalCode.LOAN_LATE),
        ({"due_on": TODAY, "at_desk": False}, None),
        ({"borrower": rules.Borrower(block_reason="Key lost")}, RefusalCode.MEMBER_BLOCKED),
        ({"borrower": rules.Borrower(membership_ends_on=date(2025, 1, 1))}, RefusalCode.MEMBERSHIP_ENDED),
    ],
)
def test_each_reason_against_a_renewal(change: dict[str, Any], code: RefusalCode | None) -> None:
    assert codes(rules.may_renew(replace(RUNNING, **change))) == ([code] if code else [])


A_MOMENT_AGO = rules.Holding(loan_id=7, member_id=8, since=NOW - timedelta(seconds=5))


ON_SHELF = meaning.ScannedBox(
    member_id=8,
    holding=None,
    returned_at=None,
    returned_here=False,
    returned_on_show=False,
    at=NOW,
    now=NOW,
)
BACK_NOW: dict[str, Any] = {"returned_at": NOW - timedelta(seconds=50), "returned_here": True}
BACK_EARLIER: dict[str, Any] = {"returned_at": NOW - timedelta(seconds=70), "returned_here": True}
KEPT: dict[str, Any] = {"at": NOW - timedelta(minutes=30)}
OUT_SINCE = rules.Holding(loan_id=7, member_id=8, since=NOW - timedelta(minutes=20))


@pytest.mark.parametrize(
    ("change", "meant"),
    [
        ({}, Meaning.LEND),
        ({"member_id": None}, Meaning.ASK_FOR_CARD),
        ({"member_id": None, "holding": HOLDING}, Meaning.CHECK_IN),
        ({"member_id": 8, "holding": HOLDING}, Meaning.CHECK_IN),
        ({"member_id": 9, "holding": HOLDING}, Meaning.CHECK_IN),
        ({"member_id": 8, "holding": A_MOMENT_AGO}, Meaning.SAME_LOAN),
        ({"member_id": 9, "holding": A_MOMENT_AGO}, Meaning.ASK_IF_BACK),
        ({"member_id": None, "holding": A_MOMENT_AGO}, Meaning.CHECK_IN),
        (BACK_NOW | {"returned_on_show": True}, Meaning.SAME_RETURN),
        (BACK_NOW | {"returned_on_show": True, "member_id": None}, Meaning.SAME_RETURN),
        # A box that this desk has just taken back is not lent unasked.
        (BACK_NOW, Meaning.ASK_IF_LENT_AGAIN),
        (BACK_NOW | {"member_id": None}, Meaning.ASK_FOR_CARD),
        (BACK_NOW | {"returned_here": False}, Meaning.LEND),
        (BACK_EARLIER, Meaning.LEND),
        # A scan that waited means what it meant at Enter, or is asked about.
        (KEPT, Meaning.LEND),
        (KEPT | {"holding": HOLDING}, Meaning.CHECK_IN),
        (KEPT | {"holding": OUT_SINCE}, Meaning.ASK_IF_STILL_MEANT),
        (KEPT | {"holding": OUT_SINCE, "member_id": 9}, Meaning.ASK_IF_STILL_MEANT),
        (KEPT | {"holding": OUT_SINCE, "member_id": None}, Meaning.ASK_IF_STILL_MEANT),
        (KEPT | {"holding": A_MOMENT_AGO}, Meaning.SAME_LOAN),
        (KEPT | {"holding": A_MOMENT_AGO, "member_id": 9}, Meaning.ASK_IF_STILL_MEANT),
        (KEPT | BACK_EARLIER, Meaning.ASK_IF_STILL_MEANT),
        (KEPT | BACK_EARLIER | {"member_id": None}, Meaning.ASK_IF_STILL_MEANT),
    ],
)
def test_what_a_scanned_box_means(change: dict[str, Any], meant: Meaning) -> None:
    told = meaning.meaning_of_scan(replace(ON_SHELF, **change))
    assert told is meant


# --- due dates -----------------------------------------------------------------------------------
