"""BLEU by hand; tests/oracle compares it with sacreBLEU at large."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay import load, score
from assay.metrics.bleu import Bleu


def bleu(output, *references, spec="bleu", lp=None):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns, lp=lp), spec, resamples=0, agg="corpus,segment")[
        spec
    ]


def test_by_hand():
    """Four of five unigrams, two of four bigrams, one of three trigrams, none of two 4-grams, which exp halves."""
    found = bleu("the cat sat mat on", "the cat sat on a mat")
    assert found.statistics.table[0, 0].tolist() == [5, 6, 5, 2, 1, 0, 5, 4, 3, 2]
    precisions = [5 / 5, 2 / 4, 1 / 3, 1 / (2 * 2)]
    expected = 100 * math.exp(1 - 6 / 5) * math.prod(precisions) ** 0.25
    assert found.corpus["x"] == pytest.approx(expected, abs=1e-9)


def test_clipping_takes_the_largest_count_and_the_closest_length():
    found = bleu("the the the", "the cat", "the the on a mat")
    assert found.statistics.table[0, 0].tolist()[:3] == [3, 2, 2]


@pytest.mark.parametrize(
    ("output", "references", "length"), [("a b c", ("a b", "a b c d"), 2), ("a", ("b c d", "b"), 1), ("a b", ("a",), 1)]
)
def test_reference_length(output, references, length):
    assert bleu(output, *references).statistics.table[0, 0, 1] == length


def test_short_segments_need_the_effective_order():
    found = bleu("hello world", "hello world")
    assert found.corpus["x"] == 0
    assert found.segment_mean["x"] == 100
    assert dict(found.corpus.signature.parameters)["effective_order"] == "no"
    assert dict(found.segment_mean.signature.parameters)["effective_order"] == "yes"


@pytest.mark.parametrize(("output", "reference"), [("", "a b"), ("a b", ""), ("", ""), ("a b", "c d")])
def test_nothing_in_common_is_zero_as_in_sacrebleu(output, reference):
    assert bleu(output, reference).corpus["x"] == 0


def test_a_perfect_corpus_is_exactly_100():
    """sacreBLEU says 100.00000000000004."""
    assert bleu("the quick brown fox jumps", "the quick brown fox jumps").corpus["x"] == 100


@pytest.mark.parametrize(("lp", "tok"), [(None, "13a"), ("en-de", "13a"), ("en-zh", "zh"), ("de-en", "13a")])
def test_the_target_language_chooses_the_tokeniser(lp, tok):
    found = bleu("今天。", "今天！", lp=lp)
    assert dict(found.signature.parameters)["tok"] == tok


def test_an_explicit_tokeniser_wins():
    found = bleu("今天。", "今天！", lp="en-zh", spec="bleu:tok=char")
    assert dict(found.signature.parameters)["tok"] == "char"


def test_score_leaves_totals_alone_and_takes_any_shape():
    totals = np.array([[[5, 6, 5, 2, 1, 0, 5, 4, 3, 2]] * 3] * 2)
    kept = totals.copy()
    for smooth in ("exp", "floor", "add-k", "none"):
        values = Bleu(smooth=smooth).score(totals)
        assert values.shape == (2, 3)
        assert len(set(values.ravel().tolist())) == 1
    np.testing.assert_array_equal(totals, kept)


def test_sacrebleu_signature():
    found = bleu("a", "a", "b", spec="bleu:smooth=floor,lowercase=yes,tok=intl")
    assert found.sacrebleu_signature == "nrefs:2|case:lc|eff:no|tok:intl|smooth:floor[0.10]|version:2.6.0"


def test_long_and_rich_segments_take_the_sparse_path():
    """70,000 distinct words: ids no longer fit 16 bits."""
    words = [f"w{i}" for i in range(70_000)]
    output, reference = " ".join(words), " ".join(words[::-1] + words[:500])
    table = bleu(output, reference).statistics.table[0, 0]
    assert table.tolist() == [70_000, 70_500, 70_000, 499, 498, 497, 70_000, 69_999, 69_998, 69_997]


def test_mteval_by_hand():
    """No 4-gram at all is a factor of 1, and the trigram that fails counts a half: none of it as in sacreBLEU."""
    found = bleu("A b x", "a b c", spec="bleu:flavour=mteval")
    assert found.corpus["x"] == pytest.approx((2 / 3 * 1 / 2 * 1 / 2) ** 0.25, abs=1e-12)
    assert found.segments["x"][0] == found.corpus["x"]


def test_mteval_smooths_where_nothing_matches_and_gives_nothing_for_nothing():
    assert bleu("x", "a", spec="bleu:flavour=mteval").corpus["x"] == pytest.approx((1 / 2) ** 0.25)
    assert bleu("", "a", spec="bleu:flavour=mteval").corpus["x"] == 0
    assert bleu("", "", spec="bleu:flavour=mteval").corpus["x"] == 0
    assert bleu("a b c", "a b c", spec="bleu:flavour=mteval,smooth=none").corpus["x"] == 0


def test_mteval_lowers_ascii_unless_told_not_to():
    assert bleu("A B C D", "a b c d", spec="bleu:flavour=mteval").corpus["x"] == 1
    assert bleu("A B C D", "a b c d", spec="bleu:flavour=mteval,smooth=none,lowercase=no").corpus["x"] == 0


def test_moses_needs_a_match_of_every_order_in_the_corpus_but_not_in_a_segment():
    found = bleu("a b c", "a b c", spec="bleu:flavour=moses")
    assert found.corpus["x"] == 0
    assert found.segments["x"][0] == 1


@pytest.mark.parametrize(("kind", "length"), [("closest", 5), ("shortest", 1), ("average", 3)])
def test_reference_lengths(kind, length):
    """The mean of 1, 5 and 5 is cut to 3, as in Moses."""
    spec = f"bleu:flavour=moses,reference_length={kind}"
    assert bleu("a b c d", "a", "a b c d e", "a b c d e", spec=spec).statistics.table[0, 0, 1] == length


@pytest.mark.parametrize("flavour", ["sacrebleu", "mteval", "moses"])
def test_percent(flavour):
    texts = ("the cat sat on the mat", "the cat sat on a mat")
    whole = bleu(*texts, spec=f"bleu:flavour={flavour},percent=yes").corpus["x"]
    assert whole > 1
    assert bleu(*texts, spec=f"bleu:flavour={flavour},percent=no").corpus["x"] == pytest.approx(whole / 100)


def test_only_sacrebleus_own_have_its_signature():
    assert bleu("a", "a", spec="bleu:flavour=mteval").sacrebleu_signature is None
    assert bleu("a", "a", spec="bleu:percent=no").sacrebleu_signature is None
