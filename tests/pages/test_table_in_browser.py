"""At the table with a phone: the code on the box, the offline file, the app without network, the print."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from catalogue.models import Game
from tests.make import make_game, make_rules, make_user
from tests.pages.browser import PHONE, grave_violations, overflow_px
from tests.pages.icons import ICONS, IMAGES, drawn
from tests.pages.library import indexed_finca

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
app = pytest.mark.parametrize("window", [{"service_workers": "allow"}], indirect=True)
KEPT_AT_LAST = """async (path) => {
  const isKept = async () => {
    for (const name of await caches.keys())
      if (name.startsWith("kept-") && (await (await caches.open(name)).match(path, { ignoreVary: true })))
        return true;
    return false;
  };
  while (!await isKept()) await new Promise((again) => setTimeout(again, 20));
}"""
READY = "navigator.serviceWorker.ready.then(() => true)"
RENEWED_AT_LAST = """async () => {
  const isOld = async () => (await caches.keys()).some((name) => name.endsWith("-old"));
  while (await isOld()) await new Promise((again) => setTimeout(again, 20));
}"""
ALL_KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys())
      found[new URL(request.url).pathname] = await (await cache.match(request)).text();
  }
  return found;
}"""
EVERY_WINDOW = [
    {},
    {"color_scheme": "dark"},
    {"viewport": PHONE},
    {"viewport": PHONE, "color_scheme": "dark"},
]


def open_and_keep(page: Page, path: str, *more: str) -> None:
    """Open a page, and wait until the app has kept it."""
    page.goto(path)
    for each in (path, *more):
        page.evaluate(KEPT_AT_LAST, each)


def kept(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(ALL_KEPT)
    return {path: body for path, body in found.items() if not path.startswith("/static/")}


# --- the code on the box -----------------------------------------------------------------------


@pytest.mark.parametrize("window", [{"viewport": PHONE, "locale": "es-ES"}], indirect=True)
def test_the_code_on_the_box_opens_the_rules_with_the_question_box_in_sight(page: Page) -> None:
    game = indexed_finca()
    page.goto(f"/r/{game.rules_texts.get(language='fr').pk}")
    expect(page).to_have_url(f"{page.url.split('/rules')[0]}/rules/{game.rules_texts.get(language='es').pk}/")
    box = page.locator("#find-in-rules")
    expect(box).to_be_in_viewport()
    box.fill("casa")
    box.press("Enter")
    assert f"game={game.pk}" in page.url


def test_a_pinned_place_is_one_tap_away(page: Page) -> None:
    game = indexed_finca()
    page.goto(f"/games/{game.pk}/")
    page.get_by_role("navigation", name="Straight to").get_by_role("link", name="End of the game").click()
    expect(page.locator("#fin-de-la-partida")).to_be_in_viewport()


def test_a_number_of_players_leads_to_its_very_line(page: Page) -> None:
    lines = "\n".join(f"- {n} joueurs : {n + 3} pions chacun." for n in (2, 3, 4))
    filler = "\n\n".join(["Une longue règle."] * 60)
    text = make_rules(make_game(), f"## Mise en place\n\n{filler}\n\n{lines}\n\n## Suite\n\n{filler}")
    page.goto(f"/rules/{text.pk}/")
    page.get_by_role("link", name="3 players").click()
    expect(page.get_by_text("3 joueurs : 6 pions chacun.")).to_be_in_viewport()


# --- the offline file --------------------------------------------------------------------------


@pytest.fixture
def file(chromium: Browser, page: Page, tmp_path: Path) -> Iterator[Page]:
    """The offline file of Finca, saved and opened from the disk."""
    game = indexed_finca()
    page.goto(f"/games/{game.pk}/")
    with page.expect_download() as download:
        page.get_by_role("link", name="in one file").click()
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    page.goto("about:blank")
    assert saved.name == "finca.html"
    tab = chromium.new_page(viewport={"width": PHONE["width"], "height": PHONE["height"]}, locale="en-GB")
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: asked.append(str(error)))
    tab.goto(saved.as_uri())
    yield tab
    assert asked == [saved.as_uri()]
    tab.close()


ANSWERS = {
    "egalite": "Égalité",
    "ÉGALITÉS": "Égalité",
    "que se passe-t-il en cas d’égalité ?": "Égalité",
    "what if there is a tie": "Égalité",
    "egaltié": "Égalité",
    "madera": "Fin de la partida",
    "derniere maison": "Fin de la partie",
    "recolt": "But du jeu",
    "wann endet das Spiel": "Fin de la partida",
}


def test_the_file_answers_without_network(file: Page) -> None:
    """Without accents, in capitals, as a whole question, in another language, mistyped, half typed."""
    for question, heading in ANSWERS.items():
        file.get_by_label("Find in these rules").fill(question)
        expect(file.locator(".hit h3").first).to_have_text(heading)
        expect(file.locator(".hit mark").first).to_be_visible()
    file.get_by_label("Find in these rules").fill("zzzqqq")
    expect(file.get_by_role("status")).to_contain_text("Nothing in these rules")


