"""sacreBLEU's metric objects. References are K lists of N texts, and their lengths are checked."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.compat.sacrebleu.scores import BLEUScore, CHRFScore, Signature, TERScore
from assay.contracts import Metric
from assay.errors import AlignmentError, ConfigError, InputError
from assay.metrics.bleu import Bleu
from assay.metrics.chrf import Chrf
from assay.metrics.ter import Ter
from assay.runtime import Runtime
from assay.types import Table, TestSet

__all__ = ["BLEU", "CHRF", "TER", "Scorer", "sentence_scores"]


class Scorer:
    """Base class of BLEU, CHRF and TER: checks references, resamples and creates signatures."""

    metric: Metric

    def __init__(self, references: Sequence[Sequence[str | None]] | None = None) -> None:
        self._references = references
        self._reference_count = ""
        self._resampling = ""

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """The score of a corpus; with `n_bootstrap` > 1 also mean and half-width of a 95% interval."""
        table = self._statistics(hypotheses, self._references if references is None else references)
        score = self._score(table.sum(axis=0))
        if n_bootstrap <= 1:
            return score
        seed, resamples = _resamples(n_bootstrap, len(table))
        weights = np.stack([np.bincount(segments, minlength=len(table)) for segments in resamples]).astype(np.uint32)
        scores = np.sort(self.metric.score(_core.Summable(table[np.newaxis]).sums(weights, 1)[0]))
        tail = n_bootstrap // 40
        self._resampling = f"bs:{n_bootstrap}|seed:{seed}|"
        half = float(scores[n_bootstrap - tail - 1] - scores[tail]) / 2
        return dataclasses.replace(score, mean=float(scores.mean()), interval=half)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> Any:
        """The score of one segment against its references."""
        if isinstance(references, str) or not isinstance(hypothesis, str):
            raise InputError("a hypothesis is a string and its references are a list of strings")
        return self._score(self._statistics([hypothesis], [[reference] for reference in references])[0])

    def get_signature(self) -> Signature:
        """The signature of the last score."""
        if not self._reference_count:
            raise ConfigError("there is no signature before the first score", hint="compute a score first")
        text = self.metric.sacrebleu_signature(self._reference_count) or ""
        count, _, rest = text.partition("|")
        return Signature(f"{count}|{self._resampling}{rest}")

    def _statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None) -> Table:
        if not references:
            raise ConfigError("no references were given", hint="pass them here or to the constructor")
        if isinstance(hypotheses, str) or any(isinstance(column, str) for column in references):
            raise InputError("hypotheses are a list of N strings and references K lists of N strings")
        lengths = sorted({len(column) for column in references})
        if lengths != [len(hypotheses)]:
            sizes = " and ".join(map(str, lengths))
            raise AlignmentError(
                f"{len(hypotheses)} hypotheses, but references are {len(references)} lists of {sizes}",
                hint="references are K lists of N texts: one list per reference, not per segment",
            )
        testset = TestSet(
            outputs={"hypotheses": tuple(hypotheses)},
            references={f"reference {k}": tuple(column) for k, column in enumerate(references, 1)},
        )
        self._reference_count = testset.reference_count
        table: Table = self.metric.statistics(testset, Runtime(threads=1))[0]
        return table

    def _score(self, totals: Table) -> Any:
        raise NotImplementedError


def sentence_scores(scorer: Scorer, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> list[Any]:
    """`sentence_score` of every segment, three times as fast."""
    return [scorer._score(statistics) for statistics in scorer._statistics(hypotheses, references)]


def _resamples(resamples: int, segments: int) -> tuple[str, npt.NDArray[np.int64]]:
    """The seed as in signatures, and sacreBLEU's resamples: indices of segments, (resample, segment)."""
    seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
    try:
        generator = np.random.default_rng(None if seed == "none" else int(seed))
    except ValueError:
        raise ConfigError(f"SACREBLEU_SEED is '{seed}'", hint="use a non-negative integer or none") from None
    return seed, generator.choice(segments, size=(resamples, segments), replace=True)


class BLEU(Scorer):
    """sacreBLEU's BLEU."""

    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = 4,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__(references)
        self.force = force  # silences a warning of sacreBLEU that Assay does not print
        self.metric: Bleu = Bleu(
            tok=tokenize or self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT),
            lowercase=lowercase,
            smooth=smooth_method,
            smooth_value=smooth_value if smooth_method in ("floor", "add-k") else None,
            max_order=max_ngram_order,
            effective_order=effective_order,
        )

    @staticmethod
    def compute_bleu(
        correct: Sequence[float],
        total: Sequence[float],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = 4,
    ) -> BLEUScore:
        """BLEU from statistics: matches and n-grams of each order, output and reference length."""
        if not len(correct) == len(total) == max_ngram_order:
            raise AlignmentError(
                f"{len(correct)} counts of matches and {len(total)} of n-grams for {max_ngram_order} orders"
            )
        scorer = BLEU(
            smooth_method=smooth_method,
            smooth_value=smooth_value,
            max_ngram_order=max_ngram_order,
            effective_order=effective_order,
        )
        return scorer._score(np.array([sys_len, ref_len, *correct, *total]))

    def _score(self, totals: Table) -> BLEUScore:
        order = self.metric.max_order
        counts, ngrams = totals[2 : 2 + order].tolist(), totals[2 + order :].tolist()
        if self.metric.smooth == "add-k" and any(counts):
            k = 1 if self.metric.smooth_value is None else self.metric.smooth_value
            counts, ngrams = [counts[0], *(c + k for c in counts[1:])], [ngrams[0], *(n + k for n in ngrams[1:])]
        return BLEUScore(
            name="BLEU",
            score=float(self.metric.score(totals)),
            counts=counts,
            totals=ngrams,
            precisions=self.metric.precisions(totals).tolist(),
            bp=float(self.metric.brevity_penalty(totals)),
            sys_len=int(totals[0]),
            ref_len=int(totals[1]),
        )


class CHRF(Scorer):
    """sacreBLEU's chrF."""

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2

    def __init__(
        self,
        char_order: int = 6,
        word_order: int = 0,
        beta: float = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__(references)
        self.metric: Chrf = Chrf(char_order, word_order, beta, lowercase, whitespace, eps_smoothing)

    def _score(self, totals: Table) -> CHRFScore:
        metric = self.metric
        return CHRFScore(
            name=f"chrF{metric.beta}" + "+" * metric.word_order,
            score=float(metric.score(totals)),
            char_order=metric.char_order,
            word_order=metric.word_order,
            beta=metric.beta,
        )


class TER(Scorer):
    """sacreBLEU's TER."""

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        super().__init__(references)
        self.metric: Ter = Ter(
            normalized=normalized, no_punct=no_punct, asian=asian_support, case_sensitive=case_sensitive
        )

    def _score(self, totals: Table) -> TERScore:
        return TERScore(
            name="TER",
            score=float(self.metric.score(totals)),
            num_edits=int(totals[0]),
            ref_length=float(totals[1]),
        )
