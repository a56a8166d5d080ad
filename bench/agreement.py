"""Statistics of agreement for 15 systems, 2,000 segments and human scores with many ties, compared with SciPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

import bench.agreement
from assay.agreement import Batch, Values, statistic
from bench.harness import Case

SYSTEMS, SEGMENTS = 15, 2000


def cases() -> Iterator[Case]:
    """The public interface of a statistic, from arrays to values."""
    random = np.random.default_rng(2023)
    human = -np.round(random.gamma(0.5, 4.0, (SEGMENTS, SYSTEMS)))  # like MQM: many segments without an error
    metric = 0.2 * human + random.normal(size=human.shape)
    by_item = _names(metric, human)
    together = _names(metric.reshape(1, -1), human.reshape(1, -1))

    def loop(function: str) -> str:
        return f"[stats.{function}(m, h).statistic for m, h in zip(metric, human)]"

    scipy = "SciPy, in a loop"
    name = "Kendall's tau-b by item, 15 x 2,000"
    yield Case(name, scipy, loop("kendalltau"), _ours("kendall"), by_item, agree, 300, 1000, rounds=3)
    name = "Pearson's r by item, 15 x 2,000"
    yield Case(name, scipy, loop("pearsonr"), _ours("pearson"), by_item, agree, 300, 1000, rounds=3)
    name, peer_code = "tie calibration by item, 15 x 2,000", "bench.agreement.calibrated(metric, human)"
    yield Case(name, "plain Python", peer_code, _ours("acc-star"), by_item, agree_on_calibration, 50, 150, rounds=3)
    name = "Kendall's tau-b of 30,000 scores"
    yield Case(name, "SciPy", loop("kendalltau"), _ours("kendall"), together, agree, 2, 4)


def _ours(spec: str) -> str:
    """Assay's values, including the checks of the input."""
    return f'statistic.create("{spec}").compute(Batch(metric, human, np.ones(metric.shape, dtype=np.bool_)))'


def _names(metric: Any, human: Any) -> dict[str, Any]:
    return {
        "bench": bench,
        "stats": stats,
        "statistic": statistic,
        "Batch": Batch,
        "np": np,
        "metric": metric,
        "human": human,
    }


def agree(expected: list[float], found: Values) -> None:
    """The values of all groups are equal."""
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-12)


def calibrated(metric: Any, human: Any) -> tuple[float, float]:
    """Make pairs ties one by one, in order of their differences; return the first epsilon with the best accuracy."""
    pairs = []
    for scores, gold in zip(metric.tolist(), human.tolist(), strict=True):
        for i in range(len(scores)):
            for j in range(i + 1, len(scores)):
                x, y = scores[i] - scores[j], gold[i] - gold[j]
                is_right = x * y > 0 or x == y == 0
                pairs.append((abs(x), int(y == 0) - int(is_right), is_right))
    pairs.sort()
    right = best = sum(is_right for _, _, is_right in pairs)
    epsilon = 0.0
    for k, (difference, change, _) in enumerate(pairs):
        right += change
        ends_block = k + 1 == len(pairs) or pairs[k + 1][0] != difference
        if ends_block and right > best:
            best, epsilon = right, difference
    return epsilon, best / len(pairs)


def agree_on_calibration(expected: tuple[float, float], found: Values) -> None:
    """The epsilons are exactly equal, the values to 1e-12."""
    assert float(dict(found.details)["epsilon"]) == expected[0]  # noqa: S101
    np.testing.assert_allclose(found.values.mean(), expected[1], rtol=0, atol=1e-12)