def test_a_found_passage_leads_to_its_place_and_the_way_back_to_the_answers(file: Page) -> None:
    file.get_by_label("Find in these rules").fill("egalite")
    hit = file.locator(".hit").first
    expect(hit).to_contain_text("celui qui garde le plus de fruits")
    hit.get_by_role("link").click()
    expect(file.locator("article[lang=fr] h5, article[lang=fr] h4").last).to_be_in_viewport()
    file.go_back()
    expect(file.locator(".hit").first).to_contain_text("celui qui garde le plus de fruits")


def test_the_file_reads_without_script(chromium: Browser, page: Page, tmp_path: Path) -> None:
    game = indexed_finca()
    saved = tmp_path / "finca.html"
    answer = page.request.get(f"/games/{game.pk}/rules.html", headers={"accept-language": "en"})
    saved.write_bytes(answer.body())
    context = chromium.new_context(java_script_enabled=False, locale="en-GB")
    tab = context.new_page()
    tab.goto(saved.as_uri())
    expect(tab.get_by_role("search")).to_be_hidden()
    tab.locator("details", has_text="Égalité").locator("summary").click()
    tab.get_by_role("link", name="Égalité").click()
    expect(tab.get_by_text("celui qui garde le plus de fruits")).to_be_in_viewport()
    context.close()


# --- the app -----------------------------------------------------------------------------------


@app
def test_a_game_that_was_open_opens_again_without_network(page: Page) -> None:
    game = indexed_finca()
    text = game.rules_texts.get(language="fr")
    bundle = f"/games/{game.pk}/rules.html"
    open_and_keep(page, f"/games/{game.pk}/", bundle)
    open_and_keep(page, f"/rules/{text.pk}/")
    page.context.set_offline(True)
    page.goto(f"/rules/{text.pk}/")
    expect(page.get_by_text("celui qui garde le plus de fruits")).to_be_visible()
    expect(page.get_by_text("No connection: this page is shown as this device kept it")).to_be_visible()
    page.goto(f"/games/{game.pk}/")
    expect(page.get_by_role("heading", name="Finca")).to_be_visible()
    page.goto(f"/r/{text.pk}")
    expect(page.get_by_text("celui qui garde le plus de fruits")).to_be_visible()


@app
def test_a_page_that_is_there_carries_no_note_of_being_kept(page: Page) -> None:
    game = indexed_finca()
    open_and_keep(page, f"/games/{game.pk}/")
    page.reload()
    expect(page.locator("#kept-note")).to_be_hidden()


@app
def test_without_network_the_kept_games_are_listed_and_asked(page: Page) -> None:
    game = indexed_finca()
    open_and_keep(page, f"/games/{game.pk}/", f"/games/{game.pk}/rules.html")
    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_role("heading", name="No connection to the library")).to_be_visible()
    expect(page.get_by_role("link", name="Finca")).to_have_attribute("href", f"/games/{game.pk}/rules.html")
    page.get_by_role("searchbox").fill("egalite")
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator(".passage").first).to_contain_text("celui qui garde le plus de fruits")
    assert grave_violations(page) == []
    page.locator(".passage").first.get_by_role("link").click()
    expect(page.get_by_text("celui qui garde le plus de fruits").last).to_be_in_viewport()


@app
def test_without_network_and_without_kept_games_it_says_so(page: Page) -> None:
    page.goto("/")
    page.evaluate(READY)
    page.context.set_offline(True)
    page.goto("/?q=finca")
    expect(page.get_by_text("Nothing yet. Open a game")).to_be_visible()


