from __future__ import annotations

import pytest

from assay.data.text_checks import double_encoded_lines


@pytest.mark.parametrize("text", ["für dich", "„Zitat“ – ja", "Привет", "你好", "naïve café"])
@pytest.mark.parametrize("encoding", ["latin-1"])
def test_text_encoded_twice(text, encoding):
    twice = text.encode().decode(encoding)
    assert double_encoded_lines((text, twice, None, "plain", "")) == [2]


def test_the_encoding_of_windows():
    assert double_encoded_lines(("für – dich".encode().decode("cp1252"),)) == [1]
