"""fastText's files in the published layout; tests/oracle compares with fastText itself."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from tests.vectors import written
from tests.vectors.test_ngrams import slow_buckets
from tests.vectors.written import MATRIX, WORDS

NGRAMS = np.random.default_rng(1).normal(size=(30, 4)).astype(np.float32)


@pytest.mark.parametrize(("minn", "maxn"), [(3, 6), (1, 2), (0, 2), (5, 5)])
def test_means_of_words_and_ngrams(tmp_path, minn, maxn):
    (tmp_path / "x.bin").write_bytes(written.fasttext(ngrams=NGRAMS, minn=minn, maxn=maxn))
    unknown = ["houses", "дома", "家家家"]
    rows, known = open_vectors(tmp_path / "x.bin", case="exact").lookup([*WORDS, *unknown])
    assert known.all()
    for word, row in zip([*WORDS, *unknown], rows, strict=True):
        own = [MATRIX[WORDS.index(word)]] if word in WORDS else []
        parts = [*own, *NGRAMS[slow_buckets(word, max(minn, 1), maxn, len(NGRAMS))]]
        assert row == pytest.approx(np.mean(parts, axis=0), abs=1e-6)


def test_models_without_ngrams(tmp_path):
    for options in (
        {"maxn": 0, "minn": 0},
        {"ngrams": NGRAMS, "maxn": 0},
        {"ngrams": NGRAMS, "version": 11, "model": 3},
    ):
        (tmp_path / "x.bin").write_bytes(written.fasttext(**options))
        vectors = open_vectors(tmp_path / "x.bin")
        assert vectors.lookup([*WORDS, "houses"])[1].tolist() == [True] * len(WORDS) + [False]


def test_labels_are_not_words(tmp_path):
    (tmp_path / "x.bin").write_bytes(written.fasttext(labels=["__label__good"], maxn=0))
    assert open_vectors(tmp_path / "x.bin").lookup(["the", "__label__good"])[1].tolist() == [True, False]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            written.fasttext(quantised=True),
            "quantised models (.ftz) cannot be read\nuse the .bin that it was made from",
        ),
        (written.fasttext(pruned=0), "quantised models (.ftz) cannot be read\nuse the .bin that it was made from"),
        (written.fasttext(version=13), "version 13 of fastText's format is not known"),
        (written.fasttext()[:100], "the file is cut off: it ends at byte 100\ncompare its size with the original"),
        (written.fasttext()[:-1], "the file is cut off: it ends at byte "),
        (written.fasttext(ngrams=NGRAMS)[:400], "the file is cut off: it ends at byte 400\n"),
    ],
)
def test_flaws(tmp_path, content, message):
    (tmp_path / "x.bin").write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_vectors(tmp_path / "x.bin")
    assert str(caught.value).startswith(f"{tmp_path / 'x.bin'}: {message}")


def test_fewer_rows_than_words(tmp_path):
    content = bytearray(written.fasttext(ngrams=NGRAMS))
    content[8 + 8 * 4 : 8 + 9 * 4] = (31).to_bytes(4, "little")  # bucket
    (tmp_path / "x.bin").write_bytes(content)
    with pytest.raises(InputError, match="38 rows for 8 words and 31 n-grams"):
        open_vectors(tmp_path / "x.bin")
