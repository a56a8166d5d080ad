"""Scores of outputs turned into wins over the other outputs of their segment, as TERRORCAT and LOGREG do.

Both classify pairs of outputs and add up the decisions on an output. LOGREG's soft sum adds the probabilities of being
better; TERRORCAT adds ±(confidence - 0.5), which is that probability minus 0.5. So both are sums over the same numbers,
and the mean over the n - 1 other outputs is the soft sum / (n - 1), and TERRORCAT's sum / (n - 1) + 0.5.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from assay.lazily import numpy as np
from assay.logistic import sigmoid
from assay.types import FloatArray

__all__ = ["WINS", "Wins", "mean_wins"]

Wins: TypeAlias = Literal["none", "soft", "hard"]
WINS = ("none", "soft", "hard")


def mean_wins(scores: FloatArray, wins: Wins) -> FloatArray:
    """For each output (system, segment), its mean probability to be better than another output of the segment (soft),
    or the share of the others with a lower score, where an equal one counts half (hard). NaN without others.
    """
    won = np.zeros_like(scores)
    others = np.zeros_like(scores)
    for row in np.sort(scores, axis=0):  # sums do not depend on the order of systems
        difference = scores - row
        known = ~np.isnan(difference)
        value = sigmoid(difference) if wins == "soft" else 0.5 * (1 + np.sign(difference))
        won += np.where(known, value, 0.0)
        others += known
    own = np.where(np.isnan(scores), 0.0, 1.0)  # against itself: 0.5
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(others - own > 0, (won - 0.5 * own) / (others - own), np.nan)
