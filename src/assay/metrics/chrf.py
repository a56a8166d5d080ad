"""chrF (Popović 2015) and chrF++ (Popović 2017) as sacreBLEU computes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay import _core
from assay.contracts import SURFACE
from assay.metrics import metric
from assay.metrics.core_metric import ComparedTexts, CoreMetric
from assay.registry import option_text
from assay.types import FloatArray, Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["Chrf"]

_MAX_ORDER = 100
_MAX_BETA = 1_000_000


@metric("chrf", aliases={"chrf++": {"word_order": 2}})
@dataclass(frozen=True)
class Chrf(CoreMetric):
    """F-score of character n-grams, and of word n-grams with word_order > 0, 0 to 100.

    score = 100 * (1 + beta^2) * P * R / (beta^2 * P + R), P and R averaged over the orders that both sides have

    Options: char_order; word_order (2: chrF++); beta, the weight of recall; lowercase; whitespace, whether spaces count
    as characters; eps_smoothing, which averages the F-scores of all orders instead, like chrF++.py, NLTK and Moses.
    With several references a segment is scored against the one that gives the highest score.
    """

    labels = ("chrF",)
    family = SURFACE
    has_utilities: ClassVar[bool] = True

    char_order: int = 6
    word_order: int = 0
    beta: float = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        if self.char_order < 0 or self.word_order < 0 or self.char_order + self.word_order == 0:
            raise ValueError("char_order and word_order must be non-negative and not both 0")
        if self.char_order > _MAX_ORDER or self.word_order > _MAX_ORDER:
            raise ValueError(f"char_order and word_order must be at most {_MAX_ORDER}")
        if not 0 < self.beta <= _MAX_BETA:
            raise ValueError(f"beta must be positive and at most {_MAX_BETA:,}, not {self.beta:g}")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = [f"char_{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word_{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{side}_{order}" for order in orders for side in ("output", "reference", "match"))

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        references, outputs = testset.texts(_core.lower if self.lowercase else None)
        return _core.chrf_statistics(
            references,
            outputs,
            self.char_order,
            self.word_order,
            self.whitespace,
            self.beta,
            self.eps_smoothing,
            runtime.threads,
        )

    def core_utilities(
        self, compared: ComparedTexts, *, keeps_all: bool, threads: int
    ) -> tuple[FloatArray, FloatArray | None]:
        texts = compared.changed(_core.lower) if self.lowercase else compared
        options = self.char_order, self.word_order, self.whitespace
        return _core.chrf_utilities(*texts, *options, self.formula, keeps_all, threads)

    @property
    def formula(self) -> _core.ChrfFormula:
        return _core.ChrfFormula(self.char_order + self.word_order, self.beta, self.eps_smoothing)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {
            "word_order": (0, 1, 2),
            "beta": (2, 1, 3),
            "lowercase": (False, True),
            "whitespace": (False, True),
            "eps_smoothing": (False, True),
        }

    def sacrebleu_signature(self, references: str) -> str:
        return (
            f"nrefs:{references}|case:{'lc' if self.lowercase else 'mixed'}|eff:{option_text(not self.eps_smoothing)}"
            f"|nc:{self.char_order}|nw:{self.word_order}|space:{option_text(self.whitespace)}|version:2.6.0"
        )
