"""sacreBLEU's Python interface: change one import line and keep the rest of the script.

    from assay.compat.sacrebleu import BLEU, CHRF, corpus_bleu

References are K lists of N texts, as sacreBLEU takes them, but their lengths are checked. Scores, counts, precisions,
texts and signatures are sacreBLEU 2.6.0's; resampled means and intervals use its draws, summed exactly.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay import _core
from assay.contracts import Metric
from assay.errors import AlignmentError, ConfigError, InputError
from assay.metrics.bleu import Bleu
from assay.metrics.chrf import Chrf
from assay.types import Table, TestSet

__all__ = [
    "BLEU",
    "CHRF",
    "BLEUScore",
    "CHRFScore",
    "Signature",
    "corpus_bleu",
    "corpus_chrf",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
]

_ABBREVIATIONS = {
    "nrefs": "#",
    "bs": "bs",
    "seed": "rs",
    "case": "c",
    "eff": "e",
    "tok": "tok",
    "smooth": "s",
    "nc": "nc",
    "nw": "nw",
    "space": "s",
    "version": "v",
}


@dataclass(frozen=True)
class Signature:
    """sacreBLEU's signature; `format(short=True)` abbreviates the keys."""

    text: str

    def format(self, short: bool = False) -> str:
        """The signature as text."""
        if not short:
            return self.text
        return "|".join(f"{_ABBREVIATIONS[key]}:{value}" for key, _, value in map(_split_item, self.text.split("|")))

    def __str__(self) -> str:
        return self.text


def _split_item(item: str) -> tuple[str, str, str]:
    return item.partition(":")


