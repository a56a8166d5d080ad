from __future__ import annotations

from tests.reports.html.sections.built import built
from tests.store.examples import example


def test_results_of_other_types_show_their_tables():
    found = built("others", example("diff"), example("check"), example("score"))
    assert [section.heading for section, _ in found.values()] == ["Difference", "Findings"]
    assert all(content.having("table") for _, content in found.values())
