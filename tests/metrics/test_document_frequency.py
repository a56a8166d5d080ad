from __future__ import annotations

from assay.metrics.document_frequency import DocumentFrequency
from assay.metrics.tokenized_texts import TokenizedTexts, tokenize
from assay.types import as_column


def frequency(*columns):
    texts = tokenize([as_column(column) for column in columns], "none", lowercase=False)
    return DocumentFrequency.of(texts, range(len(columns)))


def test_texts_are_counted_once_for_each_word():
    found = frequency(["a b a", "a", None, ""], ["b c", None, "a", "c"])
    assert found.texts == 6
    assert found.counts == {"a": 3, "b": 2, "c": 2}
    assert found.of_words(["a", "c", "x", "A"]).tolist() == [3, 2, 0, 0]
    assert found.of_words(["A", "X", "a"], lower_if_unseen=True).tolist() == [3, 0, 3]


def test_only_some_columns():
    texts = tokenize([as_column(["a b"]), as_column(["b c"])], "none", lowercase=False)
    assert DocumentFrequency.of(texts, [1]).counts == {"b": 1, "c": 1}


def test_a_word_with_several_rows_is_one_word():
    rows, starts = frequency_rows([["x", "x", "y"], ["x"]])
    assert DocumentFrequency.of(TokenizedTexts(["x", "x", "y", "x"], rows, starts[0], starts[1]), [0]).counts == {
        "x": 2,
        "y": 1,
    }


def frequency_rows(texts):
    import numpy as np

    lengths = np.cumsum([0, *map(len, texts)])
    return (np.arange(lengths[-1], dtype=np.int32),), ((lengths,), (np.ones(len(texts), dtype=bool),))


def test_the_digest_is_of_the_texts_in_any_order():
    assert frequency(["a b", "c"]).digest == frequency(["c", "b a"]).digest
    assert frequency(["a b", "c"]).digest != frequency(["a b", "d"]).digest != frequency(["a b", "d", ""]).digest


def test_nothing():
    assert frequency([None, None]) == DocumentFrequency(0, {})
