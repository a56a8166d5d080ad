from __future__ import annotations

import numpy as np
import pytest

from assay.agreement import statistic
from assay.errors import ConfigError, UnknownNameError
from assay.study import parts
from assay.study.pairing import pair
from assay.study.parts import KINDS, RandomParts, Subsampling, Top, Windows, WithoutOne, over_all
from assay.types import ScoreTable

NAMES = tuple("abcdefgh")
PEARSON = statistic.create("pearson")


@pytest.fixture
def paired():
    random = np.random.Generator(np.random.PCG64(3))
    scores = ScoreTable("m", "system", NAMES, random.normal(size=(8, 1)))
    return pair(scores, ScoreTable("h", "system", NAMES, random.normal(size=(8, 1)), protocol="DA"))


def test_kinds_and_what_they_need():
    assert {kind: cls.kind for kind, cls in KINDS.items()} == {kind: kind for kind in KINDS}
    assert (Top(5).fewest, Windows(6).fewest, WithoutOne().fewest) == (5, 6, 3)
    assert RandomParts(5, ("a", "b")).fewest == 7


def test_over_all(paired):
    assert over_all(PEARSON, paired).value == pytest.approx(Top(8).curve(PEARSON, paired).points[0].value)
    assert over_all(PEARSON, paired).n == 8


def test_every_draw_has_its_size_and_its_outliers(paired, monkeypatch):
    seen = []
    real = parts.values_of_parts
    monkeypatch.setattr(parts, "values_of_parts", lambda s, p, members: (seen.append(members), real(s, p, members))[1])
    RandomParts(4, ("b", "g"), draws=50).casts(PEARSON, paired)
    places = [NAMES.index("b"), NAMES.index("g")]
    expected = ([False, False], [True, False], [False, True], [True, True])
    for members, always in zip(seen, expected, strict=True):
        assert (members.sum(axis=1) == 4).all()
        assert (members[:, places] == always).all()


def test_blocks_of_draws_change_nothing(paired, monkeypatch):
    drawn = [each.values for each in RandomParts(4, ("b",), draws=100).casts(PEARSON, paired)]
    monkeypatch.setattr(parts, "_AT_ONCE", 7)
    again = [each.values for each in RandomParts(4, ("b",), draws=100).casts(PEARSON, paired)]
    np.testing.assert_allclose(drawn, again, rtol=0, atol=1e-12)


def test_what_is_left_open():
    assert Subsampling().fitted(NAMES, ("c",)) == RandomParts(3, ("c",))
    assert Subsampling(outliers=()).fitted(NAMES, ("c",)) == RandomParts(4, ())
    assert Subsampling(5, ("a", "a"), 10, 1).fitted(NAMES, ("c",)) == RandomParts(5, ("a",), 10, 1)
    assert Subsampling().fitted(tuple("abcd"), tuple("abc")).size == 4
    with pytest.raises(UnknownNameError, match="no system is called 'A'"):
        Subsampling(outliers=("A",)).fitted(NAMES, ())


@pytest.mark.parametrize(
    ("asked", "systems", "message"),
    [
        (Top(4), 3, "least must be between 2 and the number of systems, 3, not 4"),
        (Top(1), 3, "least must be between 2"),
        (Windows(9), 8, "size must be between 2 and the number of systems, 8, not 9"),
        (WithoutOne(), 2, "leaving one out takes at least 3 systems, not 2"),
        (RandomParts(9), 8, "size must be between 2 and the number of systems, 8, not 9"),
        (RandomParts(7, ("a", "b")), 8, "between 3 and the number of systems that are no outliers, 6, not 7"),
        (RandomParts(2, ("a", "b")), 8, "size must be between 3"),
        (RandomParts(3, draws=0), 8, "draws must be a whole number between 1 and 10,000,000, not 0"),
        (RandomParts(3, draws=10**8), 8, "draws must be a whole number"),
        (RandomParts(3, seed=-1), 8, "seed must be a whole number"),
    ],
)
def test_refused(asked, systems, message):
    with pytest.raises(ConfigError, match=message):
        asked.check(systems)
