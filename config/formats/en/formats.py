"""Dates in English as they are read in Europe: the day first, the month as a word, the clock of 24 hours.

Django's own are American, and 11/12/2026 is another day there.
"""

DATE_FORMAT = "j F Y"
MONTH_DAY_FORMAT = "j F"
SHORT_DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
DATE_INPUT_FORMATS = ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y")
FIRST_DAY_OF_WEEK = 1
