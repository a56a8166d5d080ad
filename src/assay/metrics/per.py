"""PER, the position-independent error rate (Tillmann et al. 1997)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay.metrics import metric
from assay.metrics.rates import WordRate, check_choice, ratio
from assay.registry import NestedSpec
from assay.runtime import Runtime
from assay.types import Column, FloatArray, Table, TestSet, present

__all__ = ["Per"]

_MOSES = {"flavour": "moses"}


@metric("per", aliases={"per-moses": _MOSES})
@dataclass(frozen=True)
class Per(WordRate):
    """Wrong words regardless of their order, per 100 words of the reference; lower is better.

    score = 100 * (1 - (correct - max(0, output length - reference length)) / reference length)

    Options: flavour (plain; moses: as the Moses scorer, which prints one minus the rate, higher is better, and splits
    at U+0020 only); tok, the tokeniser (none: white space); lowercase. With several references the one with the fewest
    errors counts; the Moses scorer accepts only one.
    """

    flavour: Literal["plain", "moses"] = "plain"
    tok: NestedSpec = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, ("plain", "moses"))
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("correct", "output_length", "reference_length")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        return self.word_statistics(testset, "per", _fewest_errors, lowercase=self.lowercase, runtime=runtime)

    def score(self, totals: Table) -> FloatArray:
        correct, output, reference = totals[..., 0], totals[..., 1], totals[..., 2]
        accuracy = ratio(correct - np.maximum(0, output - reference), reference)
        return np.where(np.isnan(accuracy), 0.0, accuracy) if self.is_moses else 100 * (1 - accuracy)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"tok": ("none", "13a", "intl", "zh", "char"), "lowercase": (False, True)}


def _fewest_errors(tables: Table, references: tuple[Column, ...]) -> Table:
    """The statistics of the reference with the fewest errors, the first one in a tie."""
    has_reference = np.stack([present(column) for column in references])[:, np.newaxis]
    errors = np.maximum(tables[..., 1], tables[..., 2]) - tables[..., 0]
    best = np.where(has_reference, errors, np.iinfo(np.int64).max).argmin(axis=0)
    chosen: Table = np.take_along_axis(tables, best[np.newaxis, ..., np.newaxis], axis=0)[0]
    return chosen
