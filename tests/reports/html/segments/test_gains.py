from __future__ import annotations

import pytest

from assay import compare, load, open_result, save_result
from assay.reports.html.page import Report
from assay.reports.html.segments import build
from assay.reports.html.segments.gains import gains
from assay.reports.html.segments.scored_texts import ScoredTexts, scored_texts
from assay.results import NgramDifferences, WordGroups

TESTSET = load(
    outputs={
        "base": ["the cat sat", "no", "x", "a cat"],
        "new": ["the dog sat", "No", "x", "a dog"],
        "third": ["a", "b", "c", "d"],
    },
    references=["the dog sat", "No", "x", "a dog"],
)


def of(comparison, **options):
    (scored,) = scored_texts([comparison])
    return gains(scored, texts=True, **options)


def test_the_contrasts_of_a_comparison():
    comparison = compare(TESTSET, ["chrf"], resamples=10, ngrams=9, words=True)
    pairs = of(comparison)
    assert [(pair.first, pair.second) for pair in pairs] == [("new", "base"), ("third", "base")]
    assert [(side.css, side.system) for side in pairs[0].sides] == [("a", "new")]  # base finds nothing more often
    assert [(each.text, each.first_segments) for each in pairs[0].sides[0].ngrams] == [("dog", (1, 4))]  # No: once more
    assert "Case" in dict(pairs[0].word_groups)


def test_the_first_system_is_that_of_the_pair_shown_first():
    """The verdict may name the better system first, also if it is the baseline."""
    comparison = compare(TESTSET, ["chrf"], baseline="new", resamples=10, ngrams=9, words=True)
    contrast = next(each for each in comparison.contrasts if isinstance(each, NgramDifferences))
    assert (contrast.first, contrast.second) == ("base", "new")
    (scored,) = scored_texts([comparison])
    scored.pair = ("new", "base")
    pair = gains(scored, texts=True)[0]
    assert (pair.first, pair.second) == ("new", "base")
    (held,) = [each for each in contrast.worst if each.text == "dog"]
    assert pair.sides[0].ngrams[0].first_segments == held.second_segments
    assert pair.sides[0].ngrams[0].first_matches == held.second_matches
    groups = next(each for each in comparison.contrasts if isinstance(each, WordGroups)).groups
    assert [group.better_by for group in pair.words.groups] == pytest.approx(
        [-group.better_by for group in groups], nan_ok=True
    )


def test_without_contrasts_those_of_the_first_pair_are_made():
    (pair,) = of(compare(TESTSET, ["chrf"], resamples=10))
    assert (pair.first, pair.second) == ("new", "base")
    assert pair.ngrams is not None
    assert pair.words is not None


def test_words_that_no_reference_has_are_no_row():
    (pair,) = of(compare(TESTSET, ["chrf"], resamples=10))
    assert "0" not in dict(dict(pair.word_groups)["Times in the references"])


def test_no_n_grams_without_texts():
    (scored,) = scored_texts([compare(TESTSET, ["chrf"], resamples=10)])
    (pair,) = gains(scored, texts=False)
    assert pair.sides == ()
    assert pair.words is not None


def test_nothing_for_a_saved_comparison_without_texts(tmp_path):
    save_result(compare(TESTSET, ["chrf"], resamples=10), tmp_path / "saved")
    assert of(open_result(tmp_path / "saved")) == []


@pytest.mark.parametrize("references", [None, [None, "y"]])
def test_nothing_without_a_reference_of_a_segment_with_both_outputs(references):
    testset = load(outputs={"a": ["x", None], "b": ["x", "y"]}, references=references)
    assert gains(ScoredTexts(testset, ("a", "b")), texts=True) == []


def test_a_phrase_is_shown_once():
    """Of a phrase that is longer than n-grams are, each piece of four words would be a row."""
    phrase = "bitte wenden Sie sich an den Dienst"
    outputs = {"base": ["x y z", "x y z"], "new": [phrase, f"{phrase} jetzt"]}
    (pair,) = of(compare(load(outputs=outputs, references=[phrase, f"{phrase} jetzt"]), ["chrf"], resamples=10))
    (side,) = pair.sides
    assert len(side.ngrams) == 1


def test_that_no_n_gram_says_much_is_said():
    outputs = {"base": ["the cat sat", "no"], "new": ["the dog sat", "no"]}
    comparison = compare(load(outputs=outputs, references=["the dog sat", "no"]), ["chrf"], resamples=10)
    (pair,) = of(comparison)
    assert pair.sides == ()
    (words, _) = build(Report((comparison,)))
    assert "No n-gram is found at least twice more often by one of them." in words.html
