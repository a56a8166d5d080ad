"""CER: Levenshtein distance over characters (Levenshtein 1966), per reference character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.metrics import metric
from assay.metrics.rates import EditRate, edit_statistics, fewest_edits
from assay.runtime import Runtime
from assay.types import Table, TestSet

__all__ = ["Cer"]


@metric("cer")
@dataclass(frozen=True)
class Cer(EditRate):
    """Insertions, deletions and substitutions of characters, per 100 of the reference; lower is better.

    score = 100 * edits / reference length

    Options: lowercase; whitespace, whether spaces count as characters (at the ends of a line they never do). With
    several references the fewest edits count, divided by the mean length.
    """

    lowercase: bool = False
    whitespace: bool = True

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        references, outputs = testset.texts(str.lower if self.lowercase else None)
        return edit_statistics(
            testset,
            references,
            outputs,
            "cer",
            fewest_edits,
            tokenizer="none",
            whitespace=self.whitespace,
            runtime=runtime,
        )

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"lowercase": (False, True), "whitespace": (True, False)}
