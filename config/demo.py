"""The demo library: loaded once into an empty database, through the doors that everybody uses.

Games, rules and copies come from `fixtures/library` by the importer; members, opening days and loans by
the lending desk's writers; four accounts show the four kinds of user.
"""

import csv
from datetime import date, datetime, time, timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone

from catalogue.draft import Report
from catalogue.imports.ingest import Options, import_files
from catalogue.models import Branch, Copy, Game
from loans import desk, members
from loans.models import Member

LIBRARY = settings.BASE_DIR / "fixtures" / "library"
PASSWORD = "ludotheca"  # noqa: S105 - printed at every start of a demo library
ACCOUNTS = ("member", "desk", "librarian", "manager")


def is_empty() -> bool:
    """Whether nobody has begun to use this database."""
    return not (Game.objects.exists() or Member.objects.exists() or User.objects.exists())


def load(*, now: datetime) -> Report:
    """Fill an empty database with the demo library. Safe to repeat after a crash in the middle."""
    report = import_files(sorted(LIBRARY.rglob("*.*"), key=_records_first), Options())
    with transaction.atomic():
        _load_accounts()
        _load_members(now.date())
        _load_opening_days(now.date())
        _load_loans(now)
    return report


def _records_first(path: Path) -> tuple[bool, str]:
    return (not path.name.startswith("records"), str(path))


def present_accounts() -> list[tuple[str, str]]:
    """The demo accounts of this database that still have the demo password, with what each may do."""
    what = {
        "member": "finds games and rules, sees and renews her own loans",
        "desk": "lends and takes back with the scanner",
        "librarian": "catalogues, and everything of the desk",
        "manager": "waives refusals, administration, and everything else",
    }
    users = {u.username: u for u in User.objects.filter(username__in=ACCOUNTS)}
    return [
        (name, what[name]) for name in ACCOUNTS if name in users and users[name].check_password(PASSWORD)
    ]
