"""The demo library: loaded once into an empty database, through the doors that everybody uses.

Games, rules and copies come from `fixtures/library` by the importer; members, policies, opening days and
loans by the lending desk's writers; four accounts show the four kinds of user.
"""

import csv
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction

from catalogue.draft import Report
from catalogue.imports.ingest import Options, import_files
from catalogue.models import Copy, Game
from loans import desk, members, memberships, openings, policies
from loans.households import HouseholdDraft, add_household
from loans.memberships import KindDraft
from loans.models import Member, MemberCategory, PolicyRule

FIXTURES = Path(settings.BASE_DIR, "fixtures")
PASSWORD = "ludotheca"  # noqa: S105 - printed at every start of a demo library
ACCOUNTS = {
    "member": "finds games and rules, sees and renews her own loans",
    "desk": "lends and takes back with the scanner",
    "librarian": "catalogues, and does all that the desk does",
    "manager": "waives refusals, has the administration, and does everything else",
}
OPEN_DAYS = (("FREQ=WEEKLY;BYDAY=WE", time(14), time(18)), ("FREQ=WEEKLY;BYDAY=SA", time(10), time(16)))

KINDS = (
    KindDraft(name="Carte famille", fee_cents=3000, months=12),
    KindDraft(name="Carte individuelle", fee_cents=1500, months=12, for_household=False),
    KindDraft(name="Carte école", fee_cents=6000, ends_month=8, ends_day=31),
)


def is_wanting() -> bool:
    """Whether nobody has begun to use this database, or a load has begun and not ended."""
    return _begun().exists() or not (
        Game.objects.exists() or Member.objects.exists() or User.objects.exists()
    )


def load(*, now: datetime) -> Report:
    """Fill an empty database with the demo library. A load that was killed is completed by the next."""
    _begun().touch()
    files = sorted(path for path in (FIXTURES / "library").rglob("*") if path.is_file())
    report = import_files(files, Options())
    with transaction.atomic():
        if not Member.objects.exists():
            _load_members(now.date())
            _load_accounts()
            _load_loans(now)
    _begun().unlink()
    return report


def present_accounts() -> list[tuple[str, str]]:
    """The demo accounts of this database that still have the demo password, with what each may do."""
    users = {user.username: user for user in User.objects.filter(username__in=ACCOUNTS)}
    return [
        (name, what)
        for name, what in ACCOUNTS.items()
        if name in users and users[name].check_password(PASSWORD)
    ]


def _begun() -> Path:
    return Path(settings.DATA_DIR, "demo-is-loading")


def _rows(name: str) -> list[dict[str, str]]:
    with (FIXTURES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _load_members(today: date) -> None:
    for rrule, opens_at, closes_at in OPEN_DAYS:
        openings.save_opening(
            None,
            openings.OpeningDraft(
                starts_on=today - timedelta(days=365), rrule=rrule, opens_at=opens_at, closes_at=closes_at
            ),
            today=today,
        )
    _load_policies()
    families = {row["name"]: add_household(HouseholdDraft(**row)) for row in _rows("households.csv")}
    for row in _rows("members.csv"):
        members.add_member(_member(row, today), families.get(row["household"]))


def _member(row: dict[str, str], today: date) -> members.MemberDraft:
    return members.MemberDraft(
        card_number=row["card_number"],
        first_name=row["first_name"],
        last_name=row["last_name"],
        email=row["email"],
        language=row["language"],
        category=MemberCategory.objects.filter(name=row["category"]).first(),
        birth_year=today.year - int(row["age"]) if row["age"] else None,
        hides_loans=row["hides_loans"] == "yes",
        conditions_signed_on=today - timedelta(days=90) if row["signed"] == "yes" else None,
        membership_ends_on=today + timedelta(days=int(row["membership_ends_in_days"])),
    )


def _load_policies() -> None:
    """What a small library might have set: schools apart, one limit a family, some games for longer."""
    schools, _volunteers = (members.save_category(None, name) for name in ("École", "Bénévole"))
    for kind in KINDS:
        memberships.save_kind(None, kind)
    for rule, value, school, class_prefix in (
        (PolicyRule.LOAN_DAYS, 21, False, ""),
        (PolicyRule.COUNTS_HOUSEHOLD, True, False, ""),
        (PolicyRule.CONDITIONS_REQUIRED, True, False, ""),
        (PolicyRule.LOAN_DAYS, 42, True, ""),
        (PolicyRule.MAX_LOANS, 15, True, ""),
        (PolicyRule.LOAN_DAYS, 28, False, "A 409"),
        (PolicyRule.MAX_OF_KIND, 3, False, "A 4"),
    ):
        row = policies.PolicyDraft(
            rule=rule,
            value=value,
            member_category=schools if school else None,
            class_prefix=class_prefix,
        )
        policies.save_policy(None, row)


def _load_accounts() -> None:
    for name in ACCOUNTS:
        staff = name == "manager"
        user = User.objects.create_user(name, password=PASSWORD, is_staff=staff, is_superuser=staff)
        if name != "member":
            user.groups.add(Group.objects.get(name=name))
    first = Member.objects.get(card_number=_rows("members.csv")[0]["card_number"])
    draft = replace(members.describe_member(first), user=User.objects.get(username="member"))
    members.update_member(first, draft)


def _load_loans(now: datetime) -> None:
    """Lend and take back in the order of time, each with the clock of its day."""
    steps: list[tuple[int, str, dict[str, str]]] = []
    volunteer = User.objects.get(username="desk")
    for row in _rows("loans.csv"):
        steps.append((int(row["lent_days_ago"]), "lend", row))
        if row["returned_days_ago"]:
            steps.append((int(row["returned_days_ago"]), "return", row))
    for days_ago, step, row in sorted(steps, key=lambda s: -s[0]):
        act = desk.Act(by=volunteer, now=now - timedelta(days=days_ago), scanned=row["barcode"])
        copy = Copy.objects.get(barcode=row["barcode"])
        if step == "lend":
            desk.lend(copy, Member.objects.get(card_number=row["card_number"]), act=act)
        else:
            desk.check_in(copy, act=act)
