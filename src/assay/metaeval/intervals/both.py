"""Bootstrap over systems and segments at once: what if other systems had translated other texts?"""

from __future__ import annotations

from dataclasses import dataclass

from assay.metaeval.intervals import Drawn, Resampling, interval_method, segment_units
from assay.metaeval.ranking_alignment import AlignedRankings
from assay.metaeval.replicates import Observed, over_both

__all__ = ["Both"]


@interval_method("both")
@dataclass(frozen=True)
class Both(Resampling):
    """Draws systems, and independently of them segments (Boot-Both of Deutsch et al. 2021)."""

    def drawn(self, observed: Observed) -> Drawn | str:
        """The systems and the segments that both sides have."""
        segments = segment_units(observed)
        if isinstance(segments, str):
            return segments
        if isinstance(observed.aligned, AlignedRankings):
            return "systems cannot be drawn from rankings"
        n = len(observed.aligned.systems)
        return Drawn(n, lambda bootstrap, runtime, _: over_both(observed, segments, bootstrap, runtime))
