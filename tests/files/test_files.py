from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.files import check_replaceable, check_writable, write_atomic


def test_new_and_replaced(tmp_path):
    target = tmp_path / "x"
    old = os.umask(0o027)
    write_atomic(target, b"one")
    os.umask(old)
    assert target.stat().st_mode & 0o777 == 0o640
    target.chmod(0o604)
    write_atomic(target, b"two")
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"two", 0o604)
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("failing", ["replace", "chmod"])
def test_nothing_is_left_behind_when_it_fails(tmp_path, monkeypatch, failing):
    target = tmp_path / "x"
    target.write_bytes(b"old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, failing, fail)
    with pytest.raises(InputError, match="cannot be written: no space left on device"):
        write_atomic(target, b"new")
    assert os.listdir(tmp_path) == ["x"]
    assert target.read_bytes() == b"old"


def test_a_device_is_written_to():
    write_atomic(Path("/dev/null"), b"x")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(InputError, match="no space left"):
        write_atomic(Path("/dev/full"), b"x")


def test_what_may_be_replaced(tmp_path):
    text, data = tmp_path / "ref.txt", tmp_path / "data"
    text.write_text("a\n", encoding="utf-8")
    data.mkdir()
    (data / "inside").write_text("b", encoding="utf-8")
    (data / "link").symlink_to(text)
    os.link(text, data / "hard")
    check_replaceable(tmp_path / "new", inputs=[text, data])
    for other in (text, data / "link", data / "hard", tmp_path / "data/../ref.txt"):
        with pytest.raises(InputError, match="is an input and will not be replaced"):
            check_replaceable(other, inputs=[text], force=True, is_result=lambda content: True)
    for inside in (data / "inside", data / "new", data / "folder/new"):
        with pytest.raises(InputError, match=r"is in the folder .*data, which is an input"):
            check_replaceable(inside, inputs=[data], force=True, is_result=lambda content: True)
    check_replaceable(data / "inside", inputs=[text], is_result=lambda content: content == b"b")
    with pytest.raises(InputError, match="already exists") as raised:
        check_replaceable(text, inputs=["x" * 5000])
    assert "force" in raised.value.hint
    check_replaceable(text, force=True)
    (tmp_path / "empty").touch()
    check_replaceable(tmp_path / "empty")
    check_replaceable(Path("/dev/null"))


def test_a_folder_that_can_be_written(tmp_path):
    check_writable(tmp_path)
    check_writable(tmp_path / "new" / "one")
    assert os.listdir(tmp_path) == []
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        check_writable(tmp_path / "file" / "new")
