"""BLEU (Papineni et al. 2002) as sacreBLEU (Post 2018) computes it, and spBLEU over SentencePiece pieces."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.contracts import Metric
from assay.errors import nearest
from assay.metrics import metric
from assay.registry import option_text
from assay.text import CORE_TOKENIZERS, Tokenizer, default_tokenizer, is_unspaced, script_tokenizers, tokenizer
from assay.types import FloatArray, Table, TestSet

__all__ = ["Bleu"]

_MAX_ORDER = 100
_LOG_ZERO = -9999999999.0  # sacreBLEU's logarithm of 0
_SMOOTHING_VALUE = {"none": None, "exp": None, "floor": 0.1, "add-k": 1.0}  # Chen & Cherry 2014


@metric("bleu", aliases={"spbleu": {"tok": "spm"}})
@dataclass(frozen=True)
class Bleu(Metric):
    """Geometric mean of clipped n-gram precisions times a brevity penalty, 0 to 100.

    score = min(1, exp(1 - r/c)) * exp(1/K * sum over n <= K of log p_n), with p_n = 100 * matches_n / ngrams_n

    Options: tok, the tokeniser (auto: by target language, else 13a); lowercase; smooth, for orders without a match
    (exp, floor, add-k, none) with smooth_value; max_order; effective_order, which stops at the last order the output
    has n-grams of (always on for single segments); model, the file of tok=spm.
    """

    score_options = frozenset({"smooth", "smooth_value", "effective_order"})

    tok: str = "auto"
    lowercase: bool = False
    smooth: str = "exp"
    smooth_value: float | None = None
    max_order: int = 4
    effective_order: bool = False
    model: str = ""

    def __post_init__(self) -> None:
        if self.smooth not in _SMOOTHING_VALUE:
            raise ValueError(f"no smoothing is called '{self.smooth}'; {nearest(self.smooth, _SMOOTHING_VALUE)}")
        if self.smooth_value is not None and _SMOOTHING_VALUE[self.smooth] is None:
            raise ValueError(f"smooth_value goes with smooth=floor or smooth=add-k, not with smooth={self.smooth}")
        if self.smooth_value is not None and not 0 <= self.smooth_value < float("inf"):
            raise ValueError(f"smooth_value must not be negative or infinite, not {self.smooth_value:g}")
        if not 1 <= self.max_order <= _MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {_MAX_ORDER}, not {self.max_order}")
        if self.tok != "auto":
            tokenizer.type_of(self.tok)
        if self.model and self.tok != "spm":
            raise ValueError("model goes with tok=spm")

    @property
    def columns(self) -> tuple[str, ...]:
        orders = range(1, self.max_order + 1)
        return (
            "output_length",
            "reference_length",
            *(f"matches_{n}" for n in orders),
            *(f"ngrams_{n}" for n in orders),
        )

    @property
    def segment_form(self) -> Bleu:
        return dataclasses.replace(self, effective_order=True)

    def prepare(self, testset: TestSet) -> Bleu:
        tok = default_tokenizer(testset.target) if self.tok == "auto" else self.tok
        value = _SMOOTHING_VALUE[self.smooth] if self.smooth_value is None else self.smooth_value
        return dataclasses.replace(self, tok=tok, smooth_value=value)

    def advice(self, testset: TestSet) -> Iterator[str]:
        if self.tok in ("13a", "intl", "none") and is_unspaced(testset):
            yield (
                f"the references are written without spaces, and {self.tok} cuts at spaces: "
                "give the language pair (--lp en-zh) or a tokeniser (bleu:tok=zh)"
            )

    @property
    def resources(self) -> Mapping[str, str]:
        return self._tokenizer.resources

    @property
    def _tokenizer(self) -> Tokenizer:
        return _make_tokenizer("13a" if self.tok == "auto" else self.tok, self.model)

    def statistics(self, testset: TestSet, *, threads: int) -> Table:
        cutter = self._tokenizer

        def preprocess(text: str) -> str:
            return cutter.cut((text.lower() if self.lowercase else text).rstrip())

        references, outputs = testset.texts(preprocess if self.lowercase or not cutter.is_core else None)
        table: Table = _core.bleu_statistics(references, outputs, cutter.core, self.max_order, threads)
        return table

    def score(self, totals: Table) -> FloatArray:
        precision, counted = self._smoothed(totals)
        with np.errstate(divide="ignore"):
            log_precision = np.where(precision > 0, np.log(precision), _LOG_ZERO)
        orders: FloatArray | int = self.max_order
        if self.effective_order:
            log_precision = np.where(counted, log_precision, 0.0)
            orders = np.maximum(counted.sum(axis=-1), 1)
        any_match = (np.asarray(totals)[..., 2 : 2 + self.max_order] > 0).any(axis=-1)
        mean = np.exp(log_precision.sum(axis=-1) / orders)
        return np.minimum(np.where(any_match, self.brevity_penalty(totals) * mean, 0.0), 100.0)

    def brevity_penalty(self, totals: Table) -> FloatArray:
        """min(1, exp(1 - r/c)), and 0 for an empty output with a reference that is not."""
        output_length, reference_length = totals[..., 0], totals[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = np.exp(np.minimum(0.0, 1.0 - reference_length / output_length))
        return np.where(output_length < reference_length, penalty, 1.0)

    def precisions(self, totals: Table) -> FloatArray:
        """The smoothed precisions in per cent, all 0 where nothing matches."""
        matches = np.asarray(totals)[..., 2 : 2 + self.max_order]
        return np.where((matches > 0).any(axis=-1, keepdims=True), self._smoothed(totals)[0], 0.0)

    def _smoothed(self, totals: Table) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        """Precision of each order, and which orders count: those up to the first without n-grams."""
        totals = np.asarray(totals, dtype=np.float64)
        matches, ngrams = totals[..., 2 : 2 + self.max_order], totals[..., 2 + self.max_order :]
        if self.smooth == "add-k":  # from order 2 on
            added = self._smoothing_value * (np.arange(self.max_order) > 0)
            matches, ngrams = matches + added, ngrams + added
        counted = np.logical_and.accumulate(ngrams > 0, axis=-1)
        unmatched = counted & (matches == 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = 100.0 * matches / ngrams
            if self.smooth == "exp":  # each further order without a match counts half as much
                precision = np.where(unmatched, 100.0 / (2.0 ** np.cumsum(unmatched, axis=-1) * ngrams), precision)
            elif self.smooth == "floor":
                precision = np.where(unmatched, 100.0 * self._smoothing_value / ngrams, precision)
        return np.where(counted, precision, 0.0), counted

    @property
    def _smoothing_value(self) -> float:
        value = _SMOOTHING_VALUE[self.smooth] if self.smooth_value is None else self.smooth_value
        return value or 0.0

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        usual = default_tokenizer(testset.target)
        names = dict.fromkeys((*CORE_TOKENIZERS, *script_tokenizers(testset)))
        return {
            "tok": ("auto", *(name for name in names if name != usual)),
            "lowercase": (False, True),
            "smooth": tuple(_SMOOTHING_VALUE),
            "effective_order": (False, True),
        }

    def sacrebleu_signature(self, references: str) -> str | None:
        if self.tok == "spm":  # sacreBLEU knows four models by name; whose this one is cannot be told
            return None
        value = f"[{self._smoothing_value:.2f}]" if _SMOOTHING_VALUE[self.smooth] is not None else ""
        return (
            f"nrefs:{references}|case:{'lc' if self.lowercase else 'mixed'}|eff:{option_text(self.effective_order)}"
            f"|tok:{self._tokenizer.signature}|smooth:{self.smooth}{value}|version:2.6.0"
        )


@functools.cache
def _make_tokenizer(name: str, model: str) -> Tokenizer:
    cls, preset = tokenizer.type_of(name)
    return cls(**preset, **({"model": model} if name == "spm" else {}))
