"""Which result the verdict is about."""

from __future__ import annotations

from assay.reports.html.verdict import verdict
from tests.store.examples import VERBS, example


def test_comparisons_come_before_scores_and_systems_before_metrics():
    assert (
        " ahead of " in verdict([example("score"), example("compare")]).text
        or "shown" in verdict([example("score"), example("compare")]).text
    )
    assert verdict([example("meta"), example("rank ratings")]).text.startswith("People ")
    assert "has the highest" in verdict([example("robustness top"), example("meta")]).text


def test_every_result_has_a_verdict():
    for name in VERBS:
        assert verdict([example(name)]).text
    assert verdict([example("explain")]).text == "What a difference means"
    assert verdict([example("metrics task")]).text == example("metrics task").title
    assert verdict([]).text == "No results"
