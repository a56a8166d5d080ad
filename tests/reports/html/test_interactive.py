from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from assay.charts import draw
from assay.reports.html import interactive
from tests.browser import wait_until
from tests.reports.page.built import page_text
from tests.security.hostile import STRINGS
from tests.store.examples import example

pytestmark = pytest.mark.slow


@cache
def report():
    return page_text(example("meta"), example("robustness top"))


def opened(open_page, text, chart, **options):
    shown = open_page(text, **options)
    return shown, shown.locator(f"figure[data-name={chart}]").first


def drawn(figure):
    """Wait until Vega draws."""
    figure.locator("svg.marks:visible").wait_for()
    return figure.locator("svg.marks:visible")


def test_only_charts_with_choices_are_interactive():
    assert interactive.interactive(*[draw("metric-ranking", example("meta"))] * 2) is None
    alone = replace(example("meta"), metrics=example("meta").metrics[:1])
    assert interactive.interactive(*[draw("metric-human", alone)] * 2) is None


def test_only_pages_with_such_charts_have_the_library():
    assert report().count(interactive.compressed()) == 1
    assert "vega-library" not in page_text(example("score"))


def test_the_rows_are_in_the_page_once():
    charts = [draw("metric-human", example("meta"), width=width) for width in (500, 368)]
    data = interactive.interactive(*charts).data
    numbers = [source["values"] for size in ("wide", "narrow") for source in data[size]["data"] if "values" in source]
    assert set(numbers) == set(range(len(data["tables"])))
    assert len(numbers) > len(data["tables"])
    assert not [signal for signal in data["wide"]["signals"] if "bind" in signal]


@pytest.mark.parametrize("width", [1400, 400])
def test_any_metric_can_be_chosen(open_page, width):
    shown, figure = opened(open_page, report(), "metric-human", viewport={"width": width, "height": 900})
    select = figure.get_by_role("combobox", name="Metric")
    name = next(option for option in select.locator("option").all_text_contents() if option != select.input_value())
    select.select_option(name)
    drawn(figure).get_by_text(name, exact=True).wait_for()
    assert shown.locator("#status").text_content() == f"Shown: {name}."
    assert shown.evaluate("document.documentElement.scrollWidth") == width


def test_systems_are_named_where_a_reader_points(open_page):
    _, figure = opened(open_page, report(), "metric-human")
    figure.hover()
    point = drawn(figure).locator("[aria-label=c]").first
    point.hover()
    drawn(figure).get_by_text("c", exact=True).wait_for()


def test_metrics_are_found_shown_and_clicked(open_page):
    _, figure = opened(open_page, report(), "robustness")
    figure.locator("summary").click()
    boxes = figure.get_by_role("checkbox")
    names = [box.get_attribute("value") for box in boxes.all()]
    for box in boxes.all():
        box.uncheck()
    drawn(figure).get_by_text(names[0], exact=True).wait_for(state="detached")
    figure.get_by_role("searchbox").fill(names[-1].upper())
    assert [box.get_attribute("value") for box in boxes.all() if box.is_visible()] == [names[-1]]
    boxes.last.check()
    drawn(figure).get_by_text(names[-1], exact=True).wait_for()
    assert drawn(figure).get_by_text(names[0], exact=True).count() == 0


def test_a_line_is_clicked(open_page):
    _, figure = opened(open_page, report(), "robustness")
    figure.hover()
    checked = figure.locator("input:checked")
    before = checked.count()
    on_the_line = "path.getPointAtLength(20).matrixTransform(path.getScreenCTM())"
    target = drawn(figure).locator("path[opacity='0']").first
    point = target.evaluate(f"path => {{ const {{x, y}} = {on_the_line}; return [x, y]; }}")
    figure.page.mouse.click(*point)
    wait_until(lambda: abs(checked.count() - before) == 1)


def test_without_scripts_the_drawing_is_there_and_nothing_else(open_page):
    _, figure = opened(open_page, report(), "metric-human", java_script_enabled=False)
    assert figure.locator("svg:visible").count() == 1
    assert not figure.locator("select").is_visible()


def test_names_are_text(open_page):
    curves = example("robustness top")
    members = tuple(replace(curves.curves[0], metric=text) for text in STRINGS)
    shown, figure = opened(open_page, page_text(replace(curves, curves=members)), "robustness")
    figure.locator("summary").click()
    for box in figure.get_by_role("checkbox").all()[:40]:
        box.set_checked(True, force=True)
    drawn(figure)
    assert shown.evaluate("document.querySelectorAll('figure script:not([type])').length") == 0


def test_names_of_systems_and_chosen_metrics_are_text(open_page):
    meta = example("meta")

    def renamed(metric, place):
        texts = STRINGS[place * 6 :]
        agreements = {
            column: replace(each, metric=STRINGS[place], systems=tuple(texts[: len(each.systems)]))
            for column, each in metric.agreements.items()
        }
        return replace(metric, metric=STRINGS[place], agreements=agreements)

    hostile = replace(meta, metrics=tuple(renamed(meta.metrics[0], place) for place in range(len(STRINGS) // 6)))
    shown, figure = opened(open_page, page_text(hostile), "metric-human")
    select = figure.get_by_role("combobox", name="Metric")
    for place in range(select.locator("option").count()):
        select.select_option(index=place)
        for point in drawn(figure).locator(".mark-symbol path").all()[:2]:
            point.hover(force=True)
    assert shown.evaluate("document.querySelectorAll('figure script:not([type])').length") == 0
