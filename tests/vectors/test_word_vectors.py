from __future__ import annotations

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, InputError, MissingExtraError
from assay.files import cache_folder
from assay.vectors import conversion, open_vectors
from tests.vectors import written
from tests.vectors.written import MATRIX, WORDS


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path / "resources"))
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    (tmp_path / "resources").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "resources" / "tiny.vec"
    file.write_bytes(written.word2vec_text())
    return file


def test_the_interface(path):
    vectors = assay.vectors.open_vectors("tiny")
    assert (vectors.name, vectors.dimension, len(vectors)) == ("tiny", 4, len(WORDS))
    assert vectors.digest.startswith("sha256-")
    assert vectors.digest == assay.vectors.find_vectors(path).digest
    rows, known = vectors.lookup(["Haus", "nothing", "家", "", "\ud800"])
    assert (rows.dtype, known.dtype) == (np.float32, np.bool_)
    assert known.tolist() == [True, False, True, False, False]
    assert rows.tolist() == [MATRIX[2].tolist(), [0] * 4, MATRIX[4].tolist(), [0] * 4, [0] * 4]
    assert str(vectors) == (f"Vectors(tiny: 8 words, 4 dimensions, word2vec text or fastText .vec, {vectors.digest})")
    rows, known = vectors.lookup([])
    assert (rows.shape, known.shape) == ((0, 4), (0,))


@pytest.mark.parametrize(
    ("case", "known"),
    [
        ("exact", {"house": True, "HOUSE": False, "Haus": True, "haus": False, "HAUS": False}),
        ("fallback", {"house": True, "HOUSE": True, "Haus": True, "haus": False, "HAUS": False}),
        ("lower", {"house": True, "HOUSE": True, "Haus": False, "haus": False, "HAUS": False}),
    ],
)
def test_case(path, case, known):
    rows, found = open_vectors(path, case=case).lookup(list(known))
    assert found.tolist() == list(known.values())
    assert rows[1].tolist() == (MATRIX[1].tolist() if known["HOUSE"] else [0] * 4)


def test_the_exact_form_wins(tmp_path):
    (tmp_path / "x.txt").write_bytes(written.glove(["May", "may"], MATRIX[:2]))
    rows, _ = open_vectors(tmp_path / "x.txt").lookup(["May", "may", "MAY"])
    assert rows.tolist() == MATRIX[[0, 1, 1]].tolist()


def test_unknown_words_and_their_ngrams(tmp_path):
    ngrams = np.random.default_rng(1).normal(size=(10, 4)).astype(np.float32)
    (tmp_path / "x.bin").write_bytes(written.fasttext(ngrams=ngrams))
    words = ["HOUSE", "houses", "</s>", "x" * 5000]
    vectors = open_vectors(tmp_path / "x.bin")
    rows, known = vectors.lookup(words)
    assert known.all()
    assert rows[0].tolist() == vectors.lookup(["house"])[0][0].tolist()
    assert rows[2].tolist() == MATRIX[-1].tolist()
    assert open_vectors(tmp_path / "x.bin", subwords=False).lookup(words)[1].tolist() == [True, False, True, False]
    exact, _ = open_vectors(tmp_path / "x.bin", case="exact").lookup(words)
    assert exact[0].tolist() != rows[0].tolist()  # from n-grams


def test_options_are_checked(path):
    with pytest.raises(ConfigError, match="unknown case 'Lower'\ndid you mean 'lower'"):
        open_vectors(path, case="Lower")


def test_missing_files():
    with pytest.raises(MissingExtraError, match="word vectors not found: 'absent'"):
        open_vectors("absent")


def test_a_file_is_converted_once(path, monkeypatch, tmp_path):
    calls = []
    real = conversion.convert
    monkeypatch.setattr(conversion, "convert", lambda *arguments: calls.append(arguments) or real(*arguments))
    open_vectors(path)
    open_vectors("tiny")
    shutil.copy(path, tmp_path / "copy.vec")
    assert open_vectors(tmp_path / "copy.vec").name == "copy"  # the same content elsewhere
    assert len(calls) == 1
    path.write_bytes(written.word2vec_text(matrix=MATRIX + 1))
    assert open_vectors(path).lookup(["the"])[0][0].tolist() == (MATRIX[0] + 1).tolist()
    assert len(calls) == 2


@pytest.mark.parametrize("damage", ["truncated", "missing", "description", "empty"])
def test_a_damaged_table_is_made_again(path, cache, damage):
    open_vectors(path)
    (folder,) = (place for place in (cache / "vectors-1").iterdir() if place.is_dir())
    if damage == "truncated":
        os.truncate(folder / "matrix", 8)
    elif damage == "missing":
        (folder / "rows").unlink()
    elif damage == "description":
        (folder / "table.json").write_text('{"format": "x"}')
    else:
        (folder / "table.json").write_text("")
    assert open_vectors(path).lookup(["the"])[0][0].tolist() == MATRIX[0].tolist()


def test_a_cache_that_cannot_be_written(path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(path / "cache"))
    with pytest.raises(InputError, match="cannot be written: not a directory\nuse a folder that can be written"):
        open_vectors(path)


def test_an_interrupted_conversion_leaves_nothing(path):
    def interrupt(task, done, total):
        assert task == "converting tiny.vec"
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        open_vectors(path, runtime=assay.Runtime(progress=interrupt))
    assert list((cache_folder() / "vectors-1").iterdir()) == []


def test_what_a_killed_process_left_is_removed(path, cache):
    left = cache / "vectors-1" / f".{assay.vectors.find_vectors(path).sha256}-converting-x"
    other = cache / "vectors-1" / ".another-converting-x"
    for folder in (left, other):
        folder.mkdir(parents=True)
        (folder / "matrix").write_bytes(b"x")
    open_vectors(path)
    assert (left.exists(), other.exists()) == (False, True)


def test_pipes_and_folders(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InputError, match="is not a file\ngive one file of word vectors"):
            open_vectors(place)


@pytest.mark.slow
def test_two_processes_convert_once(path):
    code = (
        "import sys; from assay.vectors import conversion, word_vectors; real = conversion.convert\n"
        "conversion.convert = lambda *arguments: (print('converted'), real(*arguments))\n"
        "print(word_vectors.open_vectors(sys.argv[1]).lookup(['the'])[1])"
    )
    command = [sys.executable, "-c", code, str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate(timeout=300)[0] for process in processes]
    assert "".join(sorted(outputs)).count("converted") == 1
    assert all(output.endswith("[ True]\n") for output in outputs)


def test_names_come_without_numpy():
    code = "import sys, assay.vectors; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
