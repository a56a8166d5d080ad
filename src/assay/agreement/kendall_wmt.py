"""Kendall's tau with the tie rules of the earlier WMT metrics tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.agreement import CORRELATION, Batch, Statistic, Values, statistic
from assay.agreement.pair_counts import count_pairs, ratio
from assay.lazily import numpy as np

__all__ = ["KendallWmt"]

_RULES = ("12", "13", "14")


@statistic("kendall-wmt", aliases={f"kendall-wmt{rule}": {"rule": rule} for rule in _RULES})
@dataclass(frozen=True)
class KendallWmt(Statistic):
    """(concordant - discordant) / counted, over pairs that are not tied in the human scores.

    A tie of the metric is discordant (`12`; also WMT10), ignored (`13`), or counted only in the denominator (`14`).
    """

    rule: Literal["12", "13", "14"] = "14"
    exact_ties: bool = False

    label = "Kendall (WMT)"
    agreement = CORRELATION
    uses_pairs = True

    def compute(self, batch: Batch) -> Values:
        counts = count_pairs(batch, exact_ties=self.exact_ties)
        discordant = counts.discordant + (counts.tied_metric if self.rule == "12" else 0)
        counted = counts.concordant + counts.discordant + (counts.tied_metric if self.rule != "13" else 0)
        sides = "human scores or in the metric" if self.rule == "13" else "human scores"
        reason = f"all pairs are tied in the {sides}"
        values, weights = ratio(counts.concordant - discordant, counted), counted.astype(np.float64)
        return Values(values, weights, reason, pairs=counted)
