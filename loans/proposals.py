"""Holidays that a library may want to close on: proposed, never entered by themselves.

Public holidays of a country or canton, school holidays of the French zones, and what the calendar file
(iCalendar, RFC 5545) of a canton or an académie says: no package that is kept holds the school holidays of
Switzerland. All is in the packages or in the file; nothing is fetched. Pure: no database, no clock.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache

import holidays
from icalendar import Calendar as ICalendar
from icalendar import Event
from icalendar.error import BrokenCalendarProperty
from vacances_scolaires_france import SchoolHolidayDates

DAY = timedelta(days=1)
LARGEST = 1024 * 1024
MOST_EVENTS = 2000
MOST_PARTS = 3 * MOST_EVENTS
"""Events, their alarms and the clocks of places: more takes minutes to read, and is no list of holidays."""
LONGEST_SPAN = timedelta(days=120)
"""An event of a calendar file that is longer is a school year, and no holiday."""

CANTONS = (
    ("AG", "Aargau"),
    ("AI", "Appenzell Innerrhoden"),
    ("AR", "Appenzell Ausserrhoden"),
    ("BE", "Bern / Berne"),
    ("BL", "Basel-Landschaft"),
    ("BS", "Basel-Stadt"),
    ("FR", "Fribourg / Freiburg"),
    ("GE", "Genève"),
    ("GL", "Glarus"),
    ("GR", "Graubünden / Grigioni"),
    ("JU", "Jura"),
    ("LU", "Luzern"),
    ("NE", "Neuchâtel"),
    ("NW", "Nidwalden"),
    ("OW", "Obwalden"),
    ("SG", "St. Gallen"),
    ("SH", "Schaffhausen"),
    ("SO", "Solothurn"),
    ("SZ", "Schwyz"),
    ("TG", "Thurgau"),
    ("TI", "Ticino"),
    ("UR", "Uri"),
    ("VD", "Vaud"),
    ("VS", "Valais / Wallis"),
    ("ZG", "Zug"),
    ("ZH", "Zürich"),
)
REGIONS = {
    "FR": "France",
    "FR-6AE": "France – Alsace",
    "FR-57": "France – Moselle",
    **{f"CH-{code}": f"Suisse – {name}" for code, name in CANTONS},
    "BE": "Belgique / België",
    "LU": "Luxembourg",
}
"""Where the public holidays are known, by ISO 3166 code."""

SCHOOL_ZONES = ("A", "B", "C")
"""The zones of the French school holidays (since 2016)."""


class NotACalendar(ValueError):
    """The file is no calendar file that can be read, or is too large."""


@dataclass(frozen=True, slots=True, order=True)
class Holiday:
    """Days in a row, first and last included, and what they are called."""

    first_on: date
    last_on: date
    name: str


def public_holidays(region: str, first_on: date, last_on: date, language: str) -> tuple[Holiday, ...]:
    """The public holidays of a region (a key of REGIONS), named in the language where that is known."""
    country, _, part = region.partition("-")
    spoken = holidays.country_holidays(country, subdiv=part or None).supported_languages
    named = holidays.country_holidays(
        country,
        subdiv=part or None,
        years=range(first_on.year, last_on.year + 1),
        language=next((tag for tag in spoken if tag[:2] == language[:2]), None),
    )
    return tuple(Holiday(day, day, name) for day, name in sorted(named.items()) if first_on <= day <= last_on)


def school_holidays(zone: str, first_on: date, last_on: date) -> tuple[Holiday, ...]:
    """The French school holidays of a zone that are not over by `first_on` and have begun by `last_on`."""
    return tuple(
        holiday for holiday in _of_zone(zone) if holiday.last_on >= first_on and holiday.first_on <= last_on
    )


@lru_cache(maxsize=len(SCHOOL_ZONES))
def _of_zone(zone: str) -> tuple[Holiday, ...]:
    # The package's own questions go through all its days for every year asked about.
    column = f"vacances_zone_{zone.lower()}"
    days = {day: row["nom_vacances"] for day, row in SchoolHolidayDates().data.items() if row[column]}
    return tuple(_in_a_row(sorted(days.items())))


def _in_a_row(days: Iterable[tuple[date, str]]) -> Iterator[Holiday]:
    """Days of one name, one after the other, as one holiday."""
    begun: Holiday | None = None
    for day, name in days:
        if begun and begun.name == name and begun.last_on + DAY == day:
            begun = Holiday(begun.first_on, day, name)
            continue
        if begun:
            yield begun
        begun = Holiday(day, day, name)
    if begun:
        yield begun


# --- calendar files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CalendarFile:
    """The holidays of a calendar file, and how many of its entries could not be taken as such."""

    holidays: tuple[Holiday, ...]
    left_out: int


def read_calendar_file(content: bytes, first_on: date) -> CalendarFile:
    """The entries of an .ics file that are not over by `first_on`. Raises NotACalendar.

    An entry that repeats, has no day, or lasts longer than any holiday is left out and counted.
    """
    if len(content) > LARGEST or content.upper().count(b"BEGIN:") > MOST_PARTS:
        raise NotACalendar("too large")
    try:
        events = [event for whole in ICalendar.from_ical(content, multiple=True) for event in whole.events]
    except (ValueError, KeyError, IndexError, AttributeError, TypeError) as error:
        # What its parser raises depends on where a broken file broke.
        raise NotACalendar("not a calendar") from error
    if not events or len(events) > MOST_EVENTS:
        raise NotACalendar("no events, or too many")
    found = [_holiday(event) for event in events]
    ahead = {holiday for holiday in found if holiday and holiday.last_on >= first_on}
    return CalendarFile(tuple(sorted(ahead)), found.count(None))


def _holiday(event: Event) -> Holiday | None:
    try:
        begin, end = _moment(event, "DTSTART"), _moment(event, "DTEND")
    except BrokenCalendarProperty:
        return None
    if begin is None or "RRULE" in event:
        return None
    first = begin.date() if isinstance(begin, datetime) else begin
    last = _last_day(first, end)
    if not first <= last <= first + LONGEST_SPAN:
        return None
    return Holiday(first, last, " ".join(str(event.get("SUMMARY", "")).split())[:200])


def _moment(event: Event, name: str) -> date | None:
    value = getattr(event.get(name), "dt", None)
    return value if isinstance(value, date) else None


def _last_day(first: date, end: date | None) -> date:
    """The end of an event is the first moment that is no longer part of it."""
    if end is None:
        return first
    if not isinstance(end, datetime):
        return max(first, end - DAY)
    return max(first, end.date() - DAY) if end.time() == time.min else end.date()
