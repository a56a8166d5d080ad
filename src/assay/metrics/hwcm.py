"""HWCM (Liu & Gildea 2005): head-word chains that two dependency trees share, as the Moses scorer counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np

from assay.metrics import metric
from assay.metrics.layer_metric import LayerMetric, words_and_heads
from assay.types import FloatArray, Table

__all__ = ["Hwcm"]

_MAX_ORDER = 100

Chains: TypeAlias = Counter[tuple[str, ...]]


@metric("hwcm")
@dataclass(frozen=True)
class Hwcm(LayerMetric[Chains, Chains]):
    """F-score of head-word chains: a word, its head, the head of that, and so on, in both dependency trees, 0 to 1.

    score = 2 * P * R / (P + R); P and R are means over the orders of matches / chains of the output or the reference

    Options: max_order, the longest chains; lowercase. It needs the annotation layers tokens and dependencies. With
    several references a segment is scored against the one that gives the highest score.
    """

    reference_layers: ClassVar[tuple[str, ...]] = ("tokens", "dependencies")
    output_layers: ClassVar[tuple[str, ...]] = ("tokens", "dependencies")
    undefined = "the references have no words"

    max_order: int = 4
    lowercase: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.max_order <= _MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {_MAX_ORDER}, not {self.max_order}")

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("matches", "chains", "reference_chains")
        return tuple(f"{kind}_{n}" for n in range(1, self.max_order + 1) for kind in kinds)

    def read_reference(self, *layers: str) -> Chains:
        words, heads = words_and_heads(*layers)
        if self.lowercase:
            words = [word.lower() for word in words]
        chains: Chains = Counter()
        for start in range(len(words)):
            chain: tuple[str, ...] = ()
            place = start
            while place >= 0 and len(chain) < self.max_order:
                chain += (words[place],)
                chains[chain] += 1
                place = heads[place]
        return chains

    read_output = read_reference

    def compare(self, reference: Chains, output: Chains) -> Sequence[int]:
        row = [0] * (3 * self.max_order)
        for chain, count in output.items():
            first = 3 * len(chain) - 3
            row[first] += min(count, reference.get(chain, 0))
            row[first + 1] += count
        for chain, count in reference.items():
            row[3 * len(chain) - 1] += count
        return row

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        matches, chains, reference_chains = (totals[..., i::3] for i in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(chains > 0, matches / chains, 0.0).mean(axis=-1)
            recall = np.where(reference_chains > 0, matches / reference_chains, 0.0).mean(axis=-1)
            score = np.where(precision + recall > 0, 2 * precision * recall / (precision + recall), 0.0)
        return np.where(reference_chains[..., 0] > 0, score, np.nan)
