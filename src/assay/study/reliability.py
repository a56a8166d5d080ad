"""`assay.reliability`: how well human raters agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from assay.aggregate.resample import CONFIDENCE, SEED
from assay.arguments import public_function
from assay.human.options import RankingOptions
from assay.human.preparation import prepare
from assay.human.reliability import reliability_of
from assay.human.scoring import Deviation
from assay.human.selection import Judged, find_ranked_judgements, select_judgements
from assay.results import Reliability
from assay.types import Campaign

__all__ = ["reliability"]


@public_function
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
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> Reliability:
    """Measure agreement between and within raters; a metric cannot be expected to agree with raters better than that.

    Rankings: kappa between raters and within a rater. Ratings: the mean correlation of two raters, and split-half
    reliability; marked errors (MQM) are scored first. Scores of a campaign: the same, over the scores of individual
    raters that the campaign stores under this name (`mqm-col1`, …). `seed` and `confidence` are those of the random
    halves of the raters. The options are those of `assay.rank`.
    """
    options = RankingOptions(preset=preset, standardise=standardise, weights=weights, quality=quality)
    RankingOptions(seed=seed, confidence=confidence)  # checks both
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
    found = reliability_of(prepared.judgements, others, seed=seed, confidence=confidence)
    return replace(found, notes=(*selected.notes, *prepared.notes))
