"""A browser to open reports in."""

from __future__ import annotations

import importlib.util
import shutil
import time

import pytest

__all__ = ["browser", "is_installed", "open_page", "wait_until"]

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def is_installed():
    return shutil.which("chromium") is not None and importlib.util.find_spec("playwright") is not None


@pytest.fixture(scope="session")
def browser():
    """Chromium; skips where it or playwright is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    executable = shutil.which("chromium")
    if executable is None:
        pytest.skip("chromium is not installed")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """A function that opens the text of a page; the test fails at a message, an error, a dialog or a request."""
    opened = []
    incidents = []

    def open_text(text, *, anchor="", **options):
        file = tmp_path / f"{len(opened)}.html"
        file.write_text(text, encoding="utf-8")
        page = browser.new_page(**{"viewport": {"width": 1400, "height": 900}, **options})
        page.on("console", lambda message: incidents.append(message.text))
        page.on("pageerror", lambda error: incidents.append(str(error)))
        page.on("dialog", lambda dialog: (incidents.append(dialog.message), dialog.dismiss()))
        address = file.as_uri()
        page.on("request", lambda sent: sent.url.startswith(address) or incidents.append(sent.url))
        page.goto(address + anchor)
        opened.append(page)
        return page

    yield open_text
    for page in opened:
        page.close()
    assert incidents == []


def wait_until(is_true, seconds=60):
    """`wait_for_function` evaluates a string in the page, which its security policy forbids."""
    end = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < end
        time.sleep(0.02)
