"""PER, the position-independent error rate (Tillmann et al. 1997)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.metrics import metric
from assay.metrics.rates import WordRate
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.types import Rows, TestSet
from assay.types.runtime import Runtime

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

    labels = ("PER",)

    flavour: Literal["plain", "moses"] = "plain"
    tok: NestedSpec = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, ("plain", "moses"))
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("correct", "output_length", "reference_length")

    @property
    def rate(self) -> str:
        return "per"

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        return self.word_statistics(testset, runtime, lowercase=self.lowercase)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"tok": ("none", "13a", "intl", "zh", "char"), "lowercase": (False, True)}
