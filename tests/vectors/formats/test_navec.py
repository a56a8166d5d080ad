from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from tests.vectors import written
from tests.vectors.written import MATRIX


def test_parts_are_put_together(tmp_path):
    codes = np.array([[0, 1], [1, 0]], dtype=np.uint8)
    (tmp_path / "x.tar").write_bytes(written.navec(["a", "b"], codes))
    rows, _ = open_vectors(tmp_path / "x.tar").lookup(["a", "b"])
    assert rows[0].tolist() == [*MATRIX[0, :2], *MATRIX[1, 2:]]
    assert rows[1].tolist() == [*MATRIX[1, :2], *MATRIX[0, 2:]]


def test_flaws(tmp_path):
    file = tmp_path / "x.tar"
    file.write_bytes(written.navec(["a", "b"], np.array([[0, 1]], dtype=np.uint8)))
    with pytest.raises(InputError, match="2 words, and 146 bytes of vectors instead of 148"):
        open_vectors(file)
    file.write_bytes(written.navec(["a"], np.array([[0, 9]], dtype=np.uint8)))
    with pytest.raises(InputError, match="a part of a vector is missing"):
        open_vectors(file)
    file.write_bytes(written.navec()[:1024])
    with pytest.raises(InputError, match="is the file cut off"):
        open_vectors(file)
