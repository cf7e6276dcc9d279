"""The pages of what members are told: texts and their preview, days, the dry run, the log, letters."""

from datetime import UTC, date, datetime, timedelta
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from pypdf import PdfReader

from loans import desk as lending
from loans import ledger, notice_settings, notices
from loans.ledger import Method
from loans.models import (
    CalendarFeed,
    EntryKind,
    Mail,
    MailState,
    Member,
    Notice,
    NoticePlan,
    NoticeText,
)
from loans.telling import letters
from tests.loans.mail_server import Post
from tests.loans.mail_server import post as post
from tests.make import make_act, make_copy, make_game, make_household, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
LENT = datetime(2025, 3, 4, 10, tzinfo=UTC)
DUE = date(2025, 3, 25)
TEXT = reverse("loans:notices-text", args=["due_soon", "en"])


@pytest.fixture
def manager(client: Client) -> Client:
    user = make_user("manager", "max")
    user.email = "max@example.org"
    user.save()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    return client


def page(response: Any, status: int = 200) -> str:
    assert response.status_code == status
    return str(response.content.decode()).replace("\xa0", " ")


def lent(member: Member, title: str = "Finca") -> None:
    make_loan(make_copy(make_game(title)), member, now=LENT)


def on_paper(**home: str) -> Member:
    place = {"address": "12 rue des Jeux\nBât. B", "postcode": "33000", "city": "Bordeaux"}
    household = make_household("Famille Martin", **place | home)
    return make_member("Lou Martin", household=household, language="fr")


# --- texts -----------------------------------------------------------------------------------------


def test_without_a_mail_server_the_page_says_how_to_set_one(manager: Client) -> None:
    assert "EMAIL_URL=smtp+tls://" in page(manager.get(reverse("loans:notices")))


def test_a_text_is_shown_in_a_letter_of_a_real_case(manager: Client) -> None:
    lent(make_member("Lou Martin"))
    shown = page(manager.get(TEXT))
    assert "Hello Lou," in shown
    assert "Finca, back by" in shown


def test_in_a_new_library_the_letter_is_an_example(manager: Client) -> None:
    for part in (
        "greeting",
        "late_3",
        "hold_ready",
        "hold_lapsed",
        "welcome",
        "membership_ending",
        "receipt",
    ):
        assert "Camille" in page(manager.get(reverse("loans:notices-text", args=[part, "en"])))


def test_what_is_typed_is_previewed_before_it_is_kept(manager: Client) -> None:
    typed = {"subject": "Psst: $games", "body": "Bring $games back."}
    address = reverse("loans:notices-preview", args=["due_soon", "en"])
    shown = page(manager.post(address, typed, headers={"HX-Request": "true"}))
    assert "Bring A game of the library back." in shown
    assert "<html" not in shown
    assert "Psst: A game" in page(manager.post(address, typed))
    assert not NoticeText.objects.exists()


def test_an_unknown_placeholder_is_refused_by_its_place_and_nothing_typed_is_lost(manager: Client) -> None:
    typed = {"subject": "$games", "body": "Hello,\nbring $gmaes back"}
    shown = page(manager.post(TEXT, typed), 422)
    assert "Line 2, column 7: there is no $gmaes here. Do you mean $games?" in shown
    assert "bring $gmaes back</textarea>" in shown
    assert not NoticeText.objects.exists()


def test_words_are_kept_and_given_back(manager: Client) -> None:
    manager.post(TEXT, {"subject": "Psst", "body": "<b>Bring</b> $games back"})
    shown = page(manager.get(TEXT))
    assert "&lt;b&gt;Bring&lt;/b&gt;" in shown
    assert "<b>Bring" not in shown
    assert "own words" in page(manager.get(reverse("loans:notices")))
    manager.post(reverse("loans:notices-restore", args=["due_soon", "en"]))
    assert not NoticeText.objects.exists()


