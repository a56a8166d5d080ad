"""Kendall's tau with the rules for ties that the WMT metrics tasks had before they scored ties as such."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.agreement import Batch, Statistic, Values, statistic
from assay.agreement.pair_counts import count_pairs, ratio

__all__ = ["KendallWmt"]

_RULES = ("12", "13", "14")


@statistic("kendall-wmt", aliases={f"kendall-wmt{rule}": {"rule": rule} for rule in _RULES})
@dataclass(frozen=True)
class KendallWmt(Statistic):
    """(concordant - discordant) / counted, over pairs that people do not tie.

    A tie of the metric is discordant (`12`; also WMT10), does not count (`13`), or is in the denominator alone (`14`).
    """

    rule: Literal["12", "13", "14"] = "14"

    uses_pairs = True

    def compute(self, batch: Batch) -> Values:
        counts = count_pairs(batch)
        against = counts.discordant + (counts.tied_metric if self.rule == "12" else 0)
        counted = counts.concordant + counts.discordant + (counts.tied_metric if self.rule != "13" else 0)
        untied = "people or the metric tie" if self.rule == "13" else "people tie"
        reason = f"there is no pair but those that {untied}"
        return Values(ratio(counts.concordant - against, counted), counted.astype(np.float64), reason)
