"""The alternative hypothesis of a test: what a small p-value is evidence for."""

from __future__ import annotations

from typing import Literal, get_args

__all__ = ["ALTERNATIVES", "Alternative"]

Alternative = Literal["two-sided", "better", "worse"]
"""The two systems differ; the first is better; the first is worse."""

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
