from __future__ import annotations

from html import escape

import pytest

import assay.study  # noqa: F401 - sets how notebooks show results
from assay.results import Result
from assay.words import verdict
from tests.reports.html.parsed import parsed
from tests.store.examples import example


@pytest.mark.parametrize("name", ["score", "compare", "rank ratings", "meta", "robustness top"])
def test_notebooks_show_the_tables_of_the_report(name):
    page = example(name)._repr_html_()
    content = parsed(page)
    assert content.having("table")
    assert content.having("div", **{"class": "assay"})
    assert not content.having("script")
    assert page == example(name)._repr_html_()


def test_the_style_holds_for_the_tables_alone():
    page = example("score")._repr_html_()
    style = page[page.index("<style>") : page.index("</style>")]
    assert style.startswith("<style>@scope {")


def test_the_verdict_comes_first():
    found = example("compare")
    page = found._repr_html_()
    said = verdict((found,))
    assert page.index(escape(said.text)) < page.index("<table")
    assert said.remarks[-1] not in parsed(page).text, "only what a terminal says above its tables"


def test_the_public_functions_say_how_notebooks_show_results():
    assert Result.notebook_form is not None


def test_marks_of_a_matrix_stand_below_each_other():
    """Browsers drop spaces, and letters differ in width."""
    content = parsed(example("compare")._repr_html_())
    assert content.having("td", **{"class": "number aligned short"})
    assert content.having("th", **{"class": "number aligned"})
