"""TER (Snover et al. 2006) as sacreBLEU (following tercom) and the Moses scorer compute it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay import _core
from assay.metrics import metric
from assay.metrics.rates import WordRate
from assay.options.checks import check_choice
from assay.registry import NestedSpec, option_text
from assay.text import is_unspaced, space_advice
from assay.types import Column, Note, NoteKind, Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["Ter"]

_MOSES = {"flavour": "moses"}
_TERCOM = "tercom"  # TER's own tokeniser


@metric("ter", aliases={"ter-moses": _MOSES})
@dataclass(frozen=True)
class Ter(WordRate):
    """Edits after the best block shifts, per 100 words of the reference; lower is better.

    score = 100 * (insertions + deletions + substitutions + shifts) / reference length

    Options: flavour (tercom: as sacreBLEU; moses: as the Moses scorer, which prints 1 - edits / length, higher is
    better, splits at spaces and searches for shifts differently); case_sensitive (none: no for tercom, yes for
    moses). For tercom: normalized, which splits off punctuation; no_punct, which removes it; asian, which makes these
    two handle Chinese and Japanese, split into characters. For moses: tok, the tokeniser (auto: the text is tokenised
    already). With several references the fewest edits count, divided by the mean length.
    """

    labels = ("TER",)

    flavour: Literal["tercom", "moses"] = "tercom"
    normalized: bool = False
    no_punct: bool = False
    asian: bool = False
    case_sensitive: bool | None = None
    tok: NestedSpec = "auto"

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, ("tercom", "moses"))
        if self.is_moses and (self.normalized or self.no_punct or self.asian):
            raise ValueError("normalized, no_punct and asian require flavour=tercom")
        if self.is_moses:
            super().__post_init__()
        elif self.tok not in ("auto", _TERCOM):
            raise ValueError(f"tok={self.tok} requires flavour=moses; flavour=tercom has its own tokeniser")

    @property
    def _keeps_case(self) -> bool:
        return self.is_moses if self.case_sensitive is None else self.case_sensitive

    def prepare(self, testset: TestSet) -> Ter:
        return dataclasses.replace(self, case_sensitive=self._keeps_case, tok=self.tok_for(testset.target))

    def default_tok(self, language: str | None) -> str:
        return "space" if self.is_moses else _TERCOM

    @property
    def resources(self) -> Mapping[str, str]:
        return super().resources if self.is_moses else {}

    def advice(self, testset: TestSet) -> Iterator[Note]:
        if self.is_moses:
            yield from super().advice(testset)
        elif not (self.normalized and self.asian):
            yield from space_advice(testset, "ter", "none", "ter:normalized=yes,asian=yes")
        if self.asian and not (self.normalized or self.no_punct):
            text = "asian=yes has no effect without normalized=yes or no_punct=yes"
            yield Note(NoteKind.ADVICE, text, where="ter")

    @property
    def rate(self) -> str:
        return "ter-moses" if self.is_moses else "ter"

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        references, outputs, core = self.texts(testset, lowercase=not self._keeps_case)
        return self.edit_statistics(testset, references, outputs, runtime, tokenizer=core)

    def texts(self, testset: TestSet, *, lowercase: bool) -> tuple[tuple[Column, ...], tuple[Column, ...], str]:
        if self.is_moses:
            return super().texts(testset, lowercase=lowercase)
        names = [name for name in ("normalized", "asian", "no_punct") if getattr(self, name)]
        return (*testset.texts(_core.lower if lowercase else None), "+".join([_TERCOM, *names]))

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        if self.is_moses:
            return {"case_sensitive": (None, False)}
        choices = (False, True)
        asian = {"asian": choices} if is_unspaced(testset.references.values()) else {}
        return {"normalized": choices, "no_punct": choices, **asian, "case_sensitive": (None, True)}

    def sacrebleu_signature(self, references: str) -> str | None:
        if self.is_moses:
            return None
        return (
            f"nrefs:{references}|case:{'mixed' if self._keeps_case else 'lc'}|tok:tercom"
            f"|norm:{option_text(self.normalized)}|punct:{option_text(not self.no_punct)}"
            f"|asian:{option_text(self.asian)}|version:2.6.0"
        )
