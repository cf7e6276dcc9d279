"""A real Chromium for tests: loaded as a plugin by the root conftest, so that every package may use it.

`page` is a fresh window without cookies and without service worker; it fails the test when the page raised a
script error or asked another host for anything. The pages come from pytest-django's `live_server`.
"""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, sync_playwright

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
NARROWEST = {"width": 320, "height": 640}
GRAVE = {"serious", "critical"}
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """BROWSER=0 leaves the browser tests out, visibly; without it they fail where there is no Chromium."""
    if os.environ.get("BROWSER", "1") != "0":
        return
    driven = [item for item in items if item.get_closest_marker("browser")]
    config.hook.pytest_deselected(items=driven)
    items[:] = [item for item in items if item not in driven]


def chromium_path() -> str | None:
    """The Chromium of this machine; None leaves the choice to Playwright."""
    named = filter(None, map(shutil.which, ("chromium", "google-chrome")))
    return os.environ.get("CHROMIUM") or next(named, None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for the whole run."""
    # Playwright's own event loop runs in this thread, which Django would take for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def window(request: pytest.FixtureRequest) -> dict[str, Any]:
    """How the window of `page` is made; a test changes it by `@pytest.mark.parametrize("window", ...)`."""
    return getattr(request, "param", {})


@pytest.fixture
def page(chromium: Browser, live_server: Any, window: dict[str, Any]) -> Iterator[Page]:
    """A window on the live server, in English, without cookies."""
    settings = {"locale": "en-GB", "service_workers": "block"} | window
    context = chromium.new_context(base_url=live_server.url, **settings)
    context.set_default_timeout(10_000)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("request", lambda asked: wrong.extend(_foreign(asked, live_server.url)))
    yield tab
    context.close()
    assert wrong == []


def _foreign(asked: Request, own: str) -> list[str]:
    return [] if asked.url.startswith((own, "data:", "about:", "blob:")) else [f"asked {asked.url}"]


def grave_violations(page: Page) -> list[str]:
    """What axe-core finds serious or critical on the page, one line a node."""
    found = Axe().run(page, options=WCAG).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for rule in found
        if rule["impact"] in GRAVE
        for node in rule["nodes"]
    ]


def overflow_px(page: Page) -> int:
    """By how much the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
