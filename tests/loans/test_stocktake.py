"""Stocktake by scanner: what was seen, what is missing, misplaced, unknown, back from the dead."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from catalogue.models import Branch, Condition, Copy, Section
from loans import desk, stocktake
from loans.models import Finding, Loan, Settled, Stocktake, StocktakeLine
from tests.make import NOON, make_act, make_copy, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(minutes=30)


@pytest.fixture
def shelf() -> dict[str, Copy]:
    """Boxes of the section A: on the shelf, lent, lost; and one that belongs to B."""
    boxes = {name: make_copy(barcode=f"A-{name}", section="A") for name in ("here", "gone", "lent")}
    boxes["lost"] = make_copy(barcode="A-lost", section="A", condition="lost")
    boxes["stray"] = make_copy(barcode="B-stray", section="B")
    make_loan(boxes["lent"])
    return boxes


def begun(section: str = "A") -> Stocktake:
    return stocktake.start(None, Section.objects.get(name=section), act=make_act())


def scanned(row: Stocktake, *codes: str) -> list[Finding]:
    done = stocktake.scan_codes(row, "\n".join(codes), act=make_act(now=LATER))
    return [Finding(one.line.finding) for one in done]


def line_of(row: Stocktake, copy: Copy) -> StocktakeLine:
    return StocktakeLine.objects.get(stocktake=row, copy=copy)


def test_complaint_25_each_scan_says_at_once_what_the_box_is(shelf: dict[str, Copy]) -> None:
    row = begun()
    codes = ("A-here", "B-stray", "A-lent", "A-lost", "4006381333931")
    assert scanned(row, *codes) == [
        Finding.SEEN,
        Finding.MISPLACED,
        Finding.ON_LOAN,
        Finding.LOST,
        Finding.UNKNOWN,
    ]


def test_complaint_25_what_was_not_seen_is_missing_and_nothing_changes_by_itself(
    shelf: dict[str, Copy],
) -> None:
    row = begun()
    scanned(row, "A-here")
    assert list(stocktake.missing(row)) == [shelf["gone"]]
    stocktake.close(row, act=make_act(now=LATER))
    stocktake.close(row, act=make_act(now=LATER))
    missing = row.lines.filter(finding=Finding.MISSING)
    assert [line.copy for line in missing] == [shelf["gone"]]
    assert Copy.objects.get(pk=shelf["gone"].pk).condition == Condition.IN_SERVICE


def test_a_box_scanned_twice_is_counted_once_and_says_so(shelf: dict[str, Copy]) -> None:
    row = begun()
    first, second = stocktake.scan_codes(row, "A-here\na-HERE", act=make_act())
    assert (first.again, second.again, first.line) == (False, True, second.line)
    assert scanned(row, "???", "???") == [Finding.UNKNOWN] * 2
    assert row.lines.count() == 2


def test_a_box_that_comes_back_or_goes_out_meanwhile_is_not_missing(shelf: dict[str, Copy]) -> None:
    row = begun()
    desk.check_in(shelf["lent"], act=make_act(now=LATER))
    desk.lend(shelf["gone"], make_member(), act=make_act(now=LATER))
    assert list(stocktake.missing(row)) == [shelf["here"]]


def test_a_stocktake_of_a_branch_finds_what_belongs_to_another() -> None:
    make_copy(barcode="1", branch="Here")
    make_copy(barcode="2", branch="There")
    row = stocktake.start(Branch.objects.get(name="Here"), None, act=make_act())
    assert scanned(row, "1", "2") == [Finding.SEEN, Finding.MISPLACED]


def test_a_stocktake_that_is_open_is_gone_on_with(shelf: dict[str, Copy]) -> None:
    row = begun()
    assert begun() == row
    stocktake.close(row, act=make_act(now=LATER))
    assert begun() != row
    with pytest.raises(stocktake.StocktakeClosed):
        stocktake.scan_code(row, "A-here", act=make_act())


# --- what is done about it -----------------------------------------------------------------------


def test_a_missing_box_is_marked_as_lost_once_somebody_says_so(shelf: dict[str, Copy]) -> None:
    row = begun()
    scanned(row, "A-here")
    stocktake.close(row, act=make_act(now=LATER))
    act = make_act(now=LATER)
    line = stocktake.settle(line_of(row, shelf["gone"]), Settled.LOST, act=act)
    assert (line.settled_by, stocktake.remedies(line)) == (act.by, ())
    assert Copy.objects.get(pk=shelf["gone"].pk).condition == Condition.LOST


def test_a_missing_box_that_was_lent_since_is_not_marked_as_lost(shelf: dict[str, Copy]) -> None:
    row = begun()
    stocktake.close(row, act=make_act(now=LATER))
    desk.lend(shelf["gone"], make_member(), act=make_act(now=LATER))
    with pytest.raises(stocktake.CannotSettle):
        stocktake.settle(line_of(row, shelf["gone"]), Settled.LOST, act=make_act(now=LATER))


def test_a_lost_box_that_stands_there_is_put_into_service_again(shelf: dict[str, Copy]) -> None:
    row = begun()
    scanned(row, "A-lost")
    stocktake.settle(line_of(row, shelf["lost"]), Settled.FOUND, act=make_act(now=LATER))
    assert Copy.objects.get(pk=shelf["lost"].pk).condition == Condition.IN_SERVICE


def test_a_box_that_was_never_taken_back_is_taken_back_by_the_desk(shelf: dict[str, Copy]) -> None:
    row = begun()
    scanned(row, "A-lent")
    stocktake.settle(line_of(row, shelf["lent"]), Settled.CHECKED_IN, act=make_act(now=LATER))
    assert Loan.objects.get().returned_at == LATER


def test_a_misplaced_box_may_belong_here_from_now_on(shelf: dict[str, Copy]) -> None:
    row = begun()
    scanned(row, "B-stray")
    line = line_of(row, shelf["stray"])
    stocktake.settle(line, Settled.MOVED, act=make_act(now=LATER))
    assert Copy.objects.get(pk=shelf["stray"].pk).section == row.section
    with pytest.raises(stocktake.CannotSettle):
        stocktake.settle(line, Settled.PUT_BACK, act=make_act(now=LATER))


# --- the pages -----------------------------------------------------------------------------------


@pytest.fixture
def volunteer(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("desk", "volunteer"))
    return client


def test_a_stocktake_from_start_to_close_without_a_script(volunteer: Client, shelf: dict[str, Copy]) -> None:
    section = Section.objects.get(name="A")
    page = volunteer.post("/desk/stocktake/", {"section": section.pk}, follow=True)
    row = Stocktake.objects.get()
    for code in ("A-here", "A-lent", "", "\x00 B-stray \r\n"):
        page = volunteer.post(f"/desk/stocktake/{row.pk}/scan/", {"codes": code}, follow=True)
    assert "On loan, but here (1)" in page.content.decode()
    page = volunteer.post(f"/desk/stocktake/{row.pk}/close/", follow=True)
    assert "Missing (1)" in page.content.decode()
    assert "Mark as lost" in page.content.decode()
    assert "It belongs here" not in page.content.decode(), "a volunteer does not change the catalogue"


def test_a_librarians_buttons_do_what_they_say(client: Client, shelf: dict[str, Copy]) -> None:
    client.force_login(make_user("librarian"))
    row = begun()
    stocktake.close(row, act=make_act(now=LATER))
    line = line_of(row, shelf["gone"])
    client.post(f"/desk/stocktake/lines/{line.pk}/settle/", {"how": "lost"})
    assert Copy.objects.get(pk=shelf["gone"].pk).condition == Condition.LOST
    assert client.post(f"/desk/stocktake/lines/{line.pk}/settle/", {"how": "x"}).status_code == 403


def test_a_volunteer_moves_no_box_to_another_section(volunteer: Client, shelf: dict[str, Copy]) -> None:
    row = begun()
    scanned(row, "B-stray")
    line = line_of(row, shelf["stray"])
    assert volunteer.post(f"/desk/stocktake/lines/{line.pk}/settle/", {"how": "moved"}).status_code == 403


def test_the_script_gets_the_latest_scans_alone(volunteer: Client, shelf: dict[str, Copy]) -> None:
    row = begun()
    url = f"/desk/stocktake/{row.pk}/scan/"
    volunteer.post(url, {"codes": "A-here"}, headers={"HX-Request": "true"})
    answer = volunteer.post(url, {"codes": "A-here"}, headers={"HX-Request": "true"})
    assert "counted once" in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_complaint_23_a_code_like_a_formula_stays_text_in_the_file(volunteer: Client) -> None:
    make_copy(barcode="1", section="A")
    row = begun()
    scanned(row, "=cmd|' /C calc'!A0")
    answer: Any = volunteer.get(f"/desk/stocktake/{row.pk}.csv")
    rows = list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert [line[0] for line in rows[1:]] == ["'=cmd|' /C calc'!A0", "1"]


def test_the_page_asks_as_many_questions_for_many_boxes_as_for_few(
    volunteer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    copies = [make_copy(barcode=f"C{number}", section="A") for number in range(12)]
    row = begun()
    scanned(row, *(copy.barcode for copy in copies[:6]), *(f"x{number}" for number in range(6)))
    with django_assert_max_num_queries(16):
        volunteer.get(f"/desk/stocktake/{row.pk}/")
