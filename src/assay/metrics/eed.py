"""EED, the extended edit distance (Stanchev et al. 2019): edits of characters, with jumps and a cost of repetition."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from assay import _core
from assay.metrics import metric
from assay.metrics.error_share import ErrorShare
from assay.metrics.long_lines import max_cells, too_long
from assay.options.checks import check_choice
from assay.types import Column, Rows, TestSet, as_column
from assay.types.runtime import Runtime

__all__ = ["Eed"]

_Flavour = Literal["torchmetrics", "rwth", "wmt19"]
_Language = Literal["en", "ja"]


@metric("eed")
@dataclass(frozen=True)
class Eed(ErrorShare):
    """Edits of characters with jumps between words, per character of the reference, 0 to 1; lower is better.

    score = (cost of edits and jumps + rho * visits) / (reference length + rho * visits)

    Options: flavour (torchmetrics; rwth: the authors' program as they published it; wmt19: their program of the WMT19
    metrics task); language, how texts are prepared (en: for every language with spaces; ja: only Unicode's form NFKC);
    alpha, the cost of a jump; deletion, of a character of the output; insertion, of a character of the reference; rho,
    the weight of visits. With several references a segment is scored against the one that gives the lowest score.
    """

    labels = ("EED",)
    cap = True

    flavour: _Flavour = "torchmetrics"
    language: _Language = "en"
    alpha: float = 2.0
    rho: float = 0.3
    deletion: float = 0.2
    insertion: float = 1.0

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, get_args(_Flavour))
        check_choice("language", self.language, get_args(_Language))
        for name in ("alpha", "rho", "deletion", "insertion"):
            if not 0 <= (value := getattr(self, name)) <= _LARGEST:
                raise ValueError(f"{name} must be between 0 and {_LARGEST:,}, not {value:g}")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("errors", "length")

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        is_japanese = self.language == "ja"
        texts = testset.texts(_compatible if is_japanese else None)
        weights = (self.alpha, self.rho, self.deletion, self.insertion)
        try:
            return _core.eed_statistics(*texts, self.flavour, not is_japanese, *weights, max_cells(), runtime.threads)
        except _core.TooLongError as error:
            raise too_long(error, self.name, testset.outputs, testset.references, unit="characters") from None

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"flavour": get_args(_Flavour), "language": get_args(_Language)}


_LARGEST = 1_000_000


def _compatible(column: Column) -> Column:
    """The texts in Unicode's form NFKC, without white space at the end."""
    return as_column([None if text is None else unicodedata.normalize("NFKC", text.rstrip()) for text in column])
