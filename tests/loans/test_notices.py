"""What members are told, by a real mail server: once, in their language, and only what is still so."""

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from loans import closures, desk, holds, members, notice_settings, notices
from loans.closures import Change, ClosureDraft
from loans.models import (
    Loan,
    Mail,
    MailState,
    Member,
    Notice,
    NoticeKind,
    RenewalLink,
    ReturnedMail,
)
from loans.notices import Report
from loans.rules import Term
from tests.loans.mail_server import DIES_AFTER, DIES_BEFORE, STALLS, Post, free_port
from tests.loans.mail_server import post as post
from tests.make import (
    make_act,
    make_copy,
    make_game,
    make_household,
    make_loan,
    make_member,
    make_opening,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db

LENT = datetime(2025, 3, 4, 10, tzinfo=UTC)
DUE = date(2025, 3, 25)


def on(day: date, hour: int = 9) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def send(day: date, hour: int = 9) -> Report:
    return notices.send(day, clock=lambda: on(day, hour))


def family(email: str = "lou@example.org", name: str = "Lou Martin", **fields: Any) -> Member:
    return make_member(name, email=email, **{"language": "en"} | fields)


def lent(member: Member, title: str = "Finca", now: datetime = LENT, **fields: Any) -> Loan:
    return make_loan(make_copy(make_game(title), **fields), member, now=now)


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content())


