from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from assay.vectors.formats.glove import Glove
from tests.vectors import written
from tests.vectors.written import MATRIX


def test_words_that_are_numbers_or_have_spaces(tmp_path):
    words = ["1999", ". . .", "at name@domain.com"]
    (tmp_path / "x.txt").write_bytes(written.glove(words, MATRIX[:3]))
    vectors = open_vectors(tmp_path / "x.txt")
    assert vectors.dimension == 4
    assert vectors.lookup(words)[0].tolist() == MATRIX[:3].tolist()


def test_not_glove():
    for head in (b"2 3\na 1 2 3\n", b"a b c\n", b"a 1\n", b""):
        assert not Glove().recognises(head)


def test_a_number_that_is_misspelled_in_the_first_line(tmp_path):
    (tmp_path / "x.vec").write_bytes(b"house 1 2 x\n")
    with pytest.raises(InputError, match=r"x\.vec, line 1: 'x' is not a number"):
        open_vectors(tmp_path / "x.vec")