@app
def test_nothing_of_a_member_or_of_the_staff_is_kept_on_a_shared_device(page: Page) -> None:
    game = indexed_finca()
    make_user("librarian", "margaux")
    page.goto(f"/accounts/login/?next=/games/{game.pk}/")
    page.get_by_label("Username").fill("margaux")
    page.get_by_label("Password").fill("secret")
    page.keyboard.press("Enter")
    expect(page.get_by_text("margaux")).to_be_visible()
    bundle = f"/games/{game.pk}/rules.html"
    open_and_keep(page, f"/games/{game.pk}/", bundle)
    for path in ("/desk/", "/desk/me/", "/catalogue/", f"/catalogue/games/{game.pk}/", "/api/games/"):
        page.goto(path)
    page.goto("/desk/me/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()
    found = kept(page)
    # In the place of the desk an empty one, which names it as the address of its scans.
    empty_desk = found.pop("/desk/offline/")
    assert "margaux" not in empty_desk
    assert "Sign out" not in empty_desk
    assert sorted(found) == sorted([f"/games/{game.pk}/", bundle, "/offline/"])
    private = [
        path for path, body in found.items() if "margaux" in body or "Sign out" in body or "/desk/" in body
    ]
    assert private == []
    page.context.set_offline(True)
    page.goto(f"/games/{game.pk}/")
    expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_visible()


@app
def test_only_the_games_opened_last_are_kept(page: Page) -> None:
    games = [game_with_rules(f"Jeu {number}") for number in range(14)]
    page.goto("/")
    for game in games:
        page.evaluate(
            """async (path) => {
              const { active } = await navigator.serviceWorker.ready;
              const worker = navigator.serviceWorker;
              const done = new Promise((told) => worker.addEventListener("message", told, { once: true }));
              active.postMessage({ paths: [path], language: "en" });
              await done;
            }""",
            f"/games/{game.pk}/rules.html",
        )
    bundles = [path for path in kept(page) if path.endswith("/rules.html")]
    assert bundles == [f"/games/{game.pk}/rules.html" for game in games[2:]]


@app
def test_what_an_older_release_kept_is_renewed_and_its_caches_go(page: Page) -> None:
    game = indexed_finca()
    page.goto("/static/img/mark.svg")
    page.evaluate(
        """async (path) => {
          const stale = new Response("stale", { headers: { "Content-Language": "es" } });
          await (await caches.open("kept-old")).put(path, stale);
          await caches.open("static-old");
        }""",
        f"/games/{game.pk}/",
    )
    page.goto("/accounts/login/")
    page.evaluate(RENEWED_AT_LAST)
    assert '<html lang="es"' in kept(page)[f"/games/{game.pk}/"]


def game_with_rules(title: str) -> Game:
    game = make_game(title)
    make_rules(game, "## Fin\n\nAprès six tours.")
    return game


def test_the_icons_are_drawn_from_our_mark(chromium: Browser) -> None:
    """After a change of the mark: `python -m tests.pages.icons`."""
    page = chromium.new_page()
    for name, (source, size) in ICONS.items():
        made = drawn(chromium, source, size)
        assert difference(page, (IMAGES / name).read_bytes(), made) < 2, name
    page.close()


def difference(page: Page, one: bytes, other: bytes) -> float:
    """Mean difference of two pictures, 0 to 255; anti-aliasing differs between releases of the browser."""
    value: float = page.evaluate(
        """async (pictures) => {
          const [one, other] = await Promise.all(pictures.map(async (bytes) => {
            const image = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
            const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
            canvas.drawImage(image, 0, 0);
            return canvas.getImageData(0, 0, image.width, image.height).data;
          }));
          if (one.length !== other.length) return 256;
          return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]), 0) / one.length;
        }""",
        [list(one), list(other)],
    )
    return value


# --- printing, labels, and how it all looks ----------------------------------------------------


def test_the_printed_page_has_the_rules_their_source_and_the_way_to_todays_text(page: Page) -> None:
    text = indexed_finca().rules_texts.get(language="fr")
    page.goto(f"/rules/{text.pk}/")
    page.emulate_media(media="print")
    for gone in (".site-header", ".site-footer", ".rules-aside", ".pinned"):
        expect(page.locator(gone)).to_be_hidden()
    foot = page.locator(".print-foot")
    expect(foot).to_be_visible()
    for said in ("Version 1 of", "CC0-1.0", "Filosofia", f"/r/{text.pk}"):
        expect(foot).to_contain_text(said)
    assert page.locator(".print-foot img").evaluate("image => image.complete && image.naturalWidth > 0")
    assert page.locator(".rules-text").evaluate("text => getComputedStyle(text).columnCount") == "2"


def test_the_print_button_prints(page: Page) -> None:
    text = indexed_finca().rules_texts.get(language="fr")
    page.goto(f"/rules/{text.pk}/")
    page.evaluate("window.print = () => { window.hasPrinted = true }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.hasPrinted")


@pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
def test_without_script_there_is_no_dead_print_button(page: Page) -> None:
    text = indexed_finca().rules_texts.get(language="fr")
    page.goto(f"/rules/{text.pk}/")
    expect(page.get_by_role("button", name="Print")).to_have_count(0)
    page.get_by_text("QR code", exact=True).click()
    expect(page.get_by_role("img", name="QR code of")).to_be_visible()


@pytest.mark.parametrize("window", EVERY_WINDOW, indirect=True)
def test_the_pages_for_the_table_have_no_grave_barrier_and_fit(page: Page) -> None:
    game = indexed_finca()
    text = game.rules_texts.get(language="fr")
    found = []
    for path in (f"/r/{text.pk}/label/", "/offline/", f"/games/{game.pk}/rules.html", f"/rules/{text.pk}/"):
        page.goto(path)
        found += [f"{path} {violation}" for violation in grave_violations(page)]
        found += [f"{path} is too wide"] if overflow_px(page) > 0 else []
    assert found == []
