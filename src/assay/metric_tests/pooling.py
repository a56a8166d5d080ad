"""The test of a weighted sum of values, such as the average over language pairs, from the draws of its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from assay.errors import ConfigError
from assay.metric_tests import Tested
from assay.metric_tests.pair_outcomes import PairOutcomes
from assay.metric_tests.permutation import Permutation, p_of_draws
from assay.types import FloatArray

__all__ = ["pool"]


def pool(parts: Sequence[Tested], weights: Sequence[float]) -> Tested:
    """The metrics that all parts have, tested on the weighted sum of their values.

    The k-th draw of the sum is the weighted sum of the k-th draws of the parts (as the WMT metrics tasks do), so the
    parts must have been tested by the same test with draws of their own: different streams.
    """
    test = parts[0].test
    if not isinstance(test, Permutation | PairOutcomes) or any(part.test != test for part in parts):
        raise ConfigError(f"{test.name} does not draw, so its p-values cannot be pooled", hint="use a permutation test")
    names = [name for name in parts[0].names if all(name in part.names for part in parts)]
    index = [[part.names.index(name) for name in names] for part in parts]
    pairs = np.triu_indices(len(names), 1)

    def total(of_part: Sequence[FloatArray]) -> FloatArray:
        weighted = [weight * array for weight, array in zip(weights, of_part, strict=True)]
        summed: FloatArray = np.sum(weighted, axis=0)
        return summed

    values = total([part.values[at] for part, at in zip(parts, index, strict=True)])
    differences = total([part.differences[np.ix_(at, at)] for part, at in zip(parts, index, strict=True)])
    draws = total([_draws(part)[:, at][:, :, at] for part, at in zip(parts, index, strict=True)])
    p = np.full(differences.shape, np.nan)
    p[pairs], p.T[pairs] = p_of_draws(differences[pairs], draws[:, pairs[0], pairs[1]].T, test.sides, test.p)
    n = np.sum([part.n[np.ix_(at, at)] for part, at in zip(parts, index, strict=True)], axis=0)
    untested: Counter[str] = Counter()
    if undefined := int(np.isnan(p[pairs]).sum()):
        untested["a part could not be tested"] = undefined
    return Tested(tuple(names), test, values, differences, p, n, untested, draws)


def _draws(part: Tested) -> FloatArray:
    if part.draws is None:
        raise ConfigError(f"{part.test.name} does not draw, so its p-values cannot be pooled")
    return part.draws
