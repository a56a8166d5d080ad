"""TER (Snover et al. 2006) as sacreBLEU computes it after tercom, and as the Moses scorer does."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from assay import _core
from assay.metrics import metric
from assay.metrics.rates import EditRate, check_choice, fewest_edits
from assay.registry import option_text
from assay.text import is_unspaced, make_tokenizer, space_advice, tokenizer
from assay.types import FloatArray, Table, TestSet

__all__ = ["Ter"]

_MOSES = {"flavour": "moses"}


@metric("ter", aliases={"ter-moses": _MOSES})
@dataclass(frozen=True)
class Ter(EditRate):
    """Edits after the best shifts of blocks, per 100 words of the reference; lower is better.

    score = 100 * (insertions + deletions + substitutions + shifts) / reference length

    Options: flavour (tercom: as sacreBLEU; moses: as the Moses scorer, which prints 1 - edits / length, higher is
    better, cuts at spaces and searches otherwise); for tercom normalized, which cuts off punctuation, no_punct, which
    drops it, and asian, which with these does so for Chinese and Japanese, cut into characters; case_sensitive (none:
    no for tercom, yes for moses); for moses tok, the tokeniser (auto: the text is tokenised already). With several
    references the fewest edits count, over the mean length.
    """

    flavour: Literal["tercom", "moses"] = "tercom"
    normalized: bool = False
    no_punct: bool = False
    asian: bool = False
    case_sensitive: bool | None = None
    tok: str = "auto"

    def __post_init__(self) -> None:
        check_choice("flavour", self.flavour, ("tercom", "moses"))
        if self.is_moses and (self.normalized or self.no_punct or self.asian):
            raise ValueError("normalized, no_punct and asian go with flavour=tercom: Moses' TER cuts at spaces")
        if not self.is_moses:
            check_choice("tok", self.tok, ("auto", "tercom"))
        elif self.tok != "auto":
            tokenizer.type_of(self.tok)

    @property
    def _keeps_case(self) -> bool:
        return self.is_moses if self.case_sensitive is None else self.case_sensitive

    def prepare(self, testset: TestSet) -> Ter:
        tok = self.tok if self.tok != "auto" else "space" if self.is_moses else "tercom"
        return dataclasses.replace(self, case_sensitive=self._keeps_case, tok=tok)

    @property
    def resources(self) -> Mapping[str, str]:
        return super().resources if self.is_moses and self.tok != "auto" else {}

    def advice(self, testset: TestSet) -> Iterator[str]:
        if self.is_moses:
            yield from super().advice(testset)
        elif not (self.normalized and self.asian):
            yield from space_advice(testset, "ter", "none", "ter:normalized=yes,asian=yes")
        if self.asian and not (self.normalized or self.no_punct):
            yield "ter:asian=yes changes nothing without normalized=yes or no_punct=yes"

    def statistics(self, testset: TestSet, *, threads: int) -> Table:
        change, core = self._reader()
        references, outputs = testset.texts(change)
        rate = "ter-moses" if self.is_moses else "ter"
        return fewest_edits(_core.rate_statistics(references, outputs, rate, core, True, threads), references)

    def _reader(self) -> tuple[Callable[[str], str] | None, str]:
        """What to do to each text first, and the core's tokeniser for what that returns."""
        if self.is_moses:
            tok = "space" if self.tok == "auto" else self.tok
            return make_tokenizer(tok).reader(lowercase=not self._keeps_case)
        names = [name for name in ("normalized", "asian", "no_punct") if getattr(self, name)]
        return (None if self._keeps_case else str.lower), "+".join(["tercom", *names])

    def score(self, totals: Table) -> FloatArray:
        scores = super().score(totals)
        if self.is_moses:
            return scores
        return np.where(np.isnan(scores), np.where(totals[..., 0] > 0, 100.0, 0.0), scores)  # sacreBLEU's convention

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        if self.is_moses:
            return {"case_sensitive": (None, False)}
        choices = (False, True)
        asian = {"asian": choices} if is_unspaced(testset) else {}
        return {"normalized": choices, "no_punct": choices, **asian, "case_sensitive": (None, True)}

    def sacrebleu_signature(self, references: str) -> str | None:
        if self.is_moses:
            return None
        return (
            f"nrefs:{references}|case:{'mixed' if self._keeps_case else 'lc'}|tok:tercom"
            f"|norm:{option_text(self.normalized)}|punct:{option_text(not self.no_punct)}"
            f"|asian:{option_text(self.asian)}|version:2.6.0"
        )
