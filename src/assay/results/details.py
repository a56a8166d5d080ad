"""Names of what an agreement may have besides its value, under `details`."""

from __future__ import annotations

__all__ = ["CELLS", "EPSILON", "MONTE_CARLO_ERROR", "NOT_ON_COMMON_CELLS", "UNDEFINED_AS_ZERO"]

CELLS = "cells"
"""Number of outputs (a system and a segment) behind the value; of the side that scored fewer."""
EPSILON = "epsilon"
"""The difference of metric scores up to which a pair is tied."""
MONTE_CARLO_ERROR = "monte_carlo_error"
"""Standard error of the value over random draws that are part of the statistic."""
UNDEFINED_AS_ZERO = "undefined_as_zero"
"""Number of groups without a value that count as 0."""
NOT_ON_COMMON_CELLS = "not_on_common_cells"
"""`yes`: common cells were requested, but stored system scores are compared, because one side has no segment scores."""
