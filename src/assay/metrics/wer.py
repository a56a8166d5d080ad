"""WER: Levenshtein distance over words (Levenshtein 1966), per reference word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from assay.metrics import metric
from assay.metrics.rates import EditRate, check_choice, fewest_edits, moses_choice, word_table
from assay.text import tokenizer
from assay.types import Table, TestSet

__all__ = ["Wer"]

_MOSES = {"flavour": "moses"}


@metric("wer", aliases={"wer-moses": _MOSES})
@dataclass(frozen=True)
class Wer(EditRate):
    """Insertions, deletions and substitutions of words, per 100 words of the reference; lower is better.

    score = 100 * edits / reference length

    Options: flavour (plain; moses: as the Moses scorer, which prints 1 - edits / length, higher is better, and cuts at
    U+0020 only); tok, the tokeniser (none: white space); lowercase; multi_ref, which of several references counts
    (best: the fewest edits, over the mean length; moses: the first, unless another scores more in whole numbers;
    auto: moses for flavour=moses, else best).
    """

    _rate: ClassVar[str] = "wer"

    flavour: Literal["plain", "moses"] = "plain"
    tok: str = "none"
    lowercase: bool = False
    multi_ref: Literal["auto", "best", "moses"] = "auto"

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, ("plain", "moses"))
        check_choice("multi_ref", self.multi_ref, ("auto", "best", "moses"))
        tokenizer.type_of(self.tok)

    def statistics(self, testset: TestSet, *, threads: int) -> Table:
        tables = word_table(
            testset, self._rate, self.tok, lowercase=self.lowercase, is_moses=self.is_moses, threads=threads
        )
        is_first = self.multi_ref == "moses" or (self.multi_ref == "auto" and self.is_moses)
        choose = moses_choice if is_first else fewest_edits
        return choose(tables, tuple(testset.references.values()))

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"tok": ("none", "13a", "intl", "zh", "char"), "lowercase": (False, True)}
