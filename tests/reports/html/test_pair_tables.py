from __future__ import annotations

import pytest

from assay.reports.html.pair_tables import baseline_table, correction_text, note_on_test, single_pair_table
from tests.reports.html.comparisons import compared, comparison
from tests.reports.html.parsed import parsed


def test_a_pair_has_a_row_for_each_score():
    content = parsed(single_pair_table(comparison(compared("bleu", 2.5), compared("chrf", 0.25, p=0.5))))
    assert content.cells[:5] == ["Metric", "Aggregation", "new", "base", "Better by"]
    for row in (["BLEU", "corpus", "32.5", "30.0", "+2.5", "+2.0 to +3.0", ".001"], ["chrF", "corpus"]):
        start = content.cells.index(row[0])
        assert content.cells[start : start + len(row)] == row


def test_where_lower_is_better_the_sign_is_turned():
    content = parsed(single_pair_table(comparison(compared("ter", -2.5, higher_is_better=False))))
    assert "+2.5" in content.cells
    assert "+2.0 to +3.0" in content.cells


def test_against_a_baseline_each_system_has_a_row():
    metric = compared("bleu", 2.5)
    cells = parsed(baseline_table(comparison(metric), metric)).cells
    assert cells[:3] == ["System", "Score", "Better by"]
    start = cells.index("new")
    assert cells[start : start + 3] == ["new", "32.5", "+2.5"]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [(1, "not corrected: one pair"), (2, "not corrected: one pair (2 scores, each tested alone)")],
)
def test_a_single_pair_is_not_corrected(scores, expected):
    assert correction_text(comparison(*(compared("bleu", 1.0) for _ in range(scores)))) == expected


def test_the_note_names_test_and_level():
    note = note_on_test(comparison(compared("bleu", 1.0)))
    assert note.startswith("Test: randomisation, 100 segments; p-values are not corrected: one pair;")
    assert note.endswith("a difference is shown where p < 0.05.")
