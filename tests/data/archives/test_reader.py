from __future__ import annotations

import gzip
import io
import os
import tarfile
import tracemalloc
import zipfile

import pytest

from assay.data.archives.limits import Limits
from assay.data.archives.reader import members
from assay.errors import ArchiveError


def tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


FILES = {"b/two.txt": os.urandom(200_001), "a": b"", "c": b"x" * 512}


def test_members_come_in_their_order_with_their_data(tmp_path):
    path = tmp_path / "x.tar.gz"
    path.write_bytes(gzip.compress(tar(FILES)))
    found = {"/".join(m.parts): b"".join(m.data) for m in members(path)}
    assert found == FILES
    assert list(found) == list(FILES)


def test_data_may_be_left_unread(tmp_path):
    path = tmp_path / "x.tar"
    path.write_bytes(tar(FILES))
    assert [m.parts for m in members(path)] == [("b", "two.txt"), ("a",), ("c",)]
    path.write_bytes(tar(FILES)[:5000])
    with pytest.raises(ArchiveError, match="truncated"):
        list(members(path))


def test_an_old_tar_without_mark_is_known_by_its_name(tmp_path):
    block = bytearray(tar({"old.txt": b"text"}))
    block[257:265] = bytes(8)
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block[:512])
    for name in ("x.tar", "x.tar.part"):
        (tmp_path / name).write_bytes(block)
        assert [b"".join(m.data) for m in members(tmp_path / name)] == [b"text"]
    (tmp_path / "x.dat").write_bytes(block)
    with pytest.raises(ArchiveError, match="not an archive"):
        list(members(tmp_path / "x.dat"))


def test_a_zip_archive_with_a_comment_and_descriptors(tmp_path):
    buffer = io.BytesIO()
    buffer.seekable = lambda: False  # type: ignore[method-assign]  # makes zipfile write sizes behind the data
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"text")
        archive.comment = b"a commit"
    (tmp_path / "x.zip").write_bytes(buffer.getvalue())
    assert [(m.parts, b"".join(m.data)) for m in members(tmp_path / "x.zip")] == [(("a.txt",), b"text")]


@pytest.mark.slow
def test_a_bomb_needs_little_memory(tmp_path):
    path = tmp_path / "x.tar.gz"
    path.write_bytes(gzip.compress(tar({"a": bytes(64 << 20)})))
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match="unpacks to more than"):
            list(members(path, limits=Limits(free_bytes=1 << 20)))
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
