"""The test of a weighted sum of values, such as the average over language pairs, from the draws of its parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.metric_tests.drawing import counted_p, smallest_drawn_p
from assay.metric_tests.pairs import MetricPairs
from assay.types import FloatArray

__all__ = ["pool"]

_UNTESTED = "a part could not be tested"


def pool(parts: Sequence[MetricPairs], weights: Sequence[float]) -> MetricPairs:
    """The metrics that all parts have, tested on the weighted sum of their values.

    The k-th draw of the sum is the weighted sum of the k-th draws of the parts (as the WMT metrics tasks do), so the
    parts must have been tested with draws of their own: different streams. Different tests can be pooled if they draw
    equally often and make p-values alike; but their draws on one language pair are independent although they swap the
    same scores, so that a sum of them would vary too little.
    """
    _check(parts)
    names = tuple(name for name in parts[0].metrics if all(name in part.metrics for part in parts))
    index = [[part.metrics.index(name) for name in names] for part in parts]

    def total(of_part: Callable[[MetricPairs, list[int]], FloatArray]) -> FloatArray:
        arrays = [of_part(part, at) for part, at in zip(parts, index, strict=True)]
        summed: FloatArray = np.sum([weight * array for weight, array in zip(weights, arrays, strict=True)], axis=0)
        return summed

    differences = total(lambda part, at: part.differences[np.ix_(at, at)])
    draws = total(_draws)
    p, pairs = np.full(differences.shape, np.nan), np.triu_indices(len(names), 1)
    p[pairs], p.T[pairs] = counted_p(
        differences[pairs], draws[:, pairs[0], pairs[1]].T, parts[0].sides, parts[0].p_rule
    )
    undefined = ((names[i], names[j], _UNTESTED) for i, j in zip(*pairs, strict=True) if np.isnan(p[i, j]))
    return replace(
        parts[0],
        test="+".join(dict.fromkeys(part.test for part in parts)),
        null="; ".join(dict.fromkeys(part.null for part in parts)),
        metrics=names,
        values=total(lambda part, at: part.values[at]),
        differences=differences,
        p_values=p,
        smallest_p=np.full(p.shape, smallest_drawn_p(parts[0].resamples, parts[0].p_rule)),
        is_exact=np.zeros(p.shape, dtype=np.bool_),
        systems=np.sum([part.systems[at] for part, at in zip(parts, index, strict=True)], axis=0),
        n=np.sum([part.n[np.ix_(at, at)] for part, at in zip(parts, index, strict=True)], axis=0),
        reasons=tuple(undefined),
        draws=draws,
    )


def _check(parts: Sequence[MetricPairs]) -> None:
    if without := next((part.test for part in parts if part.draws is None), None):
        raise ConfigError(f"{without} does not draw, so its p-values cannot be pooled", hint="use a permutation test")
    if len({(part.resamples, part.sides, part.p_rule) for part in parts}) > 1:
        raise ConfigError("tests with different resamples, sides or p-values cannot be pooled")


def _draws(part: MetricPairs, at: list[int]) -> FloatArray:
    draws: FloatArray = np.asarray(part.draws)[:, at][:, :, at]
    return draws
