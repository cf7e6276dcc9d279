"""Commands as barcodes: understood on whatever keyboard the scanner believes it types."""

import pytest

from loans import commands, steps
from loans.commands import Command


@pytest.mark.parametrize(
    "typed", ["LDT-UNDO", "ldt-undo", "*LDT-UNDO*", "LDT)UNDO", "LDTßUNDO", " LDT UNDO "]
)
def test_a_command_is_known_on_other_keyboards(typed: str) -> None:
    assert commands.read(typed) is Command.UNDO


@pytest.mark.parametrize(
    "typed", ["UNDO", "LDT", "LDT-", "LDT-NOTHING", "91300", "", "the undo of the old LDT"]
)
def test_what_is_no_command_is_left_to_the_search(typed: str) -> None:
    assert commands.read(typed) is None


def test_no_command_uses_a_letter_that_stands_elsewhere_on_another_keyboard() -> None:
    assert not set("AMQWYZ") & set("".join(command.code for command in Command))


def test_every_command_has_its_words_and_is_obeyed() -> None:
    assert set(commands.WORDS) == set(Command)
    assert set(steps.OBEYED) <= set(Command)


def test_the_barcode_is_black_on_white_and_carries_no_style_of_its_own() -> None:
    svg = commands.code128_svg("LDT-UNDO")
    assert svg.startswith("<svg")
    # Eleven characters with start, check and stop, of three bars each; the stop has one more; the ground.
    assert svg.count("<rect") == 11 * 3 + 1 + 1
    assert "style=" not in svg
