"""Scalar quality metric: one number from 0 to 100 on a scale with described levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.judges.protocols import protocol
from assay.judges.protocols.da import DirectAssessment

__all__ = ["ScalarQuality"]


@protocol("sqm")
@dataclass(frozen=True)
class ScalarQuality(DirectAssessment):
    """As direct assessment, on a scale with described levels at 0, 20, 40, 60, 80 and 100."""

    stages: ClassVar[Mapping[str, tuple[str, ...]]] = {"sqm": ("source", "output")}
