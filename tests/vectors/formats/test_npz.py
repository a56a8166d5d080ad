from __future__ import annotations

import zipfile

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from tests.vectors.written import MATRIX, WORDS


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("words", [np.array(WORDS), np.array([word.encode() for word in WORDS])])
def test_any_names_and_types(tmp_path, dtype, words):
    np.savez_compressed(tmp_path / "x.npz", a=MATRIX.astype(dtype), b=words, c=np.array(1))
    assert open_vectors(tmp_path / "x.npz").lookup(WORDS)[0].tolist() == MATRIX.tolist()


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"words": np.array(WORDS)}, "1 arrays of words and 0 matrices instead of one each"),
        ({"words": np.array(WORDS), "vectors": MATRIX[:3]}, "8 words, but 3 vectors"),
        ({"words": np.array(WORDS, dtype=object), "vectors": MATRIX}, "cannot be read: Object arrays cannot be loaded"),
    ],
)
def test_flaws(tmp_path, arrays, message):
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(InputError) as caught:
        open_vectors(tmp_path / "x.npz")
    assert str(caught.value).startswith(f"{tmp_path / 'x.npz'}: {message}")


def test_other_archives(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.vec.zip", "w") as archive:
        archive.writestr("x.vec", "1 1\na 1\n")
    with pytest.raises(InputError, match="0 arrays of words and 0 matrices"):
        open_vectors(tmp_path / "x.vec.zip")
