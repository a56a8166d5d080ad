"""CharacTER (Wang et al. 2016): edits of characters after moves of phrases, per character of the output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from assay import _core
from assay.metrics import metric
from assay.metrics.error_share import ErrorShare
from assay.metrics.long_lines import max_cells, too_long
from assay.metrics.tokenized import TokenizedMetric
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.text import space_advice
from assay.types import Note, Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["Character"]

_Flavour = Literal["cer", "rwth"]


@metric("character")
@dataclass(frozen=True)
class Character(TokenizedMetric, ErrorShare):
    """Edits of characters after moves of whole words, per character of the output, 0 to 1; lower is better.

    score = (insertions + deletions + substitutions + mean word length of each moved phrase) / output length

    Options: flavour (cer: the Python package, which sometimes makes one more move because of rounding errors; rwth: the
    authors' program); cap, whether scores are at most 1, as in the package and in the WMT metrics tasks (no: as the
    authors' program prints them); tok, the tokeniser that finds the words that may move (none: white space); lowercase.
    With several references a segment is scored against the one that gives the lowest score.
    """

    labels = ("CharacTER",)
    score_options: ClassVar[frozenset[str]] = frozenset({"cap"})

    flavour: _Flavour = "cer"
    cap: bool = True
    tok: NestedSpec = "none"
    lowercase: bool = False

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, get_args(_Flavour))
        super().__post_init__()

    @property
    def columns(self) -> tuple[str, ...]:
        return ("edits", "output_length")

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        references, outputs, core = self.texts(testset, lowercase=self.lowercase)
        moves = "cer" if self.flavour == "cer" else "exact"
        try:
            return _core.character_statistics(references, outputs, core, moves, max_cells(), runtime.threads)
        except _core.TooLongError as error:
            names = testset.outputs, testset.references
            raise too_long(error, self.name, *names, because=", which have little in common") from None

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from space_advice(testset, self.name, self.tok, f"{self.name}:tok={{tok}} or {self.name}:tok=char")

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        flavours = {"flavour": get_args(_Flavour), "cap": (True, False)}
        return {**flavours, "tok": ("none", "13a", "intl", "zh", "char"), "lowercase": (False, True)}
