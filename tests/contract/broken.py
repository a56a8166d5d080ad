"""Metrics that break the contract, one way each. `check_metric` must refuse them all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay.contracts import Metric


def words(testset):
    """Output words found in the first reference, and reference words: (system, segment, 2)."""
    (reference, *_) = testset.references.values()

    def row(output, wanted):
        if output is None or wanted is None:
            return [0.0, 0.0]
        known = wanted.split()
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

    def statistics(self, testset, runtime):
        return words(testset)

    def score(self, totals):
        with np.errstate(invalid="ignore", divide="ignore"):
            return 100 * totals[..., 0] / totals[..., 1]


@dataclass(frozen=True)
class OrderDependent(Sound):
    """Weighs a segment by where it stands."""

    def statistics(self, testset, runtime):
        return words(testset) * np.arange(1, len(testset) + 1)[:, np.newaxis]


@dataclass(frozen=True)
class NonAdditive(Sound):
    """Divides by the number of segments, so parts do not add up to the whole."""

    def statistics(self, testset, runtime):
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

    def statistics(self, testset, runtime):
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

    def statistics(self, testset, runtime):
        table = words(testset)
        table[:, :: max(len(testset) // runtime.threads, 1)] *= 1 + (runtime.threads > 1)
        return table


@dataclass(frozen=True)
class FillsGaps(Sound):
    """Takes an absent reference for an empty one."""

    def statistics(self, testset, runtime):
        references = {name: tuple(r or "" for r in column) for name, column in testset.references.items()}
        return words(replace(testset, references=references))


@dataclass(frozen=True)
class CountsRepeatsOnce(Sound):
    """Skips segments it has seen before."""

    def statistics(self, testset, runtime):
        table = words(testset)
        for rows, column in zip(table, testset.outputs.values(), strict=True):
            for i, text in enumerate(column):
                rows[i] *= text not in column[:i] or i < 10
        return table


@dataclass(frozen=True)
class ReadsTheSource(Sound):
    """Uses a column it does not say it needs."""

    def statistics(self, testset, runtime):
        return words(testset) + (0 if testset.sources is None else words(testset))


@dataclass(frozen=True)
class KnowsItsFriends(Sound):
    """Favours a system by name."""

    def statistics(self, testset, runtime):
        table = words(testset)
        for rows, name in zip(table, testset.outputs, strict=True):
            rows[:, 0] *= 1 + (name == "other")
        return table


@dataclass(frozen=True)
class IgnoresTheReference(Sound):
    """Gives the length of the output and calls it quality."""

    def statistics(self, testset, runtime):
        table = words(testset)
        table[..., 0] = table[..., 1]
        return table


@dataclass(frozen=True)
class DividesByZero(Sound):
    """Infinity for an empty reference."""

    def score(self, totals):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(totals[..., 0] == 0, np.inf, super().score(totals))


@dataclass(frozen=True)
class MisspeltNeed(Sound):
    """Needs what does not exist."""

    needs = frozenset({"references"})


@dataclass(frozen=True)
class MisspeltAggregation(Sound):
    """Is reported under an aggregation that does not exist."""

    default_aggregation = "corpsu"


@dataclass(frozen=True)
class SinglePrecision(Sound):
    """Rounds its scores."""

    def score(self, totals):
        return super().score(totals).astype(np.float32)


@dataclass(frozen=True)
class Raising(Sound):
    """Fails in a way of its own."""

    def score(self, totals):
        raise RuntimeError("no idea")


@dataclass(frozen=True)
class MeasuresWhatItOnlyScores(Sound):
    """Says that an option is for `score` alone, and counts otherwise because of it."""

    score_options = frozenset({"doubled"})

    doubled: bool = False

    def statistics(self, testset, runtime):
        return words(testset) * (2 if self.doubled else 1)

    def variants(self, testset):
        return {"doubled": (False, True)}


@dataclass(frozen=True)
class VariesWhatItHasNot(Sound):
    """Names an option it does not have."""

    def variants(self, testset):
        return {"smoothing": ("exp",)}


@dataclass(frozen=True)
class Float32(Sound):
    """Sound, but computed in single precision: the last digits depend on the batch that a segment is in."""

    tolerance = 1e-5
    noise = 1e-7

    def statistics(self, testset, runtime):
        size = runtime.batch_size or 4
        place = np.arange(len(testset)) % size
        noise = 1 + self.noise * place / size + self.noise * (runtime.threads > 1)
        return (words(testset) * noise[:, np.newaxis]).astype(np.float32).astype(np.float64)


@dataclass(frozen=True)
class NoisierThanDeclared(Float32):
    """Differs between batches by more than its tolerance."""

    noise = 1e-3


@dataclass(frozen=True)
class NoisyInBatches(Float32):
    """Differs by more than its tolerance, but only in small batches."""

    noise = 1e-3

    def statistics(self, testset, runtime):
        return words(testset) if runtime.batch_size is None else super().statistics(testset, runtime)


@dataclass(frozen=True)
class TolerantWrongDirection(Float32):
    """Claims that higher is better for an error rate, and declares a tolerance."""

    tolerance = 0.009

    def score(self, totals):
        return (100 - super().score(totals)) / 100


@dataclass(frozen=True)
class TolerantOfEverything(NoisierThanDeclared):
    """Declares a tolerance that no score exceeds."""

    tolerance = 1000.0


@dataclass(frozen=True)
class NegativeTolerance(Sound):
    """Declares a tolerance that nothing can satisfy."""

    tolerance = -1.0


@dataclass(frozen=True)
class ScalesWithItsCache(Sound):
    """Reads what it finds in the cache, whatever it was computed for."""

    def statistics(self, testset, runtime):
        if runtime.cache is None:
            return words(testset)
        file = runtime.cache / "table.npy"
        table = np.load(file) if file.exists() else words(testset)
        np.save(file, table)
        return np.resize(table, words(testset).shape)


# The six of the contract's first draft, and ways to break it that reviewers found.
BROKEN = {
    OrderDependent: "segment order",
    NonAdditive: "additivity",
    Mutating: "purity",
    NanLeaking: "finite",
    WrongDirection: "direction",
    ThreadDependent: "threads",
    FillsGaps: "absence",
    CountsRepeatsOnce: "additivity",
    ReadsTheSource: "needs",
    KnowsItsFriends: "systems",
    IgnoresTheReference: "direction",
    DividesByZero: "finite",
    MisspeltNeed: "value",
    MisspeltAggregation: "value",
    SinglePrecision: "finite",
    Raising: "finite",
    MeasuresWhatItOnlyScores: "score options",
    VariesWhatItHasNot: "score options",
    NoisierThanDeclared: "segment order",
    NoisyInBatches: "batches",
    TolerantWrongDirection: "direction",
    TolerantOfEverything: "tolerance",
    NegativeTolerance: "tolerance",
    ScalesWithItsCache: "cache",
}
