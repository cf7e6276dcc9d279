"""The family that moves, as the desk lives it: one household, four cards, one bill, and then two addresses.

Reads from top to bottom; every step is a page of the desk or a scan, as on a Saturday morning.
"""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans import accounts, desk, households, members
from loans.models import Block, Household, HouseholdMove, Loan, Member, MembershipKind
from loans.rules import RefusalCode
from tests.make import make_act, make_copy, make_game, make_kind, make_policy, make_user

pytestmark = pytest.mark.django_db


class Desk:
    """A volunteer at the desk's pages."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.user: User = make_user("desk")
        client.force_login(self.user)

    def reads(self, path: str) -> str:
        """The words of a page."""
        return words(self.client.get(path, follow=True))

    def sends(self, path: str, **fields: Any) -> str:
        """What the page says after a form was sent."""
        return words(self.client.post(path, fields, follow=True))

    def lends(self, title: str, member: Member) -> Loan:
        """A box of its own for each loan."""
        act = make_act(self.user, now=timezone.now())
        return desk.lend(make_copy(make_game(title)), member, act=act).loan

    def is_refused(self, member: Member) -> list[RefusalCode]:
        """The reasons why the member gets no further game."""
        with pytest.raises(desk.Refused) as caught:
            self.lends("One more", member)
        return [refusal.code for refusal in caught.value.refusals]


def words(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def member(first_name: str) -> Member:
    return Member.objects.get(first_name=first_name)


@pytest.fixture
def at_the_desk(client: Client, settings: Settings) -> Desk:
    settings.LANGUAGE_CODE = "en"
    make_kind("Family card", fee_cents=3000)
    make_policy(counts_household=True, max_loans=4, conditions_required=True, membership_required=True)
    return Desk(client)


def register_the_family(at_the_desk: Desk) -> Household:
    """Two adults and two children, in four short forms; the membership is sold with the last."""
    today = timezone.localdate()
    at_the_desk.sends("/desk/households/add/", name="Martin", address="12 rue des Tilleuls", city="Bruxelles")
    household = Household.objects.get()
    address = f"/desk/members/add/?household={household.pk}"
    people = (("Camille", ""), ("Paul", ""), ("Zélie", today.year - 9), ("Hugo", today.year - 6))
    for first_name, birth_year in people:
        page = at_the_desk.client.get(address).content.decode()
        (card,) = re.findall(r'name="card_number" value="(\d+)"', page)
        kind = MembershipKind.objects.get().pk if first_name == "Hugo" else ""
        at_the_desk.sends(
            address,
            first_name=first_name,
            last_name="Martin",
            card_number=card,
            birth_year=birth_year,
            kind=kind,
            signed="on",
        )
    return household


def test_a_family_is_registered_borrows_moves_house_and_then_parts(at_the_desk: Desk) -> None:
    # Registered: four cards that were proposed one after the other, one membership for them all.
    household = register_the_family(at_the_desk)
    assert [m.card_number for m in Member.objects.order_by("pk")] == ["000001", "000002", "000003", "000004"]
    (ends_on,) = set(Member.objects.values_list("membership_ends_on", flat=True))
    assert ends_on is not None
    assert ends_on > timezone.localdate() + timedelta(days=360)

    # The membership is on the one bill of the household, and on it once.
    assert "€30.00 to pay" in at_the_desk.reads(f"/desk/households/{household.pk}/")
    assert "€30.00 to pay" in at_the_desk.reads(f"/desk/members/{member('Hugo').pk}/")

    # They borrow with whatever card is at hand; the library counts the games of the household.
    camille, paul, zelie = member("Camille"), member("Paul"), member("Zélie")
    finca = at_the_desk.lends("Finca", camille)
    for title, who in (("Perch", paul), ("Beep", zelie), ("Safranito", zelie)):
        at_the_desk.lends(title, who)
    assert at_the_desk.is_refused(member("Hugo")) == [RefusalCode.LOAN_LIMIT_REACHED]
    assert "This household has 4 of at most 4 games" in at_the_desk.reads(f"/desk/members/{camille.pk}/")

    # Paul keeps what he reads in the evening to himself; Camille sees the children's games and her own.
    members.update_member(paul, members.MemberDraft(**(vars_of(paul) | {"hides_loans": True})))
    seen = households.loans_seen_by(camille, timezone.localdate())
    assert {loan.copy.game.title for loan in seen} == {"Finca", "Beep", "Safranito"}

    # They move house: another address, and everything else stays as it is.
    page = at_the_desk.sends(
        f"/desk/households/{household.pk}/edit/", name="Martin", address="3 quai Neuf", city="Liège"
    )
    assert "3 quai Neuf" in page
    assert "Cards, loans and the bill stay as they are." in page
    assert Loan.objects.filter(returned_at=None, member__household=household).count() == 4

    # A year later Camille goes to live elsewhere with Zélie. Before it is done the desk reads out what that
    # means: the cards, the membership, the games and the bill.
    leaving = {"who": [camille.pk, zelie.pk]}
    before = words(at_the_desk.client.get(f"/desk/households/{household.pk}/leave/", leaving))
    assert "2 members leave Martin" in before
    assert "Camille Martin keeps the card 000001, and the membership until" in before
    assert "3 games at home go along, with their due dates" in before
    assert "Finca, with Camille Martin" in before
    assert "Perch" not in before
    assert "€30.00 that is owed stays on the bill of Martin, whoever caused it." in before
    assert HouseholdMove.objects.count() == 0

    # Without a name for the new household nothing happens, and what was typed is still there.
    address = f"/desk/households/{household.pk}/leave/"
    refused = at_the_desk.client.post(address, {**leaving, "together": "1", "city": "Namur"})
    assert refused.status_code == 422
    assert 'value="Namur"' in refused.content.decode()
    page = at_the_desk.sends(address, **leaving, together="1", name="Camille et Zélie", city="Namur")
    assert "Their loans have gone with them, the bill has stayed." in page

    # Two households, each with its own games, limit and address; no due date has moved.
    new = Household.objects.get(name="Camille et Zélie")
    assert [m.first_name for m in new.members.order_by("pk")] == ["Camille", "Zélie"]
    assert [m.first_name for m in household.members.order_by("pk")] == ["Paul", "Hugo"]
    due_on = finca.due_on
    finca.refresh_from_db()
    assert (finca.due_on, finca.member) == (due_on, camille)
    at_the_desk.lends("Elfer raus", member("Hugo"))
    at_the_desk.lends("Memory", member("Zélie"))
    assert at_the_desk.is_refused(member("Camille")) == [RefusalCode.LOAN_LIMIT_REACHED]

    # The old bill has stayed; what Camille buys from now on stands on the new one.
    assert [accounts.purses_of(each).debt for each in (household, new)] == [3000, 0]
    kind = MembershipKind.objects.get()
    at_the_desk.sends(f"/desk/members/{camille.pk}/sell/{kind.pk}/", nonce="n2")
    assert [accounts.purses_of(each).debt for each in (household, new)] == [3000, 3000]

    # Both pages tell who came and who went.
    assert "Camille Martin left, for Camille et Zélie" in at_the_desk.reads(
        f"/desk/households/{household.pk}/"
    )
    assert "Zélie Martin came, from Martin" in at_the_desk.reads(f"/desk/households/{new.pk}/")


def test_who_comes_back_after_the_membership_has_ended_renews_it_where_the_refusal_says(
    at_the_desk: Desk,
) -> None:
    register_the_family(at_the_desk)
    Member.objects.update(membership_ends_on=timezone.localdate() - timedelta(days=1))
    paul = member("Paul")
    assert at_the_desk.is_refused(paul) == [RefusalCode.MEMBERSHIP_ENDED]
    assert "the member's page, “Sell a membership”" in at_the_desk.reads(f"/desk/?member={paul.pk}").replace(
        "&#x27;", "'"
    )
    assert (
        f'href="/desk/members/{paul.pk}/"'
        in at_the_desk.client.get(f"/desk/?member={paul.pk}").content.decode()
    )
    kind = MembershipKind.objects.get()
    sold = at_the_desk.sends(f"/desk/members/{paul.pk}/sell/{kind.pk}/", nonce="n1")
    assert "Sold: Family card, until" in sold
    assert {m.membership_ends_on for m in Member.objects.all()} == {member("Hugo").membership_ends_on}
    at_the_desk.lends("Finca", paul)


def test_who_leaves_owing_is_blocked_until_it_is_settled_and_the_block_ends_by_itself(
    at_the_desk: Desk,
) -> None:
    household = register_the_family(at_the_desk)
    hugo, today = member("Hugo"), timezone.localdate()
    last_day = today + timedelta(days=14)
    at_the_desk.sends(
        f"/desk/members/{hugo.pk}/block/",
        **{"block-reason": "Pawn of Perch", "block-ends_on": last_day.isoformat()},
    )
    at_the_desk.sends(f"/desk/households/{household.pk}/leave/", who=hugo.pk)
    hugo.refresh_from_db()
    assert hugo.household is None
    assert at_the_desk.is_refused(hugo) == [RefusalCode.MEMBER_BLOCKED]
    Block.objects.update(starts_on=date(2020, 1, 1), ends_on=today - timedelta(days=1))
    at_the_desk.lends("Finca", hugo)


def vars_of(who: Member) -> dict[str, Any]:
    """All that is kept of a member, to change one thing of it."""
    kept = members.describe_member(who)
    return {name: getattr(kept, name) for name in members.MemberDraft.__dataclass_fields__}
