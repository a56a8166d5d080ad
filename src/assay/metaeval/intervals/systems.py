"""Bootstrap over systems: what if other systems had taken part?"""

from __future__ import annotations

from dataclasses import dataclass

from assay.metaeval.intervals import Drawn, Resampling, interval_method
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.replicates import Observed, over_systems

__all__ = ["Systems"]


@interval_method("systems")
@dataclass(frozen=True)
class Systems(Resampling):
    """Draws systems, each with all its scores."""

    def drawn(self, observed: Observed) -> Drawn | str:
        """The systems of scores; a ranking compares the systems it has."""
        if isinstance(observed.aligned, AlignedRankings):
            return "systems cannot be drawn from rankings"
        if observed.statistic.no_interval is not None and observed.values.by_pair is None:
            return observed.statistic.no_interval
        n = len(observed.aligned.systems)
        return Drawn(n, lambda bootstrap, runtime, _: over_systems(observed, bootstrap, runtime))
