from __future__ import annotations

import numpy as np

from assay.types.runtime import Runtime
from assay.vectors import find_vectors
from assay.vectors.conversion import convert
from assay.vectors.packed_words import PackedWords
from assay.vectors.table import WordTable
from tests.vectors import written


def opened(tmp_path, words):
    matrix = np.arange(len(words), dtype=np.float32)[:, None] + [0, 1000]
    (tmp_path / "x.bin").write_bytes(written.word2vec_binary(words, matrix.astype(np.float32)))
    resource = find_vectors(tmp_path / "x.bin")
    convert(resource, tmp_path / resource.sha256, Runtime())
    return WordTable.open(tmp_path / resource.sha256)


def test_every_word_is_found(tmp_path):
    words = [f"{'x' * (i % 40)}{i}" for i in range(20_000)]
    table = opened(tmp_path, words)
    order = np.random.default_rng(1).permutation(len(words))
    assert table.find([words[i].encode() for i in order]).tolist() == order.tolist()
    assert table.find([f"{word}y".encode() for word in words]).max() == -1
    assert table.find([]).tolist() == []


def test_words_with_the_same_hash(tmp_path, monkeypatch):
    monkeypatch.setattr(PackedWords, "hashes", lambda self, indices: self.lengths[indices].astype(np.uint64))
    table = opened(tmp_path, ["aa", "bb", "c", "dd", "aa"])
    assert table.find([b"dd", b"aa", b"bb", b"c", b"e", b"ee"]).tolist() == [3, 0, 1, 2, -1, -1]
    assert [(note.kind, note.count) for note in table.notes("x")] == [("duplicate", 1)]


def test_rows_are_read_only_and_mapped(tmp_path):
    table = opened(tmp_path, ["a", "b"])
    assert isinstance(table.matrix.base, np.memmap)
    assert not table.matrix.flags.writeable
    assert table.matrix.tolist() == [[0, 1000], [1, 1001]]
