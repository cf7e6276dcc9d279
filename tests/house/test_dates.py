"""Dates are written so that nobody in Europe reads another day."""

from datetime import UTC, date, datetime

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format

ELEVENTH_OF_DECEMBER = datetime(2026, 12, 11, 17, 30, tzinfo=UTC)


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("kind", ["DATE_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT"])
def test_the_day_stands_before_the_month_in_every_language(language: str, kind: str) -> None:
    with translation.override(language):
        written = date_format(ELEVENTH_OF_DECEMBER, kind)
        of_another_month = date_format(ELEVENTH_OF_DECEMBER.replace(month=3), kind)
    assert written.startswith("11")
    assert of_another_month.startswith("11")


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_the_clock_has_24_hours(language: str) -> None:
    with translation.override(language):
        assert "17:30" in date_format(ELEVENTH_OF_DECEMBER, "SHORT_DATETIME_FORMAT")


def test_an_english_month_is_a_word() -> None:
    with translation.override("en"):
        assert date_format(date(2026, 12, 11), "SHORT_DATE_FORMAT") == "11 Dec 2026"
