"""Memberships: until when a sale reaches, whom it extends, and how it is taken back."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from loans import members, memberships
from loans.memberships import KindDraft
from loans.models import Member, Membership, MembershipKind
from tests.make import NOON, make_act, make_household, make_kind, make_member

pytestmark = pytest.mark.django_db
TODAY = date(2025, 3, 4)


def last_days() -> dict[str, date | None]:
    return dict(Member.objects.values_list("first_name", "membership_ends_on"))


@pytest.mark.parametrize(
    ("kind", "ends_on", "starts", "ends"),
    [
        ({"months": 12}, None, date(2025, 3, 4), date(2026, 3, 3)),
        ({"months": 12}, date(2025, 3, 3), date(2025, 3, 4), date(2026, 3, 3)),
        ({"months": 12}, date(2025, 3, 4), date(2025, 3, 5), date(2026, 3, 4)),
        ({"months": 12}, date(2025, 6, 30), date(2025, 7, 1), date(2026, 6, 30)),
        ({"months": 12}, date(2020, 6, 30), date(2025, 3, 4), date(2026, 3, 3)),
        ({"months": 1}, date(2025, 1, 30), date(2025, 3, 4), date(2025, 4, 3)),
        ({"ends_month": 8, "ends_day": 31}, None, date(2025, 3, 4), date(2025, 8, 31)),
        ({"ends_month": 3, "ends_day": 5}, None, date(2025, 3, 4), date(2025, 3, 5)),
        ({"ends_month": 3, "ends_day": 4}, None, date(2025, 3, 4), date(2026, 3, 4)),
        ({"ends_month": 8, "ends_day": 31}, date(2025, 8, 31), date(2025, 9, 1), date(2026, 8, 31)),
        ({"ends_month": 2, "ends_day": 29}, None, date(2025, 3, 4), date(2026, 2, 28)),
        ({"ends_month": 2, "ends_day": 29}, date(2027, 2, 28), date(2027, 3, 1), date(2028, 2, 29)),
    ],
)
def test_a_membership_is_rolling_or_ends_on_a_day_of_the_year(
    kind: dict[str, Any], ends_on: date | None, starts: date, ends: date
) -> None:
    assert memberships.days_of(MembershipKind(**kind), ends_on, TODAY) == (starts, ends)


def test_a_family_membership_extends_everybody_from_the_latest_last_day() -> None:
    martin = make_household("Martin")
    eva = make_member("Eva M", household=martin, membership_ends_on=date(2025, 6, 30))
    make_member("Tom M", household=martin, membership_ends_on=date(2024, 6, 30))
    make_member("Liam Roth", membership_ends_on=date(2024, 1, 1))
    sale = memberships.sell(make_kind(months=12, fee_cents=3000), eva, act=make_act())
    assert (sale.household, sale.fee_cents, sale.starts_on) == (martin, 3000, date(2025, 7, 1))
    assert last_days() == {"Eva": date(2026, 6, 30), "Tom": date(2026, 6, 30), "Liam": date(2024, 1, 1)}


def test_a_membership_of_one_leaves_the_others_alone() -> None:
    martin = make_household("Martin")
    eva = make_member("Eva M", household=martin)
    make_member("Tom M", household=martin)
    sale = memberships.sell(make_kind(for_household=False), eva, act=make_act())
    assert sale.household is None
    assert last_days() == {"Eva": date(2026, 3, 3), "Tom": None}


def test_the_same_click_sent_twice_is_one_sale() -> None:
    member, kind = make_member(), make_kind()
    first = memberships.sell(kind, member, act=make_act(nonce="n1"))
    second = memberships.sell(kind, member, act=make_act(nonce="n1", now=NOON + timedelta(days=1)))
    assert first == second
    assert Membership.objects.count() == 1


def test_a_sale_taken_back_gives_everybody_the_day_from_before() -> None:
    martin = make_household("Martin")
    eva = make_member("Eva M", household=martin, membership_ends_on=date(2025, 6, 30))
    make_member("Tom M", household=martin)
    sale = memberships.sell(make_kind(), eva, act=make_act())
    memberships.take_back(sale, act=make_act())
    assert last_days() == {"Eva": date(2025, 6, 30), "Tom": None}
    assert Membership.objects.get().cancelled_at == NOON
    with pytest.raises(memberships.SoldSince):
        memberships.take_back(sale, act=make_act())


def test_a_sale_that_another_has_built_on_stays() -> None:
    member, kind = make_member("Eva M"), make_kind()
    first = memberships.sell(kind, member, act=make_act())
    memberships.sell(kind, member, act=make_act())
    with pytest.raises(memberships.SoldSince):
        memberships.take_back(first, act=make_act())
    assert last_days() == {"Eva": date(2027, 3, 3)}


def test_what_is_off_sale_is_not_offered_and_what_was_sold_is_not_removed() -> None:
    member, kind = make_member(), make_kind("Family")
    memberships.sell(kind, member, act=make_act())
    with pytest.raises(members.InUse):
        memberships.delete_kind(kind)
    memberships.save_kind(kind, KindDraft(name="Family", months=12, on_sale=False))
    assert memberships.offers(member, TODAY) == ()


@pytest.mark.parametrize(
    "draft",
    [
        {"name": ""},
        {"months": None},
        {"months": 12, "ends_month": 8, "ends_day": 31},
        {"months": None, "ends_month": 8},
        {"months": None, "ends_month": 2, "ends_day": 30},
        {"months": None, "ends_month": 13, "ends_day": 1},
        {"fee_cents": -1},
    ],
    ids=str,
)
def test_a_kind_is_rolling_or_fixed_and_never_both(draft: dict[str, Any]) -> None:
    values: dict[str, Any] = {"name": "Family", "months": 12} | draft
    with pytest.raises(ValueError, match=r"\w"):
        memberships.save_kind(None, KindDraft(**values))


def test_the_schema_refuses_a_kind_that_is_neither() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        MembershipKind.objects.create(name="Neither")
