from __future__ import annotations

import math

import pytest

from assay import load
from assay.comparison import word_groups as module
from assay.comparison.word_groups import WORD_GROUPINGS, word_groups
from assay.errors import ConfigError
from tests.comparison.naive import word_counts
from tests.store.examples import testset as sample_testset

TESTSET = load(
    outputs={"a": ["The dog saw Anna .", "it has 3 legs", None], "b": ["the dog dog saw anna", "It has 4", "x"]},
    references=["The dog saw Anna .", "it has 3 legs", "x"],
)


def found(testset, grouping, **options):
    groups = word_groups(testset, "a", "b", groupings=[grouping], **options).groups
    return {group.group.partition(":")[2]: group for group in groups}


def counts(system):
    return system.matches, system.output_words, system.reference_words


def test_by_hand():
    groups = found(TESTSET, "case")
    assert list(groups) == ["lower case", "capitalised", "no case"]
    assert counts(groups["lower case"].first) == (5, 5, 5)
    assert counts(groups["lower case"].second) == (3, 6, 5)  # dog, saw, has of: the dog dog saw anna has
    assert counts(groups["capitalised"].second) == (0, 1, 2)  # It
    assert counts(groups["no case"].second) == (0, 1, 2)
    assert groups["lower case"].second.precision == pytest.approx(3 / 6)
    assert groups["lower case"].second.recall == pytest.approx(3 / 5)
    assert groups["lower case"].second.f_measure == pytest.approx(6 / 11)
    assert groups["lower case"].better_by == pytest.approx(1 - 6 / 11)


def test_the_segments_of_a_group():
    groups = found(TESTSET, "case")
    assert groups["lower case"].first_segments == (2,)  # it, legs; in the first, both have dog and saw
    assert groups["lower case"].second_segments == ()
    assert groups["capitalised"].first_segments == (1,)
    same = word_groups(TESTSET, "b", "a", groupings=["case"]).groups[0]
    assert same.first_segments == ()
    assert same.second_segments == groups["lower case"].first_segments


def test_at_most_100_segments_lead_to_a_group():
    testset = load(outputs={"a": ["x"] * 150 + ["x x"], "b": ["z"] * 151}, references=["x"] * 150 + ["x x"])
    (group, *_) = word_groups(testset, "a", "b", groupings=["case"]).groups
    assert group.first_segments == (151, *range(1, 100))


def test_kinds():
    """`The` starts a sentence; `Anna` does not, and is then entity-like. `anna` is another word."""
    groups = found(TESTSET, "kind")
    assert list(groups) == ["number", "entity-like", "other word", "punctuation"]
    assert counts(groups["number"].second) == (0, 1, 1)
    assert counts(groups["entity-like"].first) == (1, 1, 1)
    assert counts(groups["entity-like"].second) == (0, 0, 1)
    assert math.isnan(groups["entity-like"].second.precision)
    assert groups["entity-like"].second.f_measure == 0
    assert counts(groups["punctuation"].second) == (0, 0, 1)


def test_frequencies():
    testset = load(
        outputs={"a": ["x x y z"] * 6, "b": ["x"] * 6}, references=["x y", "x", "x", "x y", "x y", "x y y y y"]
    )
    groups = found(testset, "frequency")
    assert list(groups) == ["0", "5-9"]  # z; x and y
    assert counts(groups["0"].first) == (0, 6, 0)
    assert math.isnan(groups["0"].better_by)
    assert groups["0"].reason == "no such word in the references"
    assert counts(groups["5-9"].first) == (10, 18, 13)


def test_the_frequency_is_that_in_one_of_the_references():
    testset = load(outputs={"a": ["x"], "b": ["x"]}, references={"r": ["x"], "s": ["x"]})
    assert list(found(testset, "frequency")) == ["1"]


def test_the_best_reference_of_each_segment_and_system():
    testset = load(
        outputs={"a": ["x y z", "u"], "b": ["p q", "w"]},
        references={"r": ["x y z", None], "s": ["p q", "u v"]},
    )
    (group,) = found(testset, "case").values()
    assert counts(group.first) == (4, 4, 5)  # x y z with r, u with s: u v
    assert counts(group.second) == (2, 3, 4)
    assert group.first.reference_words != group.second.reference_words