def test_a_letter_is_sent_to_oneself_with_what_is_typed(manager: Client, post: Post) -> None:
    typed = {"subject": "Psst", "body": "Bring $games back"}
    address = reverse("loans:notices-test", args=["due_soon", "en"])
    assert "Sent to max@example.org." in page(manager.post(address, typed))
    assert [mail["Subject"] for mail in post.to("max@example.org")] == ["Psst"]
    post.rcpt["max@example.org"] = "550 no such user"
    assert "550 no such user" in page(manager.post(address, typed))


def test_the_days_are_set_and_reminders_follow_one_another(manager: Client) -> None:
    days: dict[str, int | str] = {
        "due_soon_days": 5,
        "late_1_days": 3,
        "late_2_days": 3,
        "late_3_days": 20,
        "membership_days": 30,
    }
    address, sent = reverse("loans:notices-days"), days | {"window": "left"}
    assert "The reminders follow one another" in page(manager.post(address, sent), 422)
    manager.post(address, sent | {"late_2_days": 10})
    assert NoticePlan.objects.get().late_2_days == 10
    manager.post(address, sent | {"late_2_days": 12})
    assert NoticePlan.objects.get().late_2_days == 12


def test_the_desk_reads_the_log_and_changes_no_text(client: Client) -> None:
    client.force_login(make_user("desk"))
    assert client.get(reverse("loans:notices-log")).status_code == 200
    for name in ("notices", "notices-dry-run", "notices-letters"):
        assert client.get(reverse(f"loans:{name}")).status_code == 403
    assert client.get(TEXT).status_code == 403


def test_an_address_that_does_not_work_is_seen_at_the_desk_until_somebody_trusts_it_again(
    manager: Client, post: Post
) -> None:
    lou = make_member("Lou Martin", email="lou@example.org")
    lent(lou)
    post.rcpt["lou@example.org"] = "552 5.2.2 mailbox full"
    notices.send(DUE, clock=lambda: LENT + timedelta(days=21))
    desk = reverse("loans:desk")
    assert "Mail to lou@example.org comes back" in page(manager.get(desk, {"member": str(lou.pk)}))
    assert "552 5.2.2 mailbox full" in page(manager.get(reverse("loans:notices")))
    manager.post(reverse("loans:notices-trust", args=[lou.returned_mail.pk]))
    assert "comes back" not in page(manager.get(desk, {"member": str(lou.pk)}))
    assert notices.planned(DUE)[0].party.to == "lou@example.org"


# --- today, and the log ----------------------------------------------------------------------------


def test_the_dry_run_shows_each_letter_and_writes_nothing(manager: Client) -> None:
    lent(make_member("Lou Martin", email="lou@example.org", language="en"))
    shown = page(manager.get(reverse("loans:notices-dry-run"), {"on": str(DUE)}))
    assert "lou@example.org" in shown
    assert "Today is the last day" in shown
    assert not Mail.objects.exists()
    assert manager.get(reverse("loans:notices-dry-run"), {"on": "tomorrow"}).status_code == 404


def test_the_log_tells_what_a_member_was_told_on_a_day(manager: Client, post: Post) -> None:
    lou = make_member("Lou Martin", email="lou@example.org", language="en")
    lent(lou)
    lent(make_member("Ana Diaz", email="ana@example.org"), "Kahuna")
    post.rcpt["ana@example.org"] = "550 no such user"
    notices.send(DUE, clock=lambda: LENT + timedelta(days=21))
    address = reverse("loans:notices-log")
    assert "550 no such user" in page(manager.get(address))
    of_lou = page(manager.get(address, {"member": str(lou.pk), "on": str(DUE)}))
    assert "due today" in of_lou
    assert "ana@example.org" not in of_lou
    mail = page(manager.get(reverse("loans:notices-mail", args=[Mail.objects.get(member=lou).pk])))
    assert "Finca, back by" in mail
    assert "/renew/" not in mail


