"""What holds for every format of word vectors."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors import open_vectors
from assay.vectors.formats import find_format, recognised_format, vector_format
from tests.vectors import written
from tests.vectors.written import MATRIX, WORDS

WRITERS = {
    "fasttext": written.fasttext,
    "glove": written.glove,
    "navec": written.navec,
    "npz": written.npz,
    "wink": written.wink,
    "word2vec_binary": written.word2vec_binary,
    "word2vec_text": written.word2vec_text,
}


def test_every_format_is_in_the_table():
    assert sorted(WRITERS) == vector_format.names()


@pytest.mark.parametrize("name", WRITERS)
def test_recognised_by_content_and_read(tmp_path, name):
    (tmp_path / "without-suffix").write_bytes(WRITERS[name]())
    reader = find_format(tmp_path / "without-suffix")
    assert reader.name == name
    head = (tmp_path / "without-suffix").read_bytes()[: 1 << 16]
    assert [other for other in vector_format.names() if vector_format.create(other).recognises(head)] == [name]
    vectors = open_vectors(tmp_path / "without-suffix", case="exact", subwords=False)
    assert vectors.format == reader.label
    rows, known = vectors.lookup([*WORDS, "nothing"])
    assert known.tolist() == [True] * len(WORDS) + [False]
    assert np.array_equal(rows[:-1], MATRIX)
    assert vectors.notes == ()


@pytest.mark.parametrize("name", WRITERS)
def test_compressed(tmp_path, name):
    (tmp_path / "x.gz").write_bytes(gzip.compress(WRITERS[name]()))
    if vector_format.create(name).reads_compressed:
        assert open_vectors(tmp_path / "x.gz").lookup(["the"])[0][0].tolist() == MATRIX[0].tolist()
    else:
        with pytest.raises(InputError, match="in gzip cannot be read\nunpack it first: gunzip FILE"):
            open_vectors(tmp_path / "x.gz")


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_files_cut_anywhere(tmp_path, name):
    """Whatever is cut off, the answer is an error, or the file had no more words."""
    content = WRITERS[name]()
    for length in range(0, len(content), max(1, len(content) // 60)):
        (tmp_path / "x").write_bytes(content[:length])
        try:
            vectors = open_vectors(tmp_path / "x", subwords=False)
        except InputError:
            continue
        rows, known = vectors.lookup(WORDS)
        assert name == "glove" or (known.all() and np.array_equal(rows, MATRIX))  # GloVe says nowhere what is complete


@pytest.mark.parametrize("content", [b"some text\nwith lines\n", b"\x89PNG\r\n", b"{}", b"a 1\n"])
def test_other_files(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    assert recognised_format(tmp_path / "x") is None
    with pytest.raises(InputError, match="unrecognised format of word vectors\nrecognised: fastText"):
        open_vectors(tmp_path / "x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            "a pointer of Git LFS instead of the file",
        ),
    ],
)
def test_files_without_content(tmp_path, content, message):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError, match=message):
        open_vectors(tmp_path / "x")
