from __future__ import annotations

from assay.reports.documents import Caption
from assay.reports.reasons import reason_captions


def test_a_reason_is_said_once():
    reasons = [("bleu", "too few"), ("chrf", None), ("ter", "too few"), ("bleu", "too few"), ("wer", "other")]
    assert list(reason_captions(reasons)) == [Caption("bleu, ter: too few"), Caption("wer: other")]
