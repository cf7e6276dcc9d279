"""What the one box understands: cards, labels, product codes, names, and what cannot be read."""

from pathlib import Path

import pytest

from catalogue.barcodes import gs1_check_digit
from catalogue.models import Copy
from loans import scan
from loans.models import Member
from loans.scan import Found
from tests.make import make_copy, make_game, make_member

pytestmark = pytest.mark.django_db


def one(code: str) -> Member | Copy | Found:
    """The one thing that a code means, or why it means none."""
    found = scan.read(code)
    if found.found == Found.MEMBER:
        return found.members[0]
    return found.copies[0] if found.found == Found.COPY else found.found


@pytest.mark.parametrize(
    ("label", "scanned"),
    [
        ("91231", "91231"),
        ("91231", "  91231\r\n"),
        ("91231", "912 31"),
        ("91231", "*91231*"),
        ("91231", "A91231B"),
        ("91231", "a91231d"),
        ("91231", "\x0291231\x03"),
        ("33700003470461", "3370 0003 4704 61"),
        ("J146", "j146"),
        ("j146", "J146"),
        ("WBH-2841795", "WBH-2841795"),
        ("WBH-2841795", "wbh-2841795"),
        ("00023", "23"),
        ("01877", "1877"),
        ("1877", "001877"),
        ("90753", 'çàè("'),
        ("A123B", "A123B"),
    ],
)
def test_a_label_is_known_through_small_damage(label: str, scanned: str) -> None:
    copy = make_copy(barcode=label)
    assert one(scanned) == copy


def test_a_card_is_known_as_a_label_is() -> None:
    member = make_member(card_number="20000012")
    assert one("20000012") == one("*20000012*") == one("0020000012") == member


def test_leading_zeros_are_part_of_a_label_and_the_exact_one_wins() -> None:
    short, long = make_copy(barcode="1877"), make_copy(barcode="01877")
    assert (one("1877"), one("01877")) == (short, long)


def test_missing_zeros_that_could_stand_for_two_boxes_are_asked_about() -> None:
    copies = {make_copy(barcode="01877"), make_copy(barcode="001877")}
    found = scan.read("1877")
    assert found.found == Found.CHOICE
    assert set(found.copies) == copies


def test_a_card_and_a_box_of_the_same_number_are_asked_about() -> None:
    member, copy = make_member(card_number="123"), make_copy(barcode="123")
    found = scan.read("123")
    assert (found.found, found.members, found.copies) == (Found.CHOICE, (member,), (copy,))


@pytest.mark.parametrize("scanned", ["4005556234363", "4005 5562 3436 3", "04005556234363"[1:]])
def test_the_code_of_the_publisher_means_the_only_copy_of_the_game(scanned: str) -> None:
    copy = make_copy(make_game(identifiers=("4005556234363",)))
    assert one(scanned) == copy


def test_the_code_of_the_publisher_asks_which_of_several_copies() -> None:
    game = make_game(identifiers=("4005556234363",))
    copies = {make_copy(game), make_copy(game)}
    found = scan.read("4005556234363")
    assert found.found == Found.CHOICE
    assert set(found.copies) == copies


def test_the_code_of_a_game_without_a_copy_is_unknown_at_the_desk() -> None:
    make_game(identifiers=("4005556234363",))
    assert one("4005556234363") == Found.UNKNOWN


def test_a_product_code_printed_without_its_check_digit_is_found_with_and_without_it() -> None:
    copy = make_copy(make_game(identifiers=("68862310192",)))
    complete = "68862310192" + gs1_check_digit("68862310192")
    assert one("68862310192") == one(complete) == copy


def test_a_label_wins_over_the_same_digits_as_a_product_code() -> None:
    make_copy(make_game(identifiers=("4005556234363",)))
    labelled = make_copy(barcode="4005556234363")
    assert one("4005556234363") == labelled


@pytest.mark.parametrize("scanned", ["7.3433E+13", "3,37E+12", "3.37e12"])
def test_what_a_spreadsheet_rounded_is_said_to_be_damaged(scanned: str) -> None:
    assert one(scanned) == Found.DAMAGED


@pytest.mark.parametrize("scanned", ["", "   ", "\r\n", "\x00"])
def test_an_empty_scan_is_nothing(scanned: str) -> None:
    assert one(scanned) == Found.NOTHING_SCANNED


@pytest.mark.parametrize(
    "scanned", ["99999", "BGHAGRI", "0", "*", "-", "%", "' OR 1=1 --", "x" * 5000, "🎲", "\x00\x00a\x00"]
)
def test_anything_else_is_unknown_and_breaks_nothing(scanned: str) -> None:
    make_copy(barcode="91231")
    assert one(scanned) == Found.UNKNOWN


def test_a_typed_name_offers_the_members_and_never_opens_one() -> None:
    member = make_member("María José Núñez García")
    make_member("Camille Martin")
    found = scan.read("nunez maria")
    assert (found.found, found.members) == (Found.CHOICE, (member,))


def test_a_typed_title_offers_the_copies() -> None:
    copy = make_copy(make_game("+Les Pieds dans le Plat !"))
    found = scan.read("pieds plat")
    assert (found.found, found.copies) == (Found.CHOICE, (copy,))


def test_every_code_of_the_handed_list_is_found_as_it_is_printed(shared: Path) -> None:
    rows = (shared / "cases" / "barcodes.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for code in [row.split("\t")[0] for row in rows]:
        copy = make_copy(barcode=code)
        assert one(code) == one(f" {code.lower()} ") == copy
