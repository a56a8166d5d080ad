"""Six metrics that break the contract, one way each. `check_metric` must refuse them all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.contracts import Metric


def words(testset):
    """Output words found in the first reference, and reference words: (system, segment, 2)."""
    (reference, *_) = testset.references.values()

    def row(output, wanted):
        if output is None:
            return [0.0, 0.0]
        known = (wanted or "").split()
        hits = sum(word in known for word in output.split())
        return [float(hits), float(max(len(known), len(output.split()), 1))]

    return np.array(
        [[row(o, r) for o, r in zip(column, reference, strict=True)] for column in testset.outputs.values()]
    )


@dataclass(frozen=True)
class Sound(Metric):
    """Keeps the contract: the share of words found."""

    name = "sound"

    @property
    def columns(self):
        return ("hits", "words")

    def statistics(self, testset, *, threads):
        return words(testset)

    def score(self, totals):
        with np.errstate(invalid="ignore", divide="ignore"):
            return 100 * totals[..., 0] / totals[..., 1]


@dataclass(frozen=True)
class OrderDependent(Sound):
    """Weighs a segment by where it stands."""

    def statistics(self, testset, *, threads):
        return words(testset) * np.arange(1, len(testset) + 1)[:, np.newaxis]


@dataclass(frozen=True)
class NonAdditive(Sound):
    """Divides by the number of segments, so parts do not add up to the whole."""

    def statistics(self, testset, *, threads):
        return words(testset) / len(testset)


@dataclass(frozen=True)
class Mutating(Sound):
    """Smooths the totals in place, as sacreBLEU's add-k does."""

    def score(self, totals):
        totals += 1
        return super().score(totals)


@dataclass(frozen=True)
class NanLeaking(Sound):
    """Writes NaN into the table where there is nothing to divide by."""

    def statistics(self, testset, *, threads):
        table = words(testset)
        table[..., 1][table[..., 0] == 0] = np.nan
        return table


@dataclass(frozen=True)
class WrongDirection(Sound):
    """An error rate that claims that higher is better."""

    def score(self, totals):
        return 100 - super().score(totals)


@dataclass(frozen=True)
class ThreadDependent(Sound):
    """Cuts the work in a way that shows."""

    def statistics(self, testset, *, threads):
        table = words(testset)
        table[:, :: max(len(testset) // threads, 1)] *= 1 + (threads > 1)
        return table


BROKEN = {
    OrderDependent: "segment order",
    NonAdditive: "additivity",
    Mutating: "purity",
    NanLeaking: "finite",
    WrongDirection: "direction",
    ThreadDependent: "threads",
}
