"""Holidays that are proposed: what the packages know, and what a calendar file says."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loans import proposals
from loans.proposals import Holiday, NotACalendar

YEAR = date(2027, 1, 1), date(2027, 12, 31)


def test_public_holidays_of_a_canton_are_named_in_the_readers_language() -> None:
    found = proposals.public_holidays("CH-GE", *YEAR, language="fr")
    assert Holiday(date(2027, 9, 9), date(2027, 9, 9), "Jeûne genevois") in found
    assert Holiday(date(2027, 8, 1), date(2027, 8, 1), "Fête nationale") in found
    german = proposals.public_holidays("CH-ZH", *YEAR, language="de")
    assert "Karfreitag" in [holiday.name for holiday in german]


@pytest.mark.parametrize("region", proposals.REGIONS)
def test_every_region_that_is_offered_is_known_for_years_to_come(region: str) -> None:
    for year in (2026, 2027, 2035):
        found = proposals.public_holidays(region, date(year, 1, 1), date(year, 12, 31), "es")
        assert date(year, 1, 1) in [holiday.first_on for holiday in found]
        assert len(found) >= 5


def test_good_friday_is_a_holiday_in_alsace_and_not_in_the_rest_of_france() -> None:
    def good_friday(region: str) -> bool:
        return date(2027, 3, 26) in [
            holiday.first_on for holiday in proposals.public_holidays(region, *YEAR, "fr")
        ]

    assert good_friday("FR-6AE")
    assert not good_friday("FR")


@pytest.mark.parametrize("zone", proposals.SCHOOL_ZONES)
def test_french_school_holidays_are_spans_of_days_known_for_the_next_school_year(zone: str) -> None:
    found = proposals.school_holidays(zone, date(2026, 12, 1), date(2027, 9, 1))
    assert [holiday.name for holiday in found] == [
        "Vacances de Noël",
        "Vacances d'hiver",
        "Vacances de printemps",
        "Pont de l'Ascension",
        "Vacances d'été",
    ]
    christmas = found[0]
    assert (christmas.first_on.year, christmas.last_on.year) == (2026, 2027)
    assert proposals.school_holidays(zone, date(2027, 8, 31), date.max), "a newer package knows more"


def calendar_file(*events: str) -> bytes:
    """An .ics file of these events."""
    begin = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//x//\n"
    parts = [f"BEGIN:VEVENT\nUID:{number}\n{text}\nEND:VEVENT\n" for number, text in enumerate(events)]
    return (begin + "".join(parts) + "END:VCALENDAR\n").replace("\n", "\r\n").encode()


AUTUMN = "DTSTART;VALUE=DATE:20271016\nDTEND;VALUE=DATE:20271025\nSUMMARY:Vacances d'automne"


def test_the_school_holidays_of_a_canton_come_from_its_calendar_file() -> None:
    """The end of an all-day entry is the day after its last."""
    content = calendar_file(
        AUTUMN,
        "DTSTART;VALUE=DATE:20271224\nSUMMARY:Veille de Noël",
        "DTSTART:20280101T000000Z\nDTEND:20280103T000000Z\nSUMMARY:Nouvel An",
        "DTSTART;VALUE=DATE:20200101\nDTEND;VALUE=DATE:20200106\nSUMMARY:Long ago",
        "DTSTART;VALUE=DATE:20270823\nDTEND;VALUE=DATE:20280701\nSUMMARY:School year",
        "DTSTART;VALUE=DATE:20270801\nRRULE:FREQ=YEARLY\nSUMMARY:Repeats",
        "SUMMARY:On no day",
    )
    assert proposals.read_calendar_file(content, date(2027, 1, 1)) == proposals.CalendarFile(
        (
            Holiday(date(2027, 10, 16), date(2027, 10, 24), "Vacances d'automne"),
            Holiday(date(2027, 12, 24), date(2027, 12, 24), "Veille de Noël"),
            Holiday(date(2028, 1, 1), date(2028, 1, 2), "Nouvel An"),
        ),
        left_out=3,
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x89PNG\r\n\x1a\n\x00\x00",
        b"<html><body>Not found</body></html>",
        b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n",
        b"BEGIN:VEVENT\r\nDTSTART:20270101\r\nEND:VEVENT\r\n",
        calendar_file(AUTUMN)[:60],
        b"BEGIN:VCALENDAR\r\n" + b"X" * proposals.LARGEST,
    ],
)
def test_a_file_that_is_no_calendar_is_refused(content: bytes) -> None:
    with pytest.raises(NotACalendar):
        proposals.read_calendar_file(content, date(2027, 1, 1))


@given(st.binary(max_size=400), st.integers(0, 150))
def test_any_file_is_read_or_refused(noise: bytes, place: int) -> None:
    good = calendar_file(AUTUMN)
    for content in (noise, good[:place] + noise + good[place:]):
        try:
            read = proposals.read_calendar_file(content, date(2027, 1, 1))
        except NotACalendar:
            continue
        assert all(holiday.first_on <= holiday.last_on for holiday in read.holidays)
