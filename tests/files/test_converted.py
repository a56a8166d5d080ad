"""Files are converted once, and the folder is complete or absent."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.files.converted import locked, new_folder, open_converted


def read(folder):
    return (folder / "text").read_text()


def write(folder):
    (folder / "text").write_text("converted")


def refuse(folder):
    raise AssertionError(f"{folder} is converted again")


def test_a_folder_is_made_once(tmp_path):
    assert open_converted(tmp_path / "a" / "table", read, write) == "converted"
    assert open_converted(tmp_path / "a" / "table", read, refuse) == "converted"
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["table"]


def test_a_damaged_folder_is_replaced(tmp_path):
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "junk").touch()
    assert open_converted(tmp_path / "table", read, write) == "converted"
    assert [path.name for path in (tmp_path / "table").iterdir()] == ["text"]


def test_an_error_leaves_nothing_behind(tmp_path):
    def fail(folder):
        write(folder)
        raise InputError("is damaged", path="x")

    with pytest.raises(InputError, match="is damaged"):
        open_converted(tmp_path / "table", read, fail)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_what_a_killed_process_left_is_removed(tmp_path):
    (tmp_path / ".table-converting-x").mkdir()
    with locked(tmp_path / "table"), new_folder(tmp_path / "table") as scratch:
        write(scratch)
        assert not (tmp_path / ".table-converting-x").exists()
    assert read(tmp_path / "table") == "converted"


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written") as caught:
        open_converted(tmp_path / "file" / "table", read, write)
    assert "ASSAY_CACHE" in caught.value.hint
