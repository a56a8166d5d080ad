"""Base classes of the edit-distance metrics: edits over reference length, in per cent or as Moses prints it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from assay import _core
from assay.contracts import Metric
from assay.errors import ConfigError, SegmentError
from assay.metrics.references import in_blocks
from assay.metrics.tokenized import TokenizedMetric
from assay.runtime import Runtime
from assay.text import space_advice
from assay.types import Column, FloatArray, Note, Table, TestSet, present

__all__ = [
    "MAX_CELLS",
    "MAX_CELLS_VARIABLE",
    "Choice",
    "EditRate",
    "WordRate",
    "check_choice",
    "edit_statistics",
    "fewest_edits",
    "moses_choice",
    "ratio",
]

MAX_CELLS = 10**12
"""The most cells of the edit-distance table of one line: two lines of a million characters with nothing in common."""

MAX_CELLS_VARIABLE = "ASSAY_MAX_EDIT_CELLS"
"""The environment variable that sets another limit."""

Choice: TypeAlias = Callable[[Table, tuple[Column, ...]], Table]
"""Tables (reference, system, segment, column) and references → the statistics (system, segment, column)."""


class EditRate(Metric):
    """100 * edits / reference length, lower is better; with flavour=moses 1 - edits / reference length, higher is."""

    undefined = "the references are empty"

    @property
    def is_moses(self) -> bool:
        """Whether to score as the Moses scorer does, which prints one minus the rate."""
        return getattr(self, "flavour", None) == "moses"

    @property
    def higher_is_better(self) -> bool:
        return self.is_moses

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_length")

    def score(self, totals: Table) -> FloatArray:
        rate = ratio(totals[..., 0], totals[..., 1])
        if self.is_moses:
            return np.where(np.isnan(rate), 1.0, 1 - rate)
        return 100 * rate


class WordRate(TokenizedMetric, EditRate):
    """An edit rate over the tokens of a tokeniser."""

    def advice(self, testset: TestSet) -> Iterator[Note]:
        name = f"{self.name}-moses" if self.is_moses else self.name
        better = f"{name}:tok={{tok}} or {name}:tok=char"
        yield from space_advice(testset, name, self.tok_for(testset.target), better)

    def word_statistics(
        self, testset: TestSet, rate: str, choose: Choice, *, lowercase: bool, runtime: Runtime
    ) -> Table:
        """The statistics of the chosen references. Moses splits only at U+0020 for tok=none."""
        references, outputs, core = self.texts(testset, lowercase=lowercase)
        splitter = "space" if self.is_moses and self.tok == "none" else core
        return edit_statistics(testset, references, outputs, rate, choose, tokenizer=splitter, runtime=runtime)


def edit_statistics(
    testset: TestSet,
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    rate: str,
    choose: Choice,
    *,
    tokenizer: str,
    whitespace: bool = True,
    runtime: Runtime,
) -> Table:
    """The core's statistics of an edit rate, of the references that `choose` chooses."""
    limit = _max_cells()

    def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
        try:
            tables = _core.rate_statistics(references, outputs, rate, tokenizer, whitespace, limit, runtime.threads)
        except _core.TooLongError as error:
            raise _too_long(error, testset, rate, first) from None
        return choose(tables, references)

    return in_blocks(references, outputs, statistics)


def _max_cells() -> int:
    text = os.environ.get(MAX_CELLS_VARIABLE, "")
    if not text:
        return MAX_CELLS
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise ConfigError(f"{MAX_CELLS_VARIABLE} must be a positive integer below 2^63, not '{text}'")
    return int(text)


def _too_long(error: _core.TooLongError, testset: TestSet, rate: str, first: int) -> SegmentError:
    reference, system, segment, reference_length, output_length = error.args
    unit = "characters" if rate == "cer" else "words"
    return SegmentError(
        first + segment,
        f"is too long for {rate}: {output_length:,} {unit} of the system '{list(testset.outputs)[system]}' and "
        f"{reference_length:,} of the reference '{list(testset.references)[reference]}', which have little in common",
        hint="is a line break missing? to compute it nevertheless, set the environment variable "
        f"{MAX_CELLS_VARIABLE} to more than {_max_cells()} cells of the edit-distance table",
    )


def ratio(numerator: Table, denominator: Table) -> FloatArray:
    """The ratio; NaN where the denominator is 0."""
    denominator = np.asarray(denominator, dtype=np.float64)
    return np.asarray(numerator / np.where(denominator == 0, np.nan, denominator), dtype=np.float64)


def check_choice(option: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise ValueError unless the value is one of the choices."""
    if value not in choices:
        raise ValueError(f"{option} must be {' or '.join(choices)}, not '{value}'")


def fewest_edits(tables: Table, references: tuple[Column, ...]) -> FloatArray:
    """The fewest edits and the mean reference length, from tables (reference, system, segment, [edits, length])."""
    has_reference = np.stack([present(column) for column in references])[:, np.newaxis]
    no_reference = np.iinfo(np.int64).max
    edits = np.where(has_reference, tables[..., 0], no_reference).min(axis=0)
    count = has_reference.sum(axis=0)
    length = tables[..., 1].sum(axis=0) / np.maximum(count, 1)
    return np.stack([np.where(count > 0, edits, 0).astype(np.float64), length], axis=-1)


def moses_choice(tables: Table, references: tuple[Column, ...]) -> FloatArray:
    """The first reference, unless a later one scores higher. Moses cuts off fractions before it compares scores."""
    best = np.full(tables.shape[1:3], -np.inf)
    statistics = np.zeros(tables.shape[1:])
    for table, column in zip(tables, references, strict=True):
        rate = ratio(table[..., 0], table[..., 1])
        truncated = np.trunc(np.where(np.isnan(rate), 1.0, 1 - rate))
        is_better = present(column) & (truncated > best)
        statistics = np.where(is_better[..., np.newaxis], table, statistics)
        best = np.where(is_better, truncated, best)
    return statistics
