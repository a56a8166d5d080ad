from __future__ import annotations

from assay.words.compared_pair import pair_verdict
from assay.words.systems import comparison_verdict
from tests.reports.page.comparisons import compared, comparison
from tests.store.examples import example


def test_differences_are_told_in_favour_of_the_first_system():
    found = pair_verdict(comparison(compared("bleu", -1.2), compared("ter", 2.0, higher_is_better=False)))
    assert (found.first, found.second, found.winner) == ("base", "new", "base")
    assert [score.favour for score in found.scores] == [1.2, 2.0]
    assert [(score.in_favour.low, score.in_favour.high) for score in found.scores] == [(0.7, 1.7), (1.5, 2.5)]


def test_of_all_pairs_the_best_two_are_named():
    compared_systems = example("compare")
    scores = compared_systems.metrics[0].scores
    order = sorted(scores, key=lambda name: -scores[name].value)
    found = pair_verdict(compared_systems)
    assert {found.first, found.second} == set(order[:2])


def test_without_a_shown_difference_the_system_with_the_better_score_is_named_first():
    found = comparison_verdict(comparison(compared("bleu", -0.2, 0.6)))
    assert found.text == "No difference between base and new is shown."
    assert found.lede[0] == "No difference between new and base is shown by BLEU (0.20 in favour of base, p = 0.60)."
    assert found.answers[1].detail.startswith("BLEU +0.20 [-0.30, 0.70] in favour of base, p = 0.60")
