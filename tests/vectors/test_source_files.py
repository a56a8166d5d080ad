from __future__ import annotations

import gzip

import pytest

from assay.errors import InputError
from assay.vectors.source_files import is_compressed, opened, read_head


def test_lines_end_at_line_feeds_only(tmp_path):
    (tmp_path / "x").write_bytes("a\u2028b\rc\n\nd".encode())
    with opened(tmp_path / "x") as source:
        assert [line.decode() for line in source.lines()] == ["a\u2028b\rc", "", "d"]
        assert source.position == 10


def test_gzip(tmp_path):
    content = bytes(range(256)) * 1000
    (tmp_path / "x.gz").write_bytes(gzip.compress(content))
    assert is_compressed(tmp_path / "x.gz")
    assert read_head(tmp_path / "x.gz") == content[: 1 << 16]
    with opened(tmp_path / "x.gz") as source:
        assert source.read_some(1000) == content[:1000]


@pytest.mark.parametrize("cut", [40, 300])
def test_damaged_gzip_files(tmp_path, cut):
    content = gzip.compress(bytes(i * i % 251 for i in range(100_000)))
    (tmp_path / "x.gz").write_bytes(content[:cut] + b"?" * (cut - 40))
    with pytest.raises(InputError, match="damaged gzip file"), opened(tmp_path / "x.gz") as source:
        list(source.lines())


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(InputError, match="no such file"), opened(tmp_path / "absent"):
        pass
    with pytest.raises(InputError, match="is a directory"):
        read_head(tmp_path)
