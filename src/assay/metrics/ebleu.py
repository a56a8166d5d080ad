"""eBLEU (ElNokrashy & Kocmi 2023): n-gram precision and recall of meaning, by word vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay import _core
from assay.metrics import metric
from assay.metrics.references import in_blocks, of_best_reference
from assay.metrics.token_vectors import Unit
from assay.metrics.vector_metric import VectorMetric
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.types import Column, FloatArray, Table, TestSet, as_column
from assay.types.runtime import Runtime

__all__ = ["DiffusionMap", "Ebleu"]

_ORDERS = 4
_EXPONENTS = {
    "paper": np.array([3, 2, 1, 0]) / 4,  # w_n / N with w_n = N - n
    "normalised": np.array([3, 2, 1, 0]) / 6,
    "all-orders": np.array([4, 3, 2, 1]) / 10,
}
_TOLERATED = 0.5  # difference of the lengths, relative to one of them
_Diffusion = Literal["softmax", "l1"]
_Weights = Literal["paper", "normalised", "all-orders"]
_Meaning = Literal["row", "diagonal"]
_Unknown = Literal["zero", "same"]
_ZeroRows = Literal["zero", "spread"]
_Short = Literal["skip", "zero"]
_Length = Literal["longer", "reference"]


@dataclass(frozen=True, slots=True, eq=False)
class DiffusionMap:
    """How the meaning of the words of a text spreads over its words, and what another text reconstructs of it."""

    words: tuple[str, ...]
    own: FloatArray
    """(word, word): S, the similarities of the words of the text."""
    reconstructed: FloatArray
    """(word, word): their similarities by way of the other text."""


@metric("ebleu")
@dataclass(frozen=True)
class Ebleu(VectorMetric):
    """Geometric mean of precision and recall of meaning, over n-grams of 1 to 4 words, as the segment mean, 0 to 1.

    score = lp * product over n of (precision_n * recall_n)^(w_n / 2)

    Options: vectors, of words or an encoder (the name of a resource or a path); diffusion, how similarities become
    weights (softmax, l1); temperature, of the softmax; weights, the exponents w_n (paper: 3/4, 2/4, 1/4, 0; normalised:
    3/6, 2/6, 1/6, 0; all-orders: 4/10 to 1/10); meaning, of a word (row: the sum of its similarities to its text;
    diagonal: its similarity to itself); unknown, words without a vector (zero: similar to nothing; same: similar to
    themselves); zero_rows, words similar to nothing in the other text, for l1 (zero; spread: all alike); short, orders
    that a text is too short for (skip, zero); length, what a difference of the lengths is divided by (the longer one of
    the two, reference); tok, the tokeniser (auto: by target language, else 13a); lowercase. The defaults follow the
    authors' scores of WMT23 where these decide between readings of the paper. With several references a segment is
    scored against the one that gives the highest score.
    """

    labels = ("eBLEU",)
    default_aggregation: ClassVar[str] = "segment"
    unit: ClassVar[Unit] = "words"
    undefined = "the reference has no words, or with unknown=zero none with a vector"

    vectors: NestedSpec = ""
    diffusion: _Diffusion = "softmax"
    temperature: float = 1.0
    weights: _Weights = "paper"
    meaning: _Meaning = "row"
    unknown: _Unknown = "same"
    zero_rows: _ZeroRows = "zero"
    short: _Short = "skip"
    length: _Length = "longer"
    tok: NestedSpec = "auto"
    lowercase: bool = True

    def __post_init__(self) -> None:
        choices = {
            "diffusion": _Diffusion,
            "weights": _Weights,
            "meaning": _Meaning,
            "unknown": _Unknown,
            "zero_rows": _ZeroRows,
            "short": _Short,
            "length": _Length,
        }
        for name, values in choices.items():
            check_choice(name, getattr(self, name), get_args(values))
        if not 0.01 <= self.temperature <= 100:  # e^100 and e^0.01 are exact enough to add up
            raise ValueError(f"temperature must be between 0.01 and 100, not {self.temperature:g}")
        if self.diffusion != "softmax" and self.temperature != 1:
            raise ValueError(f"temperature requires diffusion=softmax, not diffusion={self.diffusion}")
        if self.diffusion != "l1" and self.zero_rows != "zero":
            raise ValueError(f"zero_rows={self.zero_rows} requires diffusion=l1, not diffusion={self.diffusion}")
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        sums = ("output_matched", "output_meaning", "reference_matched", "reference_meaning")
        return ("output_length", "reference_length", *(f"{name}_{n + 1}" for name in sums for n in range(_ORDERS)))

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        names = [f"reference '{name}'" for name in testset.references] + [f"'{name}'" for name in testset.outputs]

        def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            embedded = self.embed(dict(zip(names, (*references, *outputs), strict=True)), runtime, first)
            columns = embedded.texts.columns()
            tables = _core.ebleu_statistics(
                columns[: len(references)],
                columns[len(references) :],
                embedded.table(),
                self.diffusion == "softmax",
                self.temperature,
                self.meaning == "diagonal",
                self.zero_rows == "spread",
                "without-vector" if self.unknown == "same" else "none",
                runtime.threads,
            )
            return of_best_reference(tables, self.score(tables), references)

        sides = tuple(testset.references.values()), tuple(testset.outputs.values())
        return in_blocks(*sides, statistics, size=self.block_size(len(names)))

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        output_length, reference_length = totals[..., 0], totals[..., 1]
        output_matched, output_meaning, reference_matched, reference_meaning = np.split(totals[..., 2:], 4, axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = output_matched / output_meaning, reference_matched / reference_meaning
            full = reference_length if self.length == "reference" else np.maximum(output_length, reference_length)
            ratio = np.abs(output_length - reference_length) / full
        # If one side has no meaning at all, nothing of the other is matched, and the undefined factor does not matter.
        mean = np.sqrt(np.nan_to_num(precision) * np.nan_to_num(recall))
        mean = np.where((output_meaning == 0) & (reference_meaning == 0), 1.0, mean)
        is_short = np.minimum(output_length, reference_length)[..., np.newaxis] <= np.arange(_ORDERS)
        mean = np.where(is_short, 1.0 if self.short == "skip" else 0.0, mean)
        exponents = _EXPONENTS[self.weights]
        product = np.prod(np.where(exponents > 0, mean**exponents, 1.0), axis=-1)
        score = product * np.where(ratio <= _TOLERATED, 1.0, np.exp(_TOLERATED - ratio))
        score = np.where(output_length > 0, score, 0.0)
        return np.where(reference_meaning[..., 0] > 0, score, np.nan)

    def diffusion_map(self, text: str, other: str, runtime: Runtime) -> DiffusionMap:
        """The map of a text's words (figure 1 of the paper). Sums of its rows are the meanings that are compared."""
        embedded = self.embed({"text": as_column([text]), "other text": as_column([other])}, runtime)
        vectors = embedded.vectors.astype(np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = vectors / np.where(lengths > 0, lengths, 1.0)
        similarity = np.clip(unit @ unit.T, 0.0, 1.0)
        if self.unknown == "same":
            similarity += np.diag((lengths[:, 0] == 0).astype(np.float64))
        own, others = embedded.texts.rows
        between = similarity[np.ix_(own, others)]
        weights = np.exp(between / self.temperature) if self.diffusion == "softmax" else between.copy()
        if self.zero_rows == "spread":
            weights[~weights.any(axis=1)] = 1.0
        total = weights.sum(axis=1, keepdims=True)
        weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        words = tuple(embedded.texts.words[row] for row in own.tolist())
        return DiffusionMap(words, similarity[np.ix_(own, own)], weights @ between.T)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {
            "diffusion": get_args(_Diffusion),
            "weights": get_args(_Weights),
            "unknown": get_args(_Unknown),
            "short": get_args(_Short),
            "length": get_args(_Length),
            "lowercase": (False, True),
        }
