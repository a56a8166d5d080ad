"""`assay.reliability`: how far people agree, which no metric can be expected to exceed."""

from __future__ import annotations

import re
from typing import Literal

from assay.people.reliability import kappa, rater_agreement, rater_tables, split_half
from assay.people.scoring import without_controls
from assay.results import Estimate
from assay.types import Campaign, Rankings, Ratings, ScoreTable

__all__ = ["reliability"]

_WHO: tuple[Literal["between", "within"], ...] = ("between", "within")


def reliability(judgements: ScoreTable | Ratings | Rankings, campaign: Campaign | None = None) -> dict[str, Estimate]:
    """Agreement between people and with themselves, by what the judgements are.

    Rankings: kappa between judges and within a judge. Ratings: the mean correlation of two raters and split-half
    reliability. Scores: the same over the single raters' scores that the campaign has under this name (`mqm-col1`, …).
    """
    if isinstance(judgements, Rankings):
        found = {f"kappa {who} judges": kappa(judgements, who) for who in _WHO}
        return {what: Estimate(k.value, k.comparable, reason=k.reason) for what, k in found.items()}
    if isinstance(judgements, Ratings):
        tables = rater_tables(without_controls(judgements))
    else:
        others = () if campaign is None else campaign.human
        name = re.escape(re.sub(r"-col\d+$", "", judgements.name))
        tables = [t for t in others if t.level == "segment" and re.fullmatch(rf"{name}-col\d+", t.name)]
        tables = [table.take(judgements.systems) for table in tables] or [judgements]
    return {
        "Pearson of two raters": rater_agreement(tables, "pearson"),
        "Spearman of two raters": rater_agreement(tables, "spearman"),
        "split-half reliability of segments": split_half(tables, level="segment"),
        "split-half reliability of systems": split_half(tables, level="system"),
    }
