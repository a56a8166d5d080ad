"""Corpus scores, segment means and bootstrap scores against people, over all pairs of systems of WMT14 to WMT25."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from statistics import mean

from assay.calibration.populations import is_unspaced_language
from assay.labels.metrics import metric_label
from assay.labels.numbers import UNDEFINED, joined, share_text
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
LONG_SPAN = (LONG, PARAGRAPHS)
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
            "systems, the first reference, no judged references; people are not tested. WMT15, WMT16 and "
            "WMT20 have no texts in the data and are missing, as are WMT18 and WMT23, which are not in the data. "
            "Differences are in percentage points on the same pairs; intervals are over resampled language pairs, from "
            "five on.",
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
            f"Years differ in length, so that a length may stand for a year. The segments of {_span(LONG_SPAN)} "
            "characters without each year in turn (segment − corpus):",
            table(
                ("metric", "all", *(f"without {year}" for year in by_year(by_length[LONG_SPAN]))),
                list(_left_out_rows(by_length[LONG_SPAN])),
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
        "How much more often people agree with segment means than with corpus scores",
        "BLEU blue, chrF orange; intervals over language pairs",
        "percentage points",
        rows,
        line=0.0,
    )


def _without_each_year(pairs: Sequence[Pair], metric: str) -> dict[int, tuple[Estimate, int]]:
    """The gain of segment means without each year in turn, and the number of language pairs that are left."""
    found = {}
    for year in by_year(pairs):
        kept = _common([pair for pair in pairs if pair.year != year], metric)
        lps = len({pair.cluster for pair in kept["corpus"]})
        found[year] = (_gain(kept, "segment") if lps else Estimate(math.nan, 0), lps)
    return found


def _left_out_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric in LEXICAL:
        everything = _common(pairs, metric)
        lps = len({pair.cluster for pair in everything["corpus"]})
        cells = [(_gain(everything, "segment"), lps), *_without_each_year(pairs, metric).values()]
        yield metric_label(metric), *(f"{points(gain)} ({count})" if count else UNDEFINED for gain, count in cells)


def _said(pairs: Sequence[Pair], by_length: Mapping[tuple[float, float], Sequence[Pair]]) -> tuple[str, str, str]:
    return _said_of_all(pairs), _said_by_year(pairs), _said_by_length(by_length[LONG_SPAN])


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
    held_out = joined([_held_out(pairs, metric) for metric in LEXICAL])
    return (
        f"Over all years, {choice}: segment means agree with people more often than corpus scores by {numbers}. The "
        f"aggregation that the other years favour is the better one in {held_out}. All of the {len(shares)} scores are "
        f"wrong in at least {share_text(wrong)} of the pairs."
    )


def _held_out(pairs: Sequence[Pair], metric: str) -> str:
    """In how many years the aggregation that agrees more often in all others does so, too."""
    years = by_year(pairs)
    right = 0
    for year, (others, _) in _without_each_year(pairs, metric).items():
        right += others.value * _gain(_common(years[year], metric), "segment").value > 0
    return f"{right} of {plural(len(years), 'year')} for {metric_label(metric)}"


def _said_by_year(pairs: Sequence[Pair]) -> str:
    """Years differ if some surely favour segment means and some corpus scores."""
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
    bounded = sum(not math.isnan(gain.low) for gain, _ in gains.values())
    if higher and lower:
        claim = "Choose the aggregation by what resembles your data: years surely differ"
    elif bounded and max(higher, lower) == len(gains):
        claim = "All years surely point one way"
    else:
        claim = "It is not shown that years differ in which aggregation is better, so choose one and keep to it"
    return (
        f"{claim}: segment means against corpus scores are from {ends[0]} to {ends[1]}. Intervals of a "
        f"metric and a year that are above 0: {higher} of {bounded}; below 0: {lower}."
    )


def _said_by_length(pairs: Sequence[Pair]) -> str:
    """What is advised must be sure without each year in turn, too: a length may be that of a single year."""
    found = _common(pairs, "chrf")
    gain, lps = _gain(found, "segment"), len({pair.cluster for pair in found["corpus"]})
    left_out = _without_each_year(pairs, "chrf")
    year, (other, count) = min(left_out.items(), key=lambda item: (not math.isnan(item[1][0].value), item[1][0].value))
    is_advised = all(is_sure(each) and each.value > 0 for each in (gain, *(kept for kept, _ in left_out.values())))
    claim = (
        f"Consider segment means of chrF for segments of {_span(LONG_SPAN)} characters"
        if is_advised
        else "Do not choose an aggregation by the length of segments"
    )
    without = f"{points(other)} in the other {count}" if count else "there are no others"
    return (
        f"{claim}: of {_span(LONG_SPAN)} characters, segment means of chrF agree with people more often than corpus "
        f"scores by {points(gain)} percentage points in {plural(lps, 'language pair')}, of which {lps - count} are of "
        f"{year}; without {year}, {without}. Segment means and corpus scores are two metrics, whose numbers cannot be "
        "compared."
    )
