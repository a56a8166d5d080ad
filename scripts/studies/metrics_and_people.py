"""Metrics against people in WMT24 and WMT25, beside one wave of raters against the other."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

import numpy as np

import assay
from assay.types import Campaign, FloatArray
from scripts.bundle_calibration import STORED
from scripts.studies.judged_pairs import LABELS, LEXICAL, MIN_CLUSTERS, campaigns, human_scores, metric_scores
from scripts.studies.page import Figure, Page, number, percent, table, with_interval
from tests import archives

RATERS = "raters of the other wave"
WAVES = ("esa-human1", "esa-human2")
TOP = (5, 8, 12)
RESAMPLES, SEED = 2000, 12345
TWICE = ("en-cs", "en-hi")
"""Language pairs of WMT24 with cells that two annotators rated."""

Scores = Mapping[str, float]
"""Of systems."""
Statistic = Callable[[Sequence[float], Sequence[float]], float]


def study() -> Page:
    """The page."""
    one = {lp: list(_against_one_wave(campaign, _pearson)) for lp, campaign in _judged("wmt25").items()}
    accuracy = {lp: list(_against_one_wave(campaign, _accuracy)) for lp, campaign in _judged("wmt25").items()}
    segments = {lp: list(_segments_against_one_wave(campaign)) for lp, campaign in _judged("wmt25").items()}
    official = {year: _against_all(f"wmt{year}") for year in (24, 25)}
    return Page(
        "Metrics against people in WMT24 and WMT25, with human ceilings, outliers and the best systems",
        (
            "WMT25 has two ratings of each paragraph, of two waves. A metric is compared with one wave (the mean of "
            f"both), as the raters of the other wave are; in {percent(_rated_by_one())} of the cells, both ratings are "
            "by one annotator, so that the ceiling is too high. References are left out. BLEU and chrF are corpus "
            "scores where there are texts and a reference, all others stored scores. Intervals of means are over "
            f"resampled language pairs, from {MIN_CLUSTERS} on.",
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
            _by_lp({lp: list(rows.items()) for lp, rows in official[24].items()}),
            _ceilings_of_wmt24(),
            "## Outliers",
            "Mean Pearson with the official scores, with all systems and without outliers (more than 2.5 MAD below the "
            "median of people), on the same language pairs.",
            table(("metric", "year", "all systems", "without outliers", "change"), list(_outlier_rows()), texts=2),
            "## The best systems only",
            "Share of pairs that the metric orders as the official scores do, among the best systems by people, over "
            "all language pairs.",
            table(("metric", "year", *(f"best {n}" for n in TOP), "all"), list(_top_rows()), texts=2),
        ),
        _said(one, accuracy),
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


def _pearson(first: Sequence[float], second: Sequence[float]) -> float:
    return float(np.corrcoef(first, second)[0, 1])


def _accuracy(first: Sequence[float], second: Sequence[float]) -> float:
    """The share of pairs in the same order."""
    pairs = [
        (first[i] - first[j]) * (second[i] - second[j]) > 0
        for i, j in combinations(range(len(first)), 2)
        if second[i] != second[j]
    ]
    return sum(pairs) / len(pairs) if pairs else math.nan


def _compared(scores: Scores, people: Scores, statistic: Statistic) -> float:
    common = [name for name in people if name in scores and not math.isnan(scores[name] + people[name])]
    return statistic([scores[name] for name in common], [people[name] for name in common])


def _against_one_wave(campaign: Campaign, statistic: Statistic) -> Iterator[tuple[str, float]]:
    waves = first, second = [_people(campaign, name) for name in WAVES]
    for metric, scores in _scores(campaign.name, campaign.lp).items():
        yield metric, float(np.mean([_compared(scores, wave, statistic) for wave in waves]))
    yield RATERS, _compared(first, second, statistic)


def _segments_against_one_wave(campaign: Campaign) -> Iterator[tuple[str, float]]:
    def cells(name: str) -> dict[str, FloatArray]:
        found = next(each for each in campaign.scores if (each.name, each.level) == (name, "segment"))
        rows = zip(found.systems, found.oriented, strict=True)
        return {system: row for system, row in rows if system not in campaign.references}

    waves = [cells(name) for name in WAVES]
    stored = dict.fromkeys(each.name for each in campaign.metrics if each.level == "segment" and each.name in STORED)
    for metric in stored:
        yield metric, float(np.mean([_correlated(cells(metric), wave) for wave in waves]))
    yield RATERS, _correlated(*waves)


def _correlated(first: Mapping[str, FloatArray], second: Mapping[str, FloatArray]) -> float:
    systems = [name for name in second if name in first]
    one, other = (np.concatenate([values[name] for name in systems]) for values in (first, second))
    known = ~np.isnan(one + other)
    return _pearson(one[known].tolist(), other[known].tolist())


def _against_all(name: str) -> dict[str, dict[str, float]]:
    return {
        lp: {metric: _compared(scores, _people(campaign), _pearson) for metric, scores in _scores(name, lp).items()}
        for lp, campaign in _judged(name).items()
    }


def _label(metric: str) -> str:
    return LABELS.get(metric, metric)


def _means(by_lp: Mapping[str, Sequence[tuple[str, float]]]) -> dict[str, list[float]]:
    """The values of each metric over language pairs, best mean first."""
    found: dict[str, list[float]] = {}
    for rows in by_lp.values():
        for metric, value in rows:
            found.setdefault(metric, []).append(value)
    return dict(sorted(found.items(), key=lambda item: -float(np.mean(item[1]))))


def _mean_with_interval(values: Sequence[float]) -> tuple[float, float, float]:
    if len(values) < MIN_CLUSTERS:
        return float(np.mean(values)), math.nan, math.nan
    random = np.random.default_rng(SEED)
    drawn = random.choice(values, size=(RESAMPLES, len(values))).mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(np.mean(values)), float(low), float(high)


def _by_lp(by_lp: Mapping[str, Sequence[tuple[str, float]]], *, as_share: bool = False) -> str:
    values = {lp: dict(rows) for lp, rows in by_lp.items()}
    shown: Callable[[float], str] = percent if as_share else lambda value: number(value, 2)
    rows = []
    for metric, found in _means(by_lp).items():
        cells = (shown(values[lp].get(metric, math.nan)) for lp in by_lp)
        mean = shown(float(np.mean(found))) if as_share else with_interval(*_mean_with_interval(found))
        rows.append((_label(metric), *cells, f"{mean} ({len(found)})"))
    return table(("", *by_lp, "mean (language pairs)"), rows)


def _figure(by_lp: Mapping[str, Sequence[tuple[str, float]]]) -> Figure:
    rows = []
    for metric, values in _means(by_lp).items():
        value, low, high = _mean_with_interval(values)
        role = "second" if metric == RATERS else "first"
        name = f"{_label(metric)} ({len(values)})"
        rows.append({"name": name, "value": value, "low": low, "high": high, "role": role})
    return Figure(
        "pearson",
        "Metrics, and raters of one wave (orange), against one wave of raters",
        "Mean Pearson of systems over language pairs of WMT25 (their number); intervals over language pairs",
        "Pearson",
        rows,
    )


def _ceilings_of_wmt24() -> str:
    found = [f"{lp} {number(value, 2)} ({count:,} cells)" for lp in TWICE for value, count in [_rated_twice(lp)]]
    return (
        f"In {' and '.join(TWICE)}, two annotators rated a part of the cells. Pearson of systems, one rating against "
        f"the other: {', '.join(found)}."
    )


def _ratings(name: str, lp: str) -> list[dict[str, str]]:
    """The ratings of a language pair that count, without those of references."""
    path = archives.unpacked(name) / "judgements" / f"{lp}.esa.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if row["counted"] == "1" and not row["system"].startswith("ref")]


def _rated_by_one() -> float:
    """The share of cells of WMT25 whose two ratings are by one annotator."""
    annotators: dict[tuple[str, str, str], list[str]] = {}
    for lp in _judged("wmt25"):
        for row in _ratings("wmt25", lp):
            annotators.setdefault((lp, row["system"], row["segment"]), []).append(row["annotator"])
    twice = [each for each in annotators.values() if len(each) > 1]
    return sum(len(set(each)) == 1 for each in twice) / len(twice)


def _rated_twice(lp: str) -> tuple[float, int]:
    """Means of systems by the first rating of a cell against those by the second, of another annotator."""
    ratings: dict[tuple[str, str], dict[str, float]] = {}
    for row in _ratings("wmt24", lp):
        ratings.setdefault((row["system"], row["segment"]), {}).setdefault(row["annotator"], float(row["score"]))
    twice = {cell: list(each.values())[:2] for cell, each in ratings.items() if len(each) > 1}
    systems = sorted({system for system, _ in twice})
    means = [
        [float(np.mean([scores[k] for (name, _), scores in twice.items() if name == system])) for system in systems]
        for k in range(2)
    ]
    return _pearson(*means), len(twice)


def _outlier_rows() -> Iterator[tuple[str, ...]]:
    for year in (24, 25):
        found: dict[str, list[tuple[float, float]]] = {}
        for campaign in _judged(f"wmt{year}").values():
            has_reference = campaign.testset is not None and bool(campaign.testset.references)
            result = assay.meta(
                [campaign], gold="esa", metrics=LEXICAL if has_reference else (), statistics=["pearson"]
            )
            values: dict[str, dict[str, float]] = {}
            for row in result.rows():
                if row["lp"] is not None:
                    values.setdefault(row["metric"].rpartition("-")[0], {})[row["outliers"]] = row["value"]
            for metric, both in values.items():
                if metric in LEXICAL or metric in STORED:
                    found.setdefault(metric, []).append((both["kept"], both["dropped"]))
        for metric in (each for each in (*LEXICAL, *STORED) if each in found):
            kept, dropped = np.mean(found[metric], axis=0)
            shown = (number(float(kept), 2), number(float(dropped), 2), f"{dropped - kept:+.2f}".replace("-", "−"))
            yield f"{_label(metric)} ({len(found[metric])})", str(2000 + year), *shown


def _top_rows() -> Iterator[tuple[str, ...]]:
    for year in (24, 25):
        judged = _judged(f"wmt{year}")
        for metric in (*LEXICAL, *STORED):
            cells = []
            for limit in (*TOP, None):
                orders = [
                    _ordered(_scores(f"wmt{year}", lp)[metric], _people(campaign), limit)
                    for lp, campaign in judged.items()
                    if metric in _scores(f"wmt{year}", lp)
                ]
                pairs = [each for order in orders for each in order]
                cells.append(f"{percent(sum(pairs) / len(pairs))} ({len(pairs)})" if pairs else "–")
            if set(cells) != {"–"}:
                yield _label(metric), str(2000 + year), *cells


def _ordered(scores: Scores, people: Scores, limit: int | None) -> list[bool]:
    """For each pair of the best systems by people, whether the metric orders them in the same way."""
    known = sorted((name for name in people if name in scores), key=lambda name: -people[name])[:limit]
    pairs = combinations(known, 2)
    return [scores[a] > scores[b] for a, b in pairs if people[a] != people[b]]


def _said(
    one: Mapping[str, Sequence[tuple[str, float]]], accuracy: Mapping[str, Sequence[tuple[str, float]]]
) -> tuple[str, str, str]:
    means = {metric: float(np.mean(values)) for metric, values in _means(one).items()}
    everywhere = [metric for metric, values in _means(one).items() if metric != RATERS and len(values) == len(one)]
    best, last = everywhere[0], everywhere[-1]
    first = (
        f"Of the metrics with scores in all {len(one)} language pairs of WMT25, {_label(best)} is closest to one wave "
        f"of raters (mean Pearson {number(means[best], 2)}), and {_label(last)} farthest ({number(means[last], 2)}); "
        f"the other wave of raters has {number(means[RATERS], 2)}."
    )
    negative = sorted(f"{_label(metric)} in {lp}" for lp, rows in one.items() for metric, value in rows if value < 0)
    second = (
        f"Look at your language pair, not at the mean: {len(negative)} of "
        f"{sum(len(rows) - 1 for rows in one.values())} correlations of a metric and a language pair are negative"
        + (f" ({', '.join(negative)})." if negative else ".")
    )
    rows = {(row[0], row[1]): row for row in _top_rows()}
    label = _label(best)
    row = rows[label, "2025"]
    third = (
        f"Do not rank the best systems by a metric: among the best {TOP[0]} systems of a language pair of WMT25, "
        f"{label} orders {row[2]} of the pairs as people do, and among all systems {row[-1]}."
    )
    return first, second, third
