from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from assay.agreement import Statistic
from assay.errors import ConfigError, UnknownNameError
from assay.study.agreeing import agree
from assay.study.robustness import leave_one_out, rolling, subsample, top_n
from assay.types import ScoreTable

HUMAN = [5.0, 9.0, 1.0, 7.0, 3.0, 8.0, -30.0]
METRIC = [4.0, 8.0, 2.0, 9.0, 3.0, 6.0, -20.0]
NAMES = tuple("abcdefg")
BEST_FIRST = ("b", "f", "d", "a", "e", "c", "g")


@pytest.fixture
def scores():
    return ScoreTable("m", "system", NAMES, np.array(METRIC)[:, np.newaxis])


@pytest.fixture
def human():
    return ScoreTable("h", "system", NAMES, np.array(HUMAN)[:, np.newaxis], protocol="DA")


def expected(names):
    places = [NAMES.index(name) for name in names]
    return pytest.approx(np.corrcoef(np.array(METRIC)[places], np.array(HUMAN)[places])[0, 1])


def test_top(scores, human):
    curve = top_n(scores, human)
    assert [len(point.systems) for point in curve] == [7, 6, 5, 4]
    for point in curve:
        assert point.systems == BEST_FIRST[: len(point.systems)]
        assert point.value == expected(point.systems)
        assert point.estimate.n == len(point.systems)
    assert curve.points[0].value == curve.whole.value == agree(scores, human).value
    assert curve.points[-1].label == "top 4"
    assert len(top_n(scores, human, least=2, exclude=("g",))) == 5


def test_windows_from_the_worst_to_the_best(scores, human):
    curve = rolling(scores, human, size=4)
    assert [point.systems for point in curve] == [BEST_FIRST[k : k + 4] for k in (3, 2, 1, 0)]
    assert [point.label for point in curve] == ["ranks 4-7", "ranks 3-6", "ranks 2-5", "ranks 1-4"]
    assert [point.value for point in curve] == [expected(point.systems) for point in curve]


def test_leave_one_out(scores, human):
    curve = leave_one_out(scores, human)
    assert [point.label for point in curve] == [f"without {name}" for name in BEST_FIRST]
    for point, gone in zip(curve, BEST_FIRST, strict=True):
        assert set(point.systems) == set(NAMES) - {gone}
        assert point.value == pytest.approx(agree(scores, human, exclude=(gone,)).value, abs=1e-12)
    assert min(curve, key=lambda point: point.value).label == "without g"


def test_subsamples_with_and_without_outliers(scores, human):
    without, one = subsample(scores, human, size=4, outliers=("g",), draws=300)
    assert (without.always, one.always) == ((), ("g",))
    assert without.drawn_from == one.drawn_from == ("a", "b", "c", "d", "e", "f")
    assert len(without.values) == 300
    assert one.mean > 0.9 > without.mean
    assert one.quantile(0.025) <= one.quantile(0.5) <= one.quantile(0.975)
    again, _ = subsample(scores, human, size=4, outliers=("g",), draws=300)
    assert (again.values == without.values).all()
    other, _ = subsample(scores, human, size=4, outliers=("g",), draws=300, seed=1)
    assert (other.values != without.values).any()
    assert [each.always for each in subsample(scores, human, size=4, outliers=("g", "c"), draws=3)] == [
        (),
        ("g",),
        ("c",),
        ("g", "c"),
    ]
    (plain,) = subsample(scores, human, size=7, draws=5)
    assert plain.values == pytest.approx(np.full(5, agree(scores, human).value))


def test_every_part_is_likely(scores, human):
    """C(6, 4) = 15 parts, all of them drawn."""
    (found,) = subsample(scores, human, size=4, draws=1000, exclude=("g",))
    assert len(np.unique(found.values.round(12))) == 15


def test_ties_in_the_human_scores_go_by_name():
    tied = ScoreTable("h", "system", ("b", "a", "c"), np.array([[1.0], [1.0], [2.0]]), protocol="DA")
    scores = ScoreTable("m", "system", ("c", "b", "a"), np.array([[1.0], [1.0], [2.0]]))
    assert [point.systems for point in top_n(scores, tied, least=2)] == [("c", "a", "b"), ("c", "a")]


def test_undefined_points_say_why():
    flat = ScoreTable("h", "system", ("a", "b", "c"), np.array([[1.0], [1.0], [2.0]]), protocol="DA")
    scores = ScoreTable("m", "system", ("a", "b", "c"), np.array([[1.0], [3.0], [2.0]]))
    point = rolling(scores, flat, size=2).points[0]
    assert math.isnan(point.value)
    assert "do not vary" in point.estimate.reason


def test_slips(scores, human, monkeypatch):
    with pytest.raises(ConfigError, match="least must be between 2 and the number of systems, 7, not 8"):
        top_n(scores, human, least=8)
    with pytest.raises(ConfigError, match="size must be between 2"):
        rolling(scores, human, size=1)
    with pytest.raises(ConfigError, match="size must be between 2 and the number of systems, 6"):
        subsample(scores, human, size=7, outliers=("g",))
    with pytest.raises(UnknownNameError, match="no system is called 'x'"):
        subsample(scores, human, size=3, outliers=("x",))
    with pytest.raises(ConfigError, match="draws must be at least 1"):
        subsample(scores, human, size=3, draws=0)

    @dataclasses.dataclass(frozen=True)
    class BySegment(Statistic):
        name = "odd"
        levels = frozenset({"segment"})

        def compute(self, batch):
            raise NotImplementedError

    with pytest.raises(ConfigError, match="odd is not defined at the system level"):
        top_n(scores, human, BySegment())
