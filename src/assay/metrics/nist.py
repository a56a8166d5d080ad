"""NIST (Doddington 2002) as mteval computes it: n-grams weighted by the information they carry."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay import _core
from assay.contracts import SURFACE
from assay.metrics import metric
from assay.metrics.core_metric import CoreMetric
from assay.metrics.tokenized import TokenizedMetric
from assay.registry import NestedSpec
from assay.text import space_advice
from assay.types import Column, Note, Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["Nist"]

_MAX_ORDER = 8


@metric("nist", aliases={"nist-mteval": {}, "nist-mteval-intl": {"tok": "mteval-intl"}})
@dataclass(frozen=True)
class Nist(TokenizedMetric, CoreMetric):
    """Information of the matched n-grams per n-gram of the output, times a length penalty; from 0, no upper bound.

    score = sum over n <= 5 of (information of matches_n / ngrams_n) * exp(-beta * log(min(1, c / r))^2)

    An n-gram's information is log2(count of its history / its count) in all references of the test set together.
    Options: tok, the tokeniser; lowercase; max_order; zero_history, mteval's bug of ignoring the history "0".
    """

    labels = ("NIST",)
    family = SURFACE
    undefined = "the references have no words"

    tok: NestedSpec = "mteval"
    lowercase: bool = True
    max_order: int = 5
    zero_history: bool = True
    weights: _core.NistWeights | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not 1 <= self.max_order <= _MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {_MAX_ORDER}, not {self.max_order}")
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return (
            "output_length",
            "mean_reference_length",
            *(f"information_{n}" for n in orders),
            *(f"ngrams_{n}" for n in orders),
        )

    def prepare(self, testset: TestSet) -> Nist:
        references, _, core = self.texts(testset, lowercase=self.lowercase)
        return dataclasses.replace(self, weights=self._fit(references, core))

    @property
    def resources(self) -> Mapping[str, str]:
        fitted = {} if self.weights is None else {"information": f"{self.weights.digest:016x}"}
        return {**super().resources, **fitted}

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from space_advice(testset, "nist", self.tok, "nist:tok={tok}")

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        references, outputs, core = self.texts(testset, lowercase=self.lowercase)
        weights = self.weights or self._fit(references, core)
        return weights.statistics(references, outputs, runtime.threads)

    def _fit(self, references: tuple[Column, ...], core: str) -> _core.NistWeights:
        return _core.NistWeights(references, core, self.max_order, self.zero_history)

    @property
    def formula(self) -> _core.NistFormula:
        return _core.NistFormula(self.max_order)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {
            "tok": ("mteval", "mteval-intl", "mteval-intl-split", "space"),
            "lowercase": (True, False),
            "zero_history": (True, False),
        }
