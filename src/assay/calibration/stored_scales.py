"""Scales of stored scores: what one campaign stores from 0 to 1 and another from 0 to 100 is not one metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from assay.errors import InputError
from assay.lazily import numpy as np
from assay.types import Campaign, Note, NoteKind

__all__ = ["stored_factors"]

_SAME_SCALE = 10.0
"""The largest ratio of typical scores on one scale. The languages of two campaigns do not make more of a difference:
from WMT19 to WMT25, ratios on one scale are below 3, those of different scales above 50."""
_PER_CENT = frozenset({"bleu", "chrf", "chrf++", "chrfs", "sentbleu", "spbleu", "ter"})
"""Metrics that are shares, so that a factor of 100 is the only difference between their scales."""


def stored_factors(
    campaigns: Sequence[Campaign], patterns: Iterable[str]
) -> tuple[dict[tuple[str, str], float], list[Note]]:
    """The factor of stored scores by campaign and metric that brings them on one scale, where it is not 1, and notes.

    A known metric is converted by its name. Any other whose scales differ is refused: a curve of both would be of none.
    """
    names = dict.fromkeys(table.name for campaign in campaigns for table in campaign.metrics)
    factors: dict[tuple[str, str], float] = {}
    notes = []
    for name in names:
        if not any(fnmatchcase(name, pattern) for pattern in patterns):
            continue
        typical = _typical_scores(name, campaigns)
        largest = max(typical.values(), default=0.0)
        small = [campaign for campaign, score in typical.items() if score * _SAME_SCALE <= largest]
        if not small:
            continue
        if name.lower() not in _PER_CENT or any(not _is_same(100 * typical[each], largest) for each in small):
            _refuse(name, typical)
        factors |= {(campaign, name): 100.0 for campaign in small}
        others = ", ".join(campaign for campaign in typical if campaign not in small)
        text = f"multiplied by 100, because the scores of {others} are in per cent"
        notes.append(Note(NoteKind.CHANGED, text, f"{name}, {', '.join(small)}", len(small), severity="warning"))
    return factors, notes


def _typical_scores(name: str, campaigns: Iterable[Campaign]) -> dict[str, float]:
    """The median score without its sign, by campaign: of its systems, or else of segments."""
    medians: dict[str, dict[str, list[float]]] = {}
    for campaign in campaigns:
        for table in campaign.metrics:
            scores = table.values[~np.isnan(table.values)]
            if table.name == name and table.level in ("system", "segment") and len(scores):
                by_level = medians.setdefault(campaign.name, {})
                by_level.setdefault(table.level, []).append(float(np.median(np.abs(scores))))
    return {
        campaign: float(np.median(by_level.get("system") or by_level["segment"]))
        for campaign, by_level in medians.items()
    }


def _is_same(score: float, other: float) -> bool:
    return score < other * _SAME_SCALE and other < score * _SAME_SCALE


def _refuse(name: str, typical: Mapping[str, float]) -> None:
    seen = ", ".join(f"about {score:.3g} in {campaign}" for campaign, score in typical.items())
    raise InputError(
        f"the stored scores '{name}' have different scales: {seen}",
        hint="use campaigns of one scale, or convert the scores and give them as your own under another name",
    )
