from __future__ import annotations

import numpy as np
import pytest

from assay.data.tables.collectors import (
    CampaignCollector,
    RankingCollector,
    RatingCollector,
    ScoreCollector,
    TextCollector,
    number_names,
    rankings_of_pairs,
)
from assay.errors import AlignmentError, InputError, UnsafeNameError
from assay.types import UNRANKED, ErrorSpan, Note, NoteKind


def test_names_are_numbered_in_order_of_appearance():
    names, numbers = number_names(["b", "a", "b", "c"])
    assert names == ("b", "a", "c")
    np.testing.assert_array_equal(numbers, [0, 1, 0, 2])


def test_ratings():
    collector = RatingCollector("da", "DA", "file", "digest")
    collector.add("r2", "b", 3, 70.0)
    collector.add("r1", "a", -1, document="d")
    ratings = collector.ratings()
    assert len(collector) == 2
    assert (ratings.raters, ratings.systems, ratings.origin, ratings.digest) == (
        ("r2", "r1"),
        ("b", "a"),
        "file",
        "digest",
    )
    np.testing.assert_array_equal(ratings.segment, [3, -1])
    np.testing.assert_array_equal(ratings.score, [70, np.nan])
    assert (ratings.kind, ratings.errors, ratings.items, ratings.document) == ((), (), (), ("", "d"))


@pytest.mark.parametrize("protocol", ["MQM", "ESA", "DA"])
def test_no_error_found_is_something_else_than_none_marked(protocol):
    collector = RatingCollector("x", protocol, "file")
    collector.add("r", "a", 0, kind="BAD")
    assert collector.ratings().errors == ()
    assert collector.ratings().kind == ("BAD",)
    collector.add("r", "a", 1, errors=())
    assert collector.ratings().errors == (None, ())


def test_segments_that_have_names():
    collector = RatingCollector("da", "DA", "file")
    assert [collector.add("r", "a", name, 1.0) for name in ("y", "x", "y")] == [0, 1, 0]
    assert collector.ratings().items == ("y", "x")


def test_errors_of_ratings_are_kept():
    collector = RatingCollector("da", "DA", "file")
    collector.add("r", "a", 0, errors=[ErrorSpan("Style", "minor")])
    assert collector.ratings().errors == ((ErrorSpan("Style", "minor"),),)


def test_rankings():
    collector = RankingCollector("rr", "file")
    collector.add("j2", 5, {"c": 1, "a": UNRANKED})
    collector.add("j1", 0, {"a": 2, "b": 2})
    collector.add("j2", 1, {})
    rankings = collector.rankings()
    assert (rankings.systems, rankings.judges) == (("c", "a", "b"), ("j2", "j1"))
    np.testing.assert_array_equal(rankings.judge, [0, 1, 0])
    np.testing.assert_array_equal(rankings.segment, [5, 0, 1])
    np.testing.assert_array_equal(rankings.ranks, [[1, 0, 0], [0, 2, 2], [0, 0, 0]])


def test_ranks_that_do_not_fit_are_not_bent():
    collector = RankingCollector("rr", "file")
    collector.add("j", 0, {"a": 300})
    with pytest.raises(InputError, match="file: ranks must be between 1 and 127"):
        collector.rankings()


def test_pairs():
    rankings = rankings_of_pairs("pairs", [2, 0], ["a", "c"], ["b", "a"], origin="file")
    assert (rankings.systems, rankings.judges, rankings.origin) == (("a", "b", "c"), ("unknown",), "file")
    np.testing.assert_array_equal(rankings.ranks, [[1, 2, 0], [2, 0, 1]])
    np.testing.assert_array_equal(rankings.segment, [2, 0])


def test_nothing_is_an_error_with_the_file():
    for collector in (RatingCollector("a", "DA", "file").ratings, RankingCollector("a", "file").rankings):
        with pytest.raises(InputError, match="file: no ra"):
            collector()
    with pytest.raises(InputError, match="file: no scores"):
        ScoreCollector("a", "segment", "file").table()


