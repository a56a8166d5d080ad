"""BLEU (Papineni et al. 2002) as sacreBLEU (Post 2018), mteval and Moses compute it, and spBLEU."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import nearest
from assay.metrics import metric
from assay.metrics.tokenized import TokenizedMetric
from assay.registry import NestedSpec, option_text
from assay.runtime import Runtime
from assay.text import CORE_TOKENIZERS, default_tokenizer, script_tokenizers, space_advice
from assay.types import FloatArray, Note, Table, TestSet

__all__ = ["MAX_ORDER", "Bleu"]

MAX_ORDER = 100
_LOG_ZERO = -9999999999.0  # sacreBLEU's logarithm of 0
_SMOOTHING_VALUE = {"none": None, "exp": None, "floor": 0.1, "add-k": 1.0, "add-all": 1.0}  # Chen & Cherry 2014
_REFERENCE_LENGTHS = ("closest", "shortest", "average")


@dataclass(frozen=True, slots=True)
class _Flavour:
    """The smoothing methods and defaults of a program."""

    smoothings: tuple[str, ...]  # the default first
    tok: str = ""  # "": by target language
    lowercase: bool = False
    percent: bool = False


_FLAVOURS = {
    "sacrebleu": _Flavour(("exp", "floor", "add-k", "none"), percent=True),
    "mteval": _Flavour(("exp", "none"), tok="mteval", lowercase=True),
    "moses": _Flavour(("none", "add-all"), tok="space"),
}


@metric(
    "bleu",
    aliases={
        "spbleu": {"tok": "spm"},
        "bleu-mteval": {"flavour": "mteval"},
        "bleu-mteval-intl": {"flavour": "mteval", "tok": "mteval-intl"},
        "bleu-moses": {"flavour": "moses"},
    },
)
@dataclass(frozen=True)
class Bleu(TokenizedMetric):
    """Geometric mean of clipped n-gram precisions times a brevity penalty, 0 to 100 (mteval, moses: 0 to 1).

    score = min(1, exp(1 - r/c)) * exp(1/K * sum over n <= K of log p_n), with p_n = matches_n / ngrams_n

    Options: flavour, the program to imitate (sacrebleu, mteval, moses), which sets the defaults of the other options
    and the score of an output without a match; tok, the tokeniser (auto with sacrebleu: by target language, else 13a);
    lowercase; smooth, for orders without a match (exp, floor, add-k, add-all, none) with smooth_value; max_order;
    effective_order, which uses only the orders that the output has n-grams of (sacrebleu: always on for single
    segments); reference_length (closest, shortest, average); percent, 0 to 100 or 0 to 1.
    """

    score_options = frozenset({"smooth", "smooth_value", "effective_order", "percent"})

    flavour: str = "sacrebleu"
    tok: NestedSpec = "auto"
    lowercase: bool | None = None
    smooth: str = "auto"
    smooth_value: float | None = None
    max_order: int = 4
    effective_order: bool = False
    reference_length: str = "closest"
    percent: bool | None = None

    def __post_init__(self) -> None:
        for kind, name, known in (
            ("flavour of BLEU", self.flavour, tuple(_FLAVOURS)),
            ("smoothing", self.smooth, ("auto", *_SMOOTHING_VALUE)),
            ("reference length", self.reference_length, _REFERENCE_LENGTHS),
        ):
            if name not in known:
                raise ValueError(f"unknown {kind} '{name}'; {nearest(name, known)}")
        self._check_smoothing()
        if not 1 <= self.max_order <= MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {MAX_ORDER}, not {self.max_order}")
        super().__post_init__()

    def _check_smoothing(self) -> None:
        smooth, known = self._smooth, _FLAVOURS[self.flavour].smoothings
        if smooth not in known:
            raise ValueError(f"flavour={self.flavour} does not support smooth={smooth}; available: {', '.join(known)}")
        if self.effective_order and self.flavour != "sacrebleu":
            raise ValueError(f"effective_order requires flavour=sacrebleu, not flavour={self.flavour}")
        if self.smooth_value is not None and _SMOOTHING_VALUE[smooth] is None:
            raise ValueError(f"smooth_value requires smooth=floor, add-k or add-all, not smooth={smooth}")
        if self.smooth_value is not None and not 0 <= self.smooth_value < float("inf"):
            raise ValueError(f"smooth_value must be non-negative and finite, not {self.smooth_value:g}")

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
        if self.flavour == "sacrebleu":
            return dataclasses.replace(self, effective_order=True)
        if self.flavour == "moses" and self._smooth == "none":  # as in sentence-bleu
            return dataclasses.replace(self, smooth="add-all", smooth_value=_SMOOTHING_VALUE["add-all"])
        return self

    def prepare(self, testset: TestSet) -> Bleu:
        return dataclasses.replace(
            self,
            tok=self.tok_for(testset.target),
            lowercase=self._lowercase,
            smooth=self._smooth,
            smooth_value=_SMOOTHING_VALUE[self._smooth] if self.smooth_value is None else self.smooth_value,
            percent=self._percent,
        )

    def default_tok(self, language: str | None) -> str:
        return _FLAVOURS[self.flavour].tok or default_tokenizer(language)

    @property
    def _lowercase(self) -> bool:
        return _FLAVOURS[self.flavour].lowercase if self.lowercase is None else self.lowercase

    @property
    def _smooth(self) -> str:
        return _FLAVOURS[self.flavour].smoothings[0] if self.smooth == "auto" else self.smooth

    @property
    def _percent(self) -> bool:
        return _FLAVOURS[self.flavour].percent if self.percent is None else self.percent

    def advice(self, testset: TestSet) -> Iterator[Note]:
        name = self.name if self.name == "sentbleu" or self.flavour == "sacrebleu" else f"bleu-{self.flavour}"
        tok = self.tok_for(testset.target)
        better = f"{name}:tok={{tok}}"
        yield from space_advice(testset, name, tok, better, depends_on_language=name == "bleu")

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        references, outputs, core = self.texts(testset, lowercase=self._lowercase)
        table: Table = _core.bleu_statistics(
            references, outputs, core, self.max_order, self.reference_length, runtime.threads
        )
        return table

    def score(self, totals: Table) -> FloatArray:
        if self.flavour == "sacrebleu":
            score, factor = self._sacrebleu_score(totals), 1.0 if self._percent else 0.01
        else:
            score, factor = self._plain_score(totals), 100.0 if self._percent else 1.0
        scaled: FloatArray = score * factor
        return scaled

    def _sacrebleu_score(self, totals: Table) -> FloatArray:
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

    def _plain_score(self, totals: Table) -> FloatArray:
        """mteval's and Moses' score, 0 to 1: all orders count, and smoothing also applies if nothing matches."""
        matches, ngrams = self._matches_and_ngrams(totals)
        has_ngrams = ngrams > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = matches / ngrams
            if self._smooth == "exp":
                unmatched = has_ngrams & (matches == 0)
                precision = np.where(unmatched, 1.0 / (2.0 ** np.cumsum(unmatched, axis=-1) * ngrams), precision)
            # for mteval the logarithm of a precision without n-grams is 0
            precision = np.where(has_ngrams, precision, 1.0 if self._smooth == "exp" else 0.0)
            mean = np.exp(np.log(precision).sum(axis=-1) / self.max_order)
        penalty = self.brevity_penalty(totals)
        if self.flavour == "mteval":
            penalty = np.where(np.asarray(totals)[..., 0] > 0, penalty, 0.0)
        score: FloatArray = np.minimum(penalty * mean, 1.0)
        return score

    def brevity_penalty(self, totals: Table) -> FloatArray:
        """min(1, exp(1 - r/c)), and 0 for an empty output with a non-empty reference."""
        output_length, reference_length = totals[..., 0], totals[..., 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            penalty = np.exp(np.minimum(0.0, 1.0 - reference_length / output_length))
        return np.where(output_length < reference_length, penalty, 1.0)

    def precisions(self, totals: Table) -> FloatArray:
        """The smoothed precisions in per cent, all 0 if nothing matches."""
        matches = np.asarray(totals)[..., 2 : 2 + self.max_order]
        return np.where((matches > 0).any(axis=-1, keepdims=True), self._smoothed(totals)[0], 0.0)

    def _smoothed(self, totals: Table) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        """The precision of each order, and which orders count: those before the first without n-grams."""
        matches, ngrams = self._matches_and_ngrams(totals)
        counted = ngrams > 0
        if not counted.all():
            counted = np.logical_and.accumulate(counted, axis=-1)
        unmatched = counted & (matches == 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = 100.0 * matches / ngrams
            if self._smooth == "exp" and unmatched.any():  # each further order without a match counts half as much
                precision = np.where(unmatched, 100.0 / (2.0 ** np.cumsum(unmatched, axis=-1) * ngrams), precision)
            elif self._smooth == "floor":
                precision = np.where(unmatched, 100.0 * self._smoothing_value / ngrams, precision)
        return np.where(counted, precision, 0.0), counted

    def _matches_and_ngrams(self, totals: Table) -> tuple[FloatArray, FloatArray]:
        """Matches and n-grams of each order; add-k adds to them from order 2 on, add-all at every order."""
        totals = np.asarray(totals, dtype=np.float64)
        matches, ngrams = totals[..., 2 : 2 + self.max_order], totals[..., 2 + self.max_order :]
        if self._smooth in ("add-k", "add-all"):
            added = self._smoothing_value * (np.arange(self.max_order) > (-1 if self._smooth == "add-all" else 0))
            matches, ngrams = matches + added, ngrams + added
        return matches, ngrams

    @property
    def _smoothing_value(self) -> float:
        value = _SMOOTHING_VALUE[self._smooth] if self.smooth_value is None else self.smooth_value
        return value or 0.0

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        flavour = _FLAVOURS[self.flavour]
        options: dict[str, Sequence[Any]] = {
            "tok": ("auto", *self._other_tokenizers(testset)),
            "lowercase": (None, not flavour.lowercase),
            "smooth": ("auto", *flavour.smoothings[1:]),
        }
        if self.flavour == "sacrebleu":
            return options | {"effective_order": (False, True)}
        return options | {"reference_length": _REFERENCE_LENGTHS[: 2 if self.flavour == "mteval" else 3]}

    def _other_tokenizers(self, testset: TestSet) -> list[str]:
        if self.flavour == "mteval":
            return ["mteval-intl", "mteval-intl-split"]
        if self.flavour == "moses":
            return ["13a"]
        default = default_tokenizer(testset.target)
        return [name for name in dict.fromkeys((*CORE_TOKENIZERS, *script_tokenizers(testset))) if name != default]

    def sacrebleu_signature(self, references: str) -> str | None:
        tok = self.tokenizer.sacrebleu_name
        if tok is None or self.flavour != "sacrebleu" or self.reference_length != "closest" or not self._percent:
            return None
        value = f"[{self._smoothing_value:.2f}]" if _SMOOTHING_VALUE[self._smooth] is not None else ""
        return (
            f"nrefs:{references}|case:{'lc' if self._lowercase else 'mixed'}|eff:{option_text(self.effective_order)}"
            f"|tok:{tok}|smooth:{self._smooth}{value}|version:2.6.0"
        )
