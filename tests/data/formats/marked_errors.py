"""Files of marked errors: made up, in the forms that the pages of the tasks and the files of participants show."""

from __future__ import annotations

from pathlib import Path

import assay
from assay.types import Campaign, ErrorSpan, Ratings

ABOUT = "2409244995\n2280000000\n3\n"
QE = (
    "he-en\tens\t0\tA sample without errors.\t-1\t-1\tno-error\n"
    "he-en\tens\t1\tA sample with two spans.\t2 14\t8 17\tmajor minor\n"
)
SPAN = {"text": "cat", "confidence": 0.4, "severity": "major", "start": 4, "end": 7}
ERROR = ErrorSpan("", "major", 4, 7)


def only(path: Path, text: str) -> tuple[Campaign, Ratings]:
    """The only campaign of a file, and its predicted errors."""
    path.write_text(text, encoding="utf-8")
    (campaign,) = assay.read(path)
    (predicted,) = campaign.predictions
    assert not campaign.judgements
    assert not predicted.is_human
    return campaign, predicted


def by_cell(ratings: Ratings) -> dict[tuple[str, int], tuple[ErrorSpan, ...]]:
    systems = [ratings.systems[k] for k in ratings.system]
    return dict(zip(zip(systems, ratings.segment.tolist(), strict=True), ratings.errors, strict=True))