def html_of(mail: EmailMessage) -> str:
    body = mail.get_body(("html",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content())


# --- what is told, and when ------------------------------------------------------------------------


def test_a_game_is_told_three_days_before_it_is_due_and_on_its_last_day(post: Post) -> None:
    lent(family())
    days = [DUE - timedelta(days=left) for left in (4, 3, 2, 1, 0)]
    assert [send(day).sent for day in days] == [0, 1, 0, 0, 1]
    soon, today = post.mails
    assert "Finca, back by 25 March 2025" in text_of(soon)
    assert "Today is the last day" in text_of(today)
    assert soon["To"] == "lou@example.org"
    assert "Finca" in soon["Subject"]


def test_a_day_on_which_nothing_was_sent_is_made_up_for(post: Post) -> None:
    lent(family())
    assert send(DUE - timedelta(days=1)).sent == 1
    assert "soon due" in text_of(post.mails[0])


def test_reminders_come_in_three_stages_with_the_fee_of_the_day(post: Post) -> None:
    make_policy(late_fee_per_day=20)
    make_opening("FREQ=DAILY")
    lent(family())
    send(DUE)
    sent = [day for day in range(1, 30) if send(DUE + timedelta(days=day)).sent]
    assert sent == [2, 9, 16]
    first, second, third = post.mails[1:]
    assert "late fee up to today: €0.40" in text_of(first)
    assert "late fee up to today: €1.80" in text_of(second)
    assert "third reminder" in text_of(third)
    assert "€3.20" in text_of(third)


def test_no_stage_is_skipped_after_a_long_silence(post: Post) -> None:
    lent(family())
    days = [DUE + timedelta(days=day) for day in range(40, 60)]
    sent = [day for day in days if send(day).sent]
    assert [(day - days[0]).days for day in sent] == [0, 7, 14]
    kinds = Notice.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["late_1", "late_2", "late_3"]


def test_nobody_is_told_late_who_has_found_the_door_shut_ever_since(post: Post) -> None:
    make_opening("FREQ=WEEKLY;BYDAY=TU")
    lent(family())
    assert DUE.weekday() == 1
    send(DUE)
    assert send(DUE + timedelta(days=6)).sent == 0
    assert send(DUE + timedelta(days=7)).sent == 1


def test_a_game_lent_for_one_day_is_not_told_on_the_day_it_was_lent(post: Post) -> None:
    make_policy(loan_days=1)
    lent(family())
    assert send(LENT.date()).sent == 0


def test_what_is_played_in_the_house_is_not_told(post: Post) -> None:
    desk.lend(make_copy(), family(), act=make_act(now=LENT), term=Term.HOUSE)
    assert send(LENT.date() + timedelta(days=30)).sent == 0


def test_complaint_7_no_reminder_comes_after_the_return(post: Post, settings: Any) -> None:
    """Librarika 318, 568; RERO 2470: a reminder for a game that is back."""
    loan = lent(family())
    settings.EMAIL_PORT = free_port()
    assert send(DUE).problem
    assert Mail.objects.get().state == MailState.WAITING
    desk.check_in(loan.copy, act=make_act(now=on(DUE, 10)))
    settings.EMAIL_PORT = post.port
    assert send(DUE, hour=11).dropped == 1
    assert post.mails == []
    assert not Notice.objects.exists()


def test_complaint_7_a_renewed_game_is_told_again(post: Post) -> None:
    """Librarika 568, RERO 2495: after a renewal no reminder ever came."""
    loan = lent(family())
    send(DUE - timedelta(days=3))
    desk.renew(loan, act=make_act(now=on(DUE - timedelta(days=1))))
    loan.refresh_from_db()
    assert send(DUE).sent == 0
    assert send(loan.due_on - timedelta(days=3)).sent == 1


def test_complaint_7_a_due_date_that_a_closure_has_moved_is_told_anew(post: Post) -> None:
    """The flood: who was told the old day is told the new one, and nobody is late meanwhile."""
    make_opening("FREQ=DAILY")
    loan = lent(family())
    send(DUE - timedelta(days=3))
    draft = ClosureDraft(first_on=DUE - timedelta(days=1), last_on=DUE + timedelta(days=10))
    closures.apply(Change(new=(draft,)), by=make_user("manager"), now=on(DUE - timedelta(days=2)))
    loan.refresh_from_db()
    days = [DUE + timedelta(days=day) for day in range(12)]
    assert loan.due_on == DUE + timedelta(days=11)
    assert [send(day).sent for day in days] == [0] * 8 + [1, 0, 0, 1]


def test_complaint_7_a_game_is_not_told_ready_that_has_left_the_hold_shelf(post: Post) -> None:
    """Pinakes 366: "ready for pickup" while the copy is still out."""
    member, copy = family(), make_copy()
    out = make_loan(copy, now=LENT)
    hold = holds.place_hold(copy.game, member, act=make_act(now=LENT))
    assert send(LENT.date()).sent == 0
    desk.check_in(copy, act=make_act(now=LENT + timedelta(hours=1)))
    assert [one.news[0].hold for one in notices.planned(LENT.date())] == [hold]
    desk.undo(out.events.get(action="check_in"), act=make_act(now=LENT + timedelta(hours=2)))
    assert send(LENT.date(), hour=14).sent == 0


# --- to whom ---------------------------------------------------------------------------------------


def test_a_household_gets_one_mail_a_day_with_everything_in_it(post: Post) -> None:
    home = make_household("Famille Martin")
    parent = make_member("Lou Martin", household=home, email="lou@example.org", language="en")
    child = make_member("Zoe Martin", household=home, birth_year=2016)
    lent(parent, "Finca")
    lent(child, "Kahuna", now=LENT - timedelta(days=3))
    copy = make_copy(make_game("Keltis"))
    hold = holds.place_hold(copy.game, parent, act=make_act(now=LENT))
    holds.shelve(hold, act=make_act(now=on(DUE - timedelta(days=4))))
    assert send(DUE - timedelta(days=3)).sent == 1
    told = text_of(post.mails[0])
    assert "Finca (Lou), back by" in told
    assert "Kahuna (Zoe), back by" in told
    assert "Keltis (Lou), kept until" in told
    assert told.index("Kahuna") < told.index("Keltis") < told.index("Finca")
    assert "Kahuna" in post.mails[0]["Subject"]
    lent(child, "Ramses", now=on(DUE - timedelta(days=22), 12))
    assert send(DUE - timedelta(days=3), hour=15).sent == 0
    assert send(DUE - timedelta(days=2)).sent == 1


def test_loans_that_an_adult_keeps_from_the_household_go_to_nobody_else(post: Post) -> None:
    home = make_household("Famille Martin")
    lou = make_member("Lou Martin", household=home, email="lou@example.org", language="en")
    ana = make_member("Ana Martin", household=home, email="ana@example.org", language="en", hides_loans=True)
    lent(lou, "Finca")
    lent(ana, "Kahuna")
    assert send(DUE).sent == 2
    assert "Kahuna" not in text_of(post.to("lou@example.org")[0])
    assert "Finca" not in text_of(post.to("ana@example.org")[0])
    assert "Kahuna" in text_of(post.to("ana@example.org")[0])


def test_the_questions_of_a_run_do_not_grow_with_the_members(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(30):
        home = make_household(f"Family {number}", f"Lou {number}")
        lent(home.members.get(), f"Game {number}")
    with django_assert_max_num_queries(20):
        assert len(notices.planned(DUE)) == 30


def test_an_address_that_the_household_shares_is_not_private(post: Post) -> None:
    home = make_household("Famille Martin")
    make_member("Lou Martin", household=home, email="family@example.org")
    ana = make_member("Ana Martin", household=home, email="Family@example.org", hides_loans=True)
    lent(ana)
    assert send(DUE).sent == 0
    assert notices.planned(DUE)[0].party.to == ""


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", "à rendre au plus tard le 25 mars 2025"),
        ("en", "back by 25 March 2025"),
        ("es", "para devolver hasta el 25 de Marzo de 2025"),
        ("de-CH", "zurück bis 25. März 2025"),
        ("nl", "à rendre au plus tard le 25 mars 2025"),
    ],
)
def test_a_mail_is_in_the_language_of_its_reader(post: Post, language: str, words: str) -> None:
    lent(family(language=language))
    send(DUE - timedelta(days=3))
    assert words.lower() in text_of(post.mails[0]).lower()
    assert f'lang="{language[:2] if language != "nl" else "fr"}"' in html_of(post.mails[0])


