"""How often metrics prefer the good translation of a pair, by phenomenon, and the score of ACES."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.lazily import numpy as np
from assay.metaeval.averages import combined_bounds
from assay.results import ChallengeMetric, Estimate
from assay.significance.proportions import exact_bounds
from assay.types import Campaign, ScoreTable
from assay.types.campaign import GOOD, INCORRECT

__all__ = [
    "ACES_PHENOMENA",
    "ACES_WEIGHTS",
    "PairCounts",
    "aces_category",
    "count_pairs",
    "counted",
    "is_challenge_set",
    "with_aces_score",
]


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
ACES_PHENOMENA = 68
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


def with_aces_score(row: ChallengeMetric, counts: Mapping[str, PairCounts], confidence: float) -> ChallengeMetric:
    """With the ACES score, if all of its categories are among the phenomena.

    Its interval combines the exact ones of the phenomena: where a phenomenon has few pairs, it is wide.
    """
    shares = _aces_shares(counts)
    if shares is None:
        return row
    of_aces = [counts[name] for name in shares]
    right, n = np.array([each.right for each in of_aces]), np.array([each.n for each in of_aces])
    taus = 2 * np.stack([right / n, *exact_bounds(right / n, n, (1 - confidence) / 2)]) - 1
    weights = np.array(list(shares.values()))
    low, high = combined_bounds(taus[0], taus[1:].T, weights)
    return replace(row, aces_score=Estimate(float(weights @ taus[0]), int(n.sum()), low, high))


def _aces_shares(phenomena: Collection[str]) -> Mapping[str, float] | None:
    """What the tau of each phenomenon weighs in the ACES score; None if a category has no phenomenon."""
    category_of = {name: category for name in phenomena if (category := aces_category(name)) is not None}
    sizes = Counter(category_of.values())
    if sizes.keys() != ACES_WEIGHTS.keys():
        return None
    return {name: ACES_WEIGHTS[category] / sizes[category] for name, category in category_of.items()}
