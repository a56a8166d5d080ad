from __future__ import annotations

import pytest

from assay.vectors.text_rows import HEADER, is_text_row


@pytest.mark.parametrize(
    ("head", "is_header"),
    [(b"3 2\n", True), (b"3 2 \r\na", True), (b"3 2", True), (b"3 2 1\n", False), (b"a 2\n", False)],
)
def test_header(head, is_header):
    assert (HEADER.match(head) is not None) == is_header


@pytest.mark.parametrize(
    ("rest", "is_text"),
    [("дом 1 2\n".encode(), True), (b"", True), (b"a \0\0\x80?\0\0\0@", False), (b"a 1 x\n\0", True)],
)
def test_text_or_binary(rest, is_text):
    assert is_text_row(rest) == is_text
