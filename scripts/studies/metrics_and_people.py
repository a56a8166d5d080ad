"""Metrics against people in WMT24 and WMT25, beside one wave of raters against the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

import assay
from assay.human.outliers import CUTOFF
from assay.labels.metrics import metric_label
from assay.labels.numbers import UNDEFINED, difference_text, joined, number, share_text
from assay.results import Agreement
from assay.types import Campaign, Ratings, ScoreTable
from scripts.bundle_calibration import STORED
from scripts.studies.judged_pairs import (
    LEXICAL,
    MIN_CLUSTERS,
    Pair,
    agrees,
    campaigns,
    difference_with_interval,
    human_scores,
    mean_of_language_pairs,
    metric_scores,
    scored_pairs,
    share,
)
from scripts.studies.page import Figure, Page, estimate_text, is_sure, points, table

RATERS = "raters of the other wave"
BOUND = "bound of metrics"
WAVES = ("esa-human1", "esa-human2")
TOP = (5, 8, 12)
YEARS = (2024, 2025)
TWICE = ("en-cs", "en-hi")
"""Language pairs of WMT24 with cells that two annotators rated."""

Scores = Mapping[str, float]
"""Of systems."""
ByLp = Mapping[str, Mapping[str, float]]
"""By language pair: the value of each metric, and of raters."""
PEARSON, ACCURACY = "pearson", "pairwise-accuracy:ties=wrong"


def study() -> Page:
    """The page."""
    judged = _judged("wmt25").items()
    one = {lp: _with_bound(_against_one_wave(campaign, PEARSON)) for lp, campaign in judged}
    accuracy = {lp: _against_one_wave(campaign, ACCURACY) for lp, campaign in judged}
    segments = {lp: _with_bound(_segments_against_one_wave(campaign)) for lp, campaign in judged}
    official = {year: _against_all(f"wmt{year % 100}") for year in YEARS}
    return Page(
        "Metrics against people in WMT24 and WMT25, beside raters against raters, with outliers and the best systems",
        (
            "WMT25 has two ratings of each paragraph, of two waves. A metric is compared with one wave (the mean of "
            "both), as the raters of the other wave are. How raters correlate is no upper bound of metrics, because "
            f"raters have errors of their own: the *{BOUND}* is the square root of this correlation, which is the "
            "highest that can be expected of a metric if the two waves err independently of each other and of the "
            f"metric. In {share_text(_rated_by_one())} of the cells, both ratings are by one annotator, so that both "
            "rows are too high. A negative correlation gives no bound. References are left out. BLEU and chrF are "
            "corpus scores where there are texts and a reference, all others stored scores. Scores decide here, and no "
            "test of people whose segments or documents might be the units. Intervals of means are "
            f"over resampled language pairs, from {MIN_CLUSTERS} on.",
            "## Systems of WMT25: Pearson with one wave of raters",
            _by_lp(one),
            _figure(one),
            "## Systems of WMT25: pairs ordered as one wave of raters orders them",
            _by_lp(accuracy, as_share=True),
            "## Paragraphs of WMT25: Pearson with one wave of raters",
            "Over all rated paragraphs of all systems of a language pair. A metric has no row if its scores of "
            "paragraphs are not stored.",
            _by_lp(segments),
            "## Systems of WMT24: Pearson with the official scores",
            _by_lp(
                {lp: {metric: each.value for metric, each in found.items()} for lp, found in official[2024].items()}
            ),
            _raters_of_wmt24(),
            "## Outliers",
            "Mean Pearson with the official scores, with all systems and without outliers (more than "
            f"{CUTOFF:g} MAD below the median of people), on the same language pairs.",
            table(
                ("metric", "year", "all systems", "without outliers", "change"), list(_outlier_rows(official)), texts=2
            ),
            "## The best systems only",
            "Share of pairs (their number) that the metric orders as the official scores do, among the best systems by "
            "people, over all language pairs; without pairs that one of them ties.",
            table(("metric", "year", *(f"best {n}" for n in TOP), "all"), list(_top_rows()), texts=2),
        ),
        (
            _said_of_means(one),
            _said_of_language_pairs(
                one, {lp: {name: each.value for name, each in found.items()} for lp, found in official[2024].items()}
            ),
            _said_of_best_systems(),
        ),
    )


@cache
def _judged(name: str) -> dict[str, Campaign]:
    """The language pairs that were judged by ESA."""
    return {each.lp: each for each in campaigns(name) if any(table.protocol == "ESA" for table in each.human)}


@cache
def _scores(name: str, lp: str) -> dict[str, Scores]:
    """The scores of systems by metric, in the order of the tables."""
    found = {metric: scores for (metric, _), scores in metric_scores(_judged(name)[lp], ("corpus",)).items()}
    return {metric: found[metric] for metric in (*LEXICAL, *STORED) if metric in found}


def _people(campaign: Campaign, name: str = "") -> Scores:
    tables = {each.name: each for each in campaign.human if each.level == "system"}
    found = tables[name] if name else human_scores(campaign)
    if found is None:
        raise ValueError(f"{campaign.label} has no human scores")
    values = zip(found.systems, found.oriented, strict=True)
    return {system: float(row[0]) for system, row in values if system not in campaign.references}


def _compared(scores: Scores, people: Scores, statistic: str) -> Agreement:
    """Over the systems that both have, with and without outliers."""
    return assay.agree(_table("metric", scores), _table("people", people), statistic)


def _table(name: str, scores: Scores) -> ScoreTable:
    return ScoreTable(name, "system", tuple(scores), np.array([[value] for value in scores.values()]))


def _against_one_wave(campaign: Campaign, statistic: str) -> dict[str, float]:
    waves = first, second = [_people(campaign, name) for name in WAVES]
    found = {
        metric: float(np.mean([_compared(scores, wave, statistic).value for wave in waves]))
        for metric, scores in _scores(campaign.name, campaign.lp).items()
    }
    return {**found, RATERS: _compared(first, second, statistic).value}


def _with_bound(values: Mapping[str, float]) -> dict[str, float]:
    """Also the highest correlation with one wave that can be expected of a metric."""
    of_raters = values[RATERS]
    return {**values, **({BOUND: math.sqrt(of_raters)} if of_raters >= 0 else {})}


def _segments_against_one_wave(campaign: Campaign) -> dict[str, float]:
    tables = {each.name: each for each in campaign.scores if each.level == "segment"}
    first, second = (tables[name] for name in WAVES)

    def correlated(one: ScoreTable, other: ScoreTable) -> float:
        return assay.agree(one, other, PEARSON, level="segment", exclude=campaign.references, outliers="keep").value

    found = {
        name: float(np.mean([correlated(scores, wave) for wave in (first, second)]))
        for name, scores in tables.items()
        if name in STORED
    }
    return {**found, RATERS: correlated(first, second)}


def _against_all(name: str) -> dict[str, dict[str, Agreement]]:
    return {
        lp: {metric: _compared(scores, _people(campaign), PEARSON) for metric, scores in _scores(name, lp).items()}
        for lp, campaign in _judged(name).items()
    }


def _means(by_lp: ByLp) -> dict[str, list[float]]:
    """The values of each metric over language pairs, best mean first."""
    found: dict[str, list[float]] = {}
    for values in by_lp.values():
        for metric, value in values.items():
            found.setdefault(metric, []).append(value)
    return dict(sorted(found.items(), key=lambda item: -float(np.mean(item[1]))))


def _by_lp(by_lp: ByLp, *, as_share: bool = False) -> str:
    rows = []
    for metric, values in _means(by_lp).items():
        in_each = (found.get(metric, math.nan) for found in by_lp.values())
        cells = (share_text(value) if as_share else number(value) for value in in_each)
        mean = mean_of_language_pairs(values)
        shown = share_text(mean) if as_share else estimate_text(mean)
        rows.append((metric_label(metric), *cells, f"{shown} ({len(values)})"))
    return table(("", *by_lp, "mean (language pairs)"), rows)


def _figure(by_lp: ByLp) -> Figure:
    rows = []
    for metric, values in _means(by_lp).items():
        if metric != BOUND:
            mean = mean_of_language_pairs(values)
            role = "second" if metric == RATERS else "first"
            name = f"{metric_label(metric)} ({len(values)})"
            rows.append({"name": name, "value": mean.value, "low": mean.low, "high": mean.high, "role": role})
    return Figure(
        "pearson",
        "Metrics, and raters of one wave (orange), against one wave of raters",
        "Mean Pearson of systems over language pairs of WMT25 (their number); intervals over language pairs",
        "Pearson",
        rows,
    )


def _raters_of_wmt24() -> str:
    found = [f"{lp} {number(value)} ({count:,} cells)" for lp in TWICE for value, count in [_rated_twice(lp)]]
    return (
        f"In {joined(TWICE)}, two annotators rated a part of the cells. Pearson of systems, one rating against "
        f"the other: {', '.join(found)}."
    )


def _ratings(name: str, lp: str) -> dict[tuple[str, int], list[tuple[int, float]]]:
    """By cell (system, segment): the rater and the score of each rating, without those of references."""
    campaign = _judged(name)[lp]
    ratings = next(each for each in campaign.judgements if isinstance(each, Ratings) and each.name == "esa")
    columns = (ratings.system, ratings.segment, ratings.rater, ratings.score)
    found: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for system, segment, rater, score in zip(*(column.tolist() for column in columns), strict=True):
        if ratings.systems[system] not in campaign.references:
            found.setdefault((ratings.systems[system], segment), []).append((rater, score))
    return found


def _rated_by_one() -> float:
    """The share of cells of WMT25 whose two ratings are by one annotator."""
    twice = [each for lp in _judged("wmt25") for each in _ratings("wmt25", lp).values() if len(each) > 1]
    return sum(len({rater for rater, _ in each}) == 1 for each in twice) / len(twice)


def _rated_twice(lp: str) -> tuple[float, int]:
    """Means of systems by the first rating of a cell against those by the second, of another annotator."""
    scores = {cell: list(dict(each).values()) for cell, each in _ratings("wmt24", lp).items()}
    twice = {cell: each for cell, each in scores.items() if len(each) > 1}
    systems = sorted({system for system, _ in twice})
    first, second = (
        {name: float(np.mean([each[k] for (system, _), each in twice.items() if system == name])) for name in systems}
        for k in range(2)
    )
    return _compared(first, second, PEARSON).value, len(twice)


def _outlier_rows(official: Mapping[int, Mapping[str, Mapping[str, Agreement]]]) -> Iterator[tuple[str, ...]]:
    for year, by_lp in official.items():
        for metric in (*LEXICAL, *STORED):
            both = [
                (found[metric].value, found[metric].value if other is None else other.value)
                for found in by_lp.values()
                if metric in found
                for other in [found[metric].without_outliers]
            ]
            if both:
                kept, dropped = (float(each) for each in np.mean(both, axis=0))
                name = f"{metric_label(metric)} ({len(both)})"
                yield name, str(year), number(kept), number(dropped), difference_text(dropped - kept)


def _top_rows() -> Iterator[tuple[str, ...]]:
    for year in YEARS:
        for metric in (*LEXICAL, *STORED):
            if _pairs_of_best(metric, year, None):
                best = (_pairs_of_best(metric, year, limit) for limit in (*TOP, None))
                cells = (f"{share_text(share(each, agrees))} ({len(each):,})" if each else UNDEFINED for each in best)
                yield metric_label(metric), str(year), *cells


def _pairs_of_best(metric: str, year: int, limit: int | None) -> list[Pair]:
    """The pairs of the best systems by people, of those that the metric scores, in all language pairs."""
    name = f"wmt{year % 100}"
    found = []
    for lp, campaign in _judged(name).items():
        pairs = [each for each in scored_pairs(name) if (each.metric, each.lp) == (metric, lp)]
        people = _people(campaign)
        known = {system for pair in pairs for system in (pair.better, pair.worse)}
        best = set(sorted(known, key=lambda system: (-people[system], system))[:limit])
        found += [pair for pair in pairs if {pair.better, pair.worse} <= best]
    return found


def _said_of_means(one: ByLp) -> str:
    means = {metric: mean_of_language_pairs(values) for metric, values in _means(one).items()}
    everywhere = [metric for metric in means if metric not in (RATERS, BOUND) and means[metric].n == len(one)]
    best, last = everywhere[0], everywhere[-1]
    compared = [
        (value, values[RATERS], values.get(BOUND, math.nan))
        for values in one.values()
        for metric, value in values.items()
        if metric not in (RATERS, BOUND)
    ]
    above_raters = sum(value > raters for value, raters, _ in compared)
    above_bound = sum(value > bound for value, _, bound in compared)
    claim = "Raters who correlate by r do not limit metrics to r" if above_raters else "No metric is above the raters"
    return (
        f"{claim}: {above_raters} of {len(compared)} correlations of a "
        f"metric and a language pair of WMT25 are above that of the raters of the other wave, and {above_bound} above "
        f"its square root. Of the metrics with scores in all {len(one)} language pairs, {metric_label(best)} has the "
        f"highest mean ({estimate_text(means[best])}) and {metric_label(last)} the lowest "
        f"({estimate_text(means[last])}); the raters have {estimate_text(means[RATERS])}."
    )


def _said_of_language_pairs(one: ByLp, before: ByLp | None = None) -> str:
    """`before` has the correlations of the campaign before, on which the claim is tried."""
    compared = {
        (metric, lp): value
        for lp, values in one.items()
        for metric, value in values.items()
        if metric not in (RATERS, BOUND)
    }
    negative = sorted(f"{metric_label(metric)} in {lp}" for (metric, lp), value in compared.items() if value < 0)
    claim = "Look at your language pair, not at the mean" if negative else "No metric orders systems backwards"
    named = f" ({', '.join(negative)})" if negative else ""
    earlier = [value for values in (before or {}).values() for value in values.values()]
    tried = (
        f" In WMT24, {sum(value < 0 for value in earlier)} of {len(earlier)} are, from {number(min(earlier))} to "
        f"{number(max(earlier))}, with the official scores."
        if earlier
        else ""
    )
    return (
        f"{claim}: {len(negative)} of {len(compared)} correlations of a metric and a language pair of WMT25 are "
        f"negative{named}.{tried}"
    )


def _said_of_best_systems() -> str:
    """About every metric with scores in all language pairs of a year, because one alone may be an exception."""
    words, lower, total = [], 0, 0
    for year in YEARS:
        lps = len(_judged(f"wmt{year % 100}"))
        for metric in (*LEXICAL, *STORED):
            best, everyone = (_pairs_of_best(metric, year, limit) for limit in (TOP[0], None))
            if len({pair.cluster for pair in everyone}) == lps:
                change = difference_with_interval(best, everyone, agrees)
                lower += is_sure(change) and change.value < 0
                total += 1
                words.append(f"{metric_label(metric)} in {year} {points(change)}")
    if lower == total:
        claim = "Trust a metric less among the best systems"
    elif lower:
        claim = (
            "Most metrics say less about the best systems"
            if 2 * lower > total
            else "Some metrics say less about the best systems"
        )
    else:
        claim = "It is not shown that metrics say less about the best systems"
    return (
        f"{claim}, whose scores are closer: among the best {TOP[0]} systems of a language pair, a metric surely orders "
        f"fewer pairs as people do than among all in {lower} of {total} cases (percentage points: {'; '.join(words)})."
    )
