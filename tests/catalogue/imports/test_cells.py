"""Values as toy libraries type them into tables."""

import pytest

from catalogue.imports import box_states, cells
from catalogue.imports.cells import Span

AGES = {
    "12-36mths": (12, 36), "1-5yrs": (12, 60), "3 years +": (36, None), "18 mths +": (18, None),
    "6 - 36 mths": (6, 36), "2-5 years": (24, 60), "36 mois": (36, None), "12 mois": (12, None),
    "8": (96, None), "ab 8": (96, None), "ab 8 Jahren": (96, None), "8+": (96, None), "4-99": (48, None),
    "de 3 à 6 ans": (36, 72), "18 months - 3 years": (18, 36), "2,5 ans": (30, None), "1½ - 3 ans": (18, 36),
    "bis 3 Jahre": (None, 36), "jusqu'à 3 ans": (None, 36), "dès 8 ans": (96, None), "De 0 a 3 años": (0, 36),
    "a partir de 18 meses": (18, None), "6 - 99 J.": (72, None), "Tout public": (None, None),
    "da 5 anni": (60, None), "3/6 ans": (36, 72),
}  # fmt: skip
PLAYERS = {
    "4-12": (4, 12), "2 à 4": (2, 4), "2 bis 4": (2, 4), "2–4": (2, 4), "2+": (2, None), "ab 2": (2, None),
    "1": (1, 1), "2-None": (2, None), "2, 3, 4": (2, 4), "2 ou 4": (2, 4), "2 - 4 joueurs": (2, 4),
    "1 ou plus": (1, None), "2-99": (2, None), "à partir de 2": (2, None), "6-2": (2, 6),
}  # fmt: skip
MINUTES = {
    "00:40": (40, 40), "01:30": (90, 90), "1:30:00": (90, 90), "45": (45, 45), "30-45": (30, 45),
    "30 à 45 min": (30, 45), "1 h 30": (90, 90), "1h30": (90, 90), "1h": (60, 60), "90 min": (90, 90),
    "1,5 h": (90, 90), "½ h": (30, 30), "2 Std.": (120, 120), "45'": (45, 45), "1-2 h": (60, 120),
    "45:00": (45, 45), "20+": (20, None), "60 - 90 Minuten": (60, 90), "env. 30 min": (30, 30),
}  # fmt: skip


@pytest.mark.parametrize(("typed", "span"), AGES.items())
def test_ages_in_months(typed: str, span: tuple[int | None, int | None]) -> None:
    assert cells.ages(typed) == Span(*span)


@pytest.mark.parametrize(("typed", "span"), PLAYERS.items())
def test_players(typed: str, span: tuple[int | None, int | None]) -> None:
    assert cells.players(typed) == Span(*span)


@pytest.mark.parametrize(("typed", "span"), MINUTES.items())
def test_minutes(typed: str, span: tuple[int | None, int | None]) -> None:
    assert cells.minutes(typed) == Span(*span)


@pytest.mark.parametrize("typed", ["", "rouge", "?"])
def test_what_is_no_number_is_nothing(typed: str) -> None:
    assert (cells.ages(typed), cells.players(typed), cells.minutes(typed)) == (None, None, None)


@pytest.mark.parametrize("typed", ["2024-04-02", "02.04.2024", "2/4/24", "4-févr.", "06. Mai", "12-Dez"])
def test_days_that_a_spreadsheet_made_of_spans(typed: str) -> None:
    assert cells.is_date_of_span(typed)


@pytest.mark.parametrize("typed", ["2-4", "2-None", "3 ans", "00:40", "12-36mths"])
def test_spans_are_no_days(typed: str) -> None:
    assert not cells.is_date_of_span(typed)


@pytest.mark.parametrize(
    ("typed", "tags", "unknown"),
    [
        ("FR/DE/IT/EN", ("fr", "de", "it", "en"), ()),
        ("français, allemand et anglais", ("fr", "de", "en"), ()),
        ("D/F/I", ("de", "fr", "it"), ()),
        ("D, F, E", ("de", "fr", "en"), ()),
        ("Deutsch; English", ("de", "en"), ()),
        ("inglés y francés", ("en", "fr"), ()),
        ("fre + dut", ("fr", "nl"), ()),
        ("multilingue", (), ()),
        ("klingonais", (), ("klingonais",)),
    ],
)
def test_several_languages_in_one_cell(typed: str, tags: tuple[str, ...], unknown: tuple[str, ...]) -> None:
    assert cells.languages(typed) == (tags, unknown)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("Pré, Ada", ["Ada Pré"]),
        ("Ada Pré, Bo Val", ["Ada Pré", "Bo Val"]),
        ("Pré, Ada; Val, Bo", ["Ada Pré", "Bo Val"]),
        ("Ada Pré & Bo Val", ["Ada Pré", "Bo Val"]),
        ("Ada Pré et Bo Val", ["Ada Pré", "Bo Val"]),
        ("(Uncredited)", []),
        ("Inconnu", []),
    ],
)
def test_people(typed: str, names: list[str]) -> None:
    assert [person.name for person in cells.people(typed, "070")] == names


def test_publishers_that_are_no_firm_are_left_out() -> None:
    typed = ["HABA", "Libellud / Asmodee", "Unknown", "Donated", "(Self-Published)", "-"]
    found = [[p.publisher for p in cells.publishers(one)] for one in typed]
    assert found == [["HABA"], ["Libellud", "Asmodee"], [], [], [], []]


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Âne gris (As d'Or 2017)", ("Âne gris", "As d'Or 2017")),
        ("Grauer Esel [Spiel des Jahres 1999]", ("Grauer Esel", "Spiel des Jahres 1999")),
        ("Âne gris (45 pcs.)", ("Âne gris (45 pcs.)", "")),
        ("(As d'Or 2017)", ("(As d'Or 2017)", "")),
    ],
)
def test_awards_are_split_off_a_title(title: str, parts: tuple[str, str]) -> None:
    assert cells.split_award(title) == parts


def test_one_category_written_in_two_ways_is_one() -> None:
    assert cells.categories(["REG. adresse", "Règ. adresse", "4 : Jeux; -"]) == ("REG. adresse", "4 : Jeux")


@pytest.mark.parametrize(
    ("word", "condition"),
    [
        ("In library", "in_service"),
        ("On loan (overdue)", "in_service"),
        ("Emprunté", "in_service"),
        ("ausgeliehen", "in_service"),
        ("Missing", "lost"),
        ("perdu", "lost"),
        ("Joined with another toy", "withdrawn"),
        ("Désactivé", "withdrawn"),
        ("Archived", "withdrawn"),
        ("Repair", "in_repair"),
        ("en réparation", "in_repair"),
        ("Undeployable", "not_for_loan"),
        ("incomplet", "incomplete"),
        ("B - Fair", None),
        ("Okinawa", None),
    ],
)
def test_words_for_the_state_of_a_box(word: str, condition: str | None) -> None:
    assert box_states.state(word) == condition