def test_who_does_without_letters_is_told_what_costs_money_all_the_same(post: Post) -> None:
    member = family()
    lent(member)
    notice_settings.stop_letters(f"member:{member.pk}", now=LENT)
    assert send(DUE).sent == 0
    assert send(DUE + timedelta(days=2)).sent == 1
    notice_settings.send_letters_again(f"member:{member.pk}")
    lent(member, "Kahuna", now=LENT + timedelta(days=5))
    assert send(DUE + timedelta(days=3)).sent == 1


def test_a_membership_that_ends_is_told_and_a_renewed_one_is_not(post: Post) -> None:
    member = family(membership_ends_on=DUE)
    assert send(DUE - timedelta(days=22)).sent == 0
    assert send(DUE - timedelta(days=21)).sent == 1
    assert "until 25 March 2025" in text_of(post.mails[0])
    assert send(DUE - timedelta(days=20)).sent == 0
    assert member.notices.get().kind == NoticeKind.MEMBERSHIP_ENDING


def test_a_new_member_is_welcomed_once_with_the_number_of_the_card(post: Post) -> None:
    member = family(card_number="000777", conditions_signed_on=LENT.date())
    assert send(LENT.date()).sent == 1
    assert "000777" in text_of(post.mails[0])
    assert send(LENT.date() + timedelta(days=1)).sent == 0
    assert member.notices.count() == 1


def test_a_hold_that_has_lapsed_is_told(post: Post) -> None:
    member, copy = family(), make_copy(make_game("Keltis"))
    hold = holds.place_hold(copy.game, member, act=make_act(now=LENT))
    holds.shelve(hold, act=make_act(now=LENT))
    send(LENT.date())
    holds.expire_holds(LENT + timedelta(days=9))
    assert send(LENT.date() + timedelta(days=9)).sent == 1
    assert "not fetched in time" in text_of(post.mails[1])


def test_one_click_stops_letters_by_the_headers_of_the_mail(post: Post, client: Client) -> None:
    member = family()
    lent(member)
    send(DUE)
    mail = post.mails[0]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip(" <>").removeprefix("https://games.example.org")
    assert client.get(address).status_code == 200
    assert not notice_settings.declines(f"member:{member.pk}")
    client.post(address, {"List-Unsubscribe": "One-Click"})
    assert notice_settings.declines(f"member:{member.pk}")
    client.post(address, {"do": "again"})
    assert not notice_settings.declines(f"member:{member.pk}")
    assert client.post(f"{address[:-3]}xx/").status_code == 404


# --- the road --------------------------------------------------------------------------------------


def test_an_address_that_does_not_exist_is_flagged_and_letters_go_on_paper(post: Post) -> None:
    member = family()
    lent(member)
    post.rcpt["lou@example.org"] = "550 5.1.1 no such user"
    assert send(DUE - timedelta(days=3)).failed == 1
    assert "550 5.1.1 no such user" in ReturnedMail.objects.get(member=member).why
    assert notices.planned(DUE)[0].party.to == ""
    members.update_member(member, replace(members.describe_member(member), email="new@example.org"))
    assert send(DUE).sent == 1
    assert post.mails[0]["To"] == "new@example.org"