@dataclass(frozen=True)
class _Score:
    """A score with sacreBLEU's way of writing it."""

    name: str
    score: float
    mean: float | None = dataclasses.field(default=None, kw_only=True)
    interval: float | None = dataclasses.field(default=None, kw_only=True)

    @property
    def verbose(self) -> str:
        """What follows the number."""
        return ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as a line of text or a JSON object."""
        number = f"{self.score:.{width}f}"
        confidence = ""
        if self.mean is not None and self.interval is not None and self.mean > 0:
            confidence = f"μ = {self.mean:.{width}f} ± {self.interval:.{width}f}"
            number += f" ({confidence})"
        if is_json:
            return self._json(width, confidence, signature)
        if score_only:
            return number
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number}" + (f" {self.verbose}" if self.verbose else "")

    def _json(self, width: int, confidence: str, signature: str) -> str:
        document: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if confidence:
            document["confidence_mean"] = float(f"{self.mean:.{width}f}")
            document["confidence_var"] = float(f"{self.interval:.{width}f}")
            document["confidence"] = confidence
        if self.verbose:
            document["verbose_score"] = self.verbose
        document |= {key: value for key, _, value in map(_split_item, signature.split("|"))}
        return json.dumps(document, indent=1, ensure_ascii=False)

    def __str__(self) -> str:
        return self.format()


@dataclass(frozen=True)
class BLEUScore(_Score):
    """BLEU with the numbers it is made of."""

    counts: list[float]
    totals: list[float]
    precisions: list[float]
    bp: float
    sys_len: int
    ref_len: int

    @property
    def prec_str(self) -> str:
        """The precisions, one decimal each."""
        return "/".join(f"{p:.1f}" for p in self.precisions)

    @property
    def ratio(self) -> float:
        """Output length over reference length."""
        return self.sys_len / self.ref_len if self.ref_len else 0

    @property
    def verbose(self) -> str:
        """Precisions, brevity penalty and lengths."""
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )

    __str__ = _Score.__str__


@dataclass(frozen=True)
class CHRFScore(_Score):
    """chrF with its orders."""

    char_order: int
    word_order: int
    beta: float

    __str__ = _Score.__str__


class _Scorer:
    """What BLEU and CHRF have in common: references in columns, resampling, signatures."""

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
        seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
        generator = np.random.default_rng(None if seed == "none" else int(seed))
        draws = generator.choice(len(table), size=(n_bootstrap, len(table)), replace=True)
        weights = np.stack([np.bincount(draw, minlength=len(table)) for draw in draws]).astype(np.uint32)
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
            raise ConfigError("the number of references is not known yet", hint="score something first")
        text = self.metric.sacrebleu_signature(self._reference_count) or ""
        count, _, rest = text.partition("|")
        return Signature(f"{count}|{self._resampling}{rest}")

    def _statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None) -> Table:
        if references is None:
            raise ConfigError("no references were given", hint="give them here or when the metric is made")
        if isinstance(hypotheses, str) or any(isinstance(column, str) for column in references):
            raise InputError("hypotheses are a list of N strings and references K lists of N strings")
        lengths = sorted({len(column) for column in references})
        if lengths != [len(hypotheses)]:
            seen = " and ".join(map(str, lengths))
            raise AlignmentError(
                f"{len(hypotheses)} hypotheses, but references are {len(references)} lists of {seen}",
                hint="references are K lists of N texts: one list for each reference, not for each segment",
            )
        testset = TestSet(
            outputs={"hypotheses": tuple(hypotheses)},
            references={f"reference {k}": tuple(column) for k, column in enumerate(references, 1)},
        )
        self._reference_count = testset.reference_count
        table: Table = self.metric.statistics(testset, threads=1)[0]
        return table

    def _score(self, totals: Table) -> Any:
        raise NotImplementedError


class BLEU(_Scorer):
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
        self.force = force  # sacreBLEU's "tokenized period" warning is not given, so there is nothing to silence
        self.metric: Bleu = Bleu(
            tok=tokenize or self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT),
            lowercase=lowercase,
            smooth=smooth_method,
            smooth_value=smooth_value if smooth_method in ("floor", "add-k") else None,
            max_order=max_ngram_order,
            effective_order=effective_order,
        )

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


class CHRF(_Scorer):
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


def corpus_bleu(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = False,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = False,
) -> BLEUScore:
    """BLEU of a corpus against K lists of references."""
    metric = BLEU(lowercase, force, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    score: BLEUScore = metric.corpus_score(hypotheses, references)
    return score


def raw_corpus_bleu(
    hypotheses: Sequence[str], references: Sequence[Sequence[str | None]], smooth_value: float = 0.1
) -> BLEUScore:
    """BLEU of text that is already tokenised, with floor smoothing."""
    return corpus_bleu(
        hypotheses,
        references,
        smooth_method="floor",
        smooth_value=smooth_value,
        force=True,
        tokenize="none",
        use_effective_order=True,
    )


def sentence_bleu(
    hypothesis: str,
    references: Sequence[str | None],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    lowercase: bool = False,
    tokenize: str = BLEU.TOKENIZER_DEFAULT,
    use_effective_order: bool = True,
) -> BLEUScore:
    """BLEU of one segment, with effective order."""
    metric = BLEU(lowercase, False, tokenize, smooth_method, smooth_value, effective_order=use_effective_order)
    score: BLEUScore = metric.sentence_score(hypothesis, references)
    return score


def corpus_chrf(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """chrF of a corpus against K lists of references."""
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    score: CHRFScore = metric.corpus_score(hypotheses, references)
    return score


def sentence_chrf(
    hypothesis: str,
    references: Sequence[str | None],
    char_order: int = CHRF.CHAR_ORDER,
    word_order: int = CHRF.WORD_ORDER,
    beta: float = CHRF.BETA,
    remove_whitespace: bool = True,
    eps_smoothing: bool = False,
) -> CHRFScore:
    """chrF of one segment."""
    metric = CHRF(char_order, word_order, beta, whitespace=not remove_whitespace, eps_smoothing=eps_smoothing)
    score: CHRFScore = metric.sentence_score(hypothesis, references)
    return score
