"""Names of what an agreement may have besides its value, under `details`."""

from __future__ import annotations

__all__ = ["CELLS", "EPSILON", "MONTE_CARLO_ERROR", "UNDEFINED_AS_ZERO"]

CELLS = "cells"
"""Number of outputs (a system and a segment) behind the value; of the side that scored fewer."""
EPSILON = "epsilon"
"""The difference of metric scores up to which a pair is tied."""
MONTE_CARLO_ERROR = "monte_carlo_error"
"""Standard error of the value over random draws that are part of the statistic."""
UNDEFINED_AS_ZERO = "undefined_as_zero"
"""Number of groups without a value that count as 0."""
