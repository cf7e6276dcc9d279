"""The till: what should be in it, the count, the closed day, the journal as a file."""

import csv
import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalogue.models import Branch
from loans import ledger, till
from loans.ledger import Method
from loans.models import Account, Entry, EntryKind, TillDay
from loans.rules import RefusalCode
from tests.make import NOON, make_act, make_member, make_user

pytestmark = pytest.mark.django_db

TODAY = NOON.date()


def refused(code: RefusalCode) -> Any:
    return pytest.raises(ledger.Refused, match=f"^{code}$")


def owing(cents: int, note: str = "1 red pawn") -> Account:
    account = ledger.account_of(make_member())
    ledger.charge(account, EntryKind.PIECES, cents, act=make_act(), note=note)
    return account


def a_morning(branch: Branch | None = None) -> None:
    """A float of 100, then 7.50 in cash, 20 by card, and 5 of the cash taken back."""
    till.put(branch, 10_000, act=make_act(), note="Float")
    ledger.pay(owing(750), Method.CASH, 750, act=make_act(), branch=branch)
    ledger.pay(owing(2000), Method.CARD, 2000, act=make_act(), branch=branch)
    wrong = ledger.pay(owing(500), Method.CASH, 500, act=make_act(), branch=branch)
    ledger.reverse(wrong, act=make_act())


def test_a_till_knows_what_should_be_in_it_by_kind_of_money() -> None:
    a_morning()
    now = till.read(None, on=TODAY)
    assert now.expected == 10_750
    assert {flow.method: flow.sum for flow in now.flows} == {"cash": 10_750, "card": 2000, "transfer": 0}


def test_each_branch_has_a_till_of_its_own() -> None:
    here, there = (Branch.objects.create(name=name, key=name) for name in ("Here", "There"))
    a_morning(here)
    assert till.read(here, on=TODAY).expected == 10_750
    assert till.read(there, on=TODAY).expected == 0


def test_a_day_that_adds_up_is_closed_without_a_word() -> None:
    a_morning()
    closed = till.close(None, TODAY, 10_750, act=make_act())
    assert (closed.expected_cents, closed.difference_cents, closed.reason) == (10_750, 0, "")


def test_a_difference_needs_a_reason_and_is_booked() -> None:
    a_morning()
    with refused(RefusalCode.REASON_MISSING):
        till.close(None, TODAY, 10_700, act=make_act(), reason="123")
    closed = till.close(None, TODAY, 10_700, act=make_act(), reason="A coin fell behind the shelf")
    assert closed.difference_cents == -50
    assert Entry.objects.get(kind=EntryKind.DIFFERENCE).on == TODAY
    assert till.read(None, on=TODAY + timedelta(days=1)).opening == 10_700


def test_the_next_day_begins_with_what_was_left_in_the_drawer() -> None:
    a_morning()
    till.close(None, TODAY, 10_750, act=make_act(), to_safe=750)
    assert till.read(None, on=TODAY + timedelta(days=1)).opening == 10_000


def test_no_more_goes_to_the_safe_than_was_counted() -> None:
    with refused(RefusalCode.NOT_THAT_MUCH):
        till.close(None, TODAY, 0, act=make_act(), to_safe=1)


def test_a_closed_day_takes_no_entry_any_more() -> None:
    a_morning()
    till.close(None, TODAY, 10_750, act=make_act())
    account = owing(300)
    ledger.pay(account, Method.CASH, 300, act=make_act())
    assert set(Entry.objects.order_by("-pk").values_list("on", flat=True)[:2]) == {date(2025, 3, 5)}
    assert till.read(None, on=TODAY + timedelta(days=1)).expected == 11_050


def test_closing_a_day_closes_those_before_it() -> None:
    a_morning()
    later = make_act(now=NOON + timedelta(days=3))
    till.close(None, date(2025, 3, 7), 10_750, act=later)
    with refused(RefusalCode.DAY_CLOSED):
        till.close(None, date(2025, 3, 5), 0, act=later)


def test_a_closing_sent_twice_is_one_and_another_count_is_refused() -> None:
    a_morning()
    first = till.close(None, TODAY, 10_750, act=make_act())
    assert till.close(None, TODAY, 10_750, act=make_act()) == first
    with refused(RefusalCode.DAY_CLOSED):
        till.close(None, TODAY, 10_800, act=make_act(), reason="Counted again")
    assert TillDay.objects.count() == 1


