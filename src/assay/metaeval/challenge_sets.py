"""How often metrics prefer the good translation of a pair, by phenomenon, and the score of ACES."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.lazily import numpy as np
from assay.results import ChallengeMetric, Estimate
from assay.significance.proportions import exact_bounds
from assay.types import Campaign, FloatArray, ScoreTable
from assay.types.campaign import GOOD, INCORRECT

__all__ = [
    "ACES_WEIGHTS",
    "RESAMPLES",
    "PairCounts",
    "aces_category",
    "aces_score",
    "count_pairs",
    "counted",
    "is_challenge_set",
    "with_aces_score",
]

RESAMPLES = 1000
"""Of the pairs of each phenomenon, for the interval of the ACES score."""

ACES_WEIGHTS: Mapping[str, float] = {
    "addition": 5,
    "omission": 5,
    "mistranslation": 5,
    "untranslated": 1,
    "do not translate": 1,
    "overtranslation": 5,
    "undertranslation": 5,
    "real-world knowledge": 1,
    "wrong language": 1,
    "punctuation": 0.1,
}
"""What the categories of ACES weigh in its score; the value of a category is the mean tau of its phenomena."""
_CATEGORIES = {
    "addition": "addition",
    "omission": "omission",
    "copy-source": "untranslated",
    "do-not-translate": "do not translate",
    "hyponym-replacement": "overtranslation",
    "hypernym-replacement": "undertranslation",
    "antonym-replacement": "real-world knowledge",
}
_CATEGORIES_BY_START = {
    "untranslated-": "untranslated",
    "commonsense-": "real-world knowledge",
    "real-world-knowledge-": "real-world knowledge",
    "similar-language-": "wrong language",
    "punctuation:": "punctuation",
    "ambiguous-translation-": "mistranslation",
    "anaphoric_": "mistranslation",
    "coreference-": "mistranslation",
    "hallucination-": "mistranslation",
    "lexical-overlap": "mistranslation",
    "modal_verb:": "mistranslation",
    "nonsense": "mistranslation",
    "ordering-mismatch": "mistranslation",
    "overly-literal-": "mistranslation",
    "pleonastic_it:": "mistranslation",
    "xnli-": "mistranslation",
}


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Pairs of one phenomenon that a metric scored: those with the good one ahead, and those with equal scores."""

    right: int
    ties: int
    n: int

    @property
    def tau(self) -> float:
        """Kendall's tau as ACES counts it: a tie is as wrong as the other order."""
        return (2 * self.right - self.n) / self.n


def is_challenge_set(campaign: Campaign) -> bool:
    """Whether the data are pairs of a good and an incorrect translation."""
    return {GOOD, INCORRECT} == set(campaign.systems)


def aces_category(phenomenon: str) -> str | None:
    """The category of a phenomenon of ACES; None for one that ACES does not have."""
    by_start = (category for start, category in _CATEGORIES_BY_START.items() if phenomenon.startswith(start))
    return _CATEGORIES.get(phenomenon) or next(by_start, None)


def count_pairs(table: ScoreTable, phenomena: Iterable[str]) -> dict[str, PairCounts]:
    """The pairs of each phenomenon of which both translations have a score."""
    good, incorrect = table.take((GOOD, INCORRECT)).values * (1 if table.higher_is_better else -1)
    names = np.array(list(phenomena))
    is_scored = ~np.isnan(good) & ~np.isnan(incorrect)
    counts = {}
    for name in dict.fromkeys(names.tolist()):
        own = is_scored & (names == name)
        if own.any():
            right, ties = (good > incorrect)[own].sum(), (good == incorrect)[own].sum()
            counts[name] = PairCounts(int(right), int(ties), int(own.sum()))
    return counts


def counted(metric: str, phenomenon: str, counts: Sequence[PairCounts], confidence: float) -> ChallengeMetric:
    """How often a metric is right on all of these pairs, with exact bounds."""
    right, ties, n = (sum(getattr(each, name) for each in counts) for name in ("right", "ties", "n"))
    low, high = exact_bounds(np.array([right / n]), np.array([n]), (1 - confidence) / 2)
    accuracy = Estimate(right / n, n, float(low[0]), float(high[0]))
    return ChallengeMetric(metric, phenomenon, n, accuracy, ties / n, PairCounts(right, ties, n).tau)


def with_aces_score(
    row: ChallengeMetric, counts: Mapping[str, PairCounts], seed: int, confidence: float
) -> ChallengeMetric:
    """With the ACES score, if all of its categories are among the phenomena; its interval is that of `RESAMPLES`."""
    value = aces_score({name: np.array([each.tau]) for name, each in counts.items()})
    draws = np.random.default_rng(seed)
    resampled = aces_score(
        {name: 2 * draws.binomial(each.n, each.right / each.n, RESAMPLES) / each.n - 1 for name, each in counts.items()}
    )
    if value is None or resampled is None:
        return row
    low, high = np.quantile(resampled, [(1 - confidence) / 2, (1 + confidence) / 2])
    return replace(row, aces_score=Estimate(float(value[0]), row.n, float(low), float(high)))


def aces_score(taus: Mapping[str, FloatArray]) -> FloatArray | None:
    """The weighted sum over categories, for one or many values of each phenomenon; None if a category is absent."""
    by_category: dict[str, list[FloatArray]] = {}
    for phenomenon, tau in taus.items():
        category = aces_category(phenomenon)
        if category is not None:
            by_category.setdefault(category, []).append(tau)
    if by_category.keys() != ACES_WEIGHTS.keys():
        return None
    weighted = [weight * np.mean(by_category[category], axis=0) for category, weight in ACES_WEIGHTS.items()]
    return np.asarray(np.sum(weighted, axis=0))
