"""TERRORCAT's published arithmetic: tests/golden/terrorcat.json has rows of decisions on pairs, with confidences, and
what its last program made of them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from assay.logistic import sigmoid
from assay.trained.wins import mean_wins

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "terrorcat.json").read_text(encoding="utf-8"))
SYSTEMS = ("sysA", "sysB", "sysC")


def decisions():
    """(segment, first, second, probability that the first is better)."""
    for row in GOLDEN["pair_rows"]:
        _, _, segment, first, second, is_first, confidence = row.split(",")
        p = float(confidence)
        yield int(segment), SYSTEMS.index(first), SYSTEMS.index(second), p if is_first == "TRUE" else 1 - p


def published(lines):
    return {tuple(line.split("\t")[3:-1]): float(line.split("\t")[-1]) for line in lines}


def scaled(sums, running):
    """The program scales by the extremes of all partial sums of a run."""
    return {key: 0.1 + 0.9 * (value - min(running)) / (max(running) - min(running)) for key, value in sums.items()}


@pytest.mark.parametrize("level", ["segment", "system"])
def test_terrorcat_adds_probabilities_beyond_a_half(level):
    """Its sum of ±(confidence - 0.5) is that of the probabilities of being better, minus a half each."""
    sums, running = defaultdict(float), []
    for segment, first, second, p in decisions():
        for system, won in ((first, p), (second, 1 - p)):
            key = (SYSTEMS[system], str(segment + 1)) if level == "segment" else (SYSTEMS[system],)
            sums[key] += won - 0.5
            running.append(sums[key])
    assert {key: round(value, 5) for key, value in scaled(sums, running).items()} == published(
        GOLDEN[f"{level}_output"]
    )


def test_mean_wins_are_sums_over_the_others():
    """Of decisions that follow from scores: LOGREG's soft and hard sums and TERRORCAT's, divided by n - 1."""
    scores = np.array([[0.3, 2.0], [-1.0, 2.0], [0.8, np.nan]])
    p = sigmoid(scores[:, None, :] - scores[None, :, :])
    soft, hard = mean_wins(scores, "soft"), mean_wins(scores, "hard")
    for system in range(3):
        others = [other for other in range(3) if other != system]
        assert soft[system, 0] == pytest.approx(sum(p[system, other, 0] for other in others) / 2)
        assert soft[system, 0] - 0.5 == pytest.approx(sum(p[system, other, 0] - 0.5 for other in others) / 2)
    assert hard[:, 0].tolist() == [0.5, 0.0, 1.0]
    assert soft[:2, 1].tolist() == hard[:2, 1].tolist() == [0.5, 0.5]  # equal scores
    assert np.isnan([soft[2, 1], hard[2, 1]]).all()


def test_nobody_wins_alone():
    assert np.isnan(mean_wins(np.array([[1.0], [np.nan]]), "soft")).all()
