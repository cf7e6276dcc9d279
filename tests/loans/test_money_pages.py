"""The pages of money: what is owed, payments as they are typed, receipts, reversals, vouchers."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from catalogue.models import Branch
from loans import accounts, commands, ledger
from loans import desk as lending
from loans.ledger import Method
from loans.models import Account, DeskEvent, Entry, EntryKind, Household, Member, Voucher
from tests.make import make_act, make_copy, make_loan, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(make_user("desk", "mia"))
    client.cookies["django_language"] = "en"
    return client


def owing(cents: int, name: str = "Camille Martin", **fields: Any) -> Member:
    member = make_member(name, **fields)
    account = ledger.account_of(member)
    ledger.charge(account, EntryKind.PIECES, cents, act=make_act(), note="1 red pawn", member=member)
    return member


def page_of(member: Member) -> str:
    return reverse("loans:money-member", args=[member.pk])


def owed(member: Member) -> int:
    return accounts.owed_by(member)


def text(response: Any) -> str:
    return str(response.content.decode()).replace("\xa0", " ").replace("\u202f", " ")


def test_the_desk_shows_what_is_owed_before_the_first_scan(desk: Client) -> None:
    member = owing(750)
    shown = text(desk.get(reverse("loans:desk"), {"member": member.pk}))
    assert "€7.50 to be paid" in shown
    assert page_of(member) in shown


def test_a_page_of_somebody_who_never_paid_writes_nothing(desk: Client) -> None:
    member = make_member()
    assert "Nothing has been booked yet." in text(desk.get(page_of(member)))
    assert not Account.objects.exists()


def test_change_is_told_and_only_what_is_owed_is_booked(desk: Client) -> None:
    member = owing(750)
    sent = {"do": "pay", "amount": "20", "method": "cash", "nonce": "n1"}
    answer = desk.post(page_of(member), sent, follow=True)
    assert "Give back €12.50" in text(answer)
    assert owed(member) == 0
    assert desk.post(page_of(member), sent, follow=True).status_code == 200
    assert Entry.objects.filter(kind=EntryKind.PAYMENT).count() == 1


def test_the_rest_may_be_kept_as_credit(desk: Client) -> None:
    member = owing(750)
    desk.post(page_of(member), {"do": "pay", "amount": "1 000,50", "method": "cash", "keep_rest": "on"})
    assert owed(member) == 750 - 100_050


def test_a_card_knows_no_change(desk: Client) -> None:
    member = owing(750)
    desk.post(page_of(member), {"do": "pay", "amount": "10", "method": "card"})
    assert owed(member) == -250


def test_a_part_is_a_payment_too(desk: Client) -> None:
    member = owing(750)
    desk.post(page_of(member), {"do": "pay", "amount": "5", "method": "cash"})
    assert owed(member) == 250


def test_nonsense_is_refused_beside_the_field_and_nothing_typed_is_lost(desk: Client) -> None:
    member = owing(750)
    sent = {"do": "pay", "amount": "seven fifty", "method": "card", "keep_rest": "on"}
    answer = desk.post(page_of(member), sent)
    shown = text(answer)
    assert "cannot be read as an amount" in shown
    assert 'value="seven fifty"' in shown
    assert owed(member) == 750


def test_money_for_nothing_is_refused_with_the_remedy(desk: Client) -> None:
    answer = desk.post(page_of(make_member()), {"do": "pay", "amount": "5", "method": "cash"})
    assert "Nothing is owed on this account." in text(answer)
    assert not Entry.objects.exists()


@pytest.mark.parametrize(
    ("sent", "owes"),
    [
        ({"do": "charge", "kind": "other", "amount": "2,00", "note": "A bag"}, 950),
        ({"do": "top_up", "amount": "10", "method": "cash"}, 750),
    ],
)
def test_other_bookings_are_made_from_the_same_page(desk: Client, sent: dict[str, str], owes: int) -> None:
    member = owing(750)
    assert desk.post(page_of(member), sent).status_code == 302
    assert owed(member) == owes


def test_a_voucher_is_sold_printed_and_redeemed(desk: Client) -> None:
    sold = desk.post(
        reverse("loans:money-vouchers"), {"amount": "20", "method": "cash", "note": "Grandma"}, follow=True
    )
    voucher = Voucher.objects.get()
    assert voucher.code in text(sold)
    member = owing(750)
    desk.post(page_of(member), {"do": "redeem", "code": voucher.code.lower()})
    assert owed(member) == -1250
    assert "redeemed" in text(desk.get(reverse("loans:money-vouchers")))


def test_a_voucher_is_given_away_only_by_who_manages_the_money(desk: Client) -> None:
    sent = {"amount": "20", "method": "given"}
    assert desk.post(reverse("loans:money-vouchers"), sent).status_code == 403
    desk.force_login(make_user("manager"))
    assert desk.post(reverse("loans:money-vouchers"), sent).status_code == 302


def test_who_typed_a_payment_wrongly_takes_it_back_on_the_same_day(desk: Client) -> None:
    member = owing(750)
    desk.post(page_of(member), {"do": "pay", "amount": "7,50", "method": "cash"})
    payment = Entry.objects.get(kind=EntryKind.PAYMENT)
    desk.post(reverse("loans:money-reverse", args=[payment.pk]), {"note": "Typed on the wrong card"})
    assert owed(member) == 750
    assert "of no." in text(desk.get(page_of(member)))
    again = desk.post(reverse("loans:money-reverse", args=[payment.pk]))
    assert again.status_code == 403


def test_what_others_wrote_is_reversed_by_who_manages_the_money(desk: Client) -> None:
    member = owing(750)
    charge = reverse("loans:money-reverse", args=[Entry.objects.get().pk])
    assert desk.post(charge).status_code == 403
    desk.force_login(make_user("manager"))
    desk.post(charge)
    assert owed(member) == 0


def test_a_member_of_a_household_is_led_to_its_one_account(desk: Client) -> None:
    member = make_member()
    household = Household.objects.create(name="Martin", name_key="martin")
    Member.objects.update(household=household)
    assert desk.get(page_of(member), follow=True).redirect_chain[-1][0] == reverse(
        "loans:money-household", args=[household.pk]
    )


def test_the_number_of_an_account_leads_to_its_page(desk: Client) -> None:
    member = owing(750)
    account = ledger.account_of(member)
    assert desk.get(reverse("loans:money-account", args=[account.pk])).headers["Location"] == page_of(member)
    assert "€7.50" in text(desk.get(reverse("loans:money")))


def test_a_payment_belongs_to_the_till_that_is_named(desk: Client) -> None:
    here, there = (Branch.objects.create(name=name, key=name) for name in ("Here", "There"))
    member = owing(750)
    sent = {"do": "pay", "amount": "1", "method": "cash", "branch": there.pk}
    desk.post(page_of(member), sent)
    assert Entry.objects.latest("pk").branch == there
    desk.post(page_of(member), {"do": "pay", "amount": "2", "method": "cash"})
    assert Entry.objects.latest("pk").branch == there, "who worked at one till goes on at it"
    assert here != there


def test_a_stranger_to_the_till_sees_no_money(client: Client) -> None:
    client.force_login(make_user())
    assert client.get(page_of(owing(750))).status_code == 403


# --- the fee of one day ---------------------------------------------------------------------------


def test_the_fee_of_a_game_that_came_back_at_once_can_be_given_back(desk: Client) -> None:
    make_policy(fee_per_loan=200)
    loan = make_loan()
    done = lending.check_in(loan.copy, act=make_act())
    answer = text(desk.get(reverse("loans:desk"), {"event": done.event.pk}))
    assert "Back on the same day: give the fee back" in answer
    desk.post(reverse("loans:money-refund", args=[loan.pk]))
    assert owed(loan.borrower) == 0
    assert desk.post(reverse("loans:money-refund", args=[loan.pk])).status_code == 409


def test_members_see_at_home_what_they_owe(client: Client) -> None:
    member = owing(750, user=make_user("", "camille"))
    client.force_login(member.user)  # type: ignore[arg-type]  # just given
    client.cookies["django_language"] = "en"
    assert "€7.50 is still to be paid" in text(client.get(reverse("loans:my-loans")))


# --- receipts -------------------------------------------------------------------------------------


def pdf_text(response: Any) -> str:
    assert response.headers["Content-Type"] == "application/pdf"
    pages = PdfReader(BytesIO(response.content)).pages
    return "\n".join(page.extract_text() for page in pages).replace("\xa0", " ").replace("\u202f", " ")


@pytest.mark.parametrize("paper", ["roll", "a4"])
@pytest.mark.parametrize("name", ["Inés Núñez", "Hans Groß", "Łukasz Żak", "Ωμέγα Παπαδοπούλου", "Юлия Ким"])
def test_a_receipt_on_paper_names_everybody_rightly(desk: Client, paper: str, name: str) -> None:
    member = owing(750, name)
    entry = ledger.pay(ledger.account_of(member), Method.CASH, 750, act=make_act())
    answer = desk.get(reverse("loans:money-receipt", args=[entry.pk]), {"paper": paper})
    printed = pdf_text(answer)
    assert name in printed
    assert "€7.50" in printed
    assert "1 red pawn" in printed


def test_a_receipt_speaks_the_members_language_on_the_screen_as_on_paper(desk: Client) -> None:
    member = owing(750, language="de-AT")
    entry = ledger.pay(ledger.account_of(member), Method.CASH, 500, act=make_act())
    address = reverse("loans:money-receipt", args=[entry.pk])
    shown = text(desk.get(address))
    assert 'lang="de"' in shown
    assert "5,00 €" in shown
    assert "2,50 €" in pdf_text(desk.get(address, {"paper": "roll"}))


def test_the_roll_is_as_long_as_it_must_be(desk: Client) -> None:
    member = make_member()
    for number in range(5):
        make_loan(make_copy(barcode=f"77{number}"), member)
    address = reverse("loans:loans-receipt", args=[member.pk])
    reader = PdfReader(BytesIO(desk.get(address, {"paper": "roll"}).content))
    assert len(reader.pages) == 1
    width, height = reader.pages[0].mediabox.width, reader.pages[0].mediabox.height
    assert round(float(width) / 72 * 25.4) == 80
    assert 60 < float(height) / 72 * 25.4 < 160


def test_the_receipt_of_the_games_says_what_and_until_when(desk: Client) -> None:
    loan = make_loan(make_copy(barcode="77001"))
    address = reverse("loans:loans-receipt", args=[loan.borrower.pk])
    for shown in (text(desk.get(address)), pdf_text(desk.get(address, {"paper": "a4"}))):
        assert "Finca" in shown
        assert "77001" in shown
        assert "25 Mar 2025" in shown


def test_the_command_barcode_opens_the_receipt_of_the_open_card(desk: Client) -> None:
    loan = make_loan()
    address = reverse("loans:loans-receipt", args=[loan.borrower.pk])
    command = commands.Command.RECEIPT.code
    sent = desk.post(reverse("loans:scan"), {"scan": command, "member": loan.borrower.pk})
    assert sent.headers["Location"] == address
    assert "Location" in desk.post(reverse("loans:scan"), {"scan": command}).headers
    assert DeskEvent.objects.latest("pk").refusals[0]["code"] == "card_first_for_command"


def test_paper_that_there_is_not_is_not_found(desk: Client) -> None:
    loan = make_loan()
    address = reverse("loans:loans-receipt", args=[loan.borrower.pk])
    assert desk.get(address, {"paper": "a3"}).status_code == 404


@pytest.mark.parametrize(
    "sent",
    [
        {"do": "charge", "kind": "other", "amount": "1", "note": "a\0b"},
        {"do": "pay", "amount": "\0", "method": "cash"},
        {"do": "pay", "amount": "1", "method": "bitcoin"},
        {"do": "pay", "amount": "1", "method": "cash", "nonce": "\0"},
        {"do": "redeem", "code": "\0"},
        {"do": "nothing"},
        {},
    ],
)
def test_no_form_however_odd_breaks_the_page(desk: Client, sent: dict[str, str]) -> None:
    assert desk.post(page_of(owing(750)), sent).status_code < 500


def test_a_null_in_a_reason_is_a_blank_in_the_books(desk: Client) -> None:
    owing(750)
    desk.force_login(make_user("manager"))
    desk.post(reverse("loans:money-reverse", args=[Entry.objects.get().pk]), {"note": "a\0b"})
    assert Entry.objects.latest("pk").text == "a b"
