"""WER: Levenshtein distance over words (Levenshtein 1966), per reference word."""

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

__all__ = ["Wer"]

_MOSES = {"flavour": "moses"}


@metric("wer", aliases={"wer-moses": _MOSES})
@dataclass(frozen=True)
class Wer(WordRate):
    """Insertions, deletions and substitutions of words, per 100 words of the reference; lower is better.

    score = 100 * edits / reference length

    Options: flavour (plain; moses: as the Moses scorer, which prints 1 - edits / length, higher is better, and splits
    at U+0020 only); tok, the tokeniser (none: white space); lowercase; multi_ref, how to use several references (best:
    the fewest edits, divided by the mean length; moses: the first, unless another scores higher with the fraction cut
    off; auto: moses for flavour=moses, else best).
    """

    labels = ("WER",)

    flavour: Literal["plain", "moses"] = "plain"
    tok: NestedSpec = "none"
    lowercase: bool = False
    multi_ref: Literal["auto", "best", "moses"] = "auto"

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, ("plain", "moses"))
        check_choice("multi_ref", self.multi_ref, ("auto", "best", "moses"))
        super().__post_init__()

    @property
    def rate(self) -> str:
        return "wer"

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        as_moses = self.multi_ref == "moses" or (self.multi_ref == "auto" and self.is_moses)
        return self.word_statistics(testset, runtime, lowercase=self.lowercase, chooses_as_moses=as_moses)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"tok": ("none", "13a", "intl", "zh", "char"), "lowercase": (False, True)}
