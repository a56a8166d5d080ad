"""Reports in a browser: no message, dialog or request (the fixture fails at any), and usable by everyone."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest

from assay import compare, load, score
from tests.browser import wait_until
from tests.reports.page.built import page_text
from tests.security.hostile import STRINGS
from tests.security.results import FIELDS, carrier
from tests.store.examples import example

pytestmark = pytest.mark.slow
VERBS = ("score", "compare", "rank ratings", "meta", "robustness top", "robustness subsamples")
CONTRAST = 4.5  # of text, by WCAG 2 AA


@cache
def report():
    return page_text(*map(example, VERBS), commands=("assay score --ref ref.de new.de",), title="A report")


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


def test_the_best_come_first_where_lower_scores_are_better(open_page):
    texts = ["a b c d", "e f g h"]
    outputs = {"bad": ["a x", "e y"], "good": texts}
    shown = open_page(page_text(score(load(outputs=outputs, references=texts), ["chrf", "ter"], resamples=0)))
    table = shown.locator("#scores table.sortable")
    marks = "getComputedStyle(document.querySelector('.sort'), '::after').content"
    assert shown.evaluate(marks) == '"↕"'
    for place in range(table.get_by_role("button").count()):
        table.get_by_role("button").nth(place).click()
        assert table.locator("tbody th").all_text_contents() == ["good", "bad"]


def test_a_matrix_is_chosen(open_page):
    shown = open_page(report())
    choices = shown.locator("#pairs [data-panels] label")
    choices.nth(1).click()
    assert shown.locator("#pairs table.matrix").nth(1).is_visible()
    assert not shown.locator("#pairs table.matrix").nth(0).is_visible()


def test_copying(open_page):
    shown = open_page(report())
    shown.locator("[data-copy=command]").click()
    wait_until(lambda: shown.locator("#status").text_content())
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
    controls = "[...document.querySelectorAll('button, input, select')].filter(e => e.offsetParent).length"
    assert shown.evaluate(controls) == 0
    assert shown.locator("#words .side td.number").last.inner_text().strip().isdigit()
    context.close()


def pairs_page(commands=()):
    """Three systems whose scores have the order one, two, three."""
    references = [f"the {number} small cats sat on the mat" for number in range(40)]
    outputs = {
        "two": [text.replace("small", "big") for text in references],
        "it's three": [text.replace("small cats", "dogs") for text in references],
        "one": [text.replace("mat", "rug") if place % 3 else text for place, text in enumerate(references)],
    }
    found = compare(load(outputs=outputs, references=references), ["chrf", "ter"], all_pairs=True, resamples=50)
    return page_text(found, commands=commands)


def test_a_chosen_cell_is_described_beside_its_matrix(open_page):
    command = (
        'assay compare --ref ref.de --all-pairs --save run two.de --sys "it\'s three=a b.de" one.de -o x -m chrf,ter'
    )
    shown = open_page(pairs_page((command,)))
    details, table = shown.locator("#pairs .details"), shown.locator("#pairs table.matrix").first
    assert table.get_attribute("role") == "grid"
    assert details.get_attribute("aria-live") == "polite"
    assert table.locator("[tabindex='0']").count() == table.locator("[aria-selected=true]").count() == 1
    assert details.locator("h4").text_content() == "one against two"
    table.locator("tbody tr").nth(0).locator("[data-pair]").last.click()
    assert details.locator("h4").text_content() == "one against it's three"
    assert "segments" in details.locator("dl").text_content()
    assert details.locator("pre").text_content() == (
        "assay compare --ref ref.de --sys 'it'\"'\"'s three=a b.de' one.de -m chrf,ter --baseline 'it'\"'\"'s three'"
    )
    shown.locator("#pairs [data-panels] label").nth(2).click()
    assert details.locator("h4 + p").text_content() == (
        "TER, in favour of one (lower scores are better)"  # of the same pair
    )
    assert details.locator("h4").text_content() == "one against it's three"


def test_cells_are_chosen_by_keys(open_page):
    shown = open_page(pairs_page())
    table, heading = shown.locator("#pairs table.matrix").first, shown.locator("#pairs .details h4")
    table.locator("[tabindex='0']").focus()
    for key, pair in {
        "ArrowRight": "one against it's three",
        "ArrowDown": "two against it's three",
        "ArrowLeft": "one against two",
        "End": "two against it's three",
        "Control+Home": "one against two",
        "Control+End": "two against it's three",
        "ArrowUp": "one against two",
        "Enter": "one against two",
    }.items():
        shown.keyboard.press(key)
        assert heading.text_content() == pair, key
        assert shown.evaluate("document.activeElement.getAttribute('aria-selected')") == "true"
    assert shown.locator("#pairs [data-copy]").is_hidden()  # the command is not known


def test_the_segments_of_a_chosen_pair_are_shown(open_page):
    shown = open_page(pairs_page())
    shown.locator("#pairs [data-panels] label").nth(2).click()
    shown.locator("#pairs table.matrix").nth(2).locator("tbody tr").nth(1).locator("[data-pair]").last.click()
    first, second = shown.locator("#pairs .details h4 bdi").all_text_contents()
    shown.get_by_role("button", name="Show the segments").click()
    chosen = "which => document.querySelector(`[data-control=${which}]`).selectedOptions[0].textContent"
    assert [shown.evaluate(chosen, which) for which in ("a", "b", "metric")] == [first, second, "TER"]
    assert shown.evaluate("document.activeElement.dataset.control") == "a"


def test_printing_shows_no_controls_and_light_colours(open_page):
    shown = open_page(report(), color_scheme="dark")
    shown.emulate_media(media="print")
    assert not shown.locator("nav").is_visible()
    assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_print_cuts_nothing_and_has_no_segments_nobody_asked_for(open_page):
    shown = open_page(report())
    folded = shown.locator("details:not([open], .more, .by-group):not(:has(pre)) > summary + *").first
    code = shown.locator("details:not([open]) pre").first
    assert not folded.is_visible()
    shown.emulate_media(media="print")
    assert folded.is_visible()
    assert not code.is_visible()
    cut = "[...document.querySelectorAll('pre')].filter(e => e.scrollHeight > e.clientHeight + 1).length"
    assert shown.evaluate(cut) == 0
    assert shown.locator("#segments [data-part=tests]").is_visible()
    assert not shown.locator("#segments article").first.is_visible()
    marks = "[...document.querySelectorAll('.tests .lane svg')].map(e => e.getBoundingClientRect().height)"
    assert set(shown.evaluate(marks)) == {24}


def test_a_table_that_goes_on_fades_at_its_end(open_page):
    shown = open_page(many_systems()[0], viewport={"width": 400, "height": 900})
    scroll = shown.locator("#pairs .scroll:has(.dense)").first
    assert "more" in scroll.get_attribute("class").split()
    scroll.evaluate("node => node.scrollTo(9999, 0)")
    wait_until(lambda: "more" not in scroll.get_attribute("class").split())


@cache
def many_systems():
    """Thirty systems, some with names of sixty characters, with and without places to break them."""
    references = [f"the small cats sat on the mat {number}" for number in range(12)]
    names = [f"system{number:02d}" for number in range(27)]
    names += [f"transformer-big-en-de_backtranslation_ensemble8_beam5-2024Q{number}" for number in (1, 2)]
    names.append("unbreakable" * 5 + "names")
    outputs = {
        name: [" ".join(text.split()[place % 5 :]) for text in references] for place, name in enumerate(reversed(names))
    }
    found = compare(load(outputs=outputs, references=references), ["chrf", "ter"], all_pairs=True, resamples=20)
    against = compare(load(outputs=dict(list(outputs.items())[:4]), references=references), ["chrf"], resamples=20)
    return page_text(found), page_text(against)


@pytest.mark.parametrize(("width", "media"), [(1400, "screen"), (400, "screen"), (680, "print")])
@pytest.mark.parametrize("which", [0, 1])
def test_many_systems_and_long_names_fit(open_page, width, media, which):
    """680 px are the width of a sheet of A4 between its margins."""
    shown = open_page(many_systems()[which], viewport={"width": width, "height": 900})
    shown.emulate_media(media=media)
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    if media == "print":  # nothing can be scrolled there
        cut = (
            "[...document.querySelectorAll('main table')].filter(e => e.offsetWidth > innerWidth).map(e => e.className)"
        )
        assert shown.evaluate(cut) == []


def test_names_and_numbers_of_a_large_matrix_stay_in_sight(open_page):
    shown = open_page(many_systems()[0], viewport={"width": 400, "height": 500})
    scroll = shown.locator("#pairs .scroll:has(.dense)").first
    scroll.evaluate("node => node.scrollTo(300, 200)")
    box = scroll.bounding_box()
    name, number = (scroll.locator(part).last.bounding_box() for part in ("tbody th", "thead th"))
    assert name["x"] == pytest.approx(box["x"], abs=1)
    assert number["y"] == pytest.approx(box["y"], abs=1)


def test_the_plot_of_differences_is_drawn_on_small_screens(open_page):
    shown = open_page(report(), viewport={"width": 400, "height": 900})
    lanes = shown.locator("#verdict .plot td.lane svg")
    assert lanes.count() >= 2
    cell = shown.locator("#verdict .plot tbody td").last.bounding_box()
    lane = lanes.last.bounding_box()
    assert lane["y"] >= cell["y"] + cell["height"] - 1
    assert lane["x"] + lane["width"] <= 400
    assert shown.locator("#scores .lanes td.lane").first.is_visible()
    head, body = shown.locator("#scores thead tr").last, shown.locator("#scores tbody tr").first
    assert head.locator(":scope > :visible").count() == body.locator(":scope > :visible").count()


def test_intervals_fill_the_page_and_still_fit_a_phone(open_page):
    lane = "#scores .lanes td.lane"
    assert open_page(report()).locator(f"{lane} svg").first.bounding_box()["width"] > 200
    phone = open_page(report(), viewport={"width": 400, "height": 900})
    box = phone.locator(lane).first.bounding_box()
    assert box["x"] + box["width"] <= 400, "the first drawing is in sight, beside numbers with intervals"


def test_hostile_texts_do_nothing(open_page):
    """All of them in every field of one page, also in charts."""
    results = [*map(carrier, FIELDS, itertools.repeat(STRINGS))]
    shown = open_page(page_text(*results, commands=STRINGS, title=STRINGS[0]))
    assert shown.locator("main").is_visible()
    assert shown.locator("figure").count() >= 1
    for text in STRINGS[:20]:
        assert text in shown.locator("main").text_content()
