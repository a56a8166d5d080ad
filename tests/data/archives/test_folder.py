from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.data.archives.folder import as_fetch_error, data_folder, folder_for, new_folder
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
        "import os, sys, pathlib; from assay.data.archives.folder import new_folder\n"
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


@pytest.mark.parametrize(("number", "advice"), [(28, "free some space"), (13, "a folder you can write to")])
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