def test_the_first_of_equally_good_references():
    testset = load(outputs={"a": ["x"], "b": ["y"]}, references={"r": ["X A"], "s": ["x2 a"]})
    groups = found(testset, "case")
    assert counts(groups["capitalised"].first) == (0, 0, 2)


@pytest.mark.parametrize(
    ("word", "case"),
    [
        ("haus", "lower case"),
        ("Haus", "capitalised"),
        ("I", "capitalised"),
        ("E-Mail", "capitalised"),
        ("3D", "capitalised"),
        ("NATO", "all caps"),
        ("B2B", "all caps"),
        ("iPhone", "mixed case"),
        ("McDonald", "mixed case"),
        ("12", "no case"),
        ("苹果", "no case"),
        ("ǅ", "capitalised"),
    ],
)
def test_cases(word, case):
    assert module._case(word) == case


@pytest.mark.parametrize(
    ("word", "script"),
    [
        ("Haus", "Latin"),
        ("Ｈａｕｓ", "Latin"),
        ("дом", "Cyrillic"),
        ("苹果", "Han"),
        ("りんご", "Hiragana"),
        ("リンゴー", "Katakana"),
        ("사과", "Hangul"),
        ("सेब", "Devanagari"),
        ("แอปเปิล", "Thai"),
        ("تفاحة", "Arabic"),
        ("ꓮ", "Lisu"),
        ("日本の", "mixed"),
        ("3.5", "none"),
        ("…", "none"),
    ],
)
def test_scripts(word, script):
    assert module._script(word) == script


def test_scripts_in_order_of_frequency():
    testset = load(outputs={"a": ["x"], "b": ["x"]}, references=["дом дом x ."])
    assert list(found(testset, "script")) == ["Cyrillic", "Latin", "none"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Berlin is here", "other word"),
        ("here is Berlin", "entity-like"),
        ("yes, Berlin", "entity-like"),
        ("yes. Berlin", "other word"),
        ("Berlin. In Berlin", "entity-like"),
    ],
)
def test_entities_are_capitalised_inside_a_sentence(text, kind):
    testset = load(outputs={"a": ["Berlin"], "b": ["Berlin"]}, references=[text])
    assert found(testset, "kind")[kind].first.matches == 1


def test_the_outputs_decide_about_words_that_the_references_do_not_have():
    testset = load(outputs={"a": ["in Berlin"], "b": ["Berlin"]}, references=["x"])
    assert counts(found(testset, "kind")["entity-like"].second) == (0, 1, 0)
    testset = load(outputs={"a": ["in Berlin"], "b": ["Berlin"]}, references=["Berlin"])
    assert "entity-like" not in found(testset, "kind")


def test_missing_texts_are_counted():
    result = word_groups(TESTSET, "a", "b")
    assert result.n == 2
    assert [note.count for note in result.notes] == [1]
    assert result.settings == {"tok": "intl"}


def test_empty_texts():
    assert word_groups(load(outputs={"a": [""], "b": [""]}, references=[""]), "a", "b").groups == ()


def test_an_unknown_grouping():
    with pytest.raises(ConfigError, match="unknown grouping of words 'cases'"):
        word_groups(TESTSET, "a", "b", groupings=["cases"])


@pytest.mark.parametrize("tok", ["auto", "13a"])
def test_the_sample_as_counted_one_by_one(tok):
    """Every grouping is a partition: the counts of each word are those of the naive count, group by group."""
    testset = sample_testset()
    first, second, *_ = testset.systems
    result = word_groups(testset, first, second, tok=tok)
    expected = word_counts(testset, first, second, "intl" if tok == "auto" else tok)
    for grouping in WORD_GROUPINGS:
        groups = [group for group in result.groups if group.group.startswith(f"{grouping}:")]
        for system, totals in zip(("first", "second"), expected, strict=True):
            sums = [sum(column) for column in zip(*(counts(getattr(g, system)) for g in groups), strict=True)]
            assert sums == [total.total() for total in totals]
    for system, totals in zip(("first", "second"), expected, strict=True):
        for group in (group for group in result.groups if group.group.startswith("case:")):
            found = getattr(group, system)
            case = group.group.partition(":")[2]
            right, output, reference = (sum(n for w, n in t.items() if module._case(w) == case) for t in totals)
            precision, recall = right / output, right / reference
            assert (found.precision, found.recall) == (pytest.approx(precision), pytest.approx(recall))
            assert found.f_measure == pytest.approx(2 * precision * recall / (precision + recall))