def test_a_mail_that_is_put_off_is_tried_again_later_and_later(post: Post) -> None:
    lent(family())
    post.data["lou@example.org"] = "451 4.7.1 greylisted, come back"
    assert send(DUE, hour=9).put_off == 1
    mail = Mail.objects.get()
    assert (mail.state, mail.next_try_at - on(DUE, 9)) == (MailState.WAITING, timedelta(minutes=10))
    assert notices.send(DUE, clock=lambda: on(DUE, 9) + timedelta(minutes=5)).put_off == 0
    assert send(DUE, hour=10).put_off == 1
    mail.refresh_from_db()
    assert mail.next_try_at - on(DUE, 10) == timedelta(minutes=30)
    post.data.clear()
    assert send(DUE, hour=11).sent == 1


def test_a_mail_that_is_put_off_too_often_is_given_up(post: Post) -> None:
    lent(family())
    post.data["lou@example.org"] = "451 come back"
    assert [send(DUE, hour=hour).failed for hour in (1, 2, 3, 6, 13)] == [0, 0, 0, 0, 1]
    assert "451 come back" in Mail.objects.get().error


def test_a_refusal_of_one_does_not_keep_the_others_waiting(post: Post) -> None:
    for name in ("a", "b", "c"):
        lent(family(f"{name}@example.org"), name)
    post.rcpt["a@example.org"] = "550 no such user"
    post.data["b@example.org"] = "554 5.7.1 looks like spam"
    report = send(DUE)
    assert (report.sent, report.failed) == (1, 2)
    assert not ReturnedMail.objects.filter(address="b@example.org").exists()


def test_a_server_that_is_not_there_is_said_and_nothing_is_lost(post: Post, settings: Any) -> None:
    for name in ("a", "b"):
        lent(family(f"{name}@example.org"), name)
    settings.EMAIL_PORT = free_port()
    assert "refused" in send(DUE).problem
    settings.EMAIL_PORT = post.port
    assert send(DUE, hour=10).sent == 2


def test_a_server_that_dies_before_the_text_has_gone_over_is_asked_again(post: Post) -> None:
    lent(family())
    post.rcpt["lou@example.org"] = DIES_BEFORE
    post.once = True
    assert send(DUE).sent == 0
    assert not Mail.objects.get().resent
    assert send(DUE, hour=10).sent == 1
    assert len(post.mails) == 1


@pytest.mark.parametrize("mishap", [DIES_AFTER, STALLS])
def test_where_nobody_knows_if_a_mail_arrived_it_comes_once_more_and_says_so(
    post: Post, settings: Any, mishap: str
) -> None:
    settings.EMAIL_TIMEOUT = 0.5
    lent(family())
    post.data["lou@example.org"] = mishap
    assert send(DUE).put_off == 1
    assert Mail.objects.get().resent
    assert send(DUE, hour=10).failed == 1
    assert send(DUE, hour=15).sent == 0
    assert len(post.mails) == 2
    assert len({mail["Message-ID"] for mail in post.mails}) == 1
    post.data.clear()
    assert send(DUE + timedelta(days=1)).sent == 0


def test_a_run_that_died_while_sending_is_taken_up_once(post: Post) -> None:
    member = family()
    lent(member)
    claimed = {"state": MailState.SENDING, "claimed_at": on(DUE, 9), "attempts": 1}
    mail = Mail.objects.create(
        party=f"member:{member.pk}", on=DUE, member=member, to=member.email, made_at=on(DUE, 9),
        next_try_at=on(DUE, 9), **claimed,
    )  # fmt: skip
    assert send(DUE, hour=9).sent == 0
    report = send(DUE, hour=10)
    assert (report.resent, report.sent) == (1, 1)
    Mail.objects.filter(pk=mail.pk).update(**claimed)
    assert send(DUE, hour=11).failed == 1
    assert len(post.mails) == 1


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_the_same_time_send_each_mail_once(post: Post) -> None:
    for number in range(12):
        lent(family(f"m{number}@example.org"), f"Game {number}")
    reports: list[Report] = []
    start = threading.Barrier(3)

    def run() -> None:
        start.wait()
        try:
            reports.append(send(DUE))
        finally:
            connection.close()

    runs = [threading.Thread(target=run) for _ in range(3)]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    assert sum(report.sent for report in reports) == 12
    assert sorted(mail["To"] for mail in post.mails) == sorted(f"m{n}@example.org" for n in range(12))


