from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from tests.vectors import written
from tests.vectors.written import MATRIX, WORDS


@pytest.mark.parametrize("end", [b"\n", b""])
def test_with_and_without_line_breaks(tmp_path, end):
    (tmp_path / "x.bin").write_bytes(written.word2vec_binary(end=end))
    assert open_vectors(tmp_path / "x.bin").lookup(WORDS)[0].tolist() == MATRIX.tolist()


def test_words_across_buffers(tmp_path):
    words = [f"w{i}" for i in range(9000)]
    matrix = np.random.default_rng(1).normal(size=(9000, 100)).astype(np.float32)
    (tmp_path / "x.bin").write_bytes(written.word2vec_binary(words, matrix))
    assert np.array_equal(open_vectors(tmp_path / "x.bin").lookup(words)[0], matrix)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (written.word2vec_binary()[:-3], "it ends in word 8 of 8: the file is cut off"),
        (written.word2vec_binary()[:60], "it ends in word 3 of 8: the file is cut off"),
        (written.word2vec_binary() + b"more", "there is more than the 8 words of the first line"),
        (b"2 1\na \0\0\0?" + b"x" * (1 << 22), "no end of word 2"),
    ],
)
def test_flaws(tmp_path, content, message):
    (tmp_path / "x.bin").write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_vectors(tmp_path / "x.bin")
    assert str(caught.value).startswith(f"{tmp_path / 'x.bin'}: {message}")
