from __future__ import annotations

import pytest

from assay.files.sizes import byte_text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (1, "1 byte"),
        (999, "999 bytes"),
        (1000, "1 kB"),
        (105_225, "105 kB"),
        (999_600, "1 MB"),
        (2_320_000_000, "2.32 GB"),
        (1_234_567_000_000_000, "1,235 TB"),
    ],
)
def test_sizes(count, text):
    assert byte_text(count) == text
