"""HWCM (Liu & Gildea 2005): head-word chains that two dependency trees share, as the Moses scorer counts them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.metrics import metric
from assay.metrics.dependencies import Places, head_chains, words_and_heads
from assay.metrics.layer_metric import LayerMetric, LayerTexts, token_columns
from assay.options.checks import check_integer
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, head_of
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["Hwcm"]

_MAX_ORDER = 100


@metric("hwcm")
@dataclass(frozen=True)
class Hwcm(LayerMetric):
    """F-score of head-word chains: a word, its head, the head of that, and so on, in both dependency trees, 0 to 1.

    score = 2 * P * R / (P + R); P and R are means over the orders of matches / chains of the output or the reference

    Options: max_order, the longest chains; lowercase. It needs the annotation layers tokens and dependencies. With
    several references a segment is scored against the one that gives the highest score.
    """

    labels = ("HWCM",)

    undefined = "the references have no words"

    max_order: int = 4
    lowercase: bool = False

    def __post_init__(self) -> None:
        check_integer("max_order", self.max_order, 1, _MAX_ORDER)

    @property
    def reference_layers(self) -> tuple[str, ...]:
        return ("tokens", "dependencies")

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("matches", "chains", "reference_chains")
        return tuple(f"{kind}_{n}" for n in range(1, self.max_order + 1) for kind in kinds)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from super().advice(testset)
        is_short = self.usable_references(testset)
        for row, column in zip(is_short, testset.layer_texts("dependencies")[0], strict=True):
            row &= [0 < _depth(text or "", self.max_order) < self.max_order for text in column]
        if count := int(np.count_nonzero(is_short.any(axis=0))):
            text = (
                f"{plural(count, 'segment')} with a reference without chains of {self.max_order} words: the score is "
                "below 1 there, even if the output equals the reference"
            )
            yield Note(NoteKind.SUSPECT, text, where=self.name, count=count)

    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        tokens, heads = words_and_heads(texts, lowercase=self.lowercase)
        references, firsts = len(texts.references), np.cumsum([0, *map(len, tokens.rows)])
        shape = references, len(texts.outputs), len(tokens.present[0]), 3 * self.max_order
        tables = np.zeros(shape, dtype=np.int64)
        joined_heads = np.concatenate(
            [np.where(h >= 0, h + first, -1) for h, first in zip(heads, firsts, strict=False)]
        )
        for n, chains in enumerate(_numbered_chains(np.concatenate(tokens.rows), joined_heads, self.max_order)):
            columns = token_columns(tokens, np.split(chains, firsts[1:-1]))
            groups = np.zeros(chains.max(initial=0) + 1, dtype=np.int32)
            groups[0] = -1  # no chain
            tables[..., 3 * n : 3 * n + 3] = _core.clipped_matches(
                columns[:references], columns[references:], groups, 1, runtime.threads
            )
        return tables

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        matches, chains, reference_chains = (totals[..., i::3] for i in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(chains > 0, matches / chains, 0.0).mean(axis=-1)
            recall = np.where(reference_chains > 0, matches / reference_chains, 0.0).mean(axis=-1)
            score = np.where(precision + recall > 0, 2 * precision * recall / (precision + recall), 0.0)
        return np.where(reference_chains[..., 0] > 0, score, np.nan)


def _depth(dependencies: str, max_order: int) -> int:
    """The words of the longest chain of a segment; longer chains than needed are not followed to their end."""
    heads = [head_of(value) for value in dependencies.split()]
    depth, level = 0, set(range(1, len(heads) + 1))
    while level and depth < max_order:
        depth += 1
        level = {heads[number - 1] for number in level if number <= len(heads)} - {0}
    return depth


def _numbered_chains(words: npt.NDArray[np.int32], heads: Places, max_order: int) -> Iterator[npt.NDArray[np.int64]]:
    """For n = 1, 2, …: the chain of n words from each word, as a number; 0 if there is none. Equal chains are equal."""
    chains = words.astype(np.int64) + 1
    yield chains
    for places in itertools.islice(head_chains(heads, max_order), 1, None):
        exists = places >= 0
        if not exists.any():
            return
        pairs = chains[exists] * (int(words.max()) + 1) + words[places[exists]]
        chains = np.zeros(len(words), dtype=np.int64)
        chains[exists] = np.unique(pairs, return_inverse=True)[1] + 1
        yield chains
