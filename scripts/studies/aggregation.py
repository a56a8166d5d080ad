"""Corpus scores, segment means and bootstrap scores against people, over all pairs of systems of WMT14 to WMT25."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import mean

from assay.calibration.populations import is_unspaced
from scripts.studies.judged_pairs import (
    CAMPAIGNS,
    LABELS,
    LEXICAL,
    Pair,
    agrees,
    by_year,
    campaigns,
    difference_with_interval,
    scored_pairs,
    share,
    share_with_interval,
)
from scripts.studies.page import Figure, Page, number, percent_with_interval, table

AGGREGATIONS = ("corpus", "segment", "bootstrap")
LENGTHS: tuple[tuple[float, float], ...] = ((0, 110), (110, 140), (140, 180), (180, 400), (400, math.inf))
LONG, PARAGRAPHS = 180, 400
"""Characters of a segment of the first reference, on average."""


def study() -> Page:
    """The page."""
    pairs = [
        pair
        for name in CAMPAIGNS
        for pair in scored_pairs(name, AGGREGATIONS)
        if pair.metric in LEXICAL and any(each.testset is not None for each in campaigns(name))
    ]
    spaced = [pair for pair in pairs if not is_unspaced(pair.lp)]
    by_length = {span: [pair for pair in spaced if span[0] <= _length(*pair.cluster) < span[1]] for span in LENGTHS}
    titles = ("metric", "language pairs", "pairs", *AGGREGATIONS, "segment − corpus", "bootstrap − corpus")
    return Page(
        "Corpus scores, segment means and bootstrap scores against people, WMT14 to WMT25",
        (
            "How often people order two systems of a language pair as a metric does, by however little, where the "
            "metric is aggregated in three ways: over the corpus, as the mean of segment scores, and as the mean of "
            "corpus scores of 1,000 resamples of 1,000 segments (Cavalin et al. 2024). Official human scores of "
            "systems, the first reference, no judged references. WMT20 has no texts and is missing. Differences are in "
            "percentage points on the same pairs; intervals are over resampled language pairs, from five on.",
            "## All years",
            table(titles, list(_rows({"all": pairs})), texts=1),
            "## By year",
            table(("year", *titles), list(_rows({str(k): v for k, v in by_year(pairs).items()}, named=True)), texts=2),
            _figure(pairs),
            "## By length of segment",
            "Language pairs by the mean number of characters of a segment of the reference, without target languages "
            "that are written without spaces. Segments of 400 or more are the paragraphs of WMT25.",
            table(
                ("characters", *titles), list(_rows({_span(k): v for k, v in by_length.items()}, named=True)), texts=2
            ),
        ),
        _said(pairs, by_length),
    )


@cache
def _length(campaign: str, lp: str) -> float:
    """The mean number of characters of a segment of the first reference."""
    texts = next(each.testset for each in campaigns(campaign) if each.lp == lp)
    if texts is None or not texts.references:
        return math.nan
    return mean(len(text or "") for text in next(iter(texts.references.values())))


def _span(span: tuple[float, float]) -> str:
    low, high = span
    return f"{low:g} to {high:g}" if high < math.inf else f"{low:g} or more"


def _key(pair: Pair) -> tuple[str, str, frozenset[str]]:
    return *pair.cluster, frozenset((pair.better, pair.worse))


def _common(pairs: Sequence[Pair], metric: str) -> dict[str, list[Pair]]:
    """The pairs that every aggregation orders, by aggregation, in the same order."""
    found = {name: {_key(p): p for p in pairs if (p.metric, p.aggregation) == (metric, name)} for name in AGGREGATIONS}
    keys = [key for key in found["corpus"] if all(key in each for each in found.values())]
    return {name: [each[key] for key in keys] for name, each in found.items()}


def _rows(groups: Mapping[str, Sequence[Pair]], *, named: bool = False) -> Iterator[tuple[str, ...]]:
    for name, pairs in groups.items():
        for metric in LEXICAL:
            found = _common(pairs, metric)
            if corpus := found["corpus"]:
                lps = str(len({pair.cluster for pair in corpus}))
                shares = (percent_with_interval(*share_with_interval(found[each], agrees)) for each in AGGREGATIONS)
                gains = (_points(found, each) for each in AGGREGATIONS[1:])
                yield *((name,) if named else ()), LABELS[metric], lps, f"{len(corpus):,}", *shares, *gains


def _gain(found: Mapping[str, Sequence[Pair]], aggregation: str) -> tuple[float, float, float]:
    """How many percentage points more often people agree with an aggregation than with corpus scores."""
    return difference_with_interval(found[aggregation], found["corpus"], agrees)


def _points(found: Mapping[str, Sequence[Pair]], aggregation: str) -> str:
    value, low, high = (100 * each for each in _gain(found, aggregation))
    text = f"{value:+.1f}" if math.isnan(low) else f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"
    return text.replace("-", "−")


def _figure(pairs: Sequence[Pair]) -> Figure:
    rows = []
    for year, members in by_year(pairs).items():
        for metric, role in zip(LEXICAL, ("first", "second"), strict=True):
            value, low, high = (100 * each for each in _gain(_common(members, metric), "segment"))
            rows.append({"name": f"{year} {LABELS[metric]}", "value": value, "low": low, "high": high, "role": role})
    return Figure(
        "gain",
        "How much more often people agree with the mean of segment scores than with corpus scores",
        "BLEU blue, chrF orange; intervals over language pairs",
        "percentage points",
        rows,
        line=0.0,
    )


def _said(pairs: Sequence[Pair], by_length: Mapping[tuple[float, float], Sequence[Pair]]) -> tuple[str, str, str]:
    found = {metric: _common(pairs, metric) for metric in LEXICAL}
    gains = {metric: [100 * each for each in _gain(found[metric], "segment")] for metric in LEXICAL}
    words = [
        f"{value:+.1f} [{low:+.1f}, {high:+.1f}] points for {LABELS[metric]}".replace("-", "−")
        for metric, (value, low, high) in gains.items()
    ]
    surely = [LABELS[metric] for metric, (_, low, _) in gains.items() if low > 0]
    choice = f"Prefer segment means of {' and '.join(surely)}" if surely else "No aggregation is surely better"
    first = f"{choice}: people agree with segment means more often than with corpus scores by {' and '.join(words)}."
    aggregated = {(metric, name): share(found[metric][name], agrees) for metric in LEXICAL for name in AGGREGATIONS}
    best = max(aggregated, key=lambda key: aggregated[key])
    spread = 100 * (max(aggregated.values()) - min(aggregated.values()))
    second = (
        f"The choice matters little: the best of the six, {LABELS[best[0]]} ({best[1]}), and the worst differ by "
        f"{number(spread)} percentage points, and every one of them is wrong in at least "
        f"{number(100 * (1 - max(aggregated.values())), 0)} % of the pairs."
    )
    gained = []
    for start, end in ((LONG, PARAGRAPHS), (PARAGRAPHS, math.inf)):
        chosen = _common(by_length[start, end], "chrf")
        value, low, high = (100 * each for each in _gain(chosen, "segment"))
        interval = "" if math.isnan(low) else f" [{low:+.1f}, {high:+.1f}]"
        lps = len({pair.cluster for pair in chosen["corpus"]})
        gained.append(f"{value:+.1f}{interval} percentage points ({lps} language pairs)")
    third = (
        f"Look at the length of your segments: with {LONG} to {PARAGRAPHS} characters, people agree with segment "
        f"means of chrF more often than with corpus scores by {gained[0]}, with longer ones by {gained[1]}; segment "
        "means and corpus scores are two metrics, whose numbers cannot be compared."
    )
    return first, second, third.replace("-", "−")
