"""How many segments and raters it took to tell the systems of WMT24 and WMT25 apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

import assay
from assay.labels.numbers import joined, number, percent, share_text
from assay.results import Estimate
from assay.significance.clusters import clusters_by_test
from assay.types import Campaign, FloatArray
from scripts.studies.judged_pairs import ALPHA, campaigns, mean_of_language_pairs
from scripts.studies.page import Figure, Page, claim, points, table

NAMES = ("wmt24", "wmt25")
SIZES = (25, 50, 100, 150, 200, 300, 450)
DRAWS, SEED = 100, 12345
ENOUGH = 0.9
"""The share of the preferences of the whole campaign that a sample must show."""
SMALL = 50
"""Segments of a small sample."""
WAVES = ("esa-human1", "esa-human2")


@dataclass(frozen=True)
class Sampled:
    """What samples of segments show, as means over draws."""

    name: str
    lp: str
    size: int
    kept: float
    """The share of significant preferences of the whole campaign that are significant in the sample."""
    reversed: float
    """The share of pairs in which the sample significantly prefers the system that all segments rank lower."""
    missed: float
    """The share of pairs with a significant preference of the whole campaign that the sample does not show."""
    clusters: float
    same_best: float
    """How often the best system is the same."""


def study() -> Page:
    """The page."""
    whole = [(name, campaign, _cells(campaign)) for name in NAMES for campaign in _judged(name)]
    samples = [each for name, campaign, values in whole for each in _sampled(name, campaign.lp, values)]
    return Page(
        "How many segments and raters it took to tell the systems of WMT24 and WMT25 apart",
        (
            "Segments that people judged for all systems of a language pair (ESA), without references; those of WMT25 "
            f"are paragraphs with two ratings, whose mean counts. {DRAWS} samples of segments without replacement. A "
            f"preference is significant by a one-sided paired t-test (p < {ALPHA:g}), and clusters are groups of "
            "systems by score of which all those above are significantly better than all those below. The official "
            "clusters come from other tests (`assay rank --preset wmt24` and `wmt25`).",
            "## All segments",
            table(
                (
                    "campaign",
                    "language pair",
                    "systems",
                    "common segments",
                    "significant pairs",
                    "clusters",
                    "official clusters",
                ),
                [_whole_row(*each) for each in whole],
                texts=2,
            ),
            "## Samples of segments",
            "*Kept*: of the significant preferences of all segments, those that a sample shows; *reversed*: pairs with "
            "a significant preference for the system that all segments put behind; means over language pairs that have "
            "more segments than the sample.",
            table(
                (
                    "campaign",
                    "segments",
                    "language pairs",
                    "kept",
                    "reversed",
                    "clusters",
                    "clusters of all",
                    "same best",
                ),
                list(_size_rows(samples, whole)),
                texts=1,
            ),
            _figure(samples),
            f"The smallest of these samples that keeps {percent(ENOUGH)} of the preferences, by language pair:",
            table(("campaign", "language pair", "segments"), list(_enough_rows(samples, whole)), texts=2),
            "## One rating or two",
            "WMT25 with the ratings of one wave (the mean of both waves) and with the mean of two ratings, on the same "
            "paragraphs. *Half the paragraphs, two ratings* costs as much as *one rating*.",
            table(
                ("language pair", "two ratings", "one rating", "half the paragraphs, two ratings"), list(_rater_rows())
            ),
        ),
        _said(samples, _raters()),
    )


@cache
def _judged(name: str) -> tuple[Campaign, ...]:
    return tuple(each for each in campaigns(name) if any(table.name == "esa" for table in each.human))


def _cells(campaign: Campaign, name: str = "esa") -> FloatArray:
    """(system, segment): the scores of segments that are judged for all systems."""
    found = next(each for each in campaign.human if (each.name, each.level) == (name, "segment"))
    rows = zip(found.systems, found.oriented, strict=True)
    values = np.array([row for system, row in rows if system not in campaign.references and not np.isnan(row).all()])
    return values[:, ~np.isnan(values).any(axis=0)]


def _is_better(values: FloatArray) -> npt.NDArray[np.bool_]:
    """(system, system): whether the first is significantly better than the second."""
    count = values.shape[1]
    means = values.mean(axis=1)
    covariance = np.cov(values)
    variance = np.diag(covariance)[:, np.newaxis] + np.diag(covariance) - 2 * covariance
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = (means[:, np.newaxis] - means) / np.sqrt(np.maximum(variance, 0) / count)
    better: npt.NDArray[np.bool_] = np.nan_to_num(statistic, nan=0.0) > student.ppf(1 - ALPHA, count - 1)
    return better


def _clusters(values: FloatArray) -> int:
    """The number of groups by score of which every system above is significantly better than every one below."""
    order = np.argsort(-values.mean(axis=1), kind="stable")
    return int(clusters_by_test(_is_better(values)[np.ix_(order, order)])[-1])


def _sampled(name: str, lp: str, values: FloatArray) -> Iterator[Sampled]:
    random = np.random.default_rng(SEED)
    better, means = _is_better(values), values.mean(axis=1)
    behind = means[:, np.newaxis] < means
    pairs = len(values) * (len(values) - 1) / 2
    for size in SIZES:
        if size >= values.shape[1]:
            continue
        found = []
        for _ in range(DRAWS):
            drawn = values[:, random.choice(values.shape[1], size, replace=False)]
            seen = _is_better(drawn)
            kept = (seen & better).sum() / better.sum()
            is_best = drawn.mean(axis=1).argmax() == means.argmax()
            missed = (better & ~seen).sum() / pairs
            found.append((kept, (seen & behind).sum() / pairs, missed, _clusters(drawn), is_best))
        yield Sampled(name, lp, size, *(float(each) for each in np.mean(found, axis=0)))


def _whole_row(name: str, campaign: Campaign, values: FloatArray) -> tuple[str, ...]:
    systems, segments = values.shape
    pairs = systems * (systems - 1) // 2
    apart = f"{share_text(float(_is_better(values).sum()) / pairs)} of {pairs}"
    official = max(each.cluster or 0 for each in assay.rank(campaign, preset=name).systems)
    return name, campaign.lp, str(systems), str(segments), apart, str(_clusters(values)), str(official)


def _size_rows(
    samples: Sequence[Sampled], whole: Sequence[tuple[str, Campaign, FloatArray]]
) -> Iterator[tuple[str, ...]]:
    clusters = {(name, campaign.lp): _clusters(values) for name, campaign, values in whole}
    for name in NAMES:
        for size in SIZES:
            if found := [each for each in samples if (each.name, each.size) == (name, size)]:
                kept, back, seen, best = (
                    float(np.mean([getattr(each, field) for each in found]))
                    for field in ("kept", "reversed", "clusters", "same_best")
                )
                in_all = float(np.mean([clusters[name, each.lp] for each in found]))
                shares = (share_text(kept), _small(back), number(seen, 1), number(in_all, 1), share_text(best))
                yield name, str(size), str(len(found)), *shares


def _small(share: float) -> str:
    """A share that may be below 1 %."""
    return f"{number(100 * share, 1)} %"


def _enough(samples: Sequence[Sampled], name: str, lp: str) -> int | None:
    sizes = (each.size for each in samples if (each.name, each.lp) == (name, lp) and each.kept >= ENOUGH)
    return min(sizes, default=None)


def _enough_rows(
    samples: Sequence[Sampled], whole: Sequence[tuple[str, Campaign, FloatArray]]
) -> Iterator[tuple[str, ...]]:
    for name, campaign, values in whole:
        size = _enough(samples, name, campaign.lp)
        yield name, campaign.lp, "none of them" if size is None else f"{size} of {values.shape[1]}"


def _significant_share(values: FloatArray) -> float:
    count = len(values)
    return float(_is_better(values).sum()) / (count * (count - 1) / 2)


@cache
def _raters() -> dict[str, tuple[float, float, float]]:
    """By language pair of WMT25: the share of significant pairs by two ratings, one, and two of half as many."""
    found = {}
    for campaign in _judged("wmt25"):
        random = np.random.default_rng(SEED)
        both = _cells(campaign)
        half = both.shape[1] // 2
        halves = [_significant_share(both[:, random.choice(both.shape[1], half, replace=False)]) for _ in range(DRAWS)]
        waves = [_significant_share(_cells(campaign, name)) for name in WAVES]
        found[campaign.lp] = (_significant_share(both), float(np.mean(waves)), float(np.mean(halves)))
    return found


def _rater_rows() -> Iterator[tuple[str, ...]]:
    for lp, shares in _raters().items():
        yield lp, *map(share_text, shares)
    yield "mean", *(share_text(mean_of_language_pairs(shares)) for shares in zip(*_raters().values(), strict=True))


def _figure(samples: Sequence[Sampled]) -> Figure:
    rows = []
    for name, role in zip(NAMES, ("first", "second"), strict=True):
        for size in SIZES:
            if found := [each.kept for each in samples if (each.name, each.size) == (name, size)]:
                label = f"{name.upper()}, {size} segments ({len(found)})"
                row = {"name": label, "value": float(np.mean(found)), "low": min(found), "high": max(found)}
                rows.append({**row, "role": role})
    return Figure(
        "kept",
        "Significant preferences of the whole campaign that a sample of segments shows",
        "Mean over language pairs (their number), and from the lowest to the highest; WMT25: paragraphs, two ratings",
        "share of preferences",
        rows,
    )


def _said(samples: Sequence[Sampled], raters: Mapping[str, tuple[float, float, float]]) -> tuple[str, str, str]:
    return _said_of_sizes(samples), _said_of_small_samples(samples), _said_of_raters(raters)


def _of_size(samples: Sequence[Sampled], name: str, size: int) -> list[Sampled]:
    return [each for each in samples if (each.name, each.size) == (name, size)]


def _said_of_sizes(samples: Sequence[Sampled]) -> str:
    def kept(name: str, size: int) -> str:
        found = [each.kept for each in _of_size(samples, name, size)]
        return (
            f"{share_text(mean_of_language_pairs(found))} (from {share_text(min(found))} to {share_text(max(found))})"
        )

    return (
        f"100 segments of WMT24 show {kept('wmt24', 100)} of the preferences that all of its segments show, mean over "
        f"language pairs and range, and 200 segments {kept('wmt24', 200)}; 100 paragraphs of WMT25 with two ratings "
        f"show {kept('wmt25', 100)}."
    )


def _said_of_small_samples(samples: Sequence[Sampled]) -> str:
    small = _of_size(samples, "wmt24", SMALL)
    missed, wrong = ([getattr(each, field) for each in small] for field in ("missed", "reversed"))
    gap = mean_of_language_pairs([one - other for one, other in zip(missed, wrong, strict=True)])
    said = claim(
        gap,
        above="A small sample misses more than it gets wrong",
        below="A small sample gets more wrong than it misses",
        unclear="It is not shown whether a small sample misses more than it gets wrong",
    )
    lost, back = (mean_of_language_pairs(shares).value for shares in (missed, wrong))
    other_best = 1 - mean_of_language_pairs([each.same_best for each in small]).value
    return (
        f"{said}: with {SMALL} segments of WMT24, {share_text(lost)} of the pairs lose the significant preference "
        f"that all segments show, and {_small(back)} have one for the system that all segments put behind; the best "
        f"system is another one in {share_text(other_best)} of the samples."
    )


def _said_of_raters(raters: Mapping[str, tuple[float, float, float]]) -> str:
    two, one, half = (mean_of_language_pairs(shares) for shares in zip(*raters.values(), strict=True))
    gains = {lp: single - double for lp, (_, single, double) in raters.items()}
    gain = mean_of_language_pairs(list(gains.values()))
    advice = claim(
        gain,
        above="judge more segments once",
        below="judge fewer segments twice",
        unclear="it is not shown whether to judge more segments once or fewer twice",
    )
    once, twice = ([lp for lp, value in gains.items() if value * sign > 0] for sign in (1, -1))
    lowest, highest = (choose(gains, key=lambda lp: gains[lp]) for choose in (min, max))
    ends = joined([f"{points(Estimate(gains[lp], 1))} in {lp}" for lp in (lowest, highest)])
    return (
        f"If you pay by rating, {advice}: in WMT25, one rating of all paragraphs tells {share_text(one)} of the pairs "
        f"of systems apart, two ratings of half of them {share_text(half)}, and two of all {share_text(two)}. One "
        f"rating tells more apart in {len(once)} language pairs and fewer in {len(twice)}; the difference is "
        f"{points(gain)} percentage points on average ({ends})."
    )
