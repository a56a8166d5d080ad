"""What changed between two runs."""

from __future__ import annotations

from assay.results import Difference

__all__ = ["changed_scores", "same_runs"]


def changed_scores(difference: Difference) -> str:
    """How many scores were compared and how many changed, in a line."""
    if not difference.scores:
        return "the runs have no score in common: nothing was compared"
    moved = sum(change.moved for change in difference.scores)
    intervals = sum(change.interval_moved for change in difference.scores)
    counts = f"{moved} of {len(difference.scores)} scores changed, and {intervals} of their intervals"
    return f"{counts}{_rounding(difference)}"


def same_runs(difference: Difference) -> str:
    """That nothing differs."""
    total = len(difference.scores)
    same = f"inputs, settings and {'both' if total == 2 else f'all {total}'} scores"
    return f"{difference.first} and {difference.second} are the same: {same}{_rounding(difference)}"


def _rounding(difference: Difference) -> str:
    """A remark on scores that differ within the tolerance of their metric; empty if there are none."""
    rounded = sum(change.rounded for change in difference.scores)
    return f" ({rounded} differ within the tolerance of their metric)" if rounded else ""
