"""Thresholds then and now: what a difference of a metric meant to people from 2014 to 2025."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.labels.numbers import joined
from scripts.bundle_calibration import STORED
from scripts.studies.judged_pairs import (
    CAMPAIGNS,
    LABELS,
    LEXICAL,
    Outcome,
    Pair,
    agrees,
    by_year,
    is_better,
    is_worse,
    scored_pairs,
    share,
    share_with_interval,
    tested_pairs,
    threshold_with_interval,
)
from scripts.studies.page import Figure, Page, percent, percent_with_interval, table, with_interval

BINS = ((0.0, 1.0), (1.0, 2.0), (2.0, 4.0), (4.0, math.inf))
FEW = 20
"""Shares of fewer pairs are not shown."""
LEVEL = 0.8
_SMALL = 0.1  # differences below need more decimals
THEN, NOW = 2020, (2024, 2025)


def study() -> Page:
    """The page."""
    scored = [pair for name in CAMPAIGNS for pair in scored_pairs(name) if pair.metric in LEXICAL]
    tested = tested_pairs()
    return Page(
        "Thresholds then and now: what a difference meant to people from 2014 to 2025",
        (
            "A pair of systems counts once for each language pair of a campaign in which people judged both, without "
            "references. Corpus scores are against the first reference; those of WMT20 are the stored ones. "
            "Intervals are over resampled language pairs, and there is none for fewer than five; ∞ is beyond all "
            "differences.",
            "## How often people order two systems as BLEU and chrF do",
            "People *agree* if their official scores order the two systems in the same way, by however little. The "
            "last column is the smallest difference from which on they agree in 80 % of the pairs (isotonic "
            "regression): at 0.00 they do so for any difference, and a dash means that no difference reaches 80 %.",
            table(
                ("metric", "year", "language pairs", "pairs of systems", "people agree", "80 % agree from"),
                list(_agreement_rows(scored)),
                texts=2,
            ),
            _figure(scored),
            "## How often people significantly prefer one of the two",
            "Only campaigns whose segments were judged: a one-sided paired t-test of the scores of at least 180 common "
            "segments, p < 0.05. *Better*: they prefer the better-scored system; *worse*: the other one.",
            table(
                ("metric", "year", "judged by", "pairs", "better", "worse", "50 % better from", "80 % better from"),
                list(_tested_rows(tested, LEXICAL)),
                texts=3,
            ),
            "The same difference in different years, as *better / worse* (pairs):",
            table(
                ("metric", "difference", *map(str, _years(tested))),
                list(_bin_rows(tested)),
                texts=2,
            ),
            "## Neural metrics and judges, 2020 to 2025",
            "Stored scores of systems, in their own units; those of WMT25 are means over paragraphs, and MetricX is "
            "negated. COMET is wmt20-comet-da.",
            table(
                ("metric", "year", "judged by", "pairs", "better", "worse", "50 % better from", "80 % better from"),
                list(_tested_rows(tested, STORED)),
                texts=3,
            ),
            "All metrics on the language pairs of WMT25 whose texts are here too (Arabic, Icelandic, Maasai):",
            table(("metric", "pairs", "people agree", "better", "worse"), list(_same_pairs_rows(tested))),
        ),
        _said(scored, tested),
    )


def _years(pairs: Sequence[Pair]) -> list[int]:
    return list(by_year(pairs))


def _of(pairs: Sequence[Pair], metric: str, year: int | None = None) -> list[Pair]:
    return [pair for pair in pairs if pair.metric == metric and year in (None, pair.year)]


def _agreement_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric in LEXICAL:
        for year, found in by_year(_of(pairs, metric)).items():
            yield (
                LABELS[metric],
                str(year),
                str(len({pair.cluster for pair in found})),
                f"{len(found):,}",
                percent_with_interval(*share_with_interval(found, agrees)),
                _from(found, LEVEL, agrees),
            )


def _from(pairs: Sequence[Pair], level: float, outcome: Outcome) -> str:
    """The threshold with its interval; in an interval, an end beyond all differences is "∞"."""
    value, low, high = threshold_with_interval(pairs, level, outcome)
    decimals = 2 if math.isnan(value) or value >= _SMALL else 3
    return with_interval(value, low, high, decimals).replace("inf", "∞")


def _tested_rows(pairs: Sequence[Pair], metrics: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for metric in metrics:
        for year, found in by_year(_of(pairs, metric)).items():
            yield (
                LABELS.get(metric, metric),
                str(year),
                found[0].protocol,
                f"{len(found):,}",
                percent_with_interval(*share_with_interval(found, is_better)),
                percent_with_interval(*share_with_interval(found, is_worse)),
                _from(found, 0.5, is_better),
                _from(found, LEVEL, is_better),
            )


def _bin(pairs: Sequence[Pair], low: float, high: float) -> list[Pair]:
    return [pair for pair in pairs if low <= pair.difference < high]


def _bin_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric in LEXICAL:
        for low, high in BINS:
            cells = []
            for year in _years(pairs):
                found = _bin(_of(pairs, metric, year), low, high)
                shares = " / ".join(percent(share(found, outcome)) for outcome in (is_better, is_worse))
                cells.append(f"{shares} ({len(found)})" if len(found) >= FEW else f"– ({len(found)})")
            name = f"{low:g} to {high:g}" if high < math.inf else f"{low:g} or more"
            yield (LABELS[metric], name, *cells)


def _same_pairs(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """The pairs of WMT25 that all of its metrics score, by metric, the one that people agree with most first."""
    latest = max(_years(pairs))
    year = [pair for pair in pairs if pair.year == latest]
    by_metric: dict[str, list[Pair]] = {}
    for pair in year:
        by_metric.setdefault(pair.metric, []).append(pair)
    common = set.intersection(*({_systems(pair) for pair in found} for found in by_metric.values()))
    kept = {metric: [pair for pair in found if _systems(pair) in common] for metric, found in by_metric.items()}
    return dict(sorted(kept.items(), key=lambda item: -share(item[1], agrees)))


def _systems(pair: Pair) -> tuple[str, frozenset[str]]:
    return pair.lp, frozenset((pair.better, pair.worse))


def _same_pairs_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, found in _same_pairs(pairs).items():
        shares = (share(found, agrees), share(found, is_better), share(found, is_worse))
        yield LABELS.get(metric, metric), f"{len(found):,}", *map(percent, shares)


def _figure(pairs: Sequence[Pair]) -> Figure:
    rows = []
    for metric, role in zip(LEXICAL, ("first", "second"), strict=True):
        for year, found in by_year(_of(pairs, metric)).items():
            value, low, high = share_with_interval(found, agrees)
            rows.append({"name": f"{year} {LABELS[metric]}", "value": value, "low": low, "high": high, "role": role})
    rows.sort(key=lambda row: str(row["name"]))
    return Figure(
        "agreement",
        "How often people order two systems as BLEU (blue) and chrF (orange) do",
        "Share of pairs of systems by year; intervals over language pairs",
        "share of pairs",
        rows,
        line=0.5,
    )


def _said(scored: Sequence[Pair], tested: Sequence[Pair]) -> tuple[str, str, str]:
    apart = {year: _bin(_of(tested, "bleu", year), 2.0, 4.0) for year in (THEN, *NOW)}
    worse = {year: share(found, is_worse) for year, found in apart.items()}
    rule = (
        "Do not carry a threshold over from older campaigns"
        if any(worse[year] > worse[THEN] for year in NOW)
        else "Old thresholds hold"
    )
    wrong = joined([f"{percent(worse[year])} in {year} ({found[0].protocol})" for year, found in apart.items()])
    better = joined([percent(share(found, is_better)) for found in apart.values()])
    first = (
        f"{rule}: of pairs that are 2 to 4 BLEU apart, people significantly preferred the worse-scored system in "
        f"{wrong}, and the better-scored one in {better}; systems, languages and protocols changed, too."
    )
    small = [pair for pair in _of(tested, "bleu") if pair.difference < 1]
    second = (
        f"Below 1 BLEU the sign says little: over all years, people significantly preferred the better-scored system "
        f"in {percent(share(small, is_better))} of {len(small):,} such pairs, and the worse-scored one in "
        f"{percent(share(small, is_worse))}."
    )
    same = _same_pairs(tested)
    shares = {metric: share(found, agrees) for metric, found in same.items()}
    best, last, count = *(list(shares)[k] for k in (0, -1)), len(same["bleu"])
    beaten = [metric for metric, value in shares.items() if metric in STORED and value < shares["bleu"]]
    third = (
        f"A newer metric is not a better one by itself: in 2025, people ordered {percent(shares[best])} of the same "
        f"{count} pairs as {LABELS.get(best, best)} did, {percent(shares['bleu'])} as BLEU did, and "
        f"{percent(shares[last])} as {LABELS.get(last, last)} did; {len(beaten)} of {len(set(shares) & set(STORED))} "
        "neural metrics and judges did worse than BLEU."
    )
    return first, second, third
