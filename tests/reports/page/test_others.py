from __future__ import annotations

import pytest

from assay.reports.page import page
from assay.reports.page.metrics import _SHOWN
from assay.study.page_report import page_report
from tests.reports.page.built import built
from tests.store.examples import VERBS, example


def test_results_of_other_types_show_their_tables():
    found = built("metrics.others", example("diff"), example("check"), example("score"))
    assert [section.heading for section, _ in found.values()] == [
        "Differences between two results",
        "Findings in the data",
    ]
    assert [section.heading for section, _ in built("metrics.others", example("diff")).values()] == ["The numbers"]
    assert all(content.having("table") for _, content in found.values())


@pytest.mark.parametrize("kind", VERBS)
def test_every_result_is_shown_once(kind):
    """What a section declares it shows, so that nothing is left out and nothing stands on the page twice."""
    result = example(kind)
    shown = {section.id for section in page(page_report((result,))).sections} - {"verdict", "checks", "reproduce"}
    assert shown
    assert any(name.startswith("other-") for name in shown) != isinstance(result, _SHOWN)
