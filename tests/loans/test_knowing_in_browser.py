"""Stocktake, figures and privacy in a real browser: wide and narrow, and a scanner faster than the page."""

import os
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from catalogue.models import Section
from loans import desk, stocktake
from loans.models import Finding, Member, Stocktake
from tests.make import (
    make_act,
    make_category,
    make_copy,
    make_game,
    make_household,
    make_loan,
    make_member,
    make_user,
)
from tests.pages.browser import PHONE, grave_violations, overflow_px

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WINDOWS = [
    {"viewport": {"width": 1280, "height": 900}},
    {"viewport": PHONE},
    {"viewport": PHONE, "locale": "fr-FR"},
]
BELOW_ITS_CELL = """cells => cells.filter(cell => cell.scrollHeight > cell.clientHeight + 1)
    .map(cell => cell.dataset.label)"""
SECTION = "A 407 jeu de hasard"
GAMES = ("Finca", "Catan", "Carcassonne: Jäger und Sammler", "Quarto", "Dixit")


@pytest.fixture
def member() -> Member:
    """Somebody with past loans and late ones, in a library that has lent for a year."""
    boss = make_user("manager", "boss")
    family = make_household("Famille Martin", postcode="1205", phone="022 123 45 67")
    category = make_category("Family")
    member = make_member(
        "Camille Martin", household=family, category=category, birth_year=2015, user=boss, email="c@m.example"
    )
    for number, title in enumerate(GAMES * 3):
        copy = make_copy(make_game(title), barcode=f"12{number:04}", section=SECTION)
        lent_at = timezone.now() - timedelta(days=20 + 30 * number)
        make_loan(copy, member, now=lent_at)
        if number % 5:
            desk.check_in(copy, act=make_act(boss, lent_at + timedelta(days=9)))
    return member


@pytest.fixture
def boss(page: Page, member: Member) -> Page:
    page.goto("/accounts/login/")
    page.locator("[name=username]").fill("boss")
    page.locator("[name=password]").fill("secret")
    page.locator("main button[type=submit]").click()
    return page


def begun() -> Stocktake:
    return stocktake.start(None, Section.objects.get(name=SECTION), act=make_act(now=timezone.now()))


@pytest.mark.parametrize("window", WINDOWS, indirect=True, ids=["desk", "phone", "phone in French"])
def test_the_pages_fit_and_are_for_everybody(boss: Page, member: Member, window: dict[str, Any]) -> None:
    done, still = begun(), f"120001\n120000\n4006381333931\n{make_copy(section='B').barcode}"
    stocktake.scan_codes(done, still, act=make_act(now=timezone.now()))
    stocktake.close(done, act=make_act(now=timezone.now()))
    make_member("Without anything")
    going = begun()
    stocktake.scan_codes(going, still, act=make_act(now=timezone.now()))
    addresses = (
        *("/desk/figures/", "/desk/figures/months/", "/desk/figures/late/", "/desk/figures/ages/"),
        *("/desk/figures/till/", "/desk/figures/years/", "/desk/members/"),
        *("/desk/figures/members/", "/desk/stocktake/", f"/desk/stocktake/{done.pk}/"),
        *(f"/desk/stocktake/{going.pk}/", f"/desk/members/{member.pk}/data/", "/desk/me/privacy/"),
    )
    wrong = []
    for address in addresses:
        boss.goto(address)
        wrong += [f"{address}: {one}" for one in grave_violations(boss)]
        if window["viewport"] == PHONE and boss.locator(".table-scroll").count():
            hidden = boss.locator(".table-scroll").evaluate("box => box.scrollWidth - box.clientWidth")
            wrong += [f"{address} keeps {hidden} px of its table out of sight"] if hidden else []
        if window["viewport"] == PHONE:
            names = boss.locator(".table--stack [data-label]:empty:visible").count()
            wrong += [f"{address} names {names} times what is not there"] if names else []
        if labels := boss.locator("[data-label]").evaluate_all(BELOW_ITS_CELL):
            wrong.append(f"{address} has labels that reach below their cells: {labels}")
        if overflow_px(boss):
            wrong.append(f"{address} is too wide by {overflow_px(boss)} px")
        if folder := os.environ.get("SHOTS"):
            name = address.strip("/").replace("/", "-")
            boss.screenshot(path=f"{folder}/{name}-{window['viewport']['width']}.png", full_page=True)
    assert wrong == []


def test_complaint_25_a_scanner_faster_than_the_page_loses_no_box(boss: Page, member: Member) -> None:
    copies = [make_copy(barcode=f"77{number:04}", section=SECTION) for number in range(20)]
    row = begun()
    boss.goto(f"/desk/stocktake/{row.pk}/")
    for copy in [*copies, copies[0]]:
        boss.keyboard.type(copy.barcode, delay=0)
        boss.keyboard.press("Enter")
    boss.keyboard.press("Enter")
    figures = boss.locator(".stocktake-figures dd")
    expect(figures.first).to_have_text("20")
    expect(boss.locator("#stocktake-waiting")).to_be_empty()
    expect(boss.locator("#codes")).to_be_focused()
    assert row.lines.filter(finding=Finding.SEEN).count() == 20


def test_codes_scanned_without_a_network_are_sent_once_it_is_back(boss: Page, member: Member) -> None:
    row = begun()
    boss.goto(f"/desk/stocktake/{row.pk}/")
    boss.context.set_offline(True)
    boss.keyboard.type("120001")
    boss.keyboard.press("Enter")
    expect(boss.locator("#stocktake-waiting")).to_contain_text("No connection")
    boss.context.set_offline(False)
    expect(boss.locator(".stocktake-figures dd").first).to_have_text("1")
    assert row.lines.count() == 1


def test_the_boxes_not_seen_yet_are_those_not_scanned_up_to_now(boss: Page, member: Member) -> None:
    for number in range(3):
        make_copy(barcode=f"77{number:04}", section=SECTION)
    row = begun()
    boss.goto(f"/desk/stocktake/{row.pk}/")
    unseen = boss.locator("#stocktake-unseen")
    waiting = boss.locator(".stocktake-figures dd").last
    before = int(waiting.inner_text())
    expect(unseen.locator("li")).to_have_count(before)
    boss.keyboard.type("770000\n")
    expect(waiting).to_have_text(str(before - 1))
    unseen.locator("summary").click()
    expect(unseen).not_to_contain_text("770000")
    expect(unseen.locator("li:visible")).to_have_count(before - 1)
    boss.locator("#codes").focus()
    boss.keyboard.type("770001\n")
    expect(unseen).not_to_contain_text("770001")
