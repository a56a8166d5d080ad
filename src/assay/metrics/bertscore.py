"""BERTScore (Zhang et al. 2020): every token counts with its most similar token on the other side."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay import _core
from assay.errors import InputError
from assay.files.resources import find_resource
from assay.metrics import metric
from assay.metrics.document_frequency import DocumentFrequency
from assay.metrics.references import in_blocks
from assay.metrics.token_vectors import EmbeddedTexts
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.metrics.vector_metric import VectorMetric
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.types import Column, FloatArray, Mask, Table, TestSet, present
from assay.types.runtime import Runtime

__all__ = ["Bertscore"]

_Value = Literal["f1", "precision", "recall"]
_COLUMNS: Mapping[str, int] = {"precision": 0, "recall": 1, "f1": 2}
_HEADER = ("layer", "p", "r", "f")


@metric("bertscore")
@dataclass(frozen=True)
class Bertscore(VectorMetric):
    """Precision, recall and F1 of greedily matched tokens, reported as the segment mean; usually 0 to 1.

    precision = sum of w * largest cosine / sum of w, over the tokens of the output; recall likewise for the reference

    Options: vectors, an encoder or those of words (a resource or a path); value (f1, precision, recall); idf,
    whether tokens that occur in few references weigh more; baseline, a file to rescale scores with, as the package
    bert-score has them (none: do not rescale); tok, the tokeniser of words (auto: by target language, else 13a);
    lowercase. With several references, each of the three is the best over the references.
    """

    labels = ("BERTScore",)
    default_aggregation: ClassVar[str] = "segment"
    keeps_special_tokens: ClassVar[bool] = True
    score_options: ClassVar[frozenset[str]] = frozenset({"value", "baseline"})
    undefined = "the reference has no tokens, or all tokens of a side have the weight 0"

    vectors: NestedSpec = ""
    value: _Value = "f1"
    idf: bool = False
    baseline: str | None = None
    tok: NestedSpec = "auto"
    lowercase: bool = False
    frequencies: DocumentFrequency | None = field(default=None, compare=False, repr=False)
    baselines: tuple[float, float, float] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choice("value", self.value, get_args(_Value))
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("precision", "recall", "f1", "count")

    @property
    def resources(self) -> Mapping[str, str]:
        resources = dict(super().resources)
        if self.baseline is not None:
            resources["baseline"] = find_resource(self.baseline, "baseline file").digest
        if self.frequencies is not None:
            resources["idf"] = self.frequencies.digest
        return resources

    def prepare(self, testset: TestSet) -> Bertscore:
        prepared = super().prepare(testset)
        return dataclasses.replace(
            prepared,
            frequencies=prepared._fit(testset) if self.idf else None,
            baselines=None if self.baseline is None else prepared._read_baselines(),
        )

    def _fit(self, testset: TestSet) -> DocumentFrequency:
        texts = self.token_vectors().tokenize(tuple(testset.references.values()))
        return DocumentFrequency.of(texts, range(len(texts.rows)))

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        names = [f"reference '{name}'" for name in testset.references] + [f"'{name}'" for name in testset.outputs]
        frequencies = self._fit(testset) if self.idf and self.frequencies is None else self.frequencies

        def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            embedded = self.embed(dict(zip(names, (*references, *outputs), strict=True)), runtime, first)
            return self._block(embedded, references, outputs, frequencies, runtime)

        sides = tuple(testset.references.values()), tuple(testset.outputs.values())
        return in_blocks(*sides, statistics, size=self.block_size(len(names)))

    def _block(
        self,
        embedded: EmbeddedTexts,
        references: tuple[Column, ...],
        outputs: tuple[Column, ...],
        frequencies: DocumentFrequency | None,
        runtime: Runtime,
    ) -> Table:
        texts = embedded.texts
        special = self.token_vectors().special_tokens
        # np.isin would make an array as wide as the longest word
        is_special = np.fromiter((word in special for word in texts.words), dtype=np.bool_, count=len(texts.words))
        weights = _idf(frequencies, texts) if frequencies is not None else np.where(is_special, 0.0, 1.0)
        columns = tuple(texts.column(i, weights) for i in range(len(texts.rows)))
        sides = columns[: len(references)], columns[len(references) :]
        pairs = _core.bertscore_statistics(*sides, embedded.table(), runtime.threads)
        is_empty = np.stack([_is_empty(texts, i, is_special) for i in range(len(columns))])
        of_reference, of_output = is_empty[: len(references), np.newaxis], is_empty[len(references) :]
        pairs[np.broadcast_to(of_output, pairs.shape[:3])] = 0.0  # as bert-score does, with a warning
        pairs[np.broadcast_to(of_reference, pairs.shape[:3])] = np.nan
        return _best(pairs, references, outputs)

    def defined(self, table: Table) -> Mask:
        """Where there is a value: the last column is 1."""
        return np.asarray(table)[..., -1] > 0

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            mean: FloatArray = totals[..., _COLUMNS[self.value]] / totals[..., 3]
        if self.baseline is None:
            return mean
        baseline = (self.baselines or self._read_baselines())[_COLUMNS[self.value]]
        return (mean - baseline) / (1 - baseline)

    def _read_baselines(self) -> tuple[float, float, float]:
        """The baselines of precision, recall and F1 for the layer of the vectors."""
        path = find_resource(str(self.baseline), "baseline file").path
        return read_baseline(path, self.token_vectors().layer)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"value": get_args(_Value), "idf": (False, True), "lowercase": (False, True)}


def _idf(frequencies: DocumentFrequency, texts: TokenizedTexts) -> FloatArray:
    """ln((M + 1) / (df + 1)) by row; special tokens are in all texts and get 0."""
    return np.log((frequencies.texts + 1) / (frequencies.of_words(texts.words) + 1))


def _is_empty(texts: TokenizedTexts, column: int, is_special: np.ndarray[Any, np.dtype[np.bool_]]) -> Any:
    """By segment: whether a text has no tokens but special ones."""
    before = np.concatenate([[0], np.cumsum(~is_special[texts.rows[column]])])
    starts = texts.starts[column]
    return before[starts[1:]] == before[starts[:-1]]


def _best(pairs: FloatArray, references: tuple[Column, ...], outputs: tuple[Column, ...]) -> Table:
    """(reference, system, segment, [precision, recall]) to the best of precision, recall and F1, and 1."""
    precision, recall = np.moveaxis(np.minimum(pairs, 1.0), -1, 0)  # cosines of equal vectors round to 1 + 10^-15
    total = precision + recall
    f1 = np.where(total == 0, 0.0, 2 * precision * recall / np.where(total == 0, 1.0, total))
    values = np.stack([precision, recall, f1], axis=-1)
    has_reference = np.stack([present(column) for column in references])[:, np.newaxis]
    has_output = np.stack([present(column) for column in outputs])
    is_defined = np.isfinite(values).all(axis=-1) & has_reference & has_output
    best = np.where(is_defined[..., np.newaxis], values, -np.inf).max(axis=0)
    is_scored = is_defined.any(axis=0)
    rows = np.concatenate([best, is_scored[..., np.newaxis]], axis=-1)
    return np.where(is_scored[..., np.newaxis], rows, 0.0)


def read_baseline(path: Path, layer: int | None) -> tuple[float, float, float]:
    """Precision, recall and F1 of unrelated texts: the row of a layer, or the only row."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("the baseline file cannot be read", path=str(path)) from error
    separator = "\t" if lines and "\t" in lines[0] else ","
    numbered = enumerate(lines, 1)
    rows = [(number, [cell.strip() for cell in line.split(separator)]) for number, line in numbered if line.strip()]
    if not rows or tuple(cell.lower() for cell in rows[0][1]) != _HEADER:
        raise InputError("a baseline file starts with the line LAYER,P,R,F", path=str(path), line=1)
    found = [(number, row) for number, row in rows[1:] if layer is None or row[0] == str(layer)]
    if len(found) != 1:
        wanted = "one row" if layer is None else f"one row for layer {layer}"
        second = found[1][0] if found else None
        raise InputError(f"the baseline file must have {wanted}, but it has {len(found)}", path=str(path), line=second)
    ((line, row),) = found
    try:
        p, r, f = (float(cell) for cell in row[1:])
    except ValueError:
        raise InputError("a row must have a layer and three numbers", path=str(path), line=line) from None
    if not all(math.isfinite(value) and value < 1 for value in (p, r, f)):
        raise InputError("baselines must be below 1", path=str(path), line=line)
    return p, r, f
