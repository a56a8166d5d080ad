"""`assay.rater_reliability`: how well human raters agree."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.human.options import PresetChoice, Quality, RankingOptions, Standardise, Weights
from assay.human.preparation import prepare
from assay.human.reliability import reliability_of
from assay.human.selection import Judged, SystemOptions, find_ranked_judgements, select_judgements
from assay.options.shared import JUDGEMENTS, RUNTIME, Exclude, Gold, KeepReferences, Systems
from assay.options.verb import verb
from assay.results import Reliability
from assay.types import Campaign
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["rater_reliability"]


@verb
def rater_reliability(
    judgements: Annotated[Judged | Campaign, JUDGEMENTS],
    *,
    gold: Gold = None,
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    preset: PresetChoice = None,
    standardise: Standardise = "none",
    weights: Weights = None,
    quality: Quality = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Reliability:
    """Measure agreement between and within raters; a metric cannot be expected to agree with raters better than that.

    Rankings: kappa between raters and within a rater. Ratings: the correlation within pairs of raters, of two raters
    over all outputs and of two waves, and split-half reliability; marked errors (MQM) are scored first. Scores of a
    campaign: the same, over the scores of individual raters that the campaign stores under this name (`mqm-col1`, …).
    """
    options = RankingOptions(preset=preset, standardise=standardise, weights=weights, quality=quality)
    campaign = judgements if isinstance(judgements, Campaign) else None
    selected = select_judgements(
        judgements if not isinstance(judgements, Campaign) else find_ranked_judgements({"": judgements}, gold)[""],
        campaign,
        SystemOptions.of(systems, exclude, keep_references),
    )
    texts = None if campaign is None else campaign.testset
    prepared = prepare(selected.judgements, options, selected.selection.systems, texts)
    others = () if campaign is None else campaign.human
    found = reliability_of(prepared.judgements, others, seed=seed, confidence=confidence, runtime=runtime)
    return replace(found, notes=(*selected.notes, *prepared.notes))