def test_programs_read_the_log_and_what_is_due(manager: Client, post: Post) -> None:
    lou = make_member("Lou Martin", email="lou@example.org", language="en", card_number="000777")
    lent(lou)
    due = manager.get("/api/notices/due/", {"on": str(DUE)}).json()
    assert [(one["to"], one["kinds"]) for one in due] == [("lou@example.org", ["due_today"])]
    assert "Finca, back by" in due[0]["text"]
    notices.send(DUE, clock=lambda: LENT + timedelta(days=21))
    told = manager.get("/api/notices/", {"card_number": "000777", "on": str(DUE)}).json()
    assert [(one["state"], one["notices"][0]["kind"]) for one in told] == [("sent", "due_today")]
    assert manager.get("/api/notices/", {"on": "today"}).status_code == 400
    assert manager.get("/api/notices/due/", {"on": "2025-13-01"}).status_code == 400


def test_programs_of_the_desk_read_the_log_alone(client: Client) -> None:
    client.force_login(make_user("desk"))
    assert client.get("/api/notices/").json() == []
    assert client.get("/api/notices/due/").status_code == 403


# --- letters on paper ------------------------------------------------------------------------------


def test_letters_are_made_once_and_printed_as_often_as_needed(manager: Client) -> None:
    lent(on_paper())
    address = reverse("loans:notices-letters")
    notices.make_letters(DUE, now=LENT + timedelta(days=21))
    notices.make_letters(DUE, now=LENT + timedelta(days=21))
    assert Mail.objects.get().state == MailState.PRINTED
    assert notices.planned(DUE) == []
    assert "PDF of 25 March 2025" in page(manager.get(address))
    for _again in range(2):
        pdf = manager.get(reverse("loans:notices-letters-pdf"), {"on": str(DUE)})
        assert pdf["Content-Type"] == "application/pdf"
        assert "Finca, à rendre au plus tard le 25 mars 2025" in words_of(pdf.content)
    assert manager.get(reverse("loans:notices-letters-pdf"), {"on": "2020-01-01"}).status_code == 404


def words_of(pdf: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages).replace("\n", " ")


@pytest.mark.parametrize(("window", "left_mm"), [("right", 110), ("left", 20)])
def test_the_address_stands_in_the_window_of_the_envelope(window: str, left_mm: int) -> None:
    lent(on_paper())
    notices.make_letters(DUE, now=LENT + timedelta(days=21))
    pdf = letters.pdf_of(letters.of_day(DUE), NoticePlan(window=window))
    at: dict[str, tuple[float, float]] = {}

    def place(text: str, cm: Any, tm: Any, _font: Any, _size: Any) -> None:
        if text.strip():
            at[text.strip()] = (cm[4] + tm[4]) / 72 * 25.4, 297 - (cm[5] + tm[5]) / 72 * 25.4

    PdfReader(BytesIO(pdf)).pages[0].extract_text(visitor_text=place)
    for line in ("12 rue des Jeux", "33000 Bordeaux"):
        x, y = next(where for text, where in at.items() if line in text)
        assert abs(x - left_mm) < 2
        assert 45 < y < 90


def test_every_letter_begins_a_sheet() -> None:
    for title in ("Finca", "Kahuna", "Keltis"):
        lent(on_paper(), title)
    assert notices.make_letters(DUE, now=LENT + timedelta(days=21)) == 3
    pdf = letters.pdf_of(letters.of_day(DUE), NoticePlan())
    assert [("Finca" in p.extract_text()) for p in PdfReader(BytesIO(pdf)).pages] == [True, False, False]


# --- receipts, the calendar, the command -----------------------------------------------------------