def test_unsafe_names_are_an_error_with_the_file():
    ratings = RatingCollector("a", "DA", "file")
    ratings.add("r", "a/b", 0)
    with pytest.raises(UnsafeNameError, match=r"^file: 'a/b' cannot be"):
        ratings.ratings()
    with pytest.raises(UnsafeNameError, match=r"^file: 'a/b' cannot be"):
        rankings_of_pairs("p", [0], ["a/b"], ["c"], origin="file")


def test_scores():
    collector = ScoreCollector("m", "segment", "file", references=("refA",))
    collector.add("b", 1, 2.0, line=1)
    collector.add("a", 0, 1.0, line=2)
    np.testing.assert_array_equal(collector.table().values, [[np.nan, 2], [1, np.nan]])
    assert collector.table(4).values.shape == (2, 4)
    with pytest.raises(InputError, match=r"file: score 'm' for segment 2 of system 'b', beyond the last segment, 1"):
        collector.table(1)
    with pytest.raises(InputError, match=r"file, line 3: duplicate score 'm' for system 'b', segment 2"):
        collector.add("b", 1, 2.0, line=3)


def test_texts():
    texts = TextCollector("file", hint="do this")
    texts.add("source", 0, "one", line=1)
    texts.add("source", 0, "one", line=2)
    texts.add("output", 0, "eins", line=2, system="a")
    texts.add("output", 2, "", line=3, system="b")
    testset = texts.testset(3, lp="en-de", name="toy")
    assert testset.sources == ("one", None, None)
    assert testset.outputs == {"a": ("eins", None, None), "b": (None, None, "")}
    assert [(note.text, note.count) for note in testset.notes] == [
        ("1 of 3 segments without text", 1),
        ("missing outputs for segments that other systems translated: 'a' 1, 'b' 1", 2),
    ]
    with pytest.raises(
        AlignmentError, match="file, line 4: the source for segment 1 differs from an earlier line"
    ) as caught:
        texts.add("source", 0, "One", line=4)
    assert caught.value.hint == "do this"


def test_texts_without_outputs_or_far_apart_make_no_test_set():
    texts = TextCollector("file")
    texts.add("source", 0, "one", line=1)
    assert texts.testset(1, lp=None, name=None) is None
    texts.add("output", 999_999_998, "x", line=1, system="a")
    assert texts.testset(999_999_999, lp=None, name=None) is None


def test_a_campaign():
    ratings, texts = RatingCollector("da", "DA", "file"), TextCollector("file")
    ratings.add("r", "a", 1, 5.0)
    texts.add("output", 1, "x", line=1, system="b")
    collector = CampaignCollector("toy", "en-de", ratings, texts, [Note(NoteKind.CHANGED, "noted")], {"c": None})
    campaign = collector.campaign(segments=4)
    assert (campaign.segments, campaign.systems, campaign.testset.name) == (4, ("a", "b", "c"), "toy")
    assert campaign.notes == campaign.testset.notes
    assert [*map(str, campaign.notes)] == ["noted", "file: 3 of 4 segments without text"]
    assert collector.campaign().segments == 2


def test_numbers_of_segments_that_only_a_large_campaign_would_have():
    ratings = RatingCollector("da", "DA", "file")
    ratings.add("r", "a", 999_999_998, 1.0)
    rankings = RankingCollector("rr", "file")
    rankings.add("j", 999_999_998, {"a": 1, "b": 2})
    for collect in (
        ratings.ratings,
        rankings.rankings,
        lambda: rankings_of_pairs("rr", [999_999_998], ["a"], ["b"], origin="file"),
    ):
        with pytest.raises(
            InputError, match="file: segments are numbered up to 999,999,999, but the file has only 1 judg"
        ):
            collect()


def test_rankings_of_systems_that_hardly_meet():
    collector = RankingCollector("rr", "file")
    for row in range(1200):
        collector.add("j", 0, {f"s{row}": 1})
    with pytest.raises(InputError, match="1,200 rankings of 1,200 systems, but only 1,200 ranks"):
        collector.rankings()


def test_outputs_that_cannot_be_told_apart():
    collector = RankingCollector("rr", "file")
    collector.add("j", 0, {f"s{i}": 1 for i in range(128)})
    with pytest.raises(InputError, match="a ranking has more than 127 outputs"):
        collector.rankings()
