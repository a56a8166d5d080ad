from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.vectors.source_files import opened
from assay.vectors.text_rows import count_numbers, numbered_lines, text_rows


def read(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with opened(tmp_path / "x") as source:
        rows = list(text_rows(source, 2, numbered_lines(source)))
    return [word for block in rows for word in block.words], [row for block in rows for row in block.matrix.tolist()]


@pytest.mark.parametrize(
    ("fields", "count"),
    [("a 1 2", 2), ("1 2 3", 2), (". . 1 -2e3 nan", 3), ("a b", 0), ("a 1 b 2", 1), ("", 0), ("1", 0)],
)
def test_numbers_at_the_end(fields, count):
    assert count_numbers(fields.encode().split(b" ")) == count


def test_words(tmp_path):
    words, rows = read(tmp_path, "a 1 2 \r\n\u00a0 3 4\n. . 5 6\n 7 8\n9 9 9\n\n\n".encode())
    assert words == [b"a", "\u00a0".encode(), b". .", b"", b"9"]
    assert rows == [[1, 2], [3, 4], [5, 6], [7, 8], [9, 9]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a 1 2\nb 1\n", "x, line 2: 1 number instead of the 2 of the first line"),
        (b"a 1 2\nb 1 2 3\n", "x, line 2: 3 numbers instead of the 2 of the first line"),
        (b"a 1 2\nb\n", "x, line 2: 0 numbers instead of the 2 of the first line"),
        (b"a 1 2\nb 1 x\n", "x, line 2: 'x' is not a number"),
        (b"a 1 2\nb 1  2\n", "x, line 2: 1 number instead of the 2 of the first line"),
        (b"a 1 2\n\nb 1 2\n", "x, line 2: empty line"),
    ],
)
def test_flaws(tmp_path, content, message):
    with pytest.raises(InputError) as caught:
        read(tmp_path, content)
    assert str(caught.value).partition("\n")[0].endswith(message)


def test_values_beyond_float32(tmp_path):
    assert np.isinf(read(tmp_path, b"a 1e60 -1e-60\n")[1][0][0])
