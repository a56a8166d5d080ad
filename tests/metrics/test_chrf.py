"""chrF by hand; tests/oracle compares it with sacreBLEU at large."""

from __future__ import annotations

import pytest

from assay import load, score


def chrf(output, *references, spec="chrf"):
    columns = {f"r{k}": [reference] for k, reference in enumerate(references)}
    return score(load(outputs={"x": [output]}, references=columns), spec, resamples=0, agg="corpus,segment")[spec]


def test_by_hand():
    """`abc` against `abd`: 2 of 3 characters, 1 of 2 bigrams, 0 of 1 trigrams; the other orders do not exist."""
    found = chrf("a bc", "abd")
    assert found.statistics.table[0, 0].tolist() == [3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    average = (2 / 3 + 1 / 2 + 0) / 3
    assert found.corpus["x"] == pytest.approx(100 * average, abs=1e-9)


def test_an_order_the_reference_lacks_is_not_counted():
    assert chrf("abcdef", "ab").statistics.table[0, 0].tolist()[:9] == [6, 2, 2, 5, 1, 1, 0, 0, 0]


@pytest.mark.parametrize(
    ("word", "pieces"),
    [("(hi)", ["(hi", ")"]), ("(hi", ["(", "hi"]), (")", [")"]), ("a.b", ["a.b"]), ("..", [".", "."])],
)
def test_words_give_up_one_punctuation_mark(word, pieces):
    found = chrf(word, " ".join(pieces), spec="chrf:char_order=0,word_order=1")
    split_again = sum(len(p) > 1 and (p[-1] in "()." or p[0] in "().") for p in pieces)
    assert found.statistics.table[0, 0, 0] == len(pieces)
    assert found.statistics.table[0, 0, 1] == len(pieces) + split_again


def test_whitespace_counts_when_asked():
    assert chrf("a b", "ab", spec="chrf:whitespace=yes").statistics.table[0, 0, 0] == 3
    assert chrf("a b", "ab").statistics.table[0, 0, 0] == 2


def test_smoothing_of_short_segments():
    assert chrf("ab", "ab").corpus["x"] == 100
    assert chrf("ab", "ab", spec="chrf:eps_smoothing=yes").corpus["x"] == pytest.approx(100 / 3)


def test_the_best_reference_counts_and_the_first_of_equals():
    found = chrf("abc", "xyz", "abc", "abcd")
    assert found.statistics.table[0, 0, :3].tolist() == [3, 3, 3]
    tied = chrf("ab", "ax", "bxx", "xa")
    assert tied.statistics.table[0, 0, :6].tolist() == [2, 2, 1, 1, 1, 0]


@pytest.mark.parametrize(("output", "reference"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_in_common_is_zero_as_in_sacrebleu(output, reference):
    assert chrf(output, reference).corpus["x"] == 0


def test_sacrebleu_signature():
    found = chrf("a", "a", spec="chrf++:eps_smoothing=yes,whitespace=yes")
    assert found.sacrebleu_signature == "nrefs:1|case:mixed|eff:no|nc:6|nw:2|space:yes|version:2.6.0"


def test_long_and_rich_segments_take_the_sparse_path():
    """9,000 distinct characters in one segment, in all three widths of a Python string."""
    characters = [chr(c) for c in range(0x4E00, 0x4E00 + 9000)]
    text = "".join(characters)
    table = chrf(text + "é😀", text[::-1] + text[:100]).statistics.table[0, 0]
    assert table.tolist()[:6] == [9002, 9100, 9000, 9001, 9099, 99]
