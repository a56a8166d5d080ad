"""Texts as rows of a list of words."""

from __future__ import annotations

import pytest

from assay import _core
from assay.errors import SegmentError
from assay.metrics.tokenized_texts import MAX_TOKENS, check_lengths, tokenize
from assay.types import as_column


def columns(*texts):
    return tuple(map(as_column, texts))


def test_words_are_numbered_over_all_columns():
    texts = tokenize(columns(["a b a", None, ""], ["b ç", "中 a", "😀"]), "none", lowercase=False)
    assert texts.words == ["a", "b", "ç", "中", "😀"]
    assert [rows.tolist() for rows in texts.rows] == [[0, 1, 0], [1, 2, 3, 0, 4]]
    assert [starts.tolist() for starts in texts.starts] == [[0, 3, 3, 3], [0, 2, 4, 5]]
    assert [present.tolist() for present in texts.present] == [[True, False, True], [True, True, True]]
    assert texts.lengths(1).tolist() == [2, 2, 1]


@pytest.mark.parametrize("tok", ["13a", "zh", "space", "char"])
def test_tokenisers_and_lower_case(tok):
    texts = tokenize(columns(["A b. C", None]), tok, lowercase=True)
    assert "a" in texts.words
    assert "A" not in texts.words
    assert texts.lengths(0)[1] == 0


def test_columns_of_both_are_joined():
    one, other = (tokenize(columns(texts), "none", lowercase=False) for texts in (["a b"], ["b c"]))
    joined = one.joined(other)
    assert joined.words == ["a", "b", "c"]
    assert [rows.tolist() for rows in joined.rows] == [[0, 1], [1, 2]]


def test_texts_that_are_too_long():
    """The limit is that of the kernels."""
    assert MAX_TOKENS == _core.max_tokens == 4096
    texts = tokenize(columns(["a"], ["b", "a " * MAX_TOKENS, "a " * (MAX_TOKENS + 1)]), "none", lowercase=False)
    with pytest.raises(SegmentError, match="line 8 of y is too long for m: 4,097 tokens, at most 4,096 are allowed"):
        check_lengths(texts, "m", ["x", "y"], 5)
    check_lengths(texts, "m", ["x"], 5)
