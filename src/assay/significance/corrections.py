"""P-values corrected for how many there are, by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.errors import ConfigError, nearest
from assay.types import FloatArray

__all__ = ["CORRECTIONS", "corrected"]


def corrected(p_values: FloatArray, name: str) -> FloatArray:
    """The same p-values, corrected for the number of those that are defined; NaN stays NaN."""
    if name not in CORRECTIONS:
        raise ConfigError(f"unknown correction '{name}'", hint=nearest(name, CORRECTIONS))
    found = np.array(p_values, dtype=np.float64)
    defined = ~np.isnan(found)
    if defined.any():
        found[defined] = np.minimum(CORRECTIONS[name](found[defined]), 1.0)
    return found


def _bonferroni(p: FloatArray) -> FloatArray:
    return p * len(p)


def _holm(p: FloatArray) -> FloatArray:
    """Step down (Holm 1979): the k-th smallest times the number of those not smaller."""
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _in_place(steps, order)


def _false_discovery(p: FloatArray) -> FloatArray:
    """Step up (Benjamini & Hochberg 1995)."""
    order = np.argsort(p, kind="stable")[::-1]
    steps = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    return _in_place(steps, order)


def _any_dependence(p: FloatArray) -> FloatArray:
    """Benjamini & Yekutieli 2001: as above, times the harmonic number."""
    return _false_discovery(p * float((1 / np.arange(1, len(p) + 1)).sum()))


def _in_place(steps: FloatArray, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> FloatArray:
    found = np.empty_like(steps)
    found[order] = steps
    return found


CORRECTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": lambda p: p,
    "bonferroni": _bonferroni,
    "holm": _holm,
    "benjamini-hochberg": _false_discovery,
    "benjamini-yekutieli": _any_dependence,
}
