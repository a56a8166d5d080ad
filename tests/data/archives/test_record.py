from __future__ import annotations

import json

import pytest

from assay.data.archives.record import (
    RECORD,
    ImportRecord,
    StoredFile,
    read_record,
    sha256_of,
    verify,
    write_record,
)
from assay.errors import FetchError
from assay.types.runtime import Runtime

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
    assert sha256_of(tmp_path / "x", runtime=Runtime(progress=lambda *step: told.append(step))) == ABC
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
        "sub/link: neither a file nor a folder",
        "a.txt: changed: the SHA-256 differs",
        "sub/b.txt: has 4 bytes instead of 3",
        "new.txt: not in the archive",
    ]
    (imported / "a.txt").unlink()
    (imported / "a.txt").mkdir()
    (imported / "sub/b.txt").unlink()
    assert verify(imported)[1:3] == ["a.txt: missing", "sub/b.txt: missing"]


def test_every_flipped_bit_is_found(imported):
    for bit in range(24):
        (imported / "a.txt").write_bytes((int.from_bytes(b"abc", "big") ^ (1 << bit)).to_bytes(3, "big"))
        assert verify(imported) == ["a.txt: changed: the SHA-256 differs"]


def test_a_record_reaches_nothing_outside(imported):
    (imported.parent / "secret").write_bytes(b"abc")
    write_record(imported, ImportRecord("x", "", {"../secret": StoredFile(3, ABC)}))
    assert "../secret: missing" in verify(imported)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"{}", b'{"kind": "x", "version": 1}', b"\xff", b"[" * 100_000, b'{"kind": "assay import"}']
    + [json.dumps({"kind": "assay import", "version": 1, "archive": "", "sha256": "", "files": f}).encode() for f in
       ([], {"a": 1}, {"a": {"bytes": "x", "sha256": ""}}, {"a": {}}, None)],
)  # fmt: skip
def test_damaged_records(tmp_path, content):
    (tmp_path / RECORD).write_bytes(content)
    with pytest.raises(FetchError, match="not an import record"):
        read_record(tmp_path)
    assert len(verify(tmp_path)) == 1


def test_no_record(tmp_path):
    assert verify(tmp_path) == [f"{tmp_path / RECORD}: no such file or directory"]
