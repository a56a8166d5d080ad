"""`assay.reliability`: how well human raters agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assay.human.reliability import reliability_of
from assay.human.selection import Judged, select_judgements
from assay.results import Reliability
from assay.types import Campaign

__all__ = ["reliability"]


def reliability(
    judgements: Judged | Campaign,
    *,
    gold: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
) -> Reliability:
    """Measure agreement between and within raters; a metric cannot be expected to agree with raters better than that.

    Rankings: kappa between judges and within a judge. Ratings: the mean correlation of two raters, and split-half
    reliability. Scores of a campaign: the same, over the scores of individual raters that the campaign stores
    under this name (`mqm-col1`, …). `gold` and the patterns are those of `assay.rank`.
    """
    selected, notes = select_judgements(
        judgements, gold=gold, systems=systems, exclude=exclude, keep_references=keep_references
    )
    others = judgements.human if isinstance(judgements, Campaign) else ()
    return replace(reliability_of(selected, others), notes=notes)
