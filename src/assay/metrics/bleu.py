"""BLEU (Papineni et al. 2002) as sacreBLEU (Post 2018), mteval and Moses compute it, and spBLEU."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay import _core
from assay.contracts import SURFACE
from assay.errors import nearest
from assay.metrics import metric
from assay.metrics.core_metric import ComparedTexts, CoreMetric
from assay.metrics.tokenized import TokenizedMetric
from assay.registry import NestedSpec, option_text
from assay.text import CORE_TOKENIZERS, default_tokenizer, script_tokenizers, space_advice
from assay.types import FloatArray, Note, Rows, TestSet
from assay.types.runtime import Runtime

__all__ = ["MAX_ORDER", "Bleu"]

MAX_ORDER = 100
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
class Bleu(TokenizedMetric, CoreMetric):
    """Geometric mean of clipped n-gram precisions times a brevity penalty, 0 to 100 (mteval, moses: 0 to 1).

    score = min(1, exp(1 - r/c)) * exp(1/K * sum over n <= K of log p_n), with p_n = matches_n / ngrams_n

    Options: flavour, the program to imitate (sacrebleu, mteval, moses), which sets the defaults of the other options
    and the score of an output without a match; tok, the tokeniser (auto with sacrebleu: by target language, else 13a);
    lowercase; smooth, for orders without a match (exp, floor, add-k, add-all, none) with smooth_value; max_order;
    effective_order, which uses only the orders that the output has n-grams of (sacrebleu: always on for single
    segments); reference_length (closest, shortest, average); percent, 0 to 100 or 0 to 1.
    """

    labels: ClassVar[tuple[str, ...]] = ("BLEU", "spBLEU")
    family = SURFACE
    has_utilities: ClassVar[bool] = True
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

    def core_statistics(self, testset: TestSet, runtime: Runtime) -> Rows:
        references, outputs, core = self.texts(testset, lowercase=self._lowercase)
        return _core.bleu_statistics(references, outputs, core, self.max_order, self.reference_length, runtime.threads)

    def core_utilities(
        self, compared: ComparedTexts, *, keeps_all: bool, threads: int
    ) -> tuple[FloatArray, FloatArray | None]:
        tokenizer = self.tokenizer
        _, core = tokenizer.reader(lowercase=self._lowercase)
        texts = compared.changed(functools.partial(tokenizer.read_column, lowercase=self._lowercase))
        return _core.bleu_utilities(*texts, core, self.formula, keeps_all, threads)

    @property
    def formula(self) -> _core.BleuFormula:
        percent = 1.0 if self.flavour == "sacrebleu" else 100.0  # what the program's own scale is multiplied by
        factor = percent if self._percent else percent / 100
        return _core.BleuFormula(
            self.flavour, self.max_order, self._smooth, self._smoothing_value, self.effective_order, factor
        )

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
