"""What holds for all charts."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from assay import charts, load, score
from assay.errors import ConfigError
from assay.results import Result
from tests.charts.examples import DRAWN_FROM, results_for
from tests.store.examples import example, parts

HOSTILE = "<script>alert(1)<b>&\"'{{x}}=1"


def test_every_chart_has_an_example():
    assert charts.chart.names() == sorted(DRAWN_FROM)


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN_FROM)
def test_specifications_are_valid(name):
    assert charts.draw(name, *results_for(name)).to_dict(validate=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN_FROM)
@pytest.mark.parametrize("width", charts.WIDTHS)
def test_size_title_and_bytes(name, width):
    chart = charts.draw(name, *results_for(name), width=width)
    title, subtitle = charts.caption(chart)
    assert title
    assert any(character.isdigit() for character in subtitle), "n is in the subtitle"
    text = charts.svg(chart)
    root = ElementTree.fromstring(text)  # noqa: S314 (our own)
    assert abs(float(root.get("width")) - width) <= 12
    if width == charts.WIDTHS[0]:
        assert text == charts.svg(charts.draw(name, *results_for(name), width=width))
    assert "null" not in text.replace("null hypothesis", "")
    assert "NaN" not in text
    assert "undefined" not in text


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN_FROM)
def test_themes(name):
    chart = charts.draw(name, *results_for(name))
    light, dark, page = (charts.svg(chart, theme=theme) for theme in ("light", "dark", "page"))
    assert "#16191d" in light
    assert "#16191d" not in dark
    assert "#e9ebee" in dark
    assert "var(--chart-ink)" in page
    assert " id=" not in page, "several charts of a page must not share ids"
    assert "style=" not in page, "a strict content-security policy forbids it"


@pytest.mark.parametrize("name", DRAWN_FROM)
def test_drawable_names_it(name):
    assert name in charts.drawable(*results_for(name))


@pytest.mark.slow
def test_results_of_any_shape():
    """One value, no values, nothing but NaN: a chart is drawn, or it is not among those that can be."""
    for value in parts().values():
        for name in charts.drawable(value) if isinstance(value, Result) else ():
            assert charts.svg(charts.draw(name, value)), (type(value).__name__, name)


@pytest.mark.slow
def test_one_system_and_undefined_scores():
    alone = score(load(references=["a b"], outputs={"only": ["a c"]}), ["chrf"], resamples=0)
    empty = score(load(references=[""], outputs={"x": [""], "y": [""]}), ["ter"], resamples=0)
    for run in (alone, empty):
        for name in charts.drawable(run):
            text = charts.svg(charts.draw(name, run))
            assert "NaN" not in text, name


def test_without_its_title():
    chart = charts.draw("scores", example("score"))
    title, _ = charts.caption(chart)
    assert f">{title}<" in charts.svg(chart)
    assert f">{title}<" not in charts.svg(chart, titled=False)


def test_pdf_and_png():
    chart = charts.draw("scores", example("score"))
    assert charts.pdf(chart).startswith(b"%PDF")
    assert charts.png(chart).startswith(b"\x89PNG")


def test_options_choose_what_is_shown():
    assert charts.caption(charts.draw("scores:metric=chrf", example("score"))) == charts.caption(
        charts.draw("scores", example("score"), metric="chrf")
    )
    with pytest.raises(ConfigError, match="has no option 'metrix'"):
        charts.draw("scores:metrix=chrf", example("score"))
    with pytest.raises(ConfigError, match="has no option 'metrix'"):
        charts.draw("scores", example("score"), metrix="chrf")
    with pytest.raises(ConfigError, match="was not scored"):
        charts.draw("scores", example("score"), metric="ter")


def test_what_cannot_be_drawn():
    with pytest.raises(ConfigError, match="'human-ranking' cannot be drawn from Run") as caught:
        charts.draw("human-ranking", example("score"))
    assert "available: " in caught.value.hint
    with pytest.raises(ConfigError, match="unknown chart 'score'"):
        charts.draw("score", example("score"))
    with pytest.raises(ConfigError, match="unknown theme 'blue'"):
        charts.svg(charts.draw("scores", example("score")), theme="blue")


def test_names_are_text():
    """The names of systems are never markup or expressions."""
    run = score(load(references=["a b c"], outputs={HOSTILE: ["a b c"], "datum.value": ["a c"]}), ["chrf"], resamples=0)
    text = charts.svg(charts.draw("scores", run))
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;b&gt;&amp;" in text
    assert ">datum.value<" in text


def test_no_command_without_charts_imports_altair():
    code = (
        "import sys, assay.charts, assay.study.score; print([m for m in ('altair', 'vl_convert') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
