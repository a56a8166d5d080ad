"""CER: Levenshtein distance over characters (Levenshtein 1966), per reference character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay import _core
from assay.metrics import metric
from assay.metrics.rates import EditRate
from assay.types import Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["Cer"]


@metric("cer")
@dataclass(frozen=True)
class Cer(EditRate):
    """Insertions, deletions and substitutions of characters, per 100 of the reference; lower is better.

    score = 100 * edits / reference length

    Options: lowercase; whitespace, whether spaces count as characters (at the ends of a line they never do). With
    several references the fewest edits count, divided by the mean length.
    """

    labels = ("CER",)

    lowercase: bool = False
    whitespace: bool = True

    @property
    def rate(self) -> str:
        return "cer"

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        texts = testset.texts(_core.lower if self.lowercase else None)
        return self.edit_statistics(testset, *texts, runtime, whitespace=self.whitespace)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"lowercase": (False, True), "whitespace": (True, False)}
