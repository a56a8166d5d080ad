"""N-gram counts are sacreBLEU's."""

from __future__ import annotations

import pytest
from sacrebleu.metrics import helpers as theirs

from assay.compat.sacrebleu.metrics import helpers as ours
from tests.compat.sacrebleu.oracle import corpus


@pytest.mark.parametrize("order", [1, 2, 4])
def test_the_same_ngrams(order):
    for line in ("", " a ", *corpus("helpers")[0]):
        for whitespace in (False, True):
            for name in ("extract_char_ngrams", "extract_all_char_ngrams"):
                assert getattr(ours, name)(line, order, whitespace) == getattr(theirs, name)(line, order, whitespace)
        assert ours.extract_word_ngrams(line.split(), order) == theirs.extract_word_ngrams(line.split(), order)
        assert ours.extract_all_word_ngrams(line, 1, order) == theirs.extract_all_word_ngrams(line, 1, order)
        assert ours.extract_all_word_ngrams(line, order, 4) == theirs.extract_all_word_ngrams(line, order, 4)