def test_a_day_to_come_cannot_be_closed() -> None:
    with refused(RefusalCode.DAY_NOT_OVER):
        till.close(None, TODAY + timedelta(days=1), 0, act=make_act())


def test_yesterday_can_be_closed_today_by_what_was_in_it_then() -> None:
    a_morning()
    tomorrow = make_act(now=NOON + timedelta(days=1))
    ledger.pay(owing(400), Method.CASH, 400, act=tomorrow)
    assert till.close(None, TODAY, 10_750, act=tomorrow).expected_cents == 10_750
    assert till.read(None, on=TODAY + timedelta(days=1)).expected == 11_150


# --- the pages -----------------------------------------------------------------------------------


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(make_user("desk", "mia"))
    client.cookies["django_language"] = "en"
    return client


def test_a_day_is_opened_counted_and_closed_on_the_page(desk: Client) -> None:
    desk.post(reverse("loans:till-move"), {"what": "in", "amount": "100", "note": "Float"})
    shown = desk.get(reverse("loans:till")).content.decode()
    assert "€100.00" in shown
    on = timezone.localdate().isoformat()
    counted = {"on": on, "counted": "99,50", "to_safe": "", "reason": ""}
    refused_page = desk.post(reverse("loans:till-close"), counted).content.decode()
    assert "Say in words why." in refused_page
    assert "differs from what is expected by -€0.50" in refused_page
    assert 'value="99,50"' in refused_page
    done = desk.post(reverse("loans:till-close"), counted | {"reason": "Miscounted"}, follow=True)
    assert "-€0.50" in done.content.decode()
    assert TillDay.objects.get().reason == "Miscounted"


def test_the_journal_is_cut_by_its_address(desk: Client) -> None:
    a_morning()
    address = reverse("loans:till-journal")
    assert "1 red pawn" in desk.get(address, {"kind": "pieces"}).content.decode()
    assert "No entry is like this." in desk.get(address, {"first_on": "2025-03-05"}).content.decode()
    assert desk.get(address, {"first_on": "yesterday"}).status_code == 200


def rows_of(response: Any) -> list[list[str]]:
    text = b"".join(response.streaming_content).decode()
    return list(csv.reader(io.StringIO(text)))


def test_the_file_has_a_row_for_every_line_with_plain_dates_and_amounts(desk: Client) -> None:
    a_morning()
    head, *rows = rows_of(desk.get(reverse("loans:till-journal-file")))
    assert head[:7] == ["entry", "day", "written", "kind", "debit", "credit", "amount"]
    assert len(rows) == 8
    assert rows[0][1] == "2025-03-04"
    assert rows[0][3:8] == [
        "money put into or taken out of the till",
        "cash",
        "safe and bank",
        "100.00",
        "EUR",
    ]
    only_card = rows_of(desk.get(reverse("loans:till-journal-file"), {"method": "card"}))
    assert [row[6] for row in only_card[1:]] == ["20.00"]


@pytest.mark.parametrize("note", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_no_text_in_the_file_is_a_formula(desk: Client, note: str) -> None:
    owing(100, note)
    (row,) = rows_of(desk.get(reverse("loans:till-journal-file")))[1:]
    assert not row[10].startswith(("=", "+", "-", "@", "\t"))
    assert row[10].lstrip("'") == note.strip()


def test_a_spreadsheet_that_needs_the_mark_of_utf_8_gets_it(desk: Client) -> None:
    plain: Any = desk.get(reverse("loans:till-journal-file"))
    marked: Any = desk.get(reverse("loans:till-journal-file"), {"bom": "1"})
    assert not b"".join(plain.streaming_content).startswith(b"\xef\xbb\xbf")
    assert b"".join(marked.streaming_content).startswith(b"\xef\xbb\xbf")


def test_a_filter_that_cannot_be_read_gives_no_file_but_says_why(desk: Client) -> None:
    answer = desk.get(reverse("loans:till-journal-file"), {"first_on": "yesterday"}, follow=True)
    assert answer.request["PATH_INFO"] == reverse("loans:till-journal")
    assert "field__error" in answer.content.decode()
