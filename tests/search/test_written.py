"""Words written down with their places say what the dictionary said."""

import pytest

from search.written import Written

PLACES = {"ane": [0, 12, 7], "an": [3], "players 2": [4, 5], "é+": [99]}


def test_what_was_written_is_read() -> None:
    written = Written(Written.of(PLACES).text)
    assert dict(written) == PLACES
    assert [len(written), len(Written.of({}))] == [4, 0]


@pytest.mark.parametrize("absent", ["a", "ne", "ane\t0", "0", "", "2", "players"])
def test_a_part_of_a_word_is_no_word(absent: str) -> None:
    written = Written.of(PLACES)
    assert absent not in written
    assert written.get(absent, ()) == ()
    with pytest.raises(KeyError):
        written[absent]
