from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from assay.errors import InputError, NameClashError, UnsafeNameError
from assay.types import UNRANKED, ErrorSpan, Rankings, Ratings, predicted_ratings
from tests.human.judged import make_ratings

RATINGS = Ratings(
    name="mqm",
    protocol="MQM",
    raters=("r1", "r2"),
    systems=("a", "b"),
    rater=np.array([0, 1, 1]),
    system=np.array([0, 0, 1]),
    segment=np.array([4, 4, -1]),
    score=np.array([1.5, np.nan, 0]),
    kind=("TGT", "BAD", "TGT"),
    errors=((ErrorSpan("Style", "minor"),), (), ()),
    document=("d", "d", "e"),
)
RANKINGS = Rankings(
    name="rr",
    systems=("a", "b", "c"),
    judges=("j",),
    judge=np.array([0, 0]),
    segment=np.array([0, 7]),
    ranks=np.array([[1, 2, UNRANKED], [5, 5, 1]]),
)


def test_spans():
    assert ErrorSpan("", "major", 3, 3).end == 3
    for place in ((1, None), (None, 1), (2, 1), (-1, 1)):
        with pytest.raises(InputError):
            ErrorSpan("Style", "minor", *place)


def test_some_of_the_rows():
    some = RATINGS.where(RATINGS.segment == 4)
    assert (len(RATINGS), len(some), some.systems, some.raters) == (3, 2, ("a", "b"), ("r1", "r2"))
    assert (some.kind, some.document, some.errors) == (("TGT", "BAD"), ("d", "d"), RATINGS.errors[:2])
    np.testing.assert_array_equal(some.score, [1.5, np.nan])
    bare = replace(RATINGS, kind=(), errors=(), document=()).where(np.array([False, False, True]))
    assert (len(bare), bare.kind, bare.errors, bare.document) == (1, (), (), ())


def test_nothing_can_be_changed():
    given = np.array([[1, 2]])
    rankings = Rankings("rr", ("a", "b"), ("j",), [0], [0], given)
    given[0, 0] = 9
    assert rankings.ranks[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        rankings.ranks[0, 0] = 2
    with pytest.raises(ValueError, match="read-only"):
        RATINGS.score[0] = 2
    with pytest.raises(FrozenInstanceError):
        RATINGS.name = "other"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rater": [0, 1]}, "rater has shape"),
        ({"score": [[1.0], [2.0], [3.0]]}, "has shape"),
        ({"kind": ("TGT",)}, "3 scores, but kind has length 1"),
        ({"errors": ((),)}, "3 scores, but errors has length 1"),
        ({"document": ("d",)}, "3 scores, but document has length 1"),
        ({"rater": [0, 1, 2]}, "rater index out of range \\(2 known"),
        ({"system": [0, -1, 0]}, "system index out of range \\(2 known"),
        ({"segment": [0, -2, 0]}, "a negative segment"),
        ({"score": [0, np.inf, 0]}, "an infinite score"),
        ({"protocol": "guess"}, "an unknown protocol 'guess'"),
        ({"items": ("x", "y")}, "item index out of range \\(2 known"),
        ({"items": ("x",), "segment": [0, -2, 0]}, "item index out of range \\(1 known"),
    ],
)
def test_ratings_that_do_not_fit(change, message):
    with pytest.raises(InputError, match=message):
        replace(RATINGS, **change)


def test_items_are_what_segments_number():
    ratings = replace(RATINGS, items=["x:0", "x:1", "x:2", "x:3", "x:4"])
    assert ratings.items[ratings.segment[0]] == "x:4"
    assert ratings.segment[2] == -1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"judge": [0, 1]}, "judge index out of range \\(1 known"),
        ({"judge": [0]}, "columns of different length"),
        ({"segment": [0]}, "columns of different length"),
        ({"ranks": [[1, 2], [1, 2]]}, "columns of different length"),
        ({"segment": [0, -1]}, "a negative segment"),
        ({"ranks": [[1, 2, -1], [1, 1, 1]]}, "a rank outside 0 to 127"),
        ({"ranks": np.array([[1, 2, 300], [1, 1, 1]])}, "a rank outside 0 to 127"),
    ],
)
def test_rankings_that_do_not_fit(change, message):
    with pytest.raises(InputError, match=message):
        replace(RANKINGS, **change)


