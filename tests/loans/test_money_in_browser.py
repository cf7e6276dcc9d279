"""The pages of money in a real browser: wide and narrow, for everybody, and the desk's way to them."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from loans import ledger, till
from loans.ledger import Method
from loans.models import Entry, EntryKind, Member
from tests.make import make_act, make_member, make_policy, make_user
from tests.pages.browser import PHONE, grave_violations, overflow_px

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


NARROW_CAPTIONS = """[...document.querySelectorAll("caption")]
    .filter((caption) => caption.offsetWidth < caption.parentElement.offsetWidth - 2)
    .map((caption) => caption.textContent)"""
"""Captions that do not stand over their whole table."""


@pytest.fixture
def member() -> Member:
    """Somebody with a debt, a deposit, a prepaid card and a reversed payment."""
    make_policy(fee_per_loan=100)
    member, by = make_member("María José Núñez García"), make_user("manager", "boss")
    account = ledger.account_of(member)
    ledger.charge(account, EntryKind.PIECES, 750, act=make_act(by), note="1 red pawn", member=member)
    ledger.charge(account, EntryKind.DEPOSIT, 2000, act=make_act(by))
    ledger.top_up(account, Method.CARD, 3000, act=make_act(by))
    ledger.reverse(ledger.pay(account, Method.CASH, 500, act=make_act(by)), act=make_act(by))
    ledger.issue_voucher(1000, act=make_act(by))
    till.put(None, 10_000, act=make_act(by), note="Float")
    return member


@pytest.fixture
def boss(page: Page, member: Member) -> Page:
    page.goto("/accounts/login/")
    page.locator("[name=username]").fill("boss")
    page.locator("[name=password]").fill("secret")
    page.locator("main button[type=submit]").click()
    return page


def addresses(member: Member) -> list[str]:
    entry = Entry.objects.latest("pk").pk
    return [
        f"/desk/money/members/{member.pk}/",
        "/desk/money/",
        "/desk/money/vouchers/",
        f"/desk/money/entries/{entry}/receipt/",
        "/desk/till/",
        "/desk/till/journal/",
    ]


@pytest.mark.parametrize(
    "window",
    [
        {"viewport": {"width": 1280, "height": 900}},
        {"viewport": PHONE},
        {"viewport": PHONE, "locale": "de-DE"},
    ],
    indirect=True,
    ids=["desk", "phone", "phone in German, where words are long"],
)
def test_the_pages_fit_and_are_for_everybody(boss: Page, member: Member, window: dict[str, Any]) -> None:
    for address in addresses(member):
        boss.goto(address)
        assert (address, overflow_px(boss)) == (address, 0)
        assert (address, grave_violations(boss)) == (address, [])
        assert (address, boss.evaluate(NARROW_CAPTIONS)) == (address, [])


def test_from_the_card_to_the_payment_and_its_receipt(boss: Page, member: Member) -> None:
    boss.goto(f"/desk/?member={member.pk}")
    expect(boss.get_by_text("€27.50 to be paid")).to_be_visible()
    boss.get_by_role("link", name="Payments").click()
    amount = boss.get_by_label("Amount received")
    expect(amount).to_have_value("27.50")
    amount.fill("30")
    boss.get_by_role("button", name="Take the payment").click()
    expect(boss.get_by_text("Give back €2.50")).to_be_visible()
    boss.get_by_role("status").get_by_role("link", name="Receipt", exact=True).click()
    expect(boss.get_by_role("heading", name="Receipt")).to_be_visible()
    expect(boss.get_by_text("Change given back")).to_be_visible()
