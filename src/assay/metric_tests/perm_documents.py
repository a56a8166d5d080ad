"""Swaps what two metrics marked, document by document, with a coin for each document."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from assay.lazily import numpy as np
from assay.metric_tests import metric_test
from assay.metric_tests.drawing import DrawingTest, counted_p, smallest_drawn_p
from assay.metric_tests.pairs import MetricPairs
from assay.types import FloatArray, IntArray

__all__ = ["PermDocuments"]

_UNDEFINED = "the agreement of a metric is undefined"


@metric_test("perm-documents")
@dataclass(frozen=True)
class PermDocuments(DrawingTest):
    """For errors marked in the text: the outputs of a document are swapped together, because they depend on each other.

    p = (1 + number of resamples with a difference at least as high) / (1 + resamples).
    """

    label = "permutation of documents"
    levels = ("span",)

    @property
    def null(self) -> str:
        return "what both metrics marked could be swapped in any document"

    def compare_sums(
        self,
        names: tuple[str, ...],
        common: Callable[[int, int], tuple[FloatArray, FloatArray, int]],
        value: Callable[[FloatArray], FloatArray],
        *,
        values: FloatArray,
        systems: IntArray,
        n: IntArray,
        stream: str,
    ) -> MetricPairs:
        """The p-values of all pairs.

        `common` gives the sums (document, column) of two metrics over the outputs that both read, and their number;
        `value` the agreement from sums over documents; `values` and `n` are those of each metric on its own outputs.
        """
        size = len(names)
        differences, p, smallest = (np.full((size, size), np.nan) for _ in range(3))
        counts, draws = np.diag(n), np.full((self.resamples, size, size), np.nan)
        reasons: list[tuple[str, str, str]] = []
        for i in range(size):
            for j in range(i + 1, size):
                first, second, shared = common(i, j)
                observed = float(value(first.sum(axis=0)) - value(second.sum(axis=0))) if shared else np.nan
                counts[i, j] = counts[j, i] = shared
                if np.isnan(observed):
                    reasons.append((names[i], names[j], _UNDEFINED if shared else "no output in common"))
                    continue
                drawn = self._draws(first, second, value, stream)
                better, worse = counted_p(np.array([observed]), drawn[np.newaxis], self.sides, self.p_rule)
                p[i, j], p[j, i], differences[i, j], differences[j, i] = better[0], worse[0], observed, -observed
                draws[:, i, j], draws[:, j, i] = drawn, -drawn
                smallest[i, j] = smallest[j, i] = smallest_drawn_p(self.resamples, self.p_rule)
        return replace(
            self._without_pairs(names, values, systems, n),
            differences=differences,
            p_values=p,
            smallest_p=smallest,
            n=counts,
            reasons=tuple(reasons),
            draws=draws,
        )

    def _draws(
        self, first: FloatArray, second: FloatArray, value: Callable[[FloatArray], FloatArray], stream: str
    ) -> FloatArray:
        """The differences after swaps; all pairs of one stream swap the same documents."""
        random = np.random.default_rng([self.seed, zlib.crc32(stream.encode())])
        signs = 1.0 - 2.0 * random.integers(0, 2, size=(self.resamples, len(first)))
        total, moved = (first + second).sum(axis=0), signs @ (first - second)
        drawn: FloatArray = value((total + moved) / 2) - value((total - moved) / 2)
        return drawn
