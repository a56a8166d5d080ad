"""`assay.reliability`: how well human raters agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from assay.arguments import checked_arguments
from assay.human.options import RankingOptions
from assay.human.preparation import prepare
from assay.human.reliability import reliability_of
from assay.human.scoring import Deviation
from assay.human.selection import Judged, find_ranked_judgements, select_judgements
from assay.results import Reliability
from assay.types import Campaign

__all__ = ["reliability"]


@checked_arguments
def reliability(
    judgements: Judged | Campaign,
    *,
    gold: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
    preset: str | None = None,
    standardise: Deviation | Literal["none"] = "none",
    weights: str | Path | Mapping[str, float] | None = None,
    quality: float | None = None,
) -> Reliability:
    """Measure agreement between and within raters; a metric cannot be expected to agree with raters better than that.

    Rankings: kappa between judges and within a judge. Ratings: the mean correlation of two raters, and split-half
    reliability; marked errors (MQM) are scored first. Scores of a campaign: the same, over the scores of individual
    raters that the campaign stores under this name (`mqm-col1`, …). The options are those of `assay.rank`.
    """
    options = RankingOptions(preset=preset, standardise=standardise, weights=weights, quality=quality)
    campaign = judgements if isinstance(judgements, Campaign) else None
    selected = select_judgements(
        judgements if not isinstance(judgements, Campaign) else find_ranked_judgements({"": judgements}, gold)[""],
        campaign,
        systems=systems,
        exclude=exclude,
        keep_references=keep_references,
    )
    prepared = prepare(selected.judgements, options, selected.selection.systems)
    others = () if campaign is None else campaign.human
    return replace(reliability_of(prepared.judgements, others), notes=(*selected.notes, *prepared.notes))
