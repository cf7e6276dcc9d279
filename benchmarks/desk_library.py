"""A made-up library of any size for `benchmarks.desk`, written by the database itself: row by row is slow.

One row of each table is made by the program's own writers, and copied with what must differ: so a new column
has the value that the program gives it. The same on SQLite and PostgreSQL.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models, transaction
from django.utils import timezone

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft
from catalogue.models import Change, Copy, Game
from loans import desk, members
from loans.models import DeskEvent, Loan, Member

COPIES_PER_GAME = 5
OUT_OF_HUNDRED = 8
"""Of a hundred copies so many are on loan."""

BACK_AFTER, SPREAD_DAYS = timedelta(days=14), 1500


@dataclass(frozen=True, slots=True)
class Size:
    """How much of each there is."""

    copies: int
    members: int
    past_loans: int


def fill(size: Size) -> None:
    """Fill an empty, migrated database."""
    ContentType.objects.clear_cache()
    game = records.create_game(GameDraft(title="Game 0"))
    copy = records.add_copy(game, CopyDraft(barcode="B0"))
    volunteer = User.objects.create_user("bench")
    volunteer.groups.add(Group.objects.get(name="desk"))
    member = members.add_member(members.MemberDraft(card_number="M0", last_name="Member 0"))
    act = desk.Act(by=volunteer, now=timezone.now() - timedelta(days=SPREAD_DAYS + 60))
    lent = desk.lend(copy, member, act=act)
    back = desk.check_in(copy, act=desk.Act(by=volunteer, now=act.now + BACK_AFTER))
    with transaction.atomic():
        games = _grow(game, size.copies // COPIES_PER_GAME, title=_text("Game "), revision="1")
        copies = _grow(copy, size.copies, barcode=_text("B"), game_id=_one_of(games))
        people = _grow(member, size.members, card_number=_text("M"), name_key=_text("member "))
        loans = _grow_loans(lent.loan, size, copies, people)
        if loans:
            _grow_events(lent.event, loans, copies, people)
            _grow_events(back.event, loans, copies, people)
        _grow_open(lent.loan, size, copies, people)
        Change.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows with ids in one run."""

    first: int
    count: int


def _grow(template: models.Model, count: int, **values: str) -> Rows:
    """Copy one row `count` times; `values` are SQL expressions in which `i` runs from 1."""
    table = template._meta.db_table
    columns = [str(f.column) for f in template._meta.concrete_fields if not f.primary_key]
    chosen = ", ".join(values.get(column, f't."{column}"') for column in columns)
    listed = ", ".join(f'"{column}"' for column in columns)
    numbers = f"numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {count})"  # noqa: S608
    select = f'SELECT {chosen} FROM "{table}" t, numbers WHERE t.id = %s'  # noqa: S608 - our own names
    if count:
        with connection.cursor() as cursor:
            cursor.execute(
                f'INSERT INTO "{table}" ({listed}) WITH RECURSIVE {numbers} {select}', [template.pk]
            )
    last = type(template)._default_manager.order_by("-pk")[0].pk
    return Rows(last - count + 1, count)


def _grow_loans(loan: Loan, size: Size, copies: Rows, people: Rows) -> Rows:
    return _grow(
        loan,
        size.past_loans,
        copy_id=_one_of(copies),
        member_id=_one_of(people),
        lent_at=_later("lent_at", "t.lent_at"),
        lent_on=_later("lent_on", "t.lent_on"),
        due_on=_later("lent_on", "t.due_on"),
        returned_at=_later("lent_at", "t.returned_at"),
    )


def _grow_events(event: DeskEvent, loans: Rows, copies: Rows, people: Rows) -> None:
    _grow(
        event,
        loans.count,
        loan_id=f"{loans.first} + i - 1",
        copy_id=_one_of(copies),
        member_id=_one_of(people),
        at=_later("lent_at", "t.at"),
    )


def _grow_open(loan: Loan, size: Size, copies: Rows, people: Rows) -> None:
    """Open loans, lent two weeks ago and due in a week: renewing them gains time."""
    lent = timezone.now() - BACK_AFTER
    _grow(
        loan,
        size.copies * OUT_OF_HUNDRED // 100,
        copy_id=f"{copies.first} + i * {100 // OUT_OF_HUNDRED} - 1",
        member_id=_one_of(people),
        lent_at=_literal(f"{lent:%Y-%m-%d %H:%M:%S}", "TIMESTAMPTZ"),
        lent_on=_literal(f"{lent:%Y-%m-%d}", "DATE"),
        due_on=_literal(f"{lent + timedelta(days=21):%Y-%m-%d}", "DATE"),
        returned_at="NULL",
    )


def _text(prefix: str) -> str:
    return f"'{prefix}' || i"


def _one_of(rows: Rows) -> str:
    return f"{rows.first} + (i %% {rows.count})"


def _literal(moment: str, kind: str) -> str:
    return f"'{moment}'" if connection.vendor == "sqlite" else f"{kind} '{moment}'"


def _later(kind: str, column: str) -> str:
    """The template's moment and a number of days that differs from row to row."""
    days = f"(i %% {SPREAD_DAYS})"
    if connection.vendor != "sqlite":
        return f"{column} + {days}" if kind.endswith("_on") else f"{column} + {days} * INTERVAL '1 day'"
    function = "date" if kind.endswith("_on") else "datetime"
    return f"{function}({column}, '+' || {days} || ' days')"


def boxes(*, on_loan: bool, count: int) -> list[str]:
    """Barcodes of copies that are, or are not, on loan now."""
    out = Loan.objects.filter(returned_at=None).values("copy_id")
    copies = Copy.objects.filter(pk__in=out) if on_loan else Copy.objects.exclude(pk__in=out)
    return list(copies.order_by("-pk").values_list("barcode", flat=True)[:count])


def open_loans(count: int) -> list[int]:
    """Row ids of loans that can be renewed."""
    return list(Loan.objects.filter(returned_at=None).order_by("pk").values_list("pk", flat=True)[:count])


def cards(count: int) -> list[str]:
    """Card numbers of members without open loans too many: the last ones."""
    return list(Member.objects.order_by("-pk").values_list("card_number", flat=True)[:count])


def counts() -> dict[str, int]:
    """What the library holds."""
    return {
        "games": Game.objects.count(),
        "copies": Copy.objects.count(),
        "members": Member.objects.count(),
        "loans": Loan.objects.count(),
    }
