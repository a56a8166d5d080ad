"""SIMPBLEU and the whole "BLEU deconstructed" family (Song, Cohn & Specia 2013)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay import _core
from assay.contracts import SURFACE
from assay.errors import nearest
from assay.metrics import metric
from assay.metrics.references import in_blocks, of_best_reference
from assay.metrics.tokenized import TokenizedMetric
from assay.registry import NestedSpec
from assay.text import default_tokenizer, space_advice
from assay.types import Column, FloatArray, Note, Table, TestSet
from assay.types.runtime import Runtime

__all__ = ["SimpBleu"]

_MAX_ORDER = 100
_MEANS = ("arithmetic", "geometric")


@metric(
    "simpbleu",
    aliases={"simpbleu-prec": {}, "simpbleu-recall": {"precision_weight": 0.0, "brevity": False}},
)
@dataclass(frozen=True)
class SimpBleu(TokenizedMetric):
    """Mean over the orders of clipped n-gram precision, recall or a mixture, reported as the segment mean, 0 to 1.

    score = penalty * mean over n of (matches_n + s) / (w * (ngrams_n + s) + (1 - w) * (reference_ngrams_n + s))

    Options: precision_weight, w (1: precision, 0: recall); mean (arithmetic, geometric); smooth, s, added from order 2
    on; brevity, whether to penalise short outputs; max_order; tok, the tokeniser (auto: by target language, else 13a);
    lowercase. With several references a segment is scored against the one that gives the highest score.
    """

    labels = ("SIMPBLEU",)
    family = SURFACE
    default_aggregation: ClassVar[str] = "segment"
    undefined = "output and reference have no words"

    precision_weight: float = 1.0
    mean: str = "arithmetic"
    smooth: float = 0.0
    brevity: bool = True
    max_order: int = 4
    tok: NestedSpec = "auto"
    lowercase: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.precision_weight <= 1:
            raise ValueError(f"precision_weight must be between 0 and 1, not {self.precision_weight:g}")
        if self.mean not in _MEANS:
            raise ValueError(f"unknown mean '{self.mean}'; {nearest(self.mean, _MEANS)}")
        if not 0 <= self.smooth < float("inf"):
            raise ValueError(f"smooth must be non-negative and finite, not {self.smooth:g}")
        if not 1 <= self.max_order <= _MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {_MAX_ORDER}, not {self.max_order}")
        super().__post_init__()

    def advice(self, testset: TestSet) -> Iterator[Note]:
        tok = self.tok_for(testset.target)
        yield from space_advice(testset, "simpbleu", tok, "simpbleu:tok={tok}", depends_on_language=True)

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return (
            "output_length",
            "reference_length",
            *(f"matches_{n}" for n in orders),
            *(f"ngrams_{n}" for n in orders),
            *(f"reference_ngrams_{n}" for n in orders),
        )

    def prepare(self, testset: TestSet) -> SimpBleu:
        return dataclasses.replace(self, tok=self.tok_for(testset.target))

    def default_tok(self, language: str | None) -> str:
        return default_tokenizer(language)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        references, outputs, core = self.texts(testset, lowercase=self.lowercase)

        def against(reference: Column, outputs: tuple[Column, ...]) -> Table:
            lines = (reference,), outputs, core, self.max_order, "closest", runtime.threads
            table: Table = np.asarray(_core.bleu_statistics(*lines))
            ngrams: Table = np.maximum(table[..., 1:2] - np.arange(self.max_order), 0)
            return np.concatenate([table, ngrams], axis=-1)

        def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            tables: Table = np.stack([against(reference, outputs) for reference in references])
            return of_best_reference(tables, self.score(tables), references)

        return in_blocks(references, outputs, statistics)

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        output_length, reference_length = totals[..., 0], totals[..., 1]
        matches, ngrams, reference_ngrams = np.split(totals[..., 2:], 3, axis=-1)
        added = self.smooth * (np.arange(self.max_order) > 0)
        weight = self.precision_weight
        with np.errstate(divide="ignore", invalid="ignore"):
            count = weight * (ngrams + added) + (1 - weight) * (reference_ngrams + added)
            ratio = np.where((ngrams + added > 0) & (count > 0), (matches + added) / count, 0.0)
            mean = ratio.mean(axis=-1)
            if self.mean == "geometric":
                mean = np.exp(np.log(ratio).mean(axis=-1))
            if self.brevity:
                mean = mean * np.exp(np.minimum(0.0, 1.0 - reference_length / output_length))
        scores = np.where(output_length > 0, mean, 0.0)
        return np.where(output_length + reference_length > 0, scores, np.nan)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        default_tok = default_tokenizer(testset.target)
        return {
            "precision_weight": (1.0, 0.5, 0.0),
            "mean": _MEANS,
            "smooth": (0.0, 1.0),
            "brevity": (True, False),
            "tok": ("auto", *(name for name in ("13a", "intl", "space") if name != default_tok)),
            "lowercase": (False, True),
        }
