"""sacreBLEU's chrF."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

from assay.comparison.sacrebleu.arithmetic import EPSILON
from assay.compat.sacrebleu.arguments import check_integer, check_number, in_range
from assay.compat.sacrebleu.metrics.base import Metric, Score, Signature
from assay.compat.sacrebleu.metrics.helpers import extract_all_char_ngrams, extract_word_ngrams
from assay.metrics.chrf import Chrf
from assay.registry import option_text

__all__ = ["CHRF", "CHRFScore", "CHRFSignature"]


class CHRFSignature(Signature):
    """The signature of chrF."""

    _abbr: ClassVar[dict[str, str]] = Signature._abbr | {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def __init__(self, args: Any) -> None:
        super().__init__(args)
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": option_text(not args["eps_smoothing"]),
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": option_text(bool(args["whitespace"])),
        }


class CHRFScore(Score):
    """chrF with its orders."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: float) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta


class CHRF(Metric):
    """chrF of sacreBLEU; chrF++ with `word_order=2`."""

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2
    _PUNCTS: ClassVar[frozenset[str]] = frozenset(string.punctuation)
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: float = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__(references)
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        _ = self.metric  # raises for options of the wrong type or out of range

    @property
    def order(self) -> int:
        """The number of orders."""
        return self.char_order + self.word_order

    @property
    def metric(self) -> Chrf:
        """ChrF of Assay with the options of this one."""
        flags = bool(self.lowercase), bool(self.whitespace), bool(self.eps_smoothing)
        return _chrf(self.char_order, self.word_order, self.beta, *flags)

    def _compute_score_from_stats(self, stats: Sequence[float]) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)

    def _compute_f_score(self, statistics: Sequence[float]) -> float:
        """The F-score of n-grams of output and reference and their matches, order by order."""
        orders = list(zip(statistics[0::3], statistics[1::3], statistics[2::3], strict=True))
        weight = self.beta**2
        if self.eps_smoothing:
            return 100 * sum(_smoothed_f(*order, weight) for order in orders) / len(orders)
        pairs = [(match / output, match / reference) for output, reference, match in orders if output and reference]
        if not any(precision for precision, _ in pairs):
            return 0.0
        precision, recall = (sum(values) / len(pairs) for values in zip(*pairs, strict=True))
        score: float = 100 * ((1 + weight) * precision * recall / (weight * precision + recall))
        return score

    @staticmethod
    def _get_match_statistics(hyp_ngrams: Counter[str], ref_ngrams: Counter[str]) -> list[float]:
        """The n-grams of both sides, those of the output only if the reference has any, and matches."""
        matches = sum(min(number, ref_ngrams[ngram]) for ngram, number in hyp_ngrams.items() if ngram in ref_ngrams)
        return [sum(hyp_ngrams.values()) if ref_ngrams else 0, sum(ref_ngrams.values()), matches]

    def _remove_punctuation(self, sent: str) -> list[str]:
        """The words, with one punctuation mark split off the end, else off the start."""
        words: list[str] = []
        for word in sent.split():
            if len(word) > 1 and word[-1] in self._PUNCTS:
                words += (word[:-1], word[-1])
            elif len(word) > 1 and word[0] in self._PUNCTS:
                words += (word[0], word[1:])
            else:
                words.append(word)
        return words

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """The n-grams of each reference, order by order."""
        orders = range(1, self.word_order + 1)
        return {
            "ref_ngrams": [
                extract_all_char_ngrams(ref, self.char_order, self.whitespace)
                + [extract_word_ngrams(self._remove_punctuation(ref), n) for n in orders]
                for ref in refs
            ]
        }


def _smoothed_f(output: float, reference: float, match: float, weight: float) -> float:
    precision = match / output if output else EPSILON
    recall = match / reference if reference else EPSILON
    denominator = weight * precision + recall
    return (1 + weight) * precision * recall / denominator if denominator else EPSILON


@lru_cache(maxsize=64, typed=True)
def _chrf(
    char_order: int, word_order: int, beta: float, lowercase: bool, whitespace: bool, eps_smoothing: bool
) -> Chrf:
    check_integer("char_order", char_order)
    check_integer("word_order", word_order)
    check_number("beta", beta)
    return in_range(lambda: Chrf(char_order, word_order, beta, lowercase, whitespace, eps_smoothing))