@pytest.mark.parametrize("judgements", [RATINGS, RANKINGS])
def test_names_of_systems_are_safe(judgements):
    with pytest.raises(NameClashError):
        replace(judgements, systems=("e\u0301", "é", "c")[: len(judgements.systems)])
    with pytest.raises(UnsafeNameError):
        replace(judgements, systems=("../a", "b", "c")[: len(judgements.systems)])


def test_how_they_show_themselves():
    assert repr(RATINGS) == "Ratings(mqm, MQM: 3 ratings of 1 output of 2 systems by 2 raters)"
    assert repr(RANKINGS) == "Rankings(rr: 2 rankings of 3 systems by 1 judge)"


def test_domains_and_times_belong_to_rows():
    ratings = replace(RATINGS, domain=("news", "news", "speech"), time=[3.0, 1.0, np.nan])
    kept = ratings.where(np.array([True, False, True]))
    assert kept.domain == ("news", "speech")
    assert np.array_equal(kept.time, [3.0, np.nan], equal_nan=True)
    with pytest.raises(InputError, match="3 scores, but domain has length 1"):
        replace(RATINGS, domain=("news",))
    with pytest.raises(InputError, match="3 scores, but time has shape"):
        replace(RATINGS, time=[1.0])


def test_some_rankings():
    ranks = np.array([[1, 2], [2, 1], [1, 1]])
    rankings = Rankings("rr", ("a", "b"), ("j", "k"), [0, 1, 0], [3, 4, 5], ranks, output=[[1, 2], [1, 2], [1, 1]])
    some = rankings.where(np.array([True, False, True]))
    assert (some.judge.tolist(), some.segment.tolist(), some.ranks.tolist()) == ([0, 0], [3, 5], [[1, 2], [1, 1]])
    assert some.output.tolist() == [[1, 2], [1, 1]]
    assert some.systems == rankings.systems


def test_masked_judgements_are_missing():
    ranks = np.ma.array([[1, 2]], mask=[[False, True]])
    assert Rankings("rr", ("a", "b"), ("j",), np.zeros(1), np.zeros(1), ranks).ranks.tolist() == [[1, UNRANKED]]
    score = np.ma.array([1.0, 2.0], mask=[False, True])
    columns = (np.zeros(2), np.zeros(2), np.arange(2))
    assert np.isnan(Ratings("da", "DA", ("r",), ("a",), *columns, score).score).tolist() == [False, True]
    hidden = np.ma.array([0, 1], mask=[False, True])
    with pytest.raises(InputError, match="a masked array has gaps where an index is needed"):
        Ratings("da", "DA", ("r",), ("a",), np.zeros(2), np.zeros(2), hidden, np.ones(2))


def test_ratings_that_raters_cannot_give_are_refused():
    with pytest.raises(InputError, match="a score beyond the scale of ESA"):
        make_ratings([("x", "a", 0, 101.0)], protocol="ESA")
    assert make_ratings([("x", "a", 0, 101.0)], protocol="ESA-z").score == 101


def test_errors_that_a_metric_marked_become_ratings_that_are_not_by_people():
    """Rows in the order of systems and segments; an output without an error has a row, too."""
    error = ErrorSpan("accuracy/omission", "major")
    ratings = predicted_ratings("judge", "MQM", ("elm", "oak"), {(1, 0): (error,), (0, 2): ()})
    assert (ratings.name, ratings.raters, ratings.is_human) == ("judge", ("judge",), False)
    assert [(ratings.systems[s], n) for s, n in zip(ratings.system, ratings.segment, strict=True)] == [
        ("elm", 2),
        ("oak", 0),
    ]
    assert ratings.errors == ((), (error,))
    assert np.isnan(ratings.score).all()