def test_a_receipt_goes_out_with_the_next_run_once_a_day(manager: Client, post: Post) -> None:
    member = make_member("Lou Martin", email="lou@example.org", language="en")
    account = ledger.account_of(member)
    act = make_act(now=LENT)
    ledger.charge(account, EntryKind.PIECES, 750, act=act, note="1 red pawn", member=member)
    entry = ledger.pay(account, Method.CASH, 750, act=act)
    address = reverse("loans:notices-receipt", args=[entry.pk])
    assert "lou@example.org" in page(manager.post(address))
    manager.post(address)
    today = Mail.objects.get().on
    clock = lambda: datetime(2099, 1, 1, tzinfo=UTC)  # noqa: E731 - a clock
    assert notices.send(today, clock=clock).sent == 1
    assert notices.send(today, clock=clock).sent == 0
    mail = post.mails[0]
    body = mail.get_body(("plain",))
    assert body is not None
    assert "€7.50" in body.get_content()
    assert mail["List-Unsubscribe"] is None


def test_a_receipt_for_nobody_with_an_address_is_refused_with_a_remedy(manager: Client) -> None:
    member = make_member()
    entry = ledger.charge(ledger.account_of(member), EntryKind.OTHER, 100, act=make_act(), member=member)
    shown = page(manager.post(reverse("loans:notices-receipt", args=[entry.pk])), 409)
    assert "enter one on the member's page, or print the receipt" in shown.replace("&#x27;", "'")


def events(client: Client, secret: str) -> list[tuple[str, date]]:
    answer = client.get(reverse("mail:calendar", args=[secret]))
    assert answer["Content-Type"].startswith("text/calendar")
    found = Calendar.from_ical(answer.content).walk("VEVENT")
    return [(str(event["summary"]), event.decoded("dtstart")) for event in found]


def test_a_private_calendar_has_ones_own_due_dates_and_nobody_elses(client: Client) -> None:
    household = make_household("Famille Martin")
    member = make_member("Lou Martin", household=household, language="en", user=make_user())
    lent(member)
    lent(make_member("Zoe Martin", household=household), "Kahuna")
    client.force_login(member.user)  # type: ignore[arg-type]
    client.post(reverse("loans:my-calendar"))
    secret = CalendarFeed.objects.get().secret
    assert secret in page(client.get(reverse("loans:my-loans")))
    assert events(Client(), secret) == [("Bring back: Finca", DUE)]


def test_a_member_stops_letters_on_the_page_of_the_loans(client: Client) -> None:
    member = make_member("Lou Martin", email="lou@example.org", user=make_user())
    client.force_login(member.user)  # type: ignore[arg-type]
    shown = page(client.get(reverse("loans:my-loans")))
    path = next(part for part in shown.split('"') if part.startswith("/letters/"))
    client.post(path)
    assert notice_settings.declines(f"member:{member.pk}")


def test_a_new_secret_ends_the_old_address(client: Client) -> None:
    member = make_member(user=make_user())
    client.force_login(member.user)  # type: ignore[arg-type]
    client.post(reverse("loans:my-calendar"))
    old = CalendarFeed.objects.get().secret
    client.post(reverse("loans:my-calendar"))
    assert Client().get(reverse("mail:calendar", args=[old])).status_code == 404
    client.post(reverse("loans:my-calendar"), {"do": "end"})
    assert not CalendarFeed.objects.exists()


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("notices", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_what_it_would_send_and_sends_it(post: Post) -> None:
    lent(make_member("Lou Martin", email="lou@example.org", language="en"))
    dry = run("send", "--dry-run", "--on", str(DUE))
    assert "--- lou@example.org: Due today" in dry
    assert "1 mails and 0 letters would be written" in dry
    assert post.mails == []
    assert "1 sent" in run("send", "--on", str(DUE))
    assert Notice.objects.get().kind == "due_today"


def test_the_command_without_a_mail_server_says_how_to_set_one() -> None:
    with pytest.raises(CommandError, match=r"EMAIL_URL=smtp\+tls://"):
        run("send")


def test_a_loan_that_is_back_is_in_no_calendar(client: Client) -> None:
    member = make_member()
    lent(member)
    feed = notice_settings.make_calendar_feed(member, now=LENT)
    loan = member.loans.get()
    lending.check_in(loan.copy, act=make_act(now=LENT + timedelta(days=1)))
    assert events(client, feed.secret) == []
