"""The only writer of label numbers: the pattern of the library, and the next free numbers.

A number is given once: not to a second label, and not where a box carries it already, however it came there.
Two librarians who ask at once wait for each other; the table's unique numbers stand behind that.
"""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from catalogue.labels.pattern import Check, Pattern
from catalogue.models import Copy, GivenNumber, NumberPattern

AT_FIRST = Pattern(prefix="", digits=6, check=Check.DIGIT)
MOST_AT_ONCE = 1000
ONE_ROW = 1


class UsedUp(Exception):
    """The counter has no room for so many numbers; `left` is how many there still are."""

    def __init__(self, left: int) -> None:
        super().__init__(f"{left} numbers are left")
        self.left = left


def pattern() -> Pattern:
    """What the library's numbers look like."""
    return _pattern(_row())


def next_counter() -> int:
    """The counter that is tried next."""
    return _row().next_counter


@transaction.atomic
def set_pattern(new: Pattern, next_counter: int) -> None:
    """From now on numbers are made by `new`, counting from `next_counter`."""
    row = _locked()
    row.prefix, row.digits, row.check_kind = new.prefix, new.digits, new.check.value
    row.next_counter = next_counter
    row.save()


@transaction.atomic
def give(count: int, *, by: User | None, now: datetime) -> tuple[str, ...]:
    """The next `count` free numbers, never to be given again. Raises UsedUp, and then gives none."""
    if not 1 <= count <= MOST_AT_ONCE:
        raise ValueError(f"Between 1 and {MOST_AT_ONCE} numbers are given at once.")
    row = _locked()
    made = _pattern(row)
    found: list[str] = []
    while len(found) < count and row.next_counter <= made.last:
        stop = min(row.next_counter + count - len(found), made.last + 1)
        tried = [made.number(counter) for counter in range(row.next_counter, stop)]
        taken = _taken(tried)
        found += [number for number in tried if number not in taken]
        row.next_counter = stop
    if len(found) < count:
        raise UsedUp(len(found))
    GivenNumber.objects.bulk_create(GivenNumber(number=n, given_at=now, given_by=by) for n in found)
    row.save()
    return tuple(found)


def waiting() -> QuerySet[GivenNumber]:
    """Numbers that were given and are on no box yet, in the order of giving."""
    return GivenNumber.objects.exclude(number__in=Copy.objects.values("barcode"))


def _taken(numbers: Collection[str]) -> set[str]:
    on_boxes = Copy.objects.filter(barcode__in=numbers).values_list("barcode", flat=True)
    given = GivenNumber.objects.filter(number__in=numbers).values_list("number", flat=True)
    return {*on_boxes, *given}


def _pattern(row: NumberPattern) -> Pattern:
    return Pattern(row.prefix, row.digits, Check(row.check_kind))


def _row() -> NumberPattern:
    return NumberPattern.objects.filter(pk=ONE_ROW).first() or NumberPattern(**_first_values())


def _locked() -> NumberPattern:
    NumberPattern.objects.get_or_create(pk=ONE_ROW, defaults=_first_values())
    return NumberPattern.objects.select_for_update().get(pk=ONE_ROW)


def _first_values() -> dict[str, object]:
    return {
        "prefix": AT_FIRST.prefix,
        "digits": AT_FIRST.digits,
        "check_kind": AT_FIRST.check.value,
        "next_counter": 1,
    }
