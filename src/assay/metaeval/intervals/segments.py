"""Bootstrap over segments: what if other texts had been translated?"""

from __future__ import annotations

from dataclasses import dataclass

from assay.metaeval.intervals import Drawn, Resampling, interval_method, over_drawn_units, segment_units
from assay.metaeval.replicates import Observed

__all__ = ["Segments"]


@interval_method("segments")
@dataclass(frozen=True)
class Segments(Resampling):
    """Draws segments, each with all its scores or rankings, which are not independent."""

    def drawn(self, observed: Observed) -> Drawn | str:
        """The segments that both sides have."""
        return over_drawn_units(observed, segment_units(observed))
