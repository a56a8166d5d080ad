"""Thresholds then and now: what a difference of a metric meant to people from 2014 to 2025."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from assay.labels.metrics import metric_label
from assay.labels.numbers import UNDEFINED, joined, number, percent, share_text, with_interval
from assay.types.note import plural
from scripts.bundle_calibration import MIN_SEGMENTS, STORED
from scripts.studies.judged_pairs import (
    ALPHA,
    CAMPAIGNS,
    LEXICAL,
    Outcome,
    Pair,
    agrees,
    by_year,
    difference_with_interval,
    have_documents,
    is_better,
    is_better_by_document,
    is_worse,
    is_worse_by_document,
    mean_with_interval,
    scored_pairs,
    share,
    share_with_interval,
    tested_pairs,
    threshold_with_interval,
)
from scripts.studies.page import Figure, Page, claim, is_sure, points, table

BINS = ((0.0, 1.0), (1.0, 2.0), (2.0, 4.0), (4.0, math.inf))
FEW = 20
"""Shares of fewer pairs are not shown."""
HALF, LEVEL = 0.5, 0.8
SMALL_BLEU = 1.0
_SMALL = 0.1  # differences below need more decimals
TESTED_TITLES = (
    *("metric", "year", "judged by", "pairs", "better", "worse"),
    *(f"{percent(level)} better from" for level in (HALF, LEVEL)),
    *("better by documents", "worse by documents", f"{percent(LEVEL)} better from, by documents"),
)
OUTCOME_TITLES = ("better by segments", "worse by segments", "better by documents", "worse by documents")
THEN, NOW = 2020, (2024, 2025)
LATEST = 2025
APART = (2.0, 4.0)


def study() -> Page:
    """The page."""
    scored = [pair for name in CAMPAIGNS for pair in scored_pairs(name) if pair.metric in LEXICAL]
    tested = tested_pairs()
    same = _same_pairs(tested, LATEST)
    lps = _language_pairs(same["bleu"])
    return Page(
        "Thresholds then and now: what a difference meant to people from 2014 to 2025",
        (
            "A pair of systems counts once for each language pair of a campaign in which people judged both, without "
            "references. Corpus scores are against the first reference; those of WMT20 are the stored ones. WMT15 and "
            "WMT16 are missing because the data have neither texts nor scores of these metrics, WMT18 and WMT23 "
            "because they are not in the data. "
            "Intervals are over resampled language pairs, and there is none for fewer than five; ∞ is beyond all "
            "differences.",
            "## How often people order two systems as BLEU and chrF do",
            "People *agree* if their official scores order the two systems in the same way, by however little. The "
            f"last column is the smallest difference from which on they agree in {percent(LEVEL)} of the pairs "
            "(isotonic regression): at 0.00 they do so for any difference, and a dash means that no difference reaches "
            f"{percent(LEVEL)}.",
            table(
                (
                    "metric",
                    "year",
                    "language pairs",
                    "pairs of systems",
                    "people agree",
                    f"{percent(LEVEL)} agree from",
                ),
                list(_agreement_rows(scored)),
                texts=2,
            ),
            _figure(scored),
            "## How often people significantly prefer one of the two",
            "Only campaigns whose segments were judged: a one-sided paired t-test of the scores of at least "
            f"{MIN_SEGMENTS} common segments, p < {ALPHA:g}. *Better*: they prefer the better-scored system; *worse*: "
            "the other one. The segments of a document depend on each other, so that this test is surer than it should "
            "be; *by documents*, approximate randomisation swaps whole documents (a dash where those of some segments "
            "are not known). The segments of WMT25 are paragraphs, and so are many of WMT24.",
            table(
                TESTED_TITLES,
                list(_tested_rows(tested, LEXICAL)),
                texts=3,
            ),
            "The same difference in different years by segments, as *better / worse* (pairs):",
            table(
                ("metric", "difference", *map(str, _years(tested))),
                list(_bin_rows(tested)),
                texts=2,
            ),
            "By documents:",
            table(
                ("metric", "difference", *map(str, NOW)),
                list(_bin_rows(tested, NOW, (is_better_by_document, is_worse_by_document))),
                texts=2,
            ),
            f"Pairs at least as far apart as the threshold of {THEN} ({percent(LEVEL)} better from, by segments), then "
            "and in later years:",
            table(
                ("metric", "threshold", "year", "pairs", *OUTCOME_TITLES), list(_old_threshold_rows(tested)), texts=3
            ),
            "## Neural metrics and judges, 2020 to 2025",
            "Stored scores of systems, in their own units; those of WMT25 are means over paragraphs, and MetricX is "
            "negated. COMET is wmt20-comet-da.",
            table(
                TESTED_TITLES,
                list(_tested_rows(tested, STORED)),
                texts=3,
            ),
            f"All metrics on the language pairs of {LATEST} that all of them score, and how often people agree in each "
            "of these:",
            table(("metric", "pairs", "people agree", *lps, "better", "worse"), list(_same_pairs_rows(same, lps))),
        ),
        _said(tested),
    )


def _years(pairs: Sequence[Pair]) -> list[int]:
    return list(by_year(pairs))


def _of(pairs: Sequence[Pair], metric: str, year: int | None = None) -> list[Pair]:
    return [pair for pair in pairs if pair.metric == metric and year in (None, pair.year)]


def _agreement_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric in LEXICAL:
        for year, members in by_year(_of(pairs, metric)).items():
            yield (
                metric_label(metric),
                str(year),
                str(len({pair.cluster for pair in members})),
                f"{len(members):,}",
                share_text(share_with_interval(members, agrees)),
                _from(members, LEVEL, agrees),
            )


def _from(pairs: Sequence[Pair], level: float, outcome: Outcome) -> str:
    """The threshold with its interval; in an interval, an end beyond all differences is "∞"."""
    found = threshold_with_interval(pairs, level, outcome)
    decimals = 2 if math.isnan(found.value) or found.value >= _SMALL else 3
    low, high = ("∞" if math.isinf(end) else number(end, decimals) for end in (found.low, found.high))
    return with_interval(number(found.value, decimals), "" if math.isnan(found.low) else f"[{low}, {high}]")


def _tested_rows(pairs: Sequence[Pair], metrics: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for metric in metrics:
        for year, members in by_year(_of(pairs, metric)).items():
            yield (
                metric_label(metric),
                str(year),
                members[0].protocol,
                f"{len(members):,}",
                share_text(share_with_interval(members, is_better)),
                share_text(share_with_interval(members, is_worse)),
                _from(members, HALF, is_better),
                _from(members, LEVEL, is_better),
                *_by_documents(members),
            )


def _by_documents(pairs: Sequence[Pair]) -> tuple[str, ...]:
    if not have_documents(pairs):
        return (UNDEFINED,) * 3
    outcomes = (is_better_by_document, is_worse_by_document)
    shares = (share_text(share_with_interval(pairs, outcome)) for outcome in outcomes)
    return *shares, _from(pairs, LEVEL, is_better_by_document)


def _bin(pairs: Sequence[Pair], low: float, high: float) -> list[Pair]:
    return [pair for pair in pairs if low <= pair.difference < high]


def _old_threshold(pairs: Sequence[Pair], metric: str) -> float:
    return threshold_with_interval(_of(pairs, metric, THEN), LEVEL, is_better).value


def _beyond(pairs: Sequence[Pair], metric: str, year: int) -> list[Pair]:
    """The pairs of a year that are at least as far apart as the old threshold."""
    return _bin(_of(pairs, metric, year), _old_threshold(pairs, metric), math.inf)


def _old_threshold_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric in LEXICAL:
        for year in (THEN, *NOW):
            found = _beyond(pairs, metric, year)
            cells = [share_text(share_with_interval(found, outcome)) for outcome in (is_better, is_worse)]
            cells += [
                share_text(share_with_interval(found, outcome)) if have_documents(found) else UNDEFINED
                for outcome in (is_better_by_document, is_worse_by_document)
            ]
            yield metric_label(metric), number(_old_threshold(pairs, metric), 2), str(year), str(len(found)), *cells


def _bin_rows(
    pairs: Sequence[Pair], years: Sequence[int] = (), outcomes: tuple[Outcome, Outcome] = (is_better, is_worse)
) -> Iterator[tuple[str, ...]]:
    for metric in LEXICAL:
        for low, high in BINS:
            cells = []
            for year in years or _years(pairs):
                apart = _bin(_of(pairs, metric, year), low, high)
                shares = " / ".join(share_text(share(apart, outcome)) for outcome in outcomes)
                cells.append(f"{shares if len(apart) >= FEW else UNDEFINED} ({len(apart)})")
            name = f"{low:g} to {high:g}" if high < math.inf else f"{low:g} or more"
            yield (metric_label(metric), name, *cells)


def _same_pairs(pairs: Sequence[Pair], year: int) -> dict[str, list[Pair]]:
    """The pairs of a year that all of its metrics score, by metric, the one that people agree with most first."""
    by_metric: dict[str, dict[tuple[str, frozenset[str]], Pair]] = {}
    for pair in pairs:
        if pair.year == year:
            by_metric.setdefault(pair.metric, {})[_systems(pair)] = pair
    kept = {
        metric: [pair for key, pair in scored.items() if all(key in each for each in by_metric.values())]
        for metric, scored in by_metric.items()
    }
    return dict(sorted(kept.items(), key=lambda item: -share(item[1], agrees)))


def _systems(pair: Pair) -> tuple[str, frozenset[str]]:
    return pair.lp, frozenset((pair.better, pair.worse))


def _language_pairs(pairs: Sequence[Pair]) -> list[str]:
    return sorted({pair.lp for pair in pairs})


def _in(pairs: Sequence[Pair], lp: str) -> float:
    """How often people agree in a language pair."""
    return share([pair for pair in pairs if pair.lp == lp], agrees)


def _same_pairs_rows(same: Mapping[str, Sequence[Pair]], lps: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for metric, pairs in same.items():
        agreed = (share(pairs, agrees), *(_in(pairs, lp) for lp in lps))
        preferred = (share(pairs, outcome) for outcome in (is_better, is_worse))
        yield metric_label(metric), f"{len(pairs):,}", *map(share_text, agreed), *map(share_text, preferred)


def _figure(pairs: Sequence[Pair]) -> Figure:
    rows = []
    for metric, role in zip(LEXICAL, ("first", "second"), strict=True):
        for year, members in by_year(_of(pairs, metric)).items():
            agreed = share_with_interval(members, agrees)
            name = f"{year} {metric_label(metric)}"
            rows.append({"name": name, "value": agreed.value, "low": agreed.low, "high": agreed.high, "role": role})
    rows.sort(key=lambda row: str(row["name"]))
    return Figure(
        "agreement",
        "How often people order two systems as BLEU (blue) and chrF (orange) do",
        "Share of pairs of systems by year; intervals over language pairs",
        "share of pairs",
        rows,
        line=0.5,
    )


def _said(tested: Sequence[Pair]) -> tuple[str, str, str]:
    return _said_of_thresholds(tested), _said_of_small_differences(tested), _said_of_newer_metrics(tested)


def _said_of_thresholds(tested: Sequence[Pair]) -> str:
    """Whether people preferred the worse-scored system surely more or less often than then, at the same difference.

    The documents of then are not known. Fewer preferences are significant by documents, so the rule must hold where
    only those of now are tested so.
    """
    apart = {year: _bin(_of(tested, "bleu", year), *APART) for year in (THEN, *NOW)}
    changes = {year: difference_with_interval(apart[year], apart[THEN], is_worse) for year in NOW if apart[year]}
    by_documents = {
        year: difference_with_interval(apart[year], apart[THEN], is_worse, is_worse_by_document)
        for year in changes
        if have_documents(apart[year])
    }
    sure = [year for year, change in changes.items() if is_sure(change)]
    both = [year for year in sure if year in by_documents and is_sure(by_documents[year])]
    if sure and both:
        rule = "Do not carry a threshold over from older campaigns without a check"
    elif sure:
        years = joined(list(map(str, sure)))
        rule = (
            f"Check thresholds of older campaigns: in {years} they had changed by segments, by documents it is not "
            "shown"
        )
    else:
        rule = "It is not shown that thresholds have changed"
    worse = joined([f"{share_text(share(pairs, is_worse))} in {year}" for year, pairs in apart.items() if pairs])
    against = joined(
        [
            f"{points(change)} points in {year}"
            + (f" ({points(by_documents[year])} if only these are tested by documents)" if year in by_documents else "")
            for year, change in changes.items()
        ]
    )
    threshold = _old_threshold(tested, "bleu")
    kept = [
        f"{share_text(share(found, is_better))} in {year}"
        + (f" ({share_text(share(found, is_better_by_document))} by documents)" if have_documents(found) else "")
        for year in (THEN, *NOW)
        if (found := _beyond(tested, "bleu", year))
    ]
    tried = (
        f" From the threshold of {THEN} on ({number(threshold, 2)} BLEU), they preferred the better-scored one in "
        f"{joined(kept)}."
        if kept
        else ""
    )
    return (
        f"{rule}: of pairs that are {APART[0]:g} to {APART[1]:g} BLEU apart, people significantly preferred the "
        f"worse-scored system in {worse} (against {THEN}: {against}).{tried} Systems, languages and protocols changed, "
        "too."
    )


def _said_of_small_differences(tested: Sequence[Pair]) -> str:
    """That nothing is shown is said as such, with what the interval still allows and what single years showed."""
    small = [pair for pair in _of(tested, "bleu") if pair.difference < SMALL_BLEU]
    lead = mean_with_interval(small, lambda pair: float(pair.preferred or 0))
    known = [pair for pair in small if pair.preferred_by_document is not None]
    sign = claim(
        lead,
        above="the sign is a weak hint",
        below="people prefer the worse-scored system",
        unclear="it is not shown that the sign says whom people prefer, nor that it does not",
    )
    years = by_year(small)
    single = joined(
        [
            f"{share_text(share(pairs, is_better))} and {share_text(share(pairs, is_worse))} in {year}"
            for year, pairs in years.items()
        ]
    )
    better, worse = (share_with_interval(small, outcome) for outcome in (is_better, is_worse))
    by_documents = (
        f" By documents, {share_text(share(known, is_better_by_document))} and "
        f"{share_text(share(known, is_worse_by_document))} of the {len(known):,} with known documents."
        if known
        else ""
    )
    most = (
        f" By its interval, the sign decides at most {share_text(better.high)} of such pairs."
        if better.high < 1
        else ""
    )
    return (
        f"Below {SMALL_BLEU:g} BLEU, {sign}: people significantly preferred the better-scored system in "
        f"{share_text(better)} of {len(small):,} such pairs and the worse-scored one in {share_text(worse)}, a lead of "
        f"{points(lead)} percentage points ({single}).{by_documents}{most}"
    )


def _said_of_newer_metrics(tested: Sequence[Pair]) -> str:
    """Against BLEU on the same pairs: over language pairs where these are enough for intervals, else in each."""
    better, is_behind, words = [], False, []
    for year in NOW:
        same = _same_pairs(tested, year)
        others = [metric for metric in same if metric in STORED]
        bleu, lps = same["bleu"], _language_pairs(same["bleu"])
        gains = {metric: difference_with_interval(same[metric], bleu, agrees) for metric in others}
        better += [metric for metric, gain in gains.items() if is_sure(gain) and gain.value > 0]
        if all(math.isnan(gain.low) for gain in gains.values()):
            behind = {lp: sum(_in(same[metric], lp) < _in(bleu, lp) for metric in others) for lp in lps}
            is_behind |= any(behind.values())
            counts = joined([f"{count} in {lp}" for lp, count in behind.items()])
            words.append(f"of the {len(others)} in {year}, people agreed less often than with BLEU with {counts}")
        else:
            is_behind |= any(gain.value < 0 for gain in gains.values())
            shown = joined([f"{points(gain)} points with {metric_label(metric)}" for metric, gain in gains.items()])
            words.append(f"in {plural(len(lps), 'language pair')} of {year}, people agreed more often by {shown}")
    if better:
        news = "Newer metrics can be better than BLEU" + (", but not in every language pair" if is_behind else "")
    else:
        news = "It is not shown that newer metrics are better than BLEU"
    return f"{news}: {'; '.join(words)}."
