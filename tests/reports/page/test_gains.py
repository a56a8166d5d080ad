from __future__ import annotations

import pytest

from assay import compare, load, open_result, save_result
from assay.results import NgramDifferences, WordGroups
from tests.reports.page.built import built

TESTSET = load(
    outputs={
        "base": ["the cat sat", "no", "x", "a cat"],
        "new": ["the dog sat", "No", "x", "a dog"],
        "third": ["a", "b", "c", "d"],
    },
    references=["the dog sat", "No", "x", "a dog"],
)


def words(comparison, **options):
    return built("segments", comparison, **options)["words"][1]


def leading(content):
    """The buttons that lead to segments, by what they mark."""
    buttons = content.having("button", **{"data-viewer-id": "segments"})
    return {button["data-words"]: button for button in reversed(buttons) if button["data-words"]}


def test_the_contrasts_of_a_comparison():
    comparison = compare(TESTSET, ["chrf"], resamples=10, ngrams=9, words=True)
    content = words(comparison)
    names = [attributes["class"] for attributes in content.having("bdi") if "name" in (attributes.get("class") or "")]
    assert names[:3] == ["name a", "name b", "name a"], "base finds nothing more often"
    assert ["open" in attributes for attributes in content.having("details")] == [True, False]
    (dog,) = (button for text, button in leading(content).items() if text == "dog")
    assert (dog["data-show-segments"], dog["data-first"], dog["data-second"]) == ("1 4", "new", "base")
    assert "No" not in leading(content), "once more is no habit"
    assert "Case" in content.cells


def test_the_first_system_is_that_of_the_pair_shown_first():
    """The verdict may name the better system first, also if it is the baseline."""
    comparison = compare(TESTSET, ["chrf"], baseline="new", resamples=10, ngrams=9, words=True)
    contrast = next(each for each in comparison.contrasts if isinstance(each, NgramDifferences))
    assert (contrast.first, contrast.second) == ("base", "new")
    content = words(comparison)
    dog = leading(content)["dog"]
    (held,) = [each for each in contrast.worst if each.text == "dog"]
    assert (dog["data-first"], dog["data-second"]) == ("new", "base")
    assert dog["data-show-segments"] == " ".join(map(str, held.second_segments))
    group = next(each for each in comparison.contrasts if isinstance(each, WordGroups) and each.first == "base").groups[
        1
    ]
    row = content.cells.index(group.group.partition(":")[2])
    assert content.cells[row + 4].replace("−", "-") == f"{-group.better_by:+.3f}"


def test_without_contrasts_those_of_the_first_pair_are_made():
    content = words(compare(TESTSET, ["chrf"], resamples=10))
    assert "N-grams of the references" in content.text
    assert "Groups of words" in content.text
    assert len(content.having("details")) == 1
    row = content.cells.index("Times in the references")
    assert content.cells[row + 1] != "0", "words that no reference has are no row"


def test_no_n_grams_without_texts():
    comparison = compare(TESTSET, ["chrf"], resamples=10, ngrams=9, words=True)
    content = words(comparison, texts=False)
    assert "N-grams" not in content.text
    assert "Groups of words" in content.text


def test_nothing_for_a_saved_comparison_without_texts(tmp_path):
    save_result(compare(TESTSET, ["chrf"], resamples=10), tmp_path / "saved")
    assert list(built("segments", open_result(tmp_path / "saved"))) == ["segments"]


@pytest.mark.parametrize("references", [None, [None, "y"]])
def test_nothing_without_a_reference_of_a_segment_with_both_outputs(references):
    from assay.reports.page.scored_texts import ScoredTexts
    from assay.study.page_report import _words

    testset = load(outputs={"a": ["x", None], "b": ["x", "y"]}, references=references)
    assert list(_words(ScoredTexts(testset, ("a", "b")), testset)) == []


def test_a_phrase_is_shown_once():
    """Of a phrase that is longer than n-grams are, each piece of four words would be a row."""
    phrase = "Bitte wenden Sie sich an den Dienst"
    outputs = {"base": ["X y z", "X y z"], "new": [phrase, f"{phrase} jetzt"]}
    content = words(compare(load(outputs=outputs, references=[phrase, f"{phrase} jetzt"]), ["chrf"], resamples=10))
    assert len(leading(content)) == 1


def test_that_no_n_gram_says_much_is_said():
    outputs = {"base": ["the cat sat", "no"], "new": ["the dog sat", "no"]}
    comparison = compare(load(outputs=outputs, references=["the dog sat", "no"]), ["chrf"], resamples=10)
    assert "No n-gram is found at least twice more often by one of them." in words(comparison).text
