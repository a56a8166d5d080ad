from __future__ import annotations

import pytest

from tests.reproduction.rerun import needs_archives, numbers, rerun


@needs_archives
def test_stored_values():
    found = numbers("ebleu")
    for metric, hits in (("BLEU", 215), ("chrF", 219), ("COMET-20", 209)):
        ours = found[f"{metric}, crowd DA (MTurk)"]
        assert ours.ours.value == pytest.approx(100 * hits / 329)
        assert (ours.verdict, ours.ours.n) == ("met", 329)
    assert found["BLEU, crowd DA, z-scores of each judge"].ours.value == pytest.approx(100 * 267 / 329)
    assert rerun("ebleu").counts["differs"] == 0