def test_a_mail_that_waited_over_night_gives_its_place_to_the_one_of_the_day(post: Post) -> None:
    lent(family())
    post.data["lou@example.org"] = "451 come back"
    send(DUE)
    post.data.clear()
    assert send(DUE + timedelta(days=2)).sent == 1
    states = Mail.objects.order_by("on").values_list("state", flat=True)
    assert list(states) == [MailState.DROPPED, MailState.SENT]


# --- links to renew --------------------------------------------------------------------------------


def link_in(mail: EmailMessage) -> str:
    found = re.search(r"https://games\.example\.org(/renew/\S+)", text_of(mail))
    assert found is not None
    return found[1]


def test_a_link_shows_first_renews_by_a_button_and_works_once(
    post: Post, client: Client, time_is: Callable[[datetime], None]
) -> None:
    loan = lent(family())
    send(DUE - timedelta(days=3))
    link = link_in(post.mails[0])
    time_is(on(DUE - timedelta(days=2)))
    assert "Finca" in client.get(link).content.decode()
    loan.refresh_from_db()
    assert loan.renewals == 0
    assert client.post(link).status_code == 200
    loan.refresh_from_db()
    assert (loan.renewals, loan.due_on) == (1, DUE + timedelta(days=19))
    assert client.post(link).status_code == 410
    assert client.get(link).status_code == 410
    event = loan.events.get(action="renew")
    assert not event.at_desk


def test_a_link_meets_every_refusal_of_the_desk(
    post: Post, client: Client, time_is: Callable[[datetime], None]
) -> None:
    loan = lent(family())
    send(DUE - timedelta(days=3))
    holds.place_hold(loan.copy.game, make_member(), act=make_act(now=on(DUE - timedelta(days=2))))
    time_is(on(DUE - timedelta(days=2)))
    link = link_in(post.mails[0])
    assert "waits for this game" in client.get(link, headers={"accept-language": "en"}).content.decode()
    answer = client.post(link, headers={"accept-language": "en"})
    assert answer.status_code == 409
    assert "waits for this game" in answer.content.decode()
    loan.refresh_from_db()
    assert loan.renewals == 0


def test_a_game_that_somebody_waits_for_is_told_without_a_link_and_why(post: Post) -> None:
    loan = lent(family())
    holds.place_hold(loan.copy.game, make_member(), act=make_act(now=LENT))
    send(DUE - timedelta(days=3))
    assert "/renew/" not in text_of(post.mails[0])
    assert "1 member waits for this game" in text_of(post.mails[0])


def test_a_link_ends_after_two_weeks_with_the_return_and_with_a_false_signature(
    post: Post, client: Client, time_is: Callable[[datetime], None]
) -> None:
    loan = lent(family())
    send(DUE - timedelta(days=3))
    link = link_in(post.mails[0])
    time_is(on(DUE + timedelta(days=12)))
    assert client.get(link).status_code == 410
    time_is(on(DUE))
    assert client.get(link).status_code == 200
    assert client.get(link.replace("/renew/", "/renew/9")).status_code == 410
    desk.check_in(loan.copy, act=make_act(now=on(DUE)))
    assert client.post(link).status_code == 410
    assert RenewalLink.objects.get().used_at is None


@pytest.fixture
def time_is(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """Sets the clock that the pages behind the links read."""

    def at(now: datetime) -> None:
        monkeypatch.setattr("loans.mail_views.timezone.now", lambda: now)

    return at


def test_what_was_told_about_a_loan_can_be_forgotten_with_it(post: Post) -> None:
    back, out = lent(family("a@example.org"), "Finca"), lent(family("b@example.org"), "Kahuna")
    send(DUE)
    desk.check_in(back.copy, act=make_act(now=on(DUE)))
    assert notices.forget_about(Loan.objects.all()) == 1
    assert Mail.objects.get().member == out.member
    assert send(DUE, hour=15).sent == 0


def test_old_letters_are_forgotten_but_for_open_loans(post: Post) -> None:
    back, out = lent(family("a@example.org"), "Finca"), lent(family("b@example.org"), "Kahuna")
    send(DUE)
    desk.check_in(back.copy, act=make_act(now=on(DUE)))
    assert notices.forget(on(DUE) + timedelta(days=300)) == 0
    assert notices.forget(on(DUE) + timedelta(days=400)) == 1
    assert list(Notice.objects.values_list("loan", flat=True)) == [out.pk]
