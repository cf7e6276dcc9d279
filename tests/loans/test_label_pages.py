"""What lending prints on labels: the contents of a box for its lid, and the cards of members."""

from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from catalogue import components
from tests.catalogue.labels import reading
from tests.make import make_category, make_copy, make_game, make_member, make_user

pytestmark = pytest.mark.django_db
PAPER = {"sheet": "C32011", "start": "1", "offset_x": "0", "offset_y": "0"}


@pytest.fixture
def manager(client: Client) -> Client:
    """A browser in which somebody who registers members is signed in, in English."""
    client.force_login(make_user("manager"))
    client.cookies["django_language"] = "en"
    return client


def send(client: Client, **values: Any) -> Any:
    return client.post(reverse("loans:member-cards"), PAPER | {"whose": "listed"} | values)


def codes(response: Any) -> list[str]:
    assert response["Content-Type"] == "application/pdf"
    return sorted(code for image in reading.pages(response.content, 300) for code in reading.zxing(image))


def text(response: Any) -> str:
    pages = PdfReader(BytesIO(response.content)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def test_cards_carry_name_and_number(manager: Client) -> None:
    make_member("Camille Núñez", "30000012")
    make_member("Юлия Groß", "30000013")
    response = send(manager, codes="30000012\n30000013\n30000012")
    assert codes(response) == ["30000012", "30000013"]
    assert "Camille Núñez" in text(response)
    assert "Юлия Groß" in text(response)


def test_cards_of_a_category_and_of_those_who_came_later(manager: Client) -> None:
    school = make_category()
    make_member("École Pasteur", "30000012", category=school)
    make_member("Camille Martin", "30000013")
    assert codes(send(manager, whose="category", category=school.pk)) == ["30000012"]
    assert codes(send(manager, whose="newer", after="30000012")) == ["30000013"]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"codes": "4711"}, "On no member: 4711"),
        ({"codes": ""}, "Type or scan at least one card."),
        ({"whose": "category"}, "Choose a category."),
        ({"whose": "newer", "after": "4711"}, "Scan the card of a member."),
        ({"whose": "somebody"}, "Select a valid choice"),
        ({"codes": "4711", "start": "11"}, "This paper has 10 labels."),
    ],
)
def test_what_cannot_be_printed_is_said(manager: Client, values: dict[str, str], words: str) -> None:
    response = send(manager, **values)
    assert response.status_code == 422
    assert words in response.content.decode()


def test_the_page_of_a_member_leads_to_the_card(manager: Client) -> None:
    member = make_member("Camille Martin", "30000012")
    address = f"{reverse('loans:member-cards')}?codes=30000012"
    assert address in manager.get(reverse("loans:member", args=[member.pk])).content.decode()
    assert manager.get(address).context["form"]["codes"].value() == "30000012"


def test_the_test_page_of_cards_asks_for_no_member(manager: Client) -> None:
    assert send(manager, grid="1")["Content-Type"] == "application/pdf"


def test_who_catalogues_alone_prints_no_cards(client: Client) -> None:
    client.force_login(make_user())
    assert client.get(reverse("loans:member-cards")).status_code == 403


def test_the_contents_on_paper_are_those_of_the_page(manager: Client) -> None:
    copy = make_copy(
        make_game("Finca", contents="108 fruits en bois, 42 tuiles fruits, 1 plan de jeu"), "01877"
    )
    names = [one.component.name for one in components.expected_in(copy)]
    address = reverse("loans:contents-label", args=[copy.pk])
    page = manager.get(address).content.decode()
    printed = text(manager.post(address, PAPER | {"sheet": "L7173"}))
    assert len(names) == 3
    for words in (*names, "Finca", "01877", "108", "42"):
        assert words in page
        assert words in printed


def test_a_paper_that_has_no_such_label_is_refused(manager: Client) -> None:
    address = reverse("loans:contents-label", args=[make_copy().pk])
    response = manager.post(address, PAPER | {"start": "11"})
    assert response.status_code == 422
    assert "This paper has 10 labels." in response.content.decode()
