"""The pages of labels: which boxes are found, what is said of a wrong scan, what the printer gets."""

from io import BytesIO
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from catalogue.labels import numbers
from catalogue.labels.pattern import Check, Pattern, Reading
from catalogue.models import Condition, GivenNumber
from tests.catalogue.labels import reading
from tests.make import NOON, make_copy, make_game, make_rules, make_user

pytestmark = pytest.mark.django_db
PAPER = {"sheet": "L7160", "start": "1", "offset_x": "0", "offset_y": "0"}


@pytest.fixture
def librarian(client: Client) -> Client:
    """A browser in which a librarian is signed in, in English."""
    client.force_login(make_user("librarian"))
    client.cookies["django_language"] = "en"
    return client


def send(client: Client, **values: Any) -> Any:
    return client.post(reverse("catalogue:labels"), PAPER | {"kind": "box", "which": "scanned"} | values)


def codes(response: Any) -> list[str]:
    """The barcodes on the sheets of an answer, in the order of their places."""
    assert response.status_code == 200
    assert response["Content-Type"] == "application/pdf"
    return sorted(code for image in reading.pages(response.content, 300) for code in reading.zxing(image))


def test_the_boxes_that_were_scanned_get_their_labels_each_once(librarian: Client) -> None:
    make_copy(barcode="01877")
    make_copy(barcode="01878")
    assert codes(send(librarian, codes="01877\r\n01878\r\n\r\n01877")) == ["01877", "01878"]


def test_codes_on_no_box_are_named_and_what_was_scanned_stays(librarian: Client) -> None:
    make_copy(barcode="01877")
    wrong = "0000011"
    assert numbers.pattern().read(wrong) == Reading.MISREAD
    response = send(librarian, codes=f"01877\n4711\n{wrong}")
    assert response.status_code == 422
    page = response.content.decode()
    assert "On no box: 4711" in page
    assert f"Read wrong, scan again: {wrong}" in page
    assert f"01877\n4711\n{wrong}" in page


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"codes": ""}, "Scan at least one box."),
        ({"which": "section"}, "Choose a section."),
        ({"which": "newer", "after": "nothing"}, "Scan a box that is in the catalogue."),
        ({"which": "waiting"}, "Every number that was given is on a box."),
        ({"which": "elsewhere"}, "Select a valid choice"),
        ({"sheet": "A4"}, "Select a valid choice"),
        ({"start": "22"}, "This paper has 21 labels."),
        ({"start": "0"}, "greater than or equal to 1"),
        ({"offset_x": "200"}, "less than or equal to 15"),
        ({"codes": "\0"}, "Null characters are not allowed."),
    ],
)
def test_what_cannot_be_printed_is_said_beside_its_field(
    librarian: Client, values: dict[str, str], words: str
) -> None:
    response = send(librarian, **values)
    assert response.status_code == 422
    assert words in response.content.decode()


def test_a_section_is_printed_without_boxes_that_are_gone(librarian: Client) -> None:
    copy = make_copy(barcode="01877", section="A 406")
    make_copy(barcode="01878", section="A 406", condition=Condition.WITHDRAWN)
    make_copy(barcode="01879", section="A 407")
    assert copy.section is not None
    assert codes(send(librarian, which="section", section=copy.section_id)) == ["01877"]


def test_boxes_catalogued_after_the_last_label_are_printed(librarian: Client) -> None:
    for barcode in ("9", "5", "7"):
        make_copy(barcode=f"0187{barcode}")
    assert codes(send(librarian, which="newer", after="01879")) == ["01875", "01877"]


def test_a_barcode_that_does_not_fit_is_named_with_the_remedy(librarian: Client) -> None:
    make_copy(barcode="A" * 60)
    response = send(librarian, codes="A" * 60)
    assert response.status_code == 422
    assert "does not fit on this label: choose a wider one." in response.content.decode()


def test_a_barcode_with_letters_no_scanner_knows_is_named(librarian: Client) -> None:
    make_copy(barcode="é-1")
    response = send(librarian, codes="é-1")
    assert response.status_code == 422
    assert "cannot be a barcode" in response.content.decode()


@pytest.mark.parametrize(
    ("titles", "printed"),
    [
        (("שלום וברכה 2", "Shalom"), "Shalom"),
        (("🎲🎲", "桌上遊戲", "Dés"), "Dés"),
        (("Été 🎲", "Summer"), "Été"),
        (("桌上遊戲",), "01877"),
    ],
)
def test_where_our_letters_lack_the_title_another_title_is_printed(
    librarian: Client, titles: tuple[str, ...], printed: str
) -> None:
    make_copy(make_game(titles[0], alternative_titles=titles[1:]), "01877")
    response = send(librarian, codes="01877")
    text = PdfReader(BytesIO(response.content)).pages[0].extract_text().split()
    assert {printed, "01877"} == set(text)


