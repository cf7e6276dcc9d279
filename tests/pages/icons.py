"""The icons of the web app, made from our mark: `python -m tests.pages.icons` after a change of the mark.

Phones take no SVG for their home screens. The repository keeps the pictures: a set-up needs no browser.
"""

from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.architecture.source import ROOT
from tests.pages.browser import ARGUMENTS, chromium_path

IMAGES = ROOT / "config" / "static" / "img"
ICONS = {
    "icon-192.png": ("mark.svg", 192),
    "icon-512.png": ("mark.svg", 512),
    "icon-180.png": ("mark-whole.svg", 180),
    "icon-maskable-512.png": ("mark-whole.svg", 512),
}


def drawn(browser: Browser, source: str, size: int) -> bytes:
    """The drawing as a PNG of `size` pixels a side, clear where nothing is drawn."""
    page = browser.new_page(viewport={"width": size, "height": size})
    svg = (IMAGES / source).read_text(encoding="utf-8")
    page.set_content(f"<style>body{{margin:0}}svg{{display:block;width:100vw;height:100vh}}</style>{svg}")
    picture = page.screenshot(omit_background=True)
    page.close()
    return picture


def make(folder: Path) -> None:
    """Draw all icons into a folder."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        for name, (source, size) in ICONS.items():
            (folder / name).write_bytes(drawn(browser, source, size))
        browser.close()


if __name__ == "__main__":
    make(IMAGES)
