"""What the edit-distance metrics share: edits over reference length, as a rate in per cent or as Moses prints it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from assay import _core
from assay.contracts import Metric
from assay.text import make_tokenizer, space_advice
from assay.types import Column, FloatArray, Table, TestSet, present

__all__ = ["EditRate", "check_choice", "fewest_edits", "moses_choice", "ratio", "word_table"]


class EditRate(Metric):
    """100 * edits / reference length, lower is better; with flavour=moses 1 - edits / reference length, higher is."""

    undefined = "the references are empty"

    @property
    def is_moses(self) -> bool:
        """Whether it is the metric of the Moses scorer, which prints one minus the rate."""
        return getattr(self, "flavour", None) == "moses"

    @property
    def higher_is_better(self) -> bool:
        return self.is_moses

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "reference_length")

    @property
    def resources(self) -> Mapping[str, str]:
        tok = getattr(self, "tok", None)
        return {} if tok is None else make_tokenizer(tok).resources

    def advice(self, testset: TestSet) -> Iterator[str]:
        name = f"{self.name}-moses" if self.is_moses else self.name
        tok = getattr(self, "tok", "")
        yield from space_advice(testset, name, tok, f"{name}:tok=zh or {name}:tok=char")

    def score(self, totals: Table) -> FloatArray:
        rate = ratio(totals[..., 0], totals[..., 1])
        if self.is_moses:
            return np.where(np.isnan(rate), 1.0, 1 - rate)
        return 100 * rate


def ratio(part: Table, whole: Table) -> FloatArray:
    """part / whole, NaN where the whole is 0."""
    whole = np.asarray(whole, dtype=np.float64)
    return np.asarray(part / np.where(whole == 0, np.nan, whole), dtype=np.float64)


def check_choice(option: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise for a value that is none of the choices."""
    if value not in choices:
        raise ValueError(f"{option} must be {' or '.join(choices)}, not '{value}'")


def word_table(testset: TestSet, rate: str, tok: str, *, lowercase: bool, is_moses: bool, threads: int) -> Table:
    """(reference, system, segment, column) of a rate over tokens. Moses cuts at U+0020 and at no other white space."""
    change, core = make_tokenizer(tok).reader(lowercase=lowercase)
    references, outputs = testset.texts(change)
    table: Table = _core.rate_statistics(
        references, outputs, rate, "space" if is_moses and tok == "none" else core, True, threads
    )
    return table


def fewest_edits(tables: Table, references: tuple[Column, ...]) -> FloatArray:
    """(reference, system, segment, [edits, length]) to the fewest edits and the mean length of the references."""
    has_reference = np.stack([present(column) for column in references])[:, np.newaxis]
    many = np.iinfo(np.int64).max
    edits = np.where(has_reference, tables[..., 0], many).min(axis=0)
    count = has_reference.sum(axis=0)
    length = tables[..., 1].sum(axis=0) / np.maximum(count, 1)
    return np.stack([np.where(count > 0, edits, 0).astype(np.float64), length], axis=-1)


def moses_choice(tables: Table, references: tuple[Column, ...]) -> FloatArray:
    """The first reference, unless a later one scores more in whole numbers: Moses cuts the fraction off to compare."""
    best = np.full(tables.shape[1:3], -np.inf)
    chosen = np.zeros(tables.shape[1:])
    for table, column in zip(tables, references, strict=True):
        rate = ratio(table[..., 0], table[..., 1])
        whole = np.trunc(np.where(np.isnan(rate), 1.0, 1 - rate))
        is_better = present(column) & (whole > best)
        chosen = np.where(is_better[..., np.newaxis], table, chosen)
        best = np.where(is_better, whole, best)
    return chosen
