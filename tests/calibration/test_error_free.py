from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.calibration.error_free import Detector, ErrorFreeRule, _prf, best_threshold, means, pooled_bins
from assay.results import ErrorFreeBin, ErrorFreeMetric, Estimate
from assay.types import ErrorSpan, Ratings
from assay.types.severity import SEVERITIES

MINOR, MAJOR, NEUTRAL = (ErrorSpan("", severity, 0, 2) for severity in ("minor", "major", "neutral"))


def ratings(*rows: tuple[float, tuple[ErrorSpan, ...]]) -> Ratings:
    zeros = np.zeros(len(rows), dtype=int)
    errors = tuple(each for _, each in rows)
    return Ratings(
        "esa", "ESA", ("r",), ("A",), zeros, zeros, np.arange(len(rows)), [score for score, _ in rows], errors=errors
    )


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (ErrorFreeRule(), [True, False, False, False, True, True]),
        (ErrorFreeRule(0), [True, True, False, False, True, True]),
        (ErrorFreeRule(85, "major"), [True, False, True, False, True, True]),
    ],
)
def test_what_is_error_free(rule: ErrorFreeRule, expected: list[bool]) -> None:
    rows = ((85.0, ()), (84.9, ()), (99.0, (MINOR,)), (99.0, (MAJOR,)), (90.0, (NEUTRAL,)), (float("nan"), ()))
    assert rule.labels(ratings(*rows)).tolist() == expected


@pytest.mark.parametrize("severity", [*SEVERITIES, ""])
def test_an_error_counts_from_the_least_severity_on(severity: str) -> None:
    marked = ratings((100.0, (ErrorSpan("", severity, 0, 2),)))
    assert ErrorFreeRule(85, "minor").labels(marked)[0] == (severity in ("neutral", "no-error"))
    assert ErrorFreeRule(85, "major").labels(marked)[0] == (severity not in ("critical", "major"))


def test_omissions_are_errors() -> None:
    assert not ErrorFreeRule().labels(ratings((100.0, (ErrorSpan("missing", "minor"),)))).any()


def test_areas_by_hand() -> None:
    # from the top: free, error, free and error with one score, error
    scores, is_free = np.array([5.0, 4.0, 3.0, 3.0, 1.0]), np.array([True, False, True, False, False])
    roc, average = (float(area[0]) for area in Detector.of(scores, is_free).areas(np.ones((1, 5))))
    assert roc == pytest.approx((3 + 1.5) / 6)  # pairs of a free and another: all three; none, half and one
    assert average == pytest.approx((1 / 1 + 2 / 4) / 2)
    same = Detector.of(scores[:1], is_free[:1]).areas(np.ones((1, 1)))
    assert np.isnan(same).all()


@given(
    st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=1, max_size=12),
)
def test_weights_are_repeated_rows(rows: list[tuple[int, bool, int]]) -> None:
    scores, is_free, weights = (np.array(column) for column in zip(*rows, strict=True))
    weighted = Detector.of(scores.astype(float), is_free).areas(weights[np.newaxis].astype(float))
    x, y = np.repeat(scores, weights), np.repeat(is_free, weights)
    pairs = [(a > b) + (a == b) / 2 for a in x[y] for b in x[~y]]
    assert float(weighted[0][0]) == pytest.approx(np.mean(pairs) if pairs else np.nan, nan_ok=True)
    precisions = [y[x >= a].mean() for a in x[y]] if pairs else [np.nan]
    assert float(weighted[1][0]) == pytest.approx(float(np.mean(precisions)), nan_ok=True)


def test_all_means_are_of_the_pairs_with_both_kinds_of_ratings() -> None:
    one = ErrorFreeMetric(
        "m", "a", 10, 4, 5, 0.4, Estimate(0.7, 10), Estimate(0.5, 10), Estimate(0.6, 10), 3.0, 0.5, 0.75, 0.2, 0.24
    )
    other = replace(one, lp="b", n=30, free=6, base_rate=0.2, precision=0.3, brier=0.1)
    none = ErrorFreeMetric("m", "c", 5, 0, 2, 0.0, UNDEFINED, UNDEFINED, UNDEFINED, 3.0, np.nan, np.nan, 0.01, 0.02)
    mean = means([one, other, none])
    assert (mean.n, mean.free, mean.units, mean.pairs, mean.roc_area.n, mean.f.n) == (40, 10, 10, 2, 2, 2)
    assert (mean.base_rate, mean.precision, mean.brier) == pytest.approx((0.3, 0.4, 0.15))
    alone = means([none, none])
    assert np.isnan(alone.brier)
    assert alone.roc_area.reason == "all ratings found an error, or none did"


UNDEFINED = Estimate(np.nan, 5, reason="all ratings found an error, or none did")


def test_nothing_is_precise_where_no_rating_is_error_free() -> None:
    zeros = np.zeros(4, dtype=bool)
    assert all(np.isnan(each).all() for each in _prf(~zeros, zeros, np.ones((1, 4))))


def test_the_threshold_has_the_highest_f() -> None:
    scores = np.array([9.0, 8.0, 7.0, 6.0, 5.0])
    assert best_threshold(scores, np.array([True, False, True, False, False])) == 7  # F 2·2/(3+2)
    assert best_threshold(scores, np.array([True, False, False, False, False])) == 9
    assert np.isnan(best_threshold(scores, np.zeros(5, dtype=bool)))


def test_bins_of_several_pairs_are_pooled_by_tenths() -> None:
    one = ErrorFreeMetric("m", "a", 10, 4, 5, 0.4, UNDEFINED, UNDEFINED, UNDEFINED)
    first = replace(one, bins=(ErrorFreeBin(0.11, 0.0, 10), ErrorFreeBin(0.95, 1.0, 2)))
    second = replace(one, bins=(ErrorFreeBin(0.17, 0.3, 20), ErrorFreeBin(1.0, 0.5, 2)))
    low, high = pooled_bins([first, second])
    assert (low.predicted, low.observed, low.n) == pytest.approx((0.15, 0.2, 30))
    assert (high.predicted, high.observed, high.n) == pytest.approx((0.975, 0.75, 4))
