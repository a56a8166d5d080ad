"""Words are the means of their pieces."""

from __future__ import annotations

import numpy as np
import pytest

from assay.encoders import Tokens, pool_words


def pooled(forms, words):
    states = np.arange(2 * len(forms), dtype=np.float32).reshape(-1, 2)
    found, vectors = pool_words(Tokens(tuple(range(len(forms))), tuple(forms), tuple(words)), states)
    return list(found), vectors.tolist()


def test_pieces_of_a_word_are_averaged_and_marks_stay():
    forms, vectors = pooled(["[CLS]", "un", "##believ", "##able", "cat", "[SEP]"], [None, 0, 0, 0, 1, None])
    assert forms == ["[CLS]", "unbelievable", "cat", "[SEP]"]
    assert vectors == [[0, 1], [4, 5], [8, 9], [10, 11]]


@pytest.mark.parametrize("space", ["▁", "Ġ"])
def test_marks_of_spaces_are_no_letters(space):
    forms, _ = pooled([f"{space}Hel", "lo", f"{space}", "!"], [0, 0, 1, 1])
    assert forms == ["Hello", "!"]
    assert pooled([space], [0])[0] == [space]


def test_in_scripts_without_spaces_every_piece_is_a_word():
    forms, _ = pooled(["▁", "今天", "天气", "20", "20", "年", "ไทย", "x"], [0] * 8)
    assert forms == ["▁", "今天", "天气", "2020", "年", "ไทย", "x"]


def test_a_text_without_tokens_has_no_words():
    assert pooled([], []) == ([], [])
