"""One's own card over HTTP: a member sees and renews what is at home, and nothing else."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans import holds
from loans.models import DeskEvent, Loan, Member
from tests.make import (
    make_act,
    make_copy,
    make_game,
    make_household,
    make_loan,
    make_member,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"
    settings.HISTORY_MONTHS = 12


@pytest.fixture
def user() -> User:
    return make_user()


@pytest.fixture
def camille(user: User) -> Member:
    make_policy(loan_days=21, max_renewals=2)
    return make_member("Camille Martin", household=make_household(), user=user)


@pytest.fixture
def at_home(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def lent(member: Member, title: str = "Finca") -> Loan:
    """A box that went home some days ago."""
    days_ago = timezone.now() - timedelta(days=5)
    return make_loan(make_copy(make_game(title)), member, now=days_ago)


def renew(client: Client, loan: Loan | int, **body: Any) -> Any:
    number = loan if isinstance(loan, int) else loan.pk
    return client.post("/api/me/renewals/", {"loan": number} | body, content_type="application/json")


def test_a_member_sees_his_own_games_and_those_the_household_shows(at_home: Client, camille: Member) -> None:
    alix = make_member("Alix Martin", household=camille.household)
    quiet = make_member("Rémi Martin", household=camille.household, hides_loans=True)
    lent(camille)
    lent(alix, "Dixit")
    lent(quiet, "Catan")
    lent(make_member("Zoé Blanc"), "Azul")
    told = at_home.get("/api/me/loans/").json()
    assert {(one["title"], one["borrower"], one["own"]) for one in told} == {
        ("Finca", "Camille Martin", True),
        ("Dixit", "Alix Martin", False),
    }
    assert not any("card_number" in one for one in told)


def test_a_game_is_renewed_at_home_and_a_request_sent_twice_once(at_home: Client, camille: Member) -> None:
    loan = lent(camille)
    first, again = (renew(at_home, loan, nonce="r1") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    assert first.json()["renewals"] == 1
    loan.refresh_from_db()
    assert (loan.renewals, loan.due_on.isoformat()) == (1, first.json()["due_on"])


def test_a_game_of_the_household_is_renewed_for_it(at_home: Client, camille: Member) -> None:
    loan = lent(make_member("Alix Martin", household=camille.household))
    assert renew(at_home, loan).status_code == 201


@pytest.mark.parametrize("whose", ["a stranger's", "hidden", "back", "none"])
def test_what_one_does_not_see_is_not_there(at_home: Client, camille: Member, whose: str) -> None:
    number = 999_999
    if whose == "hidden":
        number = lent(make_member("Rémi", household=camille.household, hides_loans=True)).pk
    elif whose == "a stranger's":
        number = lent(make_member("Zoé Blanc")).pk
    elif whose == "back":
        loan = lent(camille)
        Loan.objects.filter(pk=loan.pk).update(returned_at=timezone.now())
        number = loan.pk
    answer = renew(at_home, number)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_loan")
    assert not DeskEvent.objects.filter(action="renew").exists()


def test_a_game_that_others_wait_for_is_a_409_and_nobody_at_home_waives_it(
    at_home: Client, camille: Member
) -> None:
    loan = lent(camille)
    holds.place_hold(loan.copy.game, make_member("Aminata Diallo"), act=make_act(now=timezone.now()))
    answer = renew(at_home, loan, waive=["reserved"], waive_reason="It is mine")
    assert answer.status_code == 409
    assert "Aminata" not in answer.content.decode()
    loan.refresh_from_db()
    assert loan.renewals == 0


def test_another_ones_nonce_renews_nothing(at_home: Client, camille: Member) -> None:
    renew(at_home, lent(camille), nonce="r1")
    answer = renew(at_home, lent(camille, "Dixit"), nonce="r1")
    assert (answer.status_code, answer.json()["code"]) == (409, "nonce_reused")


def test_a_member_chooses_how_long_past_loans_are_kept(at_home: Client, camille: Member) -> None:
    told = at_home.get("/api/me/privacy/").json()
    assert told == {"months": 12, "offered": [1, 3, 6, 12], "hides_loans": False}
    chosen = at_home.put("/api/me/privacy/", {"months": 3}, content_type="application/json")
    assert chosen.json() == told | {"months": 3} == at_home.get("/api/me/privacy/").json()
    camille.refresh_from_db()
    assert camille.history_months == 3


@pytest.mark.parametrize("months", [0, 2, 24, None, "", "many"])
def test_months_that_are_not_offered_are_refused_by_name(
    at_home: Client, camille: Member, months: Any
) -> None:
    answer = at_home.put("/api/me/privacy/", {"months": months}, content_type="application/json")
    assert (answer.status_code, list(answer.json())) == (400, ["months"])
    camille.refresh_from_db()
    assert camille.history_months is None


def test_who_is_no_member_has_nothing_here_and_a_stranger_signs_in_first(client: Client) -> None:
    assert client.get("/api/me/loans/").status_code in {401, 403}
    client.force_login(make_user("manager"))
    for address in ("/api/me/loans/", "/api/me/privacy/"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert renew(client, lent(make_member())).status_code == 404
