from __future__ import annotations

from collections import Counter

import pytest

from assay import load
from assay.comparison.ngrams import ngram_differences
from assay.errors import ConfigError
from tests.comparison.naive import compared_segments, ngrams, tokens
from tests.store.examples import testset as sample_testset

TESTSET = load(
    outputs={
        "a": ["the old house", "the house", "a tree", None],
        "b": ["the old tree", "the the house", "a bush", "x"],
    },
    references=["the old house", "the house", "a tree", "x"],
)


def shown(ngrams):
    return [(n.text, n.first_matches, n.second_matches, n.first_segments, n.second_segments) for n in ngrams]


def test_by_hand():
    """`house` is right 2:1 and `tree` 1:0, in the sense of clipped matches; smoothed shares are 3/5 and 2/3."""
    found = ngram_differences(TESTSET, "a", "b", max_order=1)
    assert shown(found.best) == [("tree", 1, 0, (3,), ()), ("house", 2, 1, (1,), ())]
    assert [n.score for n in found.best] == pytest.approx([2 / 3, 3 / 5])
    assert found.worst == ()
    assert found.n == 3
    assert [(note.count, note.where) for note in found.notes] == [(1, "a and b")]


def test_the_reverse():
    forward = ngram_differences(TESTSET, "a", "b")
    reverse = ngram_differences(TESTSET, "b", "a")
    assert [n.text for n in reverse.worst] == [n.text for n in forward.best]
    assert [n.score for n in reverse.worst] == pytest.approx([1 - n.score for n in forward.best])
    assert [n.second_segments for n in reverse.worst] == [n.first_segments for n in forward.best]


def test_parts_of_an_ngram_with_the_same_matches_are_left_out():
    """`old house` is a part of `the old house`; `house` has other counts."""
    texts = [n.text for n in ngram_differences(TESTSET, "a", "b").best]
    assert texts == ["the old house", "a tree", "house"]


def test_the_largest_count_in_any_reference():
    testset = load(outputs={"a": ["x x x"], "b": ["x"]}, references={"r": ["x y"], "s": ["x x"]})
    (found,) = ngram_differences(testset, "a", "b", max_order=1).best
    assert (found.first_matches, found.second_matches, found.reference_count) == (2, 1, 2)


def test_more_matches_in_different_segments():
    testset = load(outputs={"a": ["x", "x", "y"], "b": ["y", "y", "x"]}, references=["x", "x", "x"])
    (found,) = ngram_differences(testset, "a", "b").best
    assert shown([found]) == [("x", 2, 1, (1, 2), (3,))]


def test_options():
    assert [n.order for n in ngram_differences(TESTSET, "a", "b", min_order=2).best] == [3, 2]
    assert [n.text for n in ngram_differences(TESTSET, "a", "b", min_count=2).best] == ["house"]
    assert len(ngram_differences(TESTSET, "a", "b", count=1).best) == 1
    assert ngram_differences(TESTSET, "a", "b", count=0).best == ()
    upper = load(outputs={"a": ["X"], "b": ["y"]}, references=["x"])
    assert ngram_differences(upper, "a", "b").best == ()
    found = ngram_differences(upper, "a", "b", lowercase=True, tok="13a")
    assert [n.text for n in found.best] == ["x"]
    assert found.settings == {"tok": "13a", "case": "lc", "order": "1-4", "min_count": "1", "alpha": "1"}
    tree = [n for n in ngram_differences(TESTSET, "a", "b", alpha=0.5, max_order=1).best if n.text == "tree"]
    assert tree[0].score == pytest.approx(1.5 / 2)


@pytest.mark.parametrize(
    "options", [{"min_order": 0}, {"min_order": 3, "max_order": 2}, {"min_count": 0}, {"count": -1}, {"alpha": 0.0}]
)
def test_options_that_make_no_sense(options):
    with pytest.raises(ConfigError):
        ngram_differences(TESTSET, "a", "b", **options)


def test_of_equal_ngrams_the_longer_then_by_text():
    testset = load(outputs={"a": ["d c b a"], "b": ["x"]}, references=["d , c , b a"])
    assert [n.text for n in ngram_differences(testset, "a", "b").best] == ["b a", "c", "d"]


def test_chinese():
    testset = load(outputs={"a": ["我喜欢苹果"], "b": ["我爱苹果"]}, references=["我喜欢苹果"])
    assert ngram_differences(testset, "a", "b").best[0].tokens == ("喜", "欢", "苹", "果")


@pytest.mark.slow
@pytest.mark.parametrize("lowercase", [False, True])
def test_the_sample_as_counted_one_by_one(lowercase):
    testset = sample_testset()
    first, second, *_ = testset.systems
    found = ngram_differences(testset, first, second, count=10_000, lowercase=lowercase)
    totals = [Counter(), Counter()]
    for _, outputs, references in compared_segments(testset, first, second):
        for order in range(1, 5):
            largest = Counter()
            for reference in references:
                largest |= ngrams(tokens(reference, "intl", lowercase=lowercase), order)
            for system, output in enumerate(outputs):
                totals[system] += ngrams(tokens(output, "intl", lowercase=lowercase), order) & largest
    for listed, (own, other) in ((found.best, totals), (found.worst, totals[::-1])):
        expected = {ngram for ngram in own if own[ngram] > other[ngram]}
        texts = {n.tokens: (n.first_matches, n.second_matches) for n in listed}
        assert texts.keys() <= expected
        assert all(texts[ngram] == (totals[0][ngram], totals[1][ngram]) for ngram in texts)
        for ngram in expected - texts.keys():  # a part of a longer one
            same = [n for n, matches in texts.items() if matches == (totals[0][ngram], totals[1][ngram])]
            assert any(f" {' '.join(ngram)} " in f" {' '.join(n)} " for n in same)
        few = ngram_differences(testset, first, second, count=5, lowercase=lowercase)
        assert (few.best if listed is found.best else few.worst) == listed[:5]
