from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.data.folder import (
    RECORD,
    ImportRecord,
    StoredFile,
    as_fetch_error,
    data_folder,
    folder_for,
    new_folder,
    read_record,
    sha256_of,
    verify,
    write_record,
)
from assay.errors import FetchError


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"ASSAY_HOME": "/x", "XDG_DATA_HOME": "/y"}, "/x"),
        ({"XDG_DATA_HOME": "/y"}, "/y/assay"),
        ({"XDG_DATA_HOME": "relative"}, "/home/me/.local/share/assay"),  # the XDG rules say: ignore it
        ({}, "/home/me/.local/share/assay"),
        ({"ASSAY_HOME": "~/mine"}, "/home/me/mine"),
    ],
)
def test_where_data_lives(monkeypatch, variables, expected):
    for name in ("ASSAY_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert data_folder() == Path(expected)


# SHA-256 of "abc": FIPS 180-2, appendix B.1
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.fixture
def imported(tmp_path):
    place = tmp_path / "set"
    (place / "sub").mkdir(parents=True)
    for name in ("a.txt", "sub/b.txt"):
        (place / name).write_bytes(b"abc")
    write_record(place, ImportRecord("set.tar", "f" * 64, dict.fromkeys(("sub/b.txt", "a.txt"), StoredFile(3, ABC))))
    return place


def test_digest(tmp_path):
    (tmp_path / "x").write_bytes(b"abc")
    told = []
    assert sha256_of(tmp_path / "x", progress=lambda *step: told.append(step)) == ABC
    assert told == [("checking x", 3, 3)]


def test_record_and_back(imported):
    record = read_record(imported)
    assert (record.archive, record.sha256) == ("set.tar", "f" * 64)
    assert dict(record.files) == {"a.txt": StoredFile(3, ABC), "sub/b.txt": StoredFile(3, ABC)}
    assert verify(imported) == []


def test_every_difference_is_found(imported):
    (imported / "a.txt").write_bytes(b"abd")
    (imported / "sub/b.txt").write_bytes(b"abcd")
    (imported / "new.txt").write_bytes(b"")
    (imported / "sub/link").symlink_to(imported / "a.txt")
    assert verify(imported) == [
        "sub/link: is neither a file nor a folder",
        "a.txt: has changed: its SHA-256 is another",
        "sub/b.txt: has 4 bytes instead of 3",
        "new.txt: was not in the archive",
    ]
    (imported / "a.txt").unlink()
    (imported / "a.txt").mkdir()
    (imported / "sub/b.txt").unlink()
    assert verify(imported)[1:3] == ["a.txt: is missing", "sub/b.txt: is missing"]


def test_every_flipped_bit_is_found(imported):
    for bit in range(24):
        (imported / "a.txt").write_bytes((int.from_bytes(b"abc", "big") ^ (1 << bit)).to_bytes(3, "big"))
        assert verify(imported) == ["a.txt: has changed: its SHA-256 is another"]


def test_a_record_reaches_nothing_outside(imported):
    (imported.parent / "secret").write_bytes(b"abc")
    write_record(imported, ImportRecord("x", "", {"../secret": StoredFile(3, ABC)}))
    assert "../secret: is missing" in verify(imported)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"kind": "x", "version": 1}', b"\xff", b"[" * 100_000, b'{"kind": "assay import"}']
    + [json.dumps({"kind": "assay import", "version": 1, "archive": "", "sha256": "", "files": f}).encode() for f in
       ([], {"a": 1}, {"a": {"bytes": "x", "sha256": ""}}, {"a": {}}, None)],
)  # fmt: skip
def test_damaged_records(tmp_path, content):
    (tmp_path / RECORD).write_bytes(content)
    with pytest.raises(FetchError, match="not the record of an import"):
        read_record(tmp_path)
    assert len(verify(tmp_path)) == 1


def test_no_record(tmp_path):
    assert verify(tmp_path) == [f"{tmp_path / RECORD}: no such file or directory"]


def test_a_new_folder_never_stays(tmp_path):
    target = tmp_path / "home" / "set"
    with new_folder(target) as scratch:
        (scratch / "new").mkdir()
        assert scratch.parent == target.parent
        (scratch / "new").rename(target)
    assert list(target.parent.iterdir()) == [target]
    with pytest.raises(KeyboardInterrupt), new_folder(tmp_path / "other"):
        raise KeyboardInterrupt
    assert {p.name for p in tmp_path.iterdir()} == {"home"}


def test_what_a_killed_import_left_is_swept(tmp_path):
    code = (
        "import os, sys, pathlib; from assay.data.folder import new_folder\n"
        "with new_folder(pathlib.Path(sys.argv[1])) as scratch:\n"
        "    (scratch / 'half').write_text('x'); os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, tmp_path / "set"], check=False).returncode == -9
    assert len(list(tmp_path.iterdir())) == 1
    with new_folder(tmp_path / "set") as first:
        with new_folder(tmp_path / "set") as second:  # what is in use is left alone
            assert {p.name for p in tmp_path.iterdir()} == {first.name, second.name}
        assert first.is_dir()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("number", "advice"), [(28, "free some space"), (13, "that you may write to")])
def test_errors_of_the_system(number, advice):
    with pytest.raises(FetchError, match="x: cannot be written: ") as caught, as_fetch_error(Path("x")):
        raise OSError(number, os.strerror(number))
    assert advice in str(caught.value)


def test_folders_that_were_made_for_nothing_are_removed(tmp_path):
    target = tmp_path / "home" / "data" / "set"
    with pytest.raises(KeyboardInterrupt), new_folder(target):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "home").mkdir()
    with pytest.raises(KeyboardInterrupt), folder_for(target):
        raise KeyboardInterrupt
    assert list(tmp_path.rglob("*")) == [tmp_path / "home"]
    with folder_for(target):
        (target.parent / "of another").mkdir()
    assert (target.parent / "of another").is_dir()
