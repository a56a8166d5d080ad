"""Corrections of p-values for multiple testing, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from assay.lazily import numpy as np
from assay.options.checks import check_choice
from assay.options.option import TESTS, Option
from assay.types import FloatArray

__all__ = ["CORRECTIONS", "Correction", "corrected"]


def corrected(p_values: FloatArray, name: str) -> FloatArray:
    """The p-values, corrected for the number of defined ones; NaN stays NaN."""
    check_choice("correction", name, CORRECTIONS)
    adjusted = np.array(p_values, dtype=np.float64)
    defined = ~np.isnan(adjusted)
    if defined.any():
        adjusted[defined] = np.minimum(CORRECTIONS[name](adjusted[defined]), 1.0)
    return adjusted


def _bonferroni(p: FloatArray) -> FloatArray:
    return p * len(p)


def _holm(p: FloatArray) -> FloatArray:
    """Step down (Holm 1979): the k-th smallest p-value times the number of those that are not smaller."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _unsorted(steps, order)


def _benjamini_hochberg(p: FloatArray) -> FloatArray:
    """Step up (Benjamini & Hochberg 1995)."""
    order = np.argsort(p, kind="stable")[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    return _unsorted(steps, order)


def _benjamini_yekutieli(p: FloatArray) -> FloatArray:
    """Benjamini & Yekutieli 2001: as above, times the harmonic number."""
    return _benjamini_hochberg(p * float((1 / np.arange(1, len(p) + 1)).sum()))


def _unsorted(steps: FloatArray, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> FloatArray:
    values = np.empty_like(steps)
    values[order] = steps
    return values


CORRECTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": lambda p: p,
    "bonferroni": _bonferroni,
    "holm": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
    "benjamini-yekutieli": _benjamini_yekutieli,
}

Correction = Annotated[
    str,
    Option(
        "Correction for multiple tests: none, bonferroni, holm, benjamini-hochberg or benjamini-yekutieli.",
        group=TESTS,
        choices=tuple(CORRECTIONS),
        metavar="NAME",
    ),
]
