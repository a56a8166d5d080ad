"""Base class of metrics whose score is errors over a length, at most 1, for each segment: CharacTER and EED."""

from __future__ import annotations

import math
from typing import ClassVar

from assay import _core
from assay.contracts import SURFACE
from assay.metrics.core_metric import CoreMetric

__all__ = ["ErrorShare"]


class ErrorShare(CoreMetric):
    """errors / length, lower is better, at most 1 unless `cap` is no."""

    default_aggregation: ClassVar[str] = "segment"
    family = SURFACE
    undefined = "the outputs and the references are empty"
    cap: bool

    @property
    def higher_is_better(self) -> bool:
        return False

    @property
    def formula(self) -> _core.ErrorShare:
        return _core.ErrorShare(1.0 if self.cap else math.inf)
