from __future__ import annotations

import json

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from tests.vectors import written
from tests.vectors.written import MATRIX


def test_words_with_every_character(tmp_path):
    words = ['"', "\\", "]", '":[1]', "é", "家", "\\u0041", "\n"]
    (tmp_path / "x.json").write_bytes(written.wink(words))
    vectors = open_vectors(tmp_path / "x.json")
    assert vectors.lookup(words)[0].tolist() == MATRIX.tolist()


def test_entries_across_buffers(tmp_path):
    words = [f"word{i}" for i in range(5000)]
    matrix = np.random.default_rng(1).normal(size=(5000, 25)).astype(np.float32)
    content = written.wink(words, matrix)
    assert len(content) > 2 << 20
    (tmp_path / "x.json").write_bytes(content)
    assert np.array_equal(open_vectors(tmp_path / "x.json").lookup(words)[0], matrix)


def test_flaws(tmp_path):
    file = tmp_path / "x.json"
    file.write_bytes(written.wink()[:-200])
    with pytest.raises(InputError, match="3 vectors instead of the 8 that it announces\nis the file cut off"):
        open_vectors(file)
    content = json.loads(written.wink())
    content["vectors"]["дом"].pop()
    file.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match="3 numbers instead of 4 for 'дом'"):
        open_vectors(file)
