from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from assay import load
from assay.comparison.token_counts import matches, tokenize_pair
from assay.errors import ConfigError, UnknownNameError
from tests.comparison.naive import ngrams, tokens

TESTSET = load(
    outputs={"a": ["x y x y x", "x", None, "b"], "b": ["y x", "", "z", "b"]},
    references={"r": ["x y x", None, "z", None], "s": ["y y", "x", None, None]},
)


def counted(counts, found, pair):
    return {
        (segment, " ".join(pair.vocabulary[token] for token in found.tokens[ngram])): count
        for segment, ngram, count in zip(
            counts.segments.tolist(), counts.ids.tolist(), counts.counts.tolist(), strict=True
        )
    }


def test_ngrams_of_each_column():
    pair = tokenize_pair(TESTSET, "a", "b")
    unigrams, bigrams = pair.ngrams(2)
    assert counted(unigrams.outputs[0], unigrams, pair) == {(0, "x"): 3, (0, "y"): 2, (1, "x"): 1}
    assert counted(bigrams.outputs[0], bigrams, pair) == {(0, "x y"): 2, (0, "y x"): 2}
    assert counted(bigrams.outputs[1], bigrams, pair) == {(0, "y x"): 1}
    assert counted(bigrams.references[1], bigrams, pair) == {(0, "y y"): 1}


def test_segments_without_an_output_or_a_reference_do_not_count():
    pair = tokenize_pair(TESTSET, "a", "b")
    assert pair.compared.tolist() == [True, True, False, False]
    assert pair.n == 2
    assert [(note.count, str(note.kind)) for note in pair.notes] == [(2, "excluded")]
    assert tokenize_pair(TESTSET.take([0, 1]), "a", "b").notes == ()


def test_matches_are_clipped():
    pair = tokenize_pair(TESTSET, "a", "b")
    unigrams = next(pair.ngrams(1))
    output, (reference, other) = unigrams.outputs[0], unigrams.references
    assert matches(output, reference).tolist() == [2, 1, 0]  # x and y in the first segment, x in the second
    assert matches(output, other).tolist() == [0, 2, 1]


def test_nothing_to_match():
    pair = tokenize_pair(load(outputs={"a": ["", "x"], "b": ["", ""]}, references=["", ""]), "a", "b")
    for found in pair.ngrams(3):
        assert not matches(found.outputs[0], found.references[0]).any()


def test_as_counted_one_by_one():
    rng = np.random.default_rng(1)
    texts = [[" ".join(rng.choice(list("abcde"), rng.integers(0, 9))) for _ in range(40)] for _ in range(3)]
    testset = load(outputs={"a": texts[0], "b": texts[1]}, references=texts[2])
    pair = tokenize_pair(testset, "a", "b")
    for found in pair.ngrams(4):
        for column, counts in zip(texts, (*found.outputs, *found.references), strict=True):
            expected = Counter()
            for segment, text in enumerate(column):
                for ngram, count in ngrams(tokens(text, "none"), found.order).items():
                    expected[segment, " ".join(ngram)] += count
            assert counted(counts, found, pair) == expected


@pytest.mark.parametrize(
    ("reference", "tok"), [("Hallo Welt", "intl"), ("我喜欢苹果", "zh"), ("りんごが好きです", "char")]
)
def test_the_tokeniser_depends_on_the_script(reference, tok):
    assert tokenize_pair(load(outputs={"a": ["x"], "b": ["x"]}, references=[reference]), "a", "b").tok == tok


def test_options():
    testset = load(outputs={"a": ["Ab, c"], "b": ["x"]}, references=["ab"])
    assert tokenize_pair(testset, "a", "b", tok="none").vocabulary == ("Ab,", "c", "x", "ab")
    assert tokenize_pair(testset, "a", "b", lowercase=True).vocabulary == ("ab", ",", "c", "x")
    assert tokenize_pair(testset, "a", "b", tok="moses-de").vocabulary == ("Ab", ",", "c", "x", "ab")


def test_what_is_not_there():
    with pytest.raises(UnknownNameError, match="no system is called 'c'"):
        tokenize_pair(TESTSET, "a", "c")
    with pytest.raises(ConfigError, match="needs a reference"):
        tokenize_pair(load(outputs={"a": ["x"], "b": ["x"]}), "a", "b")
