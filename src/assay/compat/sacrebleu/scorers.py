"""sacreBLEU's metric objects. References are K lists of N texts, and their lengths are checked."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from assay.comparison.sacrebleu.arithmetic import Floats, scores_of_totals
from assay.comparison.sacrebleu.resampling import SummableTable, resampled_sums
from assay.compat.sacrebleu.scores import BLEUScore, CHRFScore, Signature, TERScore
from assay.compat.sacrebleu.seed import seed_text, seeded_generator
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
        self._resampling: dict[str, str] = {}

    def corpus_score(
        self,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str | None]] | None,
        n_bootstrap: int = 1,
    ) -> Any:
        """The score of a corpus; with `n_bootstrap` > 1 also mean and half-width of a 95% interval."""
        table = self.tables([hypotheses], references)
        score = self.score_of_totals(table[0].sum(axis=0))
        if n_bootstrap <= 1:
            return score
        _, generator = seeded_generator()
        ((sums,),) = resampled_sums(generator, n_bootstrap, [SummableTable(table)])
        scores = sorted(self.scores(sums))
        self._resampling = {"bs": str(n_bootstrap), "seed": seed_text()}
        tail = n_bootstrap // 40
        half = 0.5 * (scores[n_bootstrap - tail - 1] - scores[tail])
        return dataclasses.replace(score, mean=float(statistics.mean(scores)), interval=float(half))

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> Any:
        """The score of one segment against its references."""
        if isinstance(references, str) or not isinstance(hypothesis, str):
            raise InputError("a hypothesis is a string and its references are a list of strings")
        return self.score_of_totals(self.tables([[hypothesis]], [[reference] for reference in references])[0, 0])

    def get_signature(self, **resampling: str) -> Signature:
        """The signature of the last score; `resampling` replaces the number of resamples (bs), trials (ar) or seed."""
        if not self._reference_count:
            raise ConfigError("there is no signature before the first score", hint="compute a score first")
        text = self.metric.sacrebleu_signature(self._reference_count) or ""
        count, _, rest = text.partition("|")
        items = self._resampling | resampling
        return Signature(
            "|".join([count, *(f"{key}:{items[key]}" for key in ("bs", "ar", "seed") if key in items), rest])
        )

    def tables(
        self,
        systems: Sequence[Sequence[str]],
        references: Sequence[Sequence[str | None]] | None,
        runtime: Runtime | None = None,
    ) -> Table:
        """The statistics (system, segment, column). References are by default those of the constructor."""
        references = self._references if references is None else references
        _check_texts(systems, references)
        testset = TestSet(
            outputs={str(k): tuple(texts) for k, texts in enumerate(systems)},
            references={f"reference {k}": tuple(column) for k, column in enumerate(references or (), 1)},
        )
        self._reference_count = testset.reference_count
        table: Table = self.metric.statistics(testset, runtime or Runtime(threads=1))
        return table

    def scores(self, totals: Table) -> Floats:
        """sacreBLEU's scores of totals (score, column), in single precision if they are."""
        return scores_of_totals(self.metric, totals)

    def score_of_totals(self, totals: Table) -> Any:
        """The score of summed statistics, as an object."""
        raise NotImplementedError

    def _value(self, totals: Table) -> float:
        return float(self.scores(totals[np.newaxis].astype(np.float64))[0])


def sentence_scores(scorer: Scorer, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]]) -> list[Any]:
    """`sentence_score` of every segment, three times as fast."""
    return [scorer.score_of_totals(rows) for rows in scorer.tables([hypotheses], references)[0]]


def _check_texts(systems: Sequence[Sequence[str]], references: Sequence[Sequence[str | None]] | None) -> None:
    if not references:
        raise ConfigError("no references were given", hint="pass them here or to the constructor")
    if any(isinstance(column, str) for column in (*systems, *references)):
        raise InputError("hypotheses are a list of N strings and references K lists of N strings")
    lengths = sorted({len(column) for column in references})
    for hypotheses in systems:
        if lengths != [len(hypotheses)]:
            sizes = " and ".join(map(str, lengths))
            raise AlignmentError(
                f"{len(hypotheses)} hypotheses, but references are {len(references)} lists of {sizes}",
                hint="references are K lists of N texts: one list per reference, not per segment",
            )


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
        return scorer.score_of_totals(np.array([sys_len, ref_len, *correct, *total]))

    def score_of_totals(self, totals: Table) -> BLEUScore:
        """BLEU of summed statistics, as an object."""
        order = self.metric.max_order
        counts, ngrams = totals[2 : 2 + order].tolist(), totals[2 + order :].tolist()
        if self.metric.smooth == "add-k" and any(counts):
            k = 1 if self.metric.smooth_value is None else self.metric.smooth_value
            counts, ngrams = [counts[0], *(c + k for c in counts[1:])], [ngrams[0], *(n + k for n in ngrams[1:])]
        return BLEUScore(
            name="BLEU",
            score=self._value(totals),
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

    def score_of_totals(self, totals: Table) -> CHRFScore:
        """chrF of summed statistics, as an object."""
        metric = self.metric
        return CHRFScore(
            name=f"chrF{metric.beta}" + "+" * metric.word_order,
            score=self._value(totals),
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

    def score_of_totals(self, totals: Table) -> TERScore:
        """TER of summed statistics, as an object."""
        return TERScore(
            name="TER",
            score=self._value(totals),
            num_edits=int(totals[0]),
            ref_length=float(totals[1]),
        )
