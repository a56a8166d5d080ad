from __future__ import annotations

import pytest

from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun


@needs_archives
def test_stored_values():
    found = numbers(rerun("ebleu"))
    for metric, hits in (("BLEU", 215), ("chrF", 219), ("COMET-20", 209)):
        ours = found[f"{metric}, crowd DA (MTurk)"]
        assert ours.ours.value == pytest.approx(100 * hits / 329)
        assert (ours.verdict, ours.ours.n) == ("met", 329)
    assert found["BLEU, crowd DA, z-scores of each judge"].ours.value == pytest.approx(100 * 267 / 329)
    assert rerun("ebleu").counts["differs"] == 0


def test_pairs_of_systems_are_pooled_and_missing_pairs_named():
    found = numbers(on_made_up_data("ebleu"))["BLEU, crowd DA (MTurk)"]
    assert (found.ours.n, found.verdict) == (30, "other data")
    assert found.reason == "not in the data: de-en, ja-en, ru-en, uk-en"
