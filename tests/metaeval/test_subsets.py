from __future__ import annotations

import re

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError, UnknownNameError
from assay.metaeval import subsets
from assay.metaeval.alignment import align
from assay.metaeval.subsets import KINDS, RandomSubsets, Top, Windows, WithoutOne, all_systems, subsets_of_kind
from assay.types import ScoreTable

NAMES = tuple("abcdefgh")
PEARSON = statistic.create("pearson")


@pytest.fixture
def paired():
    random = np.random.Generator(np.random.PCG64(3))
    scores = ScoreTable("m", "system", NAMES, random.normal(size=(8, 1)))
    return align(scores, ScoreTable("h", "system", NAMES, random.normal(size=(8, 1)), protocol="DA-z"))


def test_kinds_and_the_systems_they_require():
    assert {kind: cls.kind for kind, cls in KINDS.items()} == {kind: kind for kind in KINDS}
    assert (Top(5).required_systems, Windows(6).required_systems, WithoutOne().required_systems) == (5, 6, 3)
    assert RandomSubsets(5, ("a", "b")).required_systems == 7


def test_all_systems(paired):
    assert all_systems(PEARSON, paired).value == pytest.approx(Top(8).curve(PEARSON, paired).points[0].value)
    assert all_systems(PEARSON, paired).n == 8


def test_every_draw_has_its_size_and_its_outliers(paired, monkeypatch):
    seen = []
    real = subsets.values_of_subsets
    monkeypatch.setattr(
        subsets, "values_of_subsets", lambda s, p, members: (seen.append(members), real(s, p, members))[1]
    )
    RandomSubsets(4, ("b", "g"), resamples=50).draw(PEARSON, paired)
    places = [NAMES.index("b"), NAMES.index("g")]
    expected = ([False, False], [True, False], [False, True], [True, True])
    for members, always in zip(seen, expected, strict=True):
        assert (members.sum(axis=1) == 4).all()
        assert (members[:, places] == always).all()


def test_blocks_of_draws_change_nothing(paired, monkeypatch):
    drawn = [each.values for each in RandomSubsets(4, ("b",), resamples=100).draw(PEARSON, paired)]
    monkeypatch.setattr(subsets, "_BLOCK", 7)
    again = [each.values for each in RandomSubsets(4, ("b",), resamples=100).draw(PEARSON, paired)]
    np.testing.assert_allclose(drawn, again, rtol=0, atol=1e-12)


def test_defaults_that_depend_on_the_systems():
    assert RandomSubsets().resolve(NAMES, ("c",)) == RandomSubsets(3, ("c",))
    assert RandomSubsets(outliers=()).resolve(NAMES, ("c",)) == RandomSubsets(4, ())
    assert RandomSubsets(5, ("a", "a"), 10, 1).resolve(NAMES, ("c",)) == RandomSubsets(5, ("a",), 10, 1)
    assert RandomSubsets().resolve(tuple("abcd"), tuple("abc")).subset_size == 4
    with pytest.raises(UnknownNameError, match="no system is called 'A'"):
        RandomSubsets(outliers=("A",)).resolve(NAMES, ())


@pytest.mark.parametrize(
    ("kind", "systems", "message"),
    [
        (Top(4), 3, "min_systems must be between 2 and 3 (the number of systems), not 4"),
        (Top(1), 3, "min_systems must be between 2"),
        (Windows(9), 8, "subset_size must be between 2 and 8 (the number of systems), not 9"),
        (WithoutOne(), 2, "leaving one out needs at least 3 systems, not 2"),
        (RandomSubsets(9), 8, "subset_size must be between 2 and 8 (the number of systems), not 9"),
        (RandomSubsets(7, ("a", "b")), 8, "between 3 and 6 (the number of systems that are not outliers), not 7"),
        (RandomSubsets(2, ("a", "b")), 8, "subset_size must be between 3"),
        (RandomSubsets(3, resamples=0), 8, "resamples must be an integer between 1 and 10,000,000, not 0"),
        (RandomSubsets(3, resamples=10**8), 8, "resamples must be an integer"),
        (RandomSubsets(3, seed=-1), 8, "seed must be an integer"),
    ],
)
def test_sizes_are_checked(kind, systems, message):
    with pytest.raises(ConfigError, match=re.escape(message)):
        kind.check(systems)


def test_kinds_are_made_by_name():
    assert subsets_of_kind("top", min_systems=5, subset_size=None) == Top(5)
    assert subsets_of_kind("subsamples", subset_size=3, outliers=("a",), seed=7) == RandomSubsets(3, ("a",), seed=7)
    with pytest.raises(ConfigError, match=r"subset_size does not apply to kind=.top") as caught:
        subsets_of_kind("top", subset_size=3)
    assert caught.value.hint == "it applies to windows or subsamples"
    with pytest.raises(ConfigError, match="unknown kind 'tops'"):
        subsets_of_kind("tops")