def test_the_code_of_the_rules_is_the_short_address(librarian: Client, settings: Any) -> None:
    settings.LIBRARY_ADDRESS = "https://ludo.example"
    game = make_game("Finca")
    errata = make_rules(game, "# Erreurs", kind="errata")
    text = make_rules(game, "# Règles")
    make_copy(game, "01877")
    make_copy(barcode="01878")
    response = send(librarian, kind="rules", codes="01877\n01878")
    (image,) = reading.pages(response.content, 300)
    assert reading.qr_codes(image) == [f"https://ludo.example/r/{text.pk}"]
    assert errata.pk != text.pk


def test_boxes_without_rules_give_no_empty_sheet(librarian: Client) -> None:
    make_copy(barcode="01877")
    response = send(librarian, kind="rules", codes="01877")
    assert response.status_code == 422
    assert "None of these games has rules here." in response.content.decode()


def test_a_sheet_that_was_begun_goes_on_where_it_stopped(librarian: Client) -> None:
    for barcode in ("01877", "01878"):
        make_copy(barcode=barcode)
    send(librarian, codes="01877\n01878", start="20", offset_x="1.5", sheet="L7160")
    form = librarian.get(reverse("catalogue:labels")).context["form"]
    assert form["start"].value() == "1"
    send(librarian, codes="01877\n01878", start="3")
    form = librarian.get(reverse("catalogue:labels")).context["form"]
    assert form["start"].value() == "5"


def test_the_test_page_asks_for_no_box(librarian: Client) -> None:
    response = send(librarian, grid="1", sheet="L7651")
    (image,) = reading.pages(response.content, 100)
    assert reading.ink(image) is not None


def test_the_page_of_a_copy_leads_to_its_label(librarian: Client) -> None:
    copy = make_copy(barcode="01 877&x")
    page = librarian.get(reverse("catalogue:copy-edit", args=[copy.pk])).content.decode()
    address = f"{reverse('catalogue:labels')}?codes=01%20877%26x"
    assert address in page
    assert librarian.get(address).context["form"]["codes"].value() == "01 877&x"


def test_new_numbers_are_given_and_printed_before_there_are_boxes(librarian: Client) -> None:
    response = librarian.post(reverse("catalogue:label-numbers"), {"count": "3"})
    assert response.status_code == 302
    given = [row.number for row in GivenNumber.objects.all()]
    assert len(given) == 3
    assert given[0] in str(next(iter(get_messages(response.wsgi_request))))
    assert given[2] in librarian.get(reverse("catalogue:label-numbers")).content.decode()
    assert codes(send(librarian, which="waiting")) == sorted(given)


def test_no_more_numbers_than_the_counter_holds(librarian: Client) -> None:
    numbers.set_pattern(Pattern("", 3, Check.DIGIT), 998)
    response = librarian.post(reverse("catalogue:label-numbers"), {"count": "5"})
    assert response.status_code == 409
    assert "Only 2 numbers are left" in response.content.decode()
    assert not GivenNumber.objects.exists()


def test_the_pattern_is_set_and_the_next_number_shows_it(librarian: Client) -> None:
    values = {"number_prefix": "lud", "digits": "5", "check_kind": "character", "next_counter": "1877"}
    assert librarian.post(reverse("catalogue:number-pattern"), values).status_code == 302
    (number,) = numbers.give(1, by=None, now=NOON)
    assert number == Pattern("LUD", 5, Check.CHARACTER).number(1877)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"number_prefix": "é"}, "number_prefix"),
        ({"number_prefix": "A-B"}, "number_prefix"),
        ({"number_prefix": "L", "check_kind": "digit"}, "check_kind"),
        ({"digits": "2"}, "digits"),
        ({"next_counter": "1000000"}, "next_counter"),
        ({"next_counter": "0"}, "next_counter"),
        ({"check_kind": "luck"}, "check_kind"),
        ({"number_prefix": "٣"}, "number_prefix"),
    ],
)
def test_a_bad_pattern_is_refused_beside_its_field(
    librarian: Client, values: dict[str, str], field: str
) -> None:
    good = {"number_prefix": "", "digits": "6", "check_kind": "digit", "next_counter": "1"}
    response = librarian.post(reverse("catalogue:number-pattern"), good | values)
    assert response.status_code == 422
    assert [*response.context["form"].errors] == [field]


@pytest.mark.parametrize("name", ["catalogue:labels", "catalogue:label-numbers", "catalogue:number-pattern"])
def test_who_only_lends_prints_no_labels(client: Client, name: str) -> None:
    client.force_login(make_user("desk"))
    assert client.get(reverse(name)).status_code == 403
