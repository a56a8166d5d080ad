from __future__ import annotations

import dataclasses
import itertools
import time

import numpy as np
import pytest

from assay import load, score
from assay.comparison.examples import examples, word_diff
from assay.errors import ConfigError, UnknownNameError
from tests.store.examples import testset as sample_testset

NAN = float("nan")
TESTSET = dataclasses.replace(
    load(
        outputs={"a": ["a1", "a2", "a3", "a4", "a5", None], "b": ["b1", "b2", "b3", "b4", "b5", "b6"]},
        references={"r": ["r1", "r2", "r3", None, "r5", "r6"], "s": ["s1", "s2", "s3", None, "s5", "s6"]},
        sources=["q1", "q2", "q3", "q4", "q5", "q6"],
        documents=["d", "d", "d", "e", None, "e"],
    ),
    items=("i1", "i2", "i3", "i4", "i5", "i6"),
)
SCORES = {"a": np.array([5.0, 9.0, 1.0, NAN, 7.0, 9.0]), "b": np.array([3.0, 1.0, 9.0, 5.0, 5.0, 0.0])}


def chosen(**options):
    found = examples(TESTSET, "a", "b", SCORES, metric="m", **options)
    return [e.segment for e in found.best], [e.segment for e in found.worst]


def test_the_largest_differences():
    """Segment 4 has no score of a, segment 6 no output of a. Segments 1 and 5 differ equally."""
    assert chosen() == ([2, 1, 5], [3])
    assert chosen(count=2) == ([2, 1], [3])
    assert chosen(count=0) == ([], [])


def test_what_an_example_holds():
    found = examples(TESTSET, "a", "b", SCORES, metric="m")
    best, worst = found.best[0], found.worst[0]
    assert (best.segment, best.name, best.document, best.source) == (2, "i2", "d", "q2")
    assert best.references == {"r": "r2", "s": "s2"}
    assert (best.first_output, best.second_output) == ("a2", "b2")
    assert (best.first_score, best.second_score, best.better_by) == (9.0, 1.0, 8.0)
    assert worst.better_by == -8.0
    assert found.n == 4
    assert [(note.count, note.where) for note in found.notes] == [(2, "m, a and b")]


def test_lower_is_better():
    assert chosen(higher_is_better=False) == ([3], [2, 1, 5])
    found = examples(TESTSET, "a", "b", SCORES, metric="m", higher_is_better=False)
    assert (found.best[0].better_by, found.best[0].first_score) == (8.0, 1.0)


def test_equal_segments_are_no_examples():
    found = examples(TESTSET, "a", "b", {"a": SCORES["b"], "b": SCORES["b"]}, metric="m")
    assert (found.best, found.worst) == ((), ())


def test_what_a_test_set_does_not_have():
    plain = load(outputs={"a": ["x y"], "b": ["x"]})
    (example,) = examples(plain, "a", "b", {"a": np.array([1.0]), "b": np.array([0.0])}, metric="m").best
    assert (example.name, example.document, example.source, example.references) == (None, None, None, {})


def test_wrong_arguments():
    with pytest.raises(UnknownNameError, match="no system is called 'c'"):
        examples(TESTSET, "a", "c", SCORES, metric="m")
    with pytest.raises(ConfigError, match="non-negative"):
        chosen(count=-1)


@pytest.mark.parametrize("metric", ["chrf", "ter"])
def test_the_sample(metric):
    testset = sample_testset()
    first, second, *_ = testset.systems
    scored = score(testset, metric, resamples=0)[metric]
    found = examples(
        testset, first, second, scored.segments, 7, metric=metric, higher_is_better=scored.higher_is_better
    )
    sign = 1 if scored.higher_is_better else -1
    differences = sign * (scored.segments[first] - scored.segments[second])
    assert [e.better_by for e in found.best] == sorted(differences, reverse=True)[:7]
    assert [e.better_by for e in found.worst] == sorted(differences)[:7]
    for example in (*found.best, *found.worst):
        assert "".join(span.text for span in example.diff.first) == example.first_output
        assert "".join(span.text for span in example.diff.second) == example.second_output


def marked(spans):
    return "".join(span.text if span.is_same else f"[{span.text}]" for span in spans)


@pytest.mark.parametrize(
    ("first", "second", "first_marked", "second_marked"),
    [
        ("the old house", "the old house", "the old house", "the old house"),
        ("the old house", "the new house", "the [old] house", "the [new] house"),
        ("the old red house", "the house", "the [old red] house", "the house"),
        ("house.", "house!", "house[.]", "house[!]"),
        ("(house), „dog“", "house dog", "[(]house[), „]dog[“]", "house dog"),
        ("don't", "do not", "[don't]", "[do not]"),
        ("a", "", "[a]", ""),
        (" a ", "b", "[ a ]", "[b]"),
        (" ", "", "[ ]", ""),
        ("a  b", "a b", "a  b", "a b"),
        ("我喜欢苹果", "我爱苹果", "我[喜欢]苹果", "我[爱]苹果"),
        ("私はりんごが好き", "私はリンゴが好き", "私は[りんご]が好き", "私は[リンゴ]が好き"),
        ("iPhone 手机 3", "iPhone 手表 3", "iPhone 手[机] 3", "iPhone 手[表] 3"),
        ("सेब खाओ", "सेब लाओ", "सेब [खाओ]", "सेब [लाओ]"),
    ],
)
def test_word_diff(first, second, first_marked, second_marked):
    diff = word_diff(first, second)
    assert (marked(diff.first), marked(diff.second)) == (first_marked, second_marked)


def test_spans_alternate():
    diff = word_diff("a b c d e f", "a x c d y f")
    for spans in (diff.first, diff.second):
        assert all(one.is_same != other.is_same for one, other in itertools.pairwise(spans))


def test_long_texts_take_no_long_time():
    start = time.process_time()
    diff = word_diff("a " * 20_000 + "b", "a " * 20_000 + "c")
    assert time.process_time() - start < 5
    assert "".join(span.text for span in diff.first) == "a " * 20_000 + "b"
