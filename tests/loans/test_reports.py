"""Lists and figures: what they count, how they are cut, and that no list grows in questions."""

import csv
import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from loans import desk, erasure, ledger, memberships
from loans.ledger import Method
from loans.models import EntryKind, Loan
from loans.reports import BY_KEY, REPORTS
from loans.reports_cut import Cut
from loans.tables import Cell, Money, Table
from tests.make import (
    NOON,
    make_act,
    make_category,
    make_copy,
    make_game,
    make_household,
    make_kind,
    make_loan,
    make_member,
    make_user,
)

pytestmark = pytest.mark.django_db

CUT = Cut(today=date(2025, 6, 1), first_on=date(2025, 1, 1), last_on=date(2025, 12, 31))


def rows(key: str, **cut: Any) -> list[tuple[Cell, ...]]:
    values = {name: getattr(CUT, name) for name in ("today", "first_on", "last_on")}
    return list(BY_KEY[key].make(Cut(**values | cut)).rows)


# --- what they count -----------------------------------------------------------------------------


def test_late_games_are_listed_with_whoever_has_them_the_longest_wait_first() -> None:
    family = make_household("Famille Roth", phone="022 123")
    eva = make_member("Eva Roth", "31", household=family, email="eva@roth.example")
    make_loan(make_copy(make_game("Finca"), "901"), eva, now=NOON + timedelta(days=1))
    make_loan(make_copy(make_game("Quarto"), "902"))
    late = rows("late", today=date(2025, 4, 15))
    assert [row[2] for row in late] == ["Quarto", "Finca"]
    due = Loan.objects.get(member=eva).due_on
    days = (date(2025, 4, 15) - due).days
    assert late[1] == (
        *("Eva Roth", "31", "Finca", "901", "", due, days),
        *("eva@roth.example", "022 123"),
    )


def test_nobody_is_late_on_the_due_day_itself() -> None:
    due_on = make_loan().due_on
    assert rows("late", today=due_on) == []
    assert rows("expected", today=due_on) == [(due_on, 1)]


def test_boxes_that_nobody_took_are_told_apart_from_games_that_nobody_took() -> None:
    game = make_game("Finca")
    make_loan(make_copy(game, "901"))
    make_copy(game, "902")
    make_copy(make_game("Quarto"), "903")
    make_copy(make_game("Uno"), "904", condition="lost")
    never = rows("never-lent")
    assert [(row[1], bool(row[5])) for row in never] == [("902", True), ("903", False)]


def test_an_undone_loan_counts_nowhere() -> None:
    loan = make_loan()
    desk.undo(loan.events.get(), act=make_act())
    assert rows("games") == []
    assert {row[1] for row in rows("ages")} == {0}


def test_loans_are_counted_by_age_band_in_the_year_of_the_loan() -> None:
    for born in (2020, 2019, 2016, 1990, None):
        make_loan(member=make_member(birth_year=born))
    counted = {row[0]: row[1] for row in rows("ages")}
    assert (counted["3–5"], counted["6–8"], counted["9–11"], counted["30–59"]) == (1, 1, 1, 1)
    assert sum(many for many in counted.values() if isinstance(many, int)) == 5


