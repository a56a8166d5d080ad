from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from tests.vectors import written
from tests.vectors.written import MATRIX, WORDS


@pytest.mark.parametrize("end", ["\n", " \n", "\r\n"])
def test_ends_of_lines(tmp_path, end):
    (tmp_path / "x.vec").write_bytes(written.word2vec_text(end=end))
    assert open_vectors(tmp_path / "x.vec").lookup(WORDS)[0].tolist() == MATRIX.tolist()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"3 2\na 1 2\nb 1 2\n", "line 3: the first line says 3 words, but there are 2\nis the file cut off?"),
        (b"1 2\na 1 2\nb 1 2\n", "line 3: there are more words than the 1 of the first line"),
        (
            b"2 2\na 1 2\nb 1\n",
            "line 3: 1 number instead of the 2 of the first line\nis the line, or the file, cut off?",
        ),
        (
            b"2 2\na 1 2\nb 1 2 3\n",
            "line 3: 3 numbers instead of the 2 of the first line\nall vectors must have the same dimension",
        ),
        (b"2 0\na\nb\n", "line 1: the vectors have no components"),
    ],
)
def test_flaws(tmp_path, content, message):
    (tmp_path / "x.vec").write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_vectors(tmp_path / "x.vec")
    assert str(caught.value) == f"{tmp_path / 'x.vec'}, {message}"
