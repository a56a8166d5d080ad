"""Kendall's rank correlation, variants a, b and c."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assay.agreement import CORRELATION, Batch, NanGroups, Statistic, SwapForm, Values, statistic
from assay.agreement.pair_counts import PairCounts, count_pairs, ratio
from assay.agreement.tie_classes import with_tie_classes
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Kendall"]


@statistic("kendall")
@dataclass(frozen=True)
class Kendall(Statistic):
    """(concordant - discordant) pairs, divided by: a, all pairs; b, the root of (pairs untied in the metric) x (pairs
    untied in the human scores); c, n^2 (k - 1) / 2k, where k is the lower number of distinct scores.
    """

    variant: Literal["a", "b", "c"] = "b"
    nan_groups: NanGroups = "skip"
    exact_ties: bool = False

    label = "Kendall"
    agreement = CORRELATION
    excludes_self_pairs = True
    uses_pairs = True

    @property
    def swap_form(self) -> SwapForm | None:
        if self.nan_groups == "zero":  # the quick form leaves out undefined groups
            return None
        return "tau-a" if self.variant == "a" else "tau-b" if self.variant == "b" else None

    def compute(self, batch: Batch) -> Values:
        counts = count_pairs(batch, exact_ties=self.exact_ties)
        denominator = {"a": _all_pairs, "b": _root_of_untied_pairs, "c": _by_distinct_scores}[self.variant](
            batch if self.exact_ties or self.variant != "c" else with_tie_classes(batch), counts
        )
        values = np.clip(ratio(counts.concordant - counts.discordant, denominator), -1.0, 1.0)
        ties = "" if self.variant == "a" else ", or all pairs are tied in the metric or in the human scores"
        computed = Values(values, batch.sizes.astype(np.float64), "there are fewer than two items" + ties)
        return computed.undefined_as_zero(batch.sizes) if self.nan_groups == "zero" else computed


def _all_pairs(_batch: Batch, counts: PairCounts) -> FloatArray:
    return counts.total.astype(np.float64)


def _root_of_untied_pairs(_batch: Batch, counts: PairCounts) -> FloatArray:
    untied = counts.concordant + counts.discordant
    root: FloatArray = np.sqrt(untied + counts.tied_human) * np.sqrt(untied + counts.tied_metric)
    return root


def _by_distinct_scores(batch: Batch, counts: PairCounts) -> FloatArray:
    """n^2 (k - 1) / 2k assumes all pairs; for a selection of pairs it is multiplied by their share."""
    k = np.minimum(_distinct(batch.metric, batch.mask), _distinct(batch.human, batch.mask))
    sizes = batch.sizes.astype(np.float64)
    share = ratio(counts.total, sizes * (sizes - 1) / 2)
    return np.nan_to_num(sizes**2 * ratio(k - 1, 2 * k) * share)


def _distinct(values: FloatArray, mask: npt.NDArray[np.bool_]) -> IntArray:
    """The number of distinct values in each row."""
    ordered = np.sort(np.where(mask, values, np.inf), axis=1)
    is_new = np.isfinite(ordered)
    is_new[:, 1:] &= ordered[:, 1:] != ordered[:, :-1]
    distinct: IntArray = is_new.sum(axis=1)
    return distinct