def test_a_month_stands_beside_the_same_month_of_the_year_before(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"
    for now in (NOON, NOON, NOON - timedelta(days=365)):
        make_loan(now=now)
    months = rows("months", first_on=date(2025, 2, 10), last_on=date(2025, 4, 1))
    assert [row[1:] for row in months] == [(0, 0), (2, 1), (0, 0)]
    assert [row[:3] for row in rows("years")] == [("2025", 2, 0), ("2024", 1, 0)]


def test_loans_are_cut_by_days_branch_and_category_of_members() -> None:
    school = make_category("School")
    here = make_copy(branch="Here")
    make_loan(here, make_member(category=school))
    make_loan()
    assert len(rows("games")) == 2
    assert len(rows("games", branch=here.branch)) == 1
    assert len(rows("games", category=school)) == 1
    assert rows("games", last_on=date(2025, 1, 2)) == []


def test_members_are_counted_as_valid_new_and_ending(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"
    school = make_category("School")
    kind = make_kind()
    memberships.sell(kind, make_member(category=school), act=make_act())
    make_member(membership_ends_on=date(2025, 5, 1))
    gone = make_member()
    erasure.erase(gone, act=make_act())
    assert rows("members") == [("School", 1, 1, 0, 1, 0), ("not said", 1, 0, 0, 0, 1)]
    assert [row[3] for row in rows("ending")] == [date(2025, 5, 1)]


def test_money_is_summed_by_kind_and_by_way_of_paying() -> None:
    account = ledger.account_of(make_member())
    ledger.charge(account, EntryKind.OTHER, 700, act=make_act())
    ledger.pay(account, Method.CASH, 500, act=make_act())
    ledger.pay(account, Method.CARD, 200, act=make_act())
    table = BY_KEY["till"].make(CUT)
    assert [row[1:] for row in table.rows] == [
        (Money(700), Money(0), Money(0), Money(0)),
        (Money(700), Money(500), Money(200), Money(0)),
    ]
    assert table.total[2:] == (Money(500), Money(200), Money(0))


# --- tables --------------------------------------------------------------------------------------


def test_complaint_23_no_cell_of_a_csv_is_a_formula_and_numbers_stay_numbers() -> None:
    table = Table(
        columns=("=A1", "n", "m", "d"),
        rows=[("=1+1", -5, Money(-250), date(2025, 3, 4)), ("@x", 0, Money(5), None)],
    )
    lines = list(csv.reader(io.StringIO("".join(table.as_csv(bom=False)))))
    assert lines == [["'=A1", "n", "m", "d"], ["'=1+1", "-5", "-2.5", "2025-03-04"], ["'@x", "0", "0.05", ""]]


def test_the_longest_bar_is_full_and_none_is_negative() -> None:
    table = Table(columns=("a", "n", "m"), rows=[("x", 4, 8), ("y", -1, 0)], bars=(1, 2))
    bars = [row.bar for row in table.shown()]
    assert [(bar.now, bar.before) for bar in bars if bar] == [(50.0, 100.0), (0.0, 0.0)]


# --- pages ---------------------------------------------------------------------------------------


@pytest.fixture
def librarian(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("librarian"))
    return client


@pytest.mark.parametrize("key", [report.key for report in REPORTS])
def test_each_list_is_a_page_and_a_file_also_when_it_is_empty(librarian: Client, key: str) -> None:
    assert librarian.get(f"/desk/figures/{key}/").status_code == 200
    make_loan(now=timezone.now() - timedelta(days=60))
    page = librarian.get(f"/desk/figures/{key}/")
    assert page.status_code == 200
    assert librarian.get(f"/desk/figures/{key}.csv?bom=1").status_code == 200


def test_filters_stand_in_the_address_and_a_wrong_one_is_named(librarian: Client) -> None:
    make_loan(make_copy(make_game("Finca")), now=timezone.now())
    today = timezone.localdate().isoformat()
    page = librarian.get(f"/desk/figures/games/?first_on={today}&last_on={today}")
    assert "Finca" in page.content.decode()
    assert f"games.csv?first_on={today}" in page.content.decode()
    page = librarian.get("/desk/figures/games/?first_on=2025-02-30&branch=x&last_on=2024-01-01")
    assert page.status_code == 422
    assert "Enter a valid date" in page.content.decode()
    assert librarian.get("/desk/figures/games.csv?first_on=x").status_code == 302
    assert librarian.get("/desk/figures/nonsense/").status_code == 404


def test_figures_are_for_those_who_may_see_them(client: Client) -> None:
    client.force_login(make_user("desk"))
    assert client.get("/desk/figures/").status_code == 403


def test_no_list_asks_more_questions_the_longer_it_is(
    librarian: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        member = make_member(
            household=make_household(f"Famille {number}"), category=make_category(str(number))
        )
        make_loan(member=member, now=timezone.now() - timedelta(days=60))
    for report in REPORTS:
        with django_assert_max_num_queries(10):
            librarian.get(f"/desk/figures/{report.key}/")
