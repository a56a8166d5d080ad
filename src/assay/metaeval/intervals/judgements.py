"""Bootstrap over human judgements: what if other judges had ranked the same outputs? (Macháček & Bojar 2013)"""

from __future__ import annotations

from dataclasses import dataclass

from assay.aggregate.resample import RESAMPLES
from assay.human.comparisons import DrawnUnit
from assay.lazily import numpy as np
from assay.metaeval.intervals import JUDGEMENTS, Drawn, Resampling, interval_method, over_drawn_units, segment_units
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.replicates import Observed, Units, over_judgements, over_pairs_of_rankings

__all__ = ["Judgements"]

_SAME = 1e-9
_NOT_RANKINGS = "the human scores are not rankings"


@interval_method(JUDGEMENTS)
@dataclass(frozen=True)
class Judgements(Resampling):
    """Draws all rankings of a segment, rankings, or single pairs (`unit`). The scores of the metric do not change.

    At the system level, the human scores are computed from each resample. Segments are the default: the rankings of a
    segment share its outputs, and many public files have rankings cut into pairs.
    """

    unit: DrawnUnit = "segment"

    default_resamples = RESAMPLES
    needs_rankings = True

    @property
    def label(self) -> str:
        """The name and the unit, also if it is the default: intervals of different units are not comparable."""
        return f"{self.name}:unit={self.unit}"

    def drawn(self, observed: Observed) -> Drawn | str:
        """The judgements."""
        if observed.level == "segment":
            return self._drawn_rankings(observed)
        human = observed.aligned.human_replicates
        if human is None:
            return _NOT_RANKINGS
        return Drawn(observed.aligned.judgement_units, lambda *_: over_judgements(observed, human))

    def _drawn_rankings(self, observed: Observed) -> Drawn | str:
        if not isinstance(observed.aligned, AlignedRankings):
            return _NOT_RANKINGS
        if self.unit == "segment":
            return over_drawn_units(observed, segment_units(observed))
        if observed.statistic.is_joint:
            return f"{observed.statistic.name} is fitted to whole segments"
        if self.unit == "pair":
            value, observed = observed.value, over_pairs_of_rankings(observed)
            if not abs(observed.value - value) < _SAME:
                return f"the average of {observed.statistic.name} over rankings is not one over pairs"
        count = len(observed.batch.mask)
        return over_drawn_units(observed, Units(count, np.arange(0), np.arange(count)))
