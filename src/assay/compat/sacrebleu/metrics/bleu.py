"""sacreBLEU's BLEU."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import KeysView, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from assay.comparison.sacrebleu.arithmetic import LOG_ZERO, SMOOTHING_VALUE
from assay.compat.sacrebleu.arguments import check_integer, check_number, in_range
from assay.compat.sacrebleu.errors import ArgumentValueError, StatisticsError, UnknownChoiceError
from assay.compat.sacrebleu.metrics.base import Metric, Score, Signature
from assay.compat.sacrebleu.metrics.helpers import extract_all_word_ngrams
from assay.compat.sacrebleu.tokenizers import TOKENIZERS, BaseTokenizer
from assay.errors import UnknownNameError, nearest
from assay.metrics.bleu import MAX_ORDER, Bleu
from assay.registry import option_text

__all__ = ["BLEU", "MAX_NGRAM_ORDER", "BLEUScore", "BLEUSignature"]

MAX_NGRAM_ORDER = 4


class BLEUSignature(Signature):
    """The signature of BLEU."""

    _abbr: ClassVar[dict[str, str]] = Signature._abbr | {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        method, value = args["smooth_method"], args["smooth_value"]
        default = SMOOTHING_VALUE[method]
        shown = "" if default is None else f"[{default if value is None else value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": option_text(bool(args["effective_order"])),
            "tok": args["tokenizer_signature"],
            "smooth": f"{method}{shown}",
        }


class BLEUScore(Score):
    """BLEU and its components."""

    def __init__(
        self,
        score: float,
        counts: Sequence[float],
        totals: Sequence[float],
        precisions: Sequence[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join([f"{p:.1f}" for p in precisions])
        self.ratio: float = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(Metric):
    """BLEU of sacreBLEU."""

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = SMOOTHING_VALUE
    TOKENIZERS: ClassVar[KeysView[str]] = TOKENIZERS.keys()
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__(references)
        self._force = force  # silences a warning of sacreBLEU that Assay does not print
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_method = _known_method(smooth_method)
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self._tokenizer = _get_tokenizer(tokenize or self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT))()
        _ = self.metric  # raises for options of the wrong type or out of range

    @property
    def tokenizer(self) -> BaseTokenizer:
        """The tokeniser, which cannot be replaced: the core tokenises."""
        return self._tokenizer

    @property
    def tokenizer_signature(self) -> str:
        """The name of the tokeniser in the signature."""
        return self._tokenizer.signature()

    @property
    def metric(self) -> Bleu:
        """BLEU of Assay with the options of this one."""
        method = _known_method(self.smooth_method)
        value = None if SMOOTHING_VALUE[method] is None else self.smooth_value
        return _bleu(
            self._tokenizer.spec,
            bool(self.lowercase),
            method,
            value,
            self.max_ngram_order,
            bool(self.effective_order),
        )

    def get_signature(self) -> Signature:
        """The signature of the last score."""
        return self._SIGNATURE_TYPE({**vars(self), "tokenizer_signature": self.tokenizer_signature})

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from statistics: matches and n-grams of each order, output and reference length."""
        if not len(correct) == len(total) == max_ngram_order:
            raise StatisticsError(
                f"{len(correct)} counts of matches and {len(total)} of n-grams for {max_ngram_order} orders"
            )
        default = SMOOTHING_VALUE[_known_method(smooth_method)]
        value = smooth_value if smooth_value is not None and default is not None else default or 0
        penalty = 1.0
        if sys_len < ref_len:
            penalty = math.exp(1 - ref_len / sys_len) if sys_len else 0.0
        if not any(correct):
            return BLEUScore(0.0, correct, total, [0.0] * max_ngram_order, penalty, sys_len, ref_len)
        if smooth_method == "add-k":
            correct, total = ([first, *(n + value for n in others)] for first, *others in (correct, total))
        precisions = _precisions(correct, total, smooth_method, value)
        missing = max_ngram_order - len(precisions)
        logs = [math.log(p) if p else LOG_ZERO for p in precisions]
        if not effective_order or not logs:
            logs += [LOG_ZERO] * missing
        score = penalty * math.exp(sum(logs) / len(logs))
        return BLEUScore(score, correct, total, precisions + [0.0] * missing, penalty, sys_len, ref_len)

    def _compute_score_from_stats(self, stats: Sequence[float]) -> BLEUScore:
        ngrams = 2 + self.max_ngram_order
        return self.compute_bleu(
            stats[2:ngrams],
            stats[ngrams:],
            int(stats[0]),
            int(stats[1]),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            self.max_ngram_order,
        )

    def _preprocess_segment(self, sent: str) -> str:
        return self._tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """The largest count of each n-gram in a reference, and all lengths."""
        counts, lengths = zip(*(extract_all_word_ngrams(ref, 1, self.max_ngram_order) for ref in refs), strict=True)
        ngrams: Counter[tuple[str, ...]] = counts[0]
        for other in counts[1:]:
            ngrams |= other
        return {"ref_ngrams": ngrams, "ref_lens": list(lengths)}


def _precisions(matches: Sequence[float], ngrams: Sequence[float], method: str, value: float) -> list[float]:
    """The precisions in per cent of the orders before the first without n-grams, smoothed where nothing matches."""
    precisions: list[float] = []
    unmatched = 0
    for m, n in zip(matches, ngrams, strict=True):
        if not n:
            break
        unmatched += not m
        precisions.append(100.0 * m / n if m else _smoothed(n, unmatched, method, value))
    return precisions


def _smoothed(ngrams: float, number: int, method: str, value: float) -> float:
    """The precision of the `number`-th order without a match."""
    if method == "exp":
        return 100.0 / (2.0**number * ngrams)
    return 100.0 * value / ngrams if method == "floor" else 0.0


@lru_cache(maxsize=64, typed=True)
def _bleu(tok: str, lowercase: bool, smooth: str, value: float | None, order: int, effective_order: bool) -> Bleu:
    check_integer("max_ngram_order", order)
    if not 1 <= order <= MAX_ORDER:
        raise ArgumentValueError(f"max_ngram_order must be between 1 and {MAX_ORDER}, not {order}")
    if value is not None:
        check_number("smooth_value", value)
    return in_range(
        lambda: Bleu(
            tok=tok,
            lowercase=lowercase,
            smooth=smooth,
            smooth_value=value,
            max_order=order,
            effective_order=effective_order,
        )
    )


def _known_method(method: str) -> str:
    if method not in SMOOTHING_VALUE:
        raise UnknownChoiceError(f"unknown smooth_method '{method}'", hint=nearest(method, SMOOTHING_VALUE))
    return method


def _get_tokenizer(name: str) -> type[BaseTokenizer]:
    """The class of a tokeniser."""
    if name not in TOKENIZERS:
        raise UnknownNameError(f"unknown tokeniser '{name}'", hint=nearest(name, TOKENIZERS))
    return TOKENIZERS[name]
