"""Numbers for labels: what they look like, what a scanner may not get wrong, and that none is given twice."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import given
from hypothesis import strategies as st

from catalogue.labels import numbers
from catalogue.labels.pattern import CHARACTERS, Check, Pattern, Reading, check_character
from catalogue.models import Copy, GivenNumber
from tests.make import NOON, make_copy, make_game

PLAIN = Pattern("", 6, Check.DIGIT)
LETTERED = Pattern("LUD", 5, Check.CHARACTER)


def give(count: int = 1) -> tuple[str, ...]:
    return numbers.give(count, by=None, now=NOON)


@pytest.mark.parametrize(
    ("body", "check", "character"),
    [
        ("0794", Check.DIGIT, "5"),  # the example of ISO/IEC 7064
        ("A12425GABC1234002", Check.CHARACTER, "M"),  # a Global Release Identifier
        ("0794", Check.NONE, ""),
    ],
)
def test_check_characters_are_those_of_the_standard(body: str, check: Check, character: str) -> None:
    assert check_character(body, check) == character


@given(st.sampled_from([PLAIN, LETTERED]), st.integers(0, 99999), st.data())
def test_one_wrong_character_is_always_noticed(pattern: Pattern, counter: int, data: st.DataObject) -> None:
    number = pattern.number(counter)
    assert pattern.read(number) == Reading.OURS
    place = data.draw(st.integers(len(pattern.prefix), len(number) - 1))
    alphabet = CHARACTERS if place == len(number) - 1 and pattern is LETTERED else "0123456789"
    wrong = data.draw(st.sampled_from(alphabet.replace(number[place], "")))
    assert pattern.read(number[:place] + wrong + number[place + 1 :]) == Reading.MISREAD


@pytest.mark.parametrize(
    "code", ["", "01877", "LUD01877", "lud018770", "3760052141188", "LUD0187700", "٣٤٥٦٧٨٩"]
)
def test_what_has_another_shape_is_no_number_of_ours(code: str) -> None:
    assert LETTERED.read(code) == PLAIN.read(code) == Reading.FOREIGN


@pytest.mark.parametrize(
    ("prefix", "digits", "check"),
    [
        ("lud", 6, Check.NONE),
        ("É", 6, Check.NONE),
        ("L", 6, Check.DIGIT),
        ("", 2, Check.NONE),
        ("", 11, Check.NONE),
    ],
)
def test_a_pattern_that_misleads_scanners_cannot_be_made(prefix: str, digits: int, check: Check) -> None:
    with pytest.raises(ValueError, match=r"prefix|counter"):
        Pattern(prefix, digits, check)


@pytest.mark.django_db
def test_numbers_follow_one_another_and_each_is_given_once() -> None:
    first, second = give(3), give(2)
    counters = [int(number[:-1]) for number in (*first, *second)]
    assert counters == [1, 2, 3, 4, 5]
    assert all(PLAIN.read(number) == Reading.OURS for number in (*first, *second))


@pytest.mark.django_db
def test_a_number_that_a_box_carries_is_left_out() -> None:
    make_copy(barcode=PLAIN.number(2))
    assert [int(number[:-1]) for number in give(3)] == [1, 3, 4]


@pytest.mark.django_db
def test_a_number_stays_given_when_its_box_is_gone_and_the_counter_was_set_back() -> None:
    given_before = give(2)
    make_copy(barcode=given_before[0])
    Copy.objects.all().delete()
    numbers.set_pattern(LETTERED, 1)
    give(2)
    numbers.set_pattern(PLAIN, 1)
    assert not set(give(3)) & set(given_before)


@pytest.mark.django_db
def test_where_the_counter_is_used_up_no_number_is_given_and_none_is_lost() -> None:
    numbers.set_pattern(Pattern("L", 3, Check.NONE), 998)
    with pytest.raises(numbers.UsedUp) as stopped:
        give(3)
    assert stopped.value.left == 2
    assert give(2) == ("L998", "L999")


@pytest.mark.django_db
def test_numbers_wait_until_a_box_carries_them() -> None:
    first, second = give(2)
    make_copy(make_game(), first)
    assert [row.number for row in numbers.waiting()] == [second]


@pytest.mark.django_db
def test_the_table_itself_refuses_a_number_for_the_second_time() -> None:
    (number,) = give()
    with pytest.raises(IntegrityError), transaction.atomic():
        GivenNumber.objects.create(number=number, given_at=NOON)


@pytest.mark.django_db(transaction=True)
def test_of_several_who_ask_at_once_each_gets_numbers_of_their_own() -> None:
    def ask(_number: int) -> tuple[str, ...]:
        try:
            return give(25)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        given_numbers = [number for numbers_ in threads.map(ask, range(4)) for number in numbers_]
    assert len(set(given_numbers)) == 100
