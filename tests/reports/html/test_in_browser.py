"""Reports in a browser: no message, dialog or request (the fixture fails at any), and usable by everyone."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest

from assay.reports.html.page import Report, page
from tests.security.hostile import STRINGS
from tests.security.results import FIELDS, carrier
from tests.store.examples import example

pytestmark = pytest.mark.slow
VERBS = ("score", "compare", "rank ratings", "meta", "robustness top", "robustness subsamples")
CONTRAST = 4.5  # of text, by WCAG 2 AA


@cache
def report():
    return page(Report(tuple(map(example, VERBS)), ("assay score --ref ref.de new.de",), title="A report"))


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_fit_their_width(open_page, width, theme):
    shown = open_page(report(), viewport={"width": width, "height": 900}, color_scheme=theme)
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    visible = shown.evaluate("[...document.querySelectorAll('.wide')].map(e => e.offsetParent !== null)")
    assert visible
    assert all(each == (width > 900) for each in visible)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_have_contrast(open_page, theme):
    shown = open_page(report(), color_scheme=theme)
    poor = shown.evaluate(
        """limit => {
          const parts = c => (c.match(/[\\d.]+/g) || []).map(Number);
          const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
          const light = c => parts(c).slice(0, 3).map(v => linear(v / 255))
            .reduce((sum, v, k) => sum + v * [.2126, .7152, .0722][k], 0);
          const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
            if (parts(c)[3] !== 0) return c; } return 'rgb(255,255,255)'; };
          const found = new Set();
          for (const e of document.querySelectorAll('main *, nav *')) {
            if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.offsetParent) continue;
            if (e.closest('svg')) continue;
            const [x, y] = [light(getComputedStyle(e).color), light(ground(e))];
            const ratio = (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
            if (ratio < limit) found.add(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
          }
          return [...found];
        }""",
        CONTRAST,
    )
    assert poor == []


def test_the_theme_can_be_switched(open_page):
    shown = open_page(report(), color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    before = shown.evaluate(ground)
    shown.get_by_role("button", name="Switch between light and dark").click()
    assert shown.evaluate(ground) != before
    assert shown.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_keyboard_reaches_everything(open_page):
    shown = open_page(report())
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.className") == "skip"
    shown.keyboard.press("Enter")
    assert shown.evaluate("location.hash") == "#content"
    unlabelled = (
        "[...document.querySelectorAll('button, input, select, [tabindex=\"0\"]')].filter(e => e.offsetParent && "
    )
    unlabelled += "!(e.textContent.trim() || e.ariaLabel || e.labels?.length)).map(e => e.outerHTML.slice(0, 80))"
    assert shown.evaluate(unlabelled) == []


def test_tables_are_sorted_by_their_headings(open_page):
    shown = open_page(report())
    table = shown.locator("#scores table.sortable")
    button = table.get_by_role("button").nth(1)
    for direction in ("descending", "ascending"):
        button.click()
        assert table.locator(f"[aria-sort={direction}]").count() == 1
    values = table.evaluate("t => [...t.tBodies[0].rows].map(row => Number(row.cells[2].dataset.order))")
    assert values == sorted(values)
    assert "lowest first" in shown.locator("#status").text_content()


def test_a_matrix_is_chosen(open_page):
    shown = open_page(report())
    choices = shown.locator("#pairs [data-panels] label")
    choices.nth(1).click()
    assert shown.locator("#pairs table.matrix").nth(1).is_visible()
    assert not shown.locator("#pairs table.matrix").nth(0).is_visible()


def test_copying(open_page):
    shown = open_page(report())
    shown.locator("[data-copy=command]").click()
    shown.wait_for_function("document.getElementById('status').textContent !== ''")
    assert shown.locator("#status").text_content() in ("Copied.", "Selected. Press Control and C to copy.")


def test_a_figure_is_saved_in_the_colours_that_are_shown(open_page):
    shown = open_page(report(), color_scheme="dark")
    with shown.expect_download() as download:
        shown.locator("figure[data-name] .save").first.click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert download.value.suggested_filename.endswith("-1.svg")
    assert text.startswith("<svg xmlns=")
    assert "var(" not in text
    assert "#a3adb7" in text


def test_without_a_script_all_panels_are_shown(browser):
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.set_content(report())
    panels = shown.locator("#pairs .panel")
    assert panels.count() > 1
    assert all(panels.nth(place).is_visible() for place in range(panels.count()))
    context.close()


def test_printing_shows_no_controls_and_light_colours(open_page):
    shown = open_page(report(), color_scheme="dark")
    shown.emulate_media(media="print")
    assert not shown.locator("nav").is_visible()
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_hostile_texts_do_nothing(open_page):
    """All of them in every field of one page, also in charts."""
    results = [*map(carrier, FIELDS, itertools.repeat(STRINGS))]
    shown = open_page(page(Report(tuple(results), STRINGS, title=STRINGS[0])))
    assert shown.locator("main").is_visible()
    assert shown.locator("figure").count() >= 1
    for text in STRINGS[:20]:
        assert text in shown.locator("main").text_content()
