from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from assay import load, open_result, save_result, score
from assay.errors import CorruptError, InputError, StoreError
from assay.store.folder import (
    _digest,
    check_folder,
    dump_json,
    file_name,
    load_json,
    read_folder,
    write_folder,
)


@pytest.fixture(scope="module")
def run():
    outputs = {"a": ["x y z w", "p", None], "b": ["x y z w v u", "q r", ""]}
    return score(load(outputs=outputs, references=["x y z w v", "p q", "s"]), ["bleu", "chrf"], resamples=5)


def listed(*contents):
    return {file_name("table", "npy", data): data for data in contents}


def test_index_and_files(tmp_path):
    files = listed(b"one", b"two")
    write_folder(tmp_path, {"command": "é \udcff", "result": {"x": [1, 2.5, None]}}, files)
    index, read = read_folder(tmp_path)
    assert read == files
    assert (index["command"], index["result"], index["files"]) == ("é \udcff", {"x": [1, 2.5, None]}, sorted(files))
    assert "é" in (tmp_path / "result.json").read_text(encoding="utf-8")


def test_json_is_strict():
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump_json({"x": float("nan")})
    for data in (b"NaN", b"[Infinity]", b"-Infinity", b"{", b"\xff", b'{"x": 1, "x": 2}', b"[" * 100_000):
        with pytest.raises(InputError, match=r"^invalid JSON: "):
            load_json(data)


def test_the_previous_result_is_replaced_and_nothing_else(tmp_path):
    target = tmp_path / "saved"
    target.mkdir()
    write_folder(target, {}, listed(b"one", b"two"))
    write_folder(target, {}, listed(b"two", b"three"))
    assert sorted(os.listdir(target)) == sorted([*listed(b"two", b"three"), "result.json"])
    (target / "thesis.tex").write_text("ten years of work", encoding="utf-8")
    with pytest.raises(StoreError, match=r"contains other files \(thesis.tex\)"):
        write_folder(target, {}, {})
    assert (target / "thesis.tex").exists()
    with pytest.raises(StoreError, match="is not a folder"):
        write_folder(target / "thesis.tex", {}, {})


@pytest.mark.parametrize("calls", range(1, 5))
def test_a_failure_leaves_the_previous_result(tmp_path, monkeypatch, calls):
    """One rename fails: that of the first file, the second file or the index. There is no fourth."""
    write_folder(tmp_path, {"result": "previous"}, listed(b"one", b"two"))
    replace, made = Path.replace, []

    def fail(self, target):
        made.append(target)
        if len(made) == calls:
            raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    if calls < 4:
        with pytest.raises(InputError, match="input/output error"):
            write_folder(tmp_path, {"result": "new"}, listed(b"three", b"four"))
    else:
        write_folder(tmp_path, {"result": "new"}, listed(b"three", b"four"))
    monkeypatch.undo()
    assert read_folder(tmp_path)[0]["result"] == ("previous" if calls < 4 else "new")
    write_folder(tmp_path, {"result": "last"}, listed(b"five"))
    assert len(os.listdir(tmp_path)) == 2  # the files of the failed attempt are deleted


@pytest.mark.slow
def test_a_killed_process_leaves_one_result_or_the_other(run, tmp_path):
    """A process that saves again and again is killed at different moments."""
    save_result(run, tmp_path / "saved")
    code = (
        "import sys, itertools, assay\n"
        "texts = assay.open_result(sys.argv[1] + '-texts').testset\n"
        "runs = [assay.score(texts, m, resamples=5) for m in ('bleu', 'chrf')]\n"
        "print('ready', flush=True)\n"
        "for k in itertools.count():\n"
        "    assay.save_result(runs[k % 2], sys.argv[1])\n"
    )
    save_result(run, tmp_path / "saved-texts", texts=True)
    for delay in (0.003, 0.011, 0.017, 0.029):
        with subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "saved")], stdout=subprocess.PIPE) as child:
            child.stdout.readline()
            time.sleep(delay)
            child.kill()
        assert open_result(tmp_path / "saved").systems == run.systems
    write_folder(tmp_path / "saved", {}, {})
    assert os.listdir(tmp_path / "saved") == ["result.json"]


