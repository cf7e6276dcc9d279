"""The box of filters holds what is in it: at every width, in every language of the interface."""

import pytest
from playwright.sync_api import Page

from tests.make import make_game
from tests.pages.library import finca

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
# What stands out of the box, or whose words stand out of itself or over its neighbour.
STICKING_OUT = """() => {
  const box = document.querySelector(".filters__fields").getBoundingClientRect();
  const parts = [...document.querySelectorAll(".filters__fields :is(label, input, select, button)")];
  const shapes = parts.filter((part) => part.offsetWidth).map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    const own = part.getBoundingClientRect();
    const words = part.matches("label") ? range.getBoundingClientRect() : own;
    return { name: part.id || part.textContent, own, words };
  });
  const cross = (a, b, from, to) => a[from] < b[to] - 1 && b[from] < a[to] - 1;
  const meets = (a, b) => cross(a, b, "left", "right") && cross(a, b, "top", "bottom");
  return shapes.filter(({ own, words }) =>
    words.right > box.right || words.right > own.right + 1 || words.left < box.left
    || shapes.some((other) => other.own !== own && meets(words, other.words))
  ).map(({ name, own, words }) => `${name} ${words.left}-${words.right}, box ${box.left}-${box.right}`);
}"""


@pytest.mark.parametrize("language", ["fr", "en", "es", "de"])
@pytest.mark.parametrize("letters", ["100%", "200%"])
def test_no_filter_stands_out_of_its_box_at_any_width(page: Page, language: str, letters: str) -> None:
    finca()
    make_game(
        "Halma", categories=("A 406 Jeu de stratégie pour toute la famille et pour les grands groupes",)
    )
    page.set_extra_http_headers({"accept-language": language})
    page.goto("/?q=&players=3")
    page.evaluate("letters => { document.documentElement.style.fontSize = letters }", letters)
    for width in (320, 390, 600, 768, 900, 1024, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(STICKING_OUT) == [], width
