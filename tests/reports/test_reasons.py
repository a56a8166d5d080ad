from __future__ import annotations

from assay.reports.cells import Text
from assay.reports.layout import caption_text
from assay.reports.reasons import reason_captions


def test_a_reason_is_said_once():
    reasons = [("bleu", "too few"), ("chrf", None), ("ter", "too few"), ("bleu", "too few"), ("wer", "other")]
    captions = reason_captions((Text(name), reason) for name, reason in reasons)
    assert [*map(caption_text, captions)] == ["bleu, ter: too few", "wer: other"]