@pytest.mark.slow
def test_several_processes_save_at_once(run, tmp_path):
    save_result(run, tmp_path / "texts", texts=True)
    code = (
        "import sys, assay\n"
        "run = assay.score(assay.open_result(sys.argv[1] + '/texts').testset, sys.argv[2], resamples=5)\n"
        "for _ in range(20):\n"
        "    assay.save_result(run, sys.argv[1] + '/saved')\n"
        "    assay.open_result(sys.argv[1] + '/saved')\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), m]) for m in ("bleu", "chrf", "chrf++")]
    assert [child.wait() for child in children] == [0, 0, 0]
    assert len(open_result(tmp_path / "saved").metrics) == 1
    assert len(os.listdir(tmp_path / "saved")) == 4


def test_the_folder_keeps_its_links_and_permissions(tmp_path, monkeypatch):
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("private")
    write_folder(tmp_path / "link", {}, listed(b"one"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "private").stat().st_mode & 0o777 == 0o700
    monkeypatch.chdir(tmp_path / "private")
    write_folder(".", {}, {})
    assert os.listdir() == ["result.json"]


def test_every_flipped_bit_is_noticed(run, tmp_path):
    save_result(run, tmp_path / "saved", texts=True)
    draw = random.Random(1)
    for path in sorted((tmp_path / "saved").iterdir()):
        data = path.read_bytes()
        for _ in range(10):
            at = draw.randrange(len(data))
            path.write_bytes(data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1 :])
            with pytest.raises(StoreError, match=re.escape(path.name)):
                read_folder(tmp_path / "saved")
        path.write_bytes(data)
    read_folder(tmp_path / "saved")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["../../etc/passwd"], "not the name of a file of a result"),
        (["/etc/passwd"], "not the name of a file of a result"),
        (["result.json"], "not the name of a file of a result"),
        ([f"../table.{'0' * 16}.npy"], "not the name of a file of a result"),
        ([f"table.{'0' * 16}.npy\n"], "not the name of a file of a result"),
        ([3], "not the name of a file of a result"),
        ([f"table.{'0' * 16}.npy"], "no such file"),
        (3, "does not list the files"),
        (None, "does not list the files"),
    ],
)
def test_lists_of_other_files_are_refused(tmp_path, files, message):
    write_folder(tmp_path, {}, {})
    index = json.loads((tmp_path / "result.json").read_bytes())
    del index["digest"]
    index["files"] = files
    index["digest"] = _digest(dump_json(index))
    (tmp_path / "result.json").write_bytes(dump_json(index))
    with pytest.raises(CorruptError, match=message):
        read_folder(tmp_path)


def test_folders_without_a_saved_result(tmp_path):
    with pytest.raises(StoreError, match="no such file") as caught:
        read_folder(tmp_path)
    assert "--save DIR" in caught.value.hint
    for data in (b"{", b"[]", b"\xff", b"NaN", b"[" * 100_000):
        (tmp_path / "result.json").write_bytes(data)
        with pytest.raises(CorruptError, match=r"result\.json: (invalid JSON|not a saved result)"):
            read_folder(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "result.json")
    with pytest.raises(StoreError, match="not a regular file"):
        read_folder(tmp_path)


def test_folders_that_cannot_be_used(tmp_path):
    for folder in ("", tmp_path / ("x" * 300), tmp_path / "a\0b"):
        with pytest.raises(StoreError):
            write_folder(folder, {}, {})
    with pytest.raises(StoreError, match="cannot be written"):
        write_folder("/proc/nothing/here", {}, {})
    (tmp_path / "file").touch()
    for folder in ("/proc/nothing/here", tmp_path / "file" / "new"):
        with pytest.raises(StoreError, match="cannot be written"):
            check_folder(folder)
    check_folder(tmp_path / "new")
    assert not (tmp_path / "new").exists()
