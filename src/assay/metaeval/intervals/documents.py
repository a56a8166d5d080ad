"""Bootstrap over documents, where the segments of a document depend on each other."""

from __future__ import annotations

from dataclasses import dataclass

from assay.lazily import numpy as np
from assay.metaeval.intervals import Drawn, Resampling, interval_method, over_drawn_units, segment_units
from assay.metaeval.replicates import Observed, Units

__all__ = ["Documents"]


@interval_method("documents")
@dataclass(frozen=True)
class Documents(Resampling):
    """Draws documents, each with all its segments. A document is a name, wherever its segments stand."""

    def drawn(self, observed: Observed) -> Drawn | str:
        """The documents of the segments that both sides have."""
        return over_drawn_units(observed, _documents(observed))


def _documents(observed: Observed) -> Units | str:
    segments, aligned = segment_units(observed), observed.aligned
    if isinstance(segments, str):
        return segments
    if not any(aligned.documents):
        return "the segments have no documents"
    scores = aligned.segment_scores if observed.level == "system" else None
    used = aligned.resampled_items if scores is None else np.flatnonzero(scores.mask.any(axis=0))
    names = np.array(aligned.documents)[used]
    if (names == "").any():
        return "some segments have no document"
    documents, of_item = np.unique(names, return_inverse=True)
    return Units(len(documents), of_item, of_item[segments.of_group])
