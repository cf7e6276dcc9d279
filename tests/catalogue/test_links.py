"""Expansions and their base games on the staff's pages; kits are tested at the desk, where they are made."""

import pytest
from django.test import Client

from catalogue import links
from catalogue.models import Game
from tests.make import make_copy, make_game, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def librarian(client: Client) -> Client:
    client.force_login(make_user("librarian"))
    return client


@pytest.fixture
def expansion() -> Game:
    return make_game("Finca: El Razul")


@pytest.mark.parametrize("typed", ["91300", "finca grande", "4010168202327"])
def test_a_base_game_is_named_by_label_title_or_product_code(
    librarian: Client, expansion: Game, typed: str
) -> None:
    base = make_game("Finca Grande", identifiers=("4010168202327",))
    make_copy(base, barcode="91300")
    page = librarian.post(f"/catalogue/games/{expansion.pk}/bases/add/", {"base": typed}, follow=True)
    assert links.base_games(expansion) == (base,)
    assert "Finca Grande" in page.content.decode()


@pytest.mark.parametrize("typed", ["finca", "nothing", ""])
def test_a_base_game_that_is_not_one_alone_is_not_guessed(
    librarian: Client, expansion: Game, typed: str
) -> None:
    make_game("Finca")
    make_game("La Finca")
    page = librarian.post(f"/catalogue/games/{expansion.pk}/bases/add/", {"base": typed}, follow=True)
    assert links.base_games(expansion) == ()
    assert "notice--stop" in page.content.decode()


def test_a_base_game_is_taken_off_again(librarian: Client, expansion: Game) -> None:
    base = make_game("Finca")
    assert links.link_expansion(expansion, base)
    assert not links.link_expansion(expansion, base)
    librarian.post(f"/catalogue/games/{expansion.pk}/bases/{base.pk}/remove/")
    assert links.base_games(expansion) == ()


def test_a_game_is_no_expansion_of_itself(expansion: Game) -> None:
    with pytest.raises(ValueError, match="itself"):
        links.link_expansion(expansion, expansion)


def test_the_desk_alone_may_not_link_games(client: Client, expansion: Game) -> None:
    client.force_login(make_user("desk"))
    assert client.post(f"/catalogue/games/{expansion.pk}/bases/add/", {"base": "x"}).status_code == 403
