"""Corpus scores, segment means and bootstrap scores against people, over all pairs of systems of WMT14 to WMT25."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import mean

from assay.calibration.populations import is_unspaced_language
from assay.labels.metrics import metric_label
from assay.labels.numbers import joined, share_text
from assay.results import Estimate
from assay.types.note import plural
from scripts.studies.judged_pairs import (
    CAMPAIGNS,
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
from scripts.studies.page import Figure, Page, is_sure, points, table

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
    spaced = [pair for pair in pairs if not is_unspaced_language(pair.lp)]
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
                shares = (share_text(share_with_interval(found[each], agrees)) for each in AGGREGATIONS)
                gains = (points(_gain(found, each)) for each in AGGREGATIONS[1:])
                yield *((name,) if named else ()), metric_label(metric), lps, f"{len(corpus):,}", *shares, *gains


def _gain(found: Mapping[str, Sequence[Pair]], aggregation: str) -> Estimate:
    """How much more often people agree with an aggregation than with corpus scores: a difference of shares."""
    return difference_with_interval(found[aggregation], found["corpus"], agrees)


def _figure(pairs: Sequence[Pair]) -> Figure:
    rows = []
    for year, members in by_year(pairs).items():
        for metric, role in zip(LEXICAL, ("first", "second"), strict=True):
            gain = _gain(_common(members, metric), "segment")
            value, low, high = (100 * each for each in (gain.value, gain.low, gain.high))
            name = f"{year} {metric_label(metric)}"
            rows.append({"name": name, "value": value, "low": low, "high": high, "role": role})
    return Figure(
        "gain",
        "How much more often people agree with the mean of segment scores than with corpus scores",
        "BLEU blue, chrF orange; intervals over language pairs",
        "percentage points",
        rows,
        line=0.0,
    )


def _said(pairs: Sequence[Pair], by_length: Mapping[tuple[float, float], Sequence[Pair]]) -> tuple[str, str, str]:
    return _said_of_all(pairs), _said_by_year(pairs), _said_by_length(by_length)


def _said_of_all(pairs: Sequence[Pair]) -> str:
    found = {metric: _common(pairs, metric) for metric in LEXICAL}
    gains = {metric: _gain(found[metric], "segment") for metric in LEXICAL}
    higher = [metric_label(metric) for metric, gain in gains.items() if is_sure(gain) and gain.value > 0]
    lower = [metric_label(metric) for metric, gain in gains.items() if is_sure(gain) and gain.value < 0]
    kinds = {"segment means": higher, "corpus scores": lower}
    choices = [f"prefer {kind} of {joined(names)}" for kind, names in kinds.items() if names]
    choice = joined(choices) or "no aggregation is surely better"
    shares = {(metric, name): share(found[metric][name], agrees) for metric in LEXICAL for name in AGGREGATIONS}
    wrong = 1 - max(shares.values())
    numbers = joined([f"{points(gain)} points ({metric_label(metric)})" for metric, gain in gains.items()])
    return (
        f"Over all years, {choice}: segment means agree with people more often than corpus scores by {numbers}. All of "
        f"the {len(shares)} scores are wrong in at least {share_text(wrong)} of the pairs."
    )


def _said_by_year(pairs: Sequence[Pair]) -> str:
    gains = {
        (metric, year): (_gain(found, "segment"), found["corpus"])
        for year, members in by_year(pairs).items()
        for metric in LEXICAL
        for found in [_common(members, metric)]
        if found["corpus"]
    }
    lowest, highest = (choose(gains, key=lambda key: gains[key][0].value) for choose in (min, max))
    ends = [
        f"{points(gain)} percentage points ({metric_label(metric)} in {year}, "
        f"{plural(len({pair.cluster for pair in members}), 'language pair')})"
        for metric, year in (lowest, highest)
        for gain, members in [gains[metric, year]]
    ]
    higher = sum(is_sure(gain) and gain.value > 0 for gain, _ in gains.values())
    lower = sum(is_sure(gain) and gain.value < 0 for gain, _ in gains.values())
    changes = gains[lowest][0].value < 0 < gains[highest][0].value
    claim = "Single campaigns differ" if changes else "All campaigns point one way"
    bounded = sum(not math.isnan(gain.low) for gain, _ in gains.values())
    return (
        f"{claim}: segment means against corpus scores are from {ends[0]} to {ends[1]}. Intervals of a metric "
        f"and a year that are above 0: {higher} of {bounded}; below 0: {lower}."
    )


def _said_by_length(by_length: Mapping[tuple[float, float], Sequence[Pair]]) -> str:
    gained, sure = [], []
    for span in ((LONG, PARAGRAPHS), (PARAGRAPHS, math.inf)):
        found = _common(by_length[span], "chrf")
        gain = _gain(found, "segment")
        lps = plural(len({pair.cluster for pair in found["corpus"]}), "language pair")
        gained.append(f"{points(gain)} percentage points ({lps})")
        sure.append(is_sure(gain) and gain.value > 0)
    claim = (
        f"Consider segment means of chrF for segments of {LONG} to {PARAGRAPHS} characters"
        if sure[0]
        else f"Segments of {LONG} to {PARAGRAPHS} characters do not settle it"
    )
    return (
        f"{claim}: people agree with them more often than with corpus scores by {gained[0]}, and with segments of "
        f"{PARAGRAPHS} or more by {gained[1]}. Segment means and corpus scores are two metrics, whose numbers cannot "
        "be compared."
    )
