"""What surrounds every page: navigation by right, languages, signing in, errors."""

import re

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from config import urls
from tests.make import make_game, make_member, make_user

pytestmark = pytest.mark.django_db


def explode(request: HttpRequest) -> HttpResponse:
    """A view with a bug."""
    raise RuntimeError


urlpatterns = [path("explode/", explode), path("", include(urls))]


@pytest.fixture
def broken_site(settings: Settings) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


def read(client: Client, path: str = "/", language: str = "en") -> str:
    return client.get(path, headers={"accept-language": language}).content.decode()


def test_a_stranger_is_offered_games_and_signing_in(client: Client) -> None:
    html = read(client)
    assert "/accounts/login/" in html
    assert "/desk/" not in html
    assert "/catalogue/" not in html


@pytest.mark.parametrize(
    ("role", "seen", "unseen"),
    [
        ("", ["/desk/me/"], ['"/desk/"', '"/catalogue/"']),
        ("desk", ["/desk/me/", '"/desk/"'], ['"/catalogue/"']),
        ("librarian", ["/desk/me/", '"/desk/"', '"/catalogue/"'], []),
    ],
)
def test_the_navigation_shows_what_one_may_open(
    client: Client, role: str, seen: list[str], unseen: list[str]
) -> None:
    client.force_login(make_user(role))
    html = read(client)
    assert [link for link in seen if link not in html] == []
    assert [link for link in unseen if link in html] == []


@pytest.mark.parametrize(
    ("address", "tab"),
    [
        ("/?q=", "Games"),
        ("/games/{game}/", "Games"),
        ("/catalogue/", "Cataloguing"),
        ("/catalogue/games/{game}/", "Cataloguing"),
        ("/desk/", "Desk"),
        ("/desk/me/", "My loans"),
    ],
)
def test_one_tab_is_marked_as_the_one_that_is_open(client: Client, address: str, tab: str) -> None:
    client.force_login(make_user("librarian"))
    html = read(client, address.format(game=make_game().pk))
    navigation = html[html.index('class="site-nav__list"') : html.index("</nav>")]
    assert re.findall(r'aria-current="\w+">([^<]+)<', navigation) == [tab]


def test_the_language_of_the_page_follows_the_browser_and_then_the_choice(client: Client) -> None:
    assert '<html lang="de">' in read(client, language="de")
    client.post("/i18n/setlang/", {"language": "es", "next": "/?q=finca"})
    assert '<html lang="es">' in read(client, language="de")


def test_choosing_a_language_returns_to_the_same_page(client: Client) -> None:
    assert 'name="next" value="/?q=finca&amp;players=3"' in read(client, "/?q=finca&players=3")
    answer = client.post("/i18n/setlang/", {"language": "es", "next": "/?q=finca&players=3"})
    assert answer["Location"] == "/?q=finca&players=3"


def test_each_language_is_named_in_itself(client: Client) -> None:
    html = read(client)
    for name in ("français", "English", "español", "Deutsch"):
        assert name in html


def test_signing_in_and_out_leads_home(client: Client) -> None:
    user = make_user()
    answer = client.post("/accounts/login/", {"username": user.username, "password": "secret"})
    assert answer["Location"] == "/"
    assert client.post("/accounts/logout/")["Location"] == "/"


def sign_in(client: Client, language: str) -> None:
    user = make_user()
    make_member(language=language, user=user)
    client.post("/accounts/login/", {"username": user.username, "password": "secret"})


def test_after_signing_in_the_pages_speak_the_members_language(client: Client) -> None:
    sign_in(client, "es")
    assert '<html lang="es">' in read(client, language="de")


def test_a_language_chosen_in_this_browser_stands_above_the_members(client: Client) -> None:
    client.post("/i18n/setlang/", {"language": "fr", "next": "/"})
    sign_in(client, "es")
    assert '<html lang="fr">' in read(client, language="de")


def test_a_language_that_the_pages_do_not_speak_changes_nothing(client: Client) -> None:
    sign_in(client, "nl")
    assert '<html lang="de">' in read(client, language="de")


def test_a_wrong_password_is_said_without_saying_which_part_is_wrong(client: Client) -> None:
    answer = client.post(
        "/accounts/login/", {"username": "nobody", "password": "x"}, headers={"accept-language": "en"}
    )
    assert "do not belong together" in answer.content.decode()


def test_a_page_that_is_not_there_offers_a_search(client: Client) -> None:
    answer = client.get("/nowhere/", headers={"accept-language": "en"})
    assert answer.status_code == 404
    assert 'role="search"' in answer.content.decode()


def test_the_error_of_the_program_is_told_in_four_languages(broken_site: Client) -> None:
    answer = broken_site.get("/explode/")
    html = answer.content.decode()
    assert answer.status_code == 500
    assert [tag for tag in ("fr", "en", "es", "de") if f'lang="{tag}"' not in html] == []


def test_a_form_without_its_token_is_explained() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/i18n/setlang/", {"language": "es"}, headers={"accept-language": "en"})
    assert answer.status_code == 403
    assert "Please send it again" in answer.content.decode()


def test_every_page_has_a_skip_link_one_heading_and_its_landmarks(client: Client) -> None:
    for where in ("/", "/?q=x", "/accounts/login/", "/nowhere/"):
        html = read(client, where)
        assert html.count("<h1") == 1
        assert 'href="#main"' in html
        assert [mark for mark in ("<header", "<nav", "<main", "<footer") if mark not in html] == []
