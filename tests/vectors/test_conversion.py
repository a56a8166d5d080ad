from __future__ import annotations

import numpy as np
import pytest

from assay.errors import EmptyInputError, InputError
from assay.files import cache_folder
from assay.types import NoteKind
from assay.types.runtime import Runtime
from assay.vectors import find_vectors, open_vectors
from assay.vectors.conversion import convert
from tests.vectors import written


def test_what_is_unusual_is_counted(tmp_path):
    words = [b"a", b"b", b"a", b"c", b"a", b"", b"d", b"\xff", b"e"]
    rows = [b"1 2", b"nan 1", b"3 4", b"inf 0", b"5 6", b"7 8", b"0 0", b"1 1", b"1e60 0"]
    (tmp_path / "x.txt").write_bytes(b"".join(w + b" " + row + b"\n" for w, row in zip(words, rows, strict=True)))
    vectors = open_vectors(tmp_path / "x.txt")
    assert [(note.kind, str(note), note.count, note.severity) for note in vectors.notes] == [
        (NoteKind.EXCLUDED, "x: 3 vectors left out, with NaN or infinity in them: 'b', 'c', 'e'", 3, "warning"),
        (NoteKind.DUPLICATE, "x: 2 vectors left out, after an earlier one of the same word: 'a'", 2, "warning"),
        (NoteKind.EXCLUDED, "x: 1 vector without a word left out", 1, "note"),
        (NoteKind.KEPT, "x: 1 vector of zeros: 'd'", 1, "note"),
        (NoteKind.KEPT, "x: 1 vector of words that are not UTF-8, which no text has: '\\xff'", 1, "note"),
    ]
    found, known = vectors.lookup(["a", "b", "c", "d", "", "e"])
    assert known.tolist() == [True, False, False, True, False, False]
    assert found[0].tolist() == [1, 2]
    assert len(vectors) == 3


def test_no_vectors(tmp_path):
    for content in (b"0 3\n", b"1 2\na nan nan\n"):
        (tmp_path / "x.vec").write_bytes(content)
        with pytest.raises(EmptyInputError):
            open_vectors(tmp_path / "x.vec")


def test_progress_and_blocks(tmp_path):
    reports = []
    words = [f"w{i}" for i in range(10_000)]
    matrix = np.random.default_rng(1).normal(size=(10_000, 3)).astype(np.float32)
    (tmp_path / "x.npz").write_bytes(written.npz(words, matrix))
    runtime = Runtime(progress=lambda task, done, total: reports.append((task, done / total)))
    vectors = open_vectors(tmp_path / "x.npz", runtime=runtime)
    assert {task for task, _ in reports} == {"converting x.npz"}
    assert [share for _, share in reports] == sorted(share for _, share in reports)
    assert (len(reports), reports[0][1], reports[-1][1]) == (4, 0, 1)
    assert np.array_equal(vectors.lookup(words)[0], matrix)


def test_the_files_of_a_table(tmp_path):
    (tmp_path / "x.txt").write_bytes(written.glove())
    table = tmp_path / "table"
    convert(find_vectors(tmp_path / "x.txt"), table, Runtime())
    assert sorted(file.name for file in table.iterdir()) == [
        *("hashes", "matrix", "offsets", "rows", "table.json", "words")
    ]


def test_a_file_that_changes_while_it_is_converted(tmp_path, monkeypatch):
    """Its table would stand under the digest of another content."""
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "x.txt"
    path.write_bytes(written.glove())
    before = find_vectors(path).sha256

    def grow(*_):
        with path.open("ab") as file:
            file.write(written.glove())

    with pytest.raises(InputError, match=r"x\.txt: the file changed while it was converted\nstart again"):
        open_vectors(path, runtime=Runtime(progress=grow))
    assert not (cache_folder() / "vectors-1" / before).exists()
