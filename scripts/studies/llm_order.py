"""Language models against MT systems: how metrics order them, and how people do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from assay.calibration.system_kinds import kind_of, system_kinds
from scripts.bundle_calibration import STORED
from scripts.studies.judged_pairs import (
    LABELS,
    LEXICAL,
    Pair,
    agrees,
    is_better,
    is_worse,
    share,
    share_with_interval,
    tested_pairs,
)
from scripts.studies.page import Figure, Page, number, percent, percent_with_interval, table

YEARS = (2024, 2025)
MIN_PAIRS = 5
"""Shares of fewer pairs are not shown by language."""
MIN_LANGUAGES = 3
"""Systems in fewer language pairs have no row."""
SHOWN = 4
KINDS = {
    "MT-over-LLM": "MT system ahead",
    "LLM-over-MT": "LLM ahead",
    "LLM": "two LLMs",
}


def study() -> Page:
    """The page."""
    pairs = [pair for pair in tested_pairs() if pair.year in YEARS]
    mixed = [pair for pair in pairs if pair.kinds in ("MT-over-LLM", "LLM-over-MT")]
    return Page(
        "Language models against MT systems: how metrics order them, and how people do",
        (
            "Pairs of systems of WMT24 and WMT25 that people judged by ESA on at least 180 common segments. Kinds of "
            "systems are those of `src/assay/calibration/system_kinds.toml`, which says who states them; online "
            "services count as MT systems, and systems of which nobody says what they are, or which combine both "
            "kinds, count nowhere here. Corpus scores of BLEU and chrF, stored system scores of all others. *Better* "
            "and *worse*: people significantly prefer the better-scored or the worse-scored system (one-sided paired "
            "t-test, p < 0.05). Intervals are over resampled language pairs, from five on.",
            _counts(pairs),
            "## Whom the metric puts ahead",
            table(
                ("metric", "year", "of the two", "pairs", "better", "worse"),
                list(_direction_rows(pairs)),
                texts=3,
            ),
            _figure(pairs),
            "## The bias of each metric",
            "In how many mixed pairs the LLM is ahead by the metric and by people (by however little). The *bias to "
            "LLMs* is the difference in percentage points; a negative one favours MT systems.",
            table(
                ("metric", "year", "mixed pairs", "LLM ahead by metric", "by people", "bias to LLMs"),
                list(_bias_rows(mixed)),
                texts=2,
            ),
            "## By language",
            f"The bias to LLMs in percentage points (mixed pairs), where there are at least {MIN_PAIRS}:",
            *(_language_table(mixed, year) for year in YEARS),
            "## Systems that a metric rates higher or lower than people do",
            "For each system, the share of other systems that it beats by the metric, minus the share by people, in "
            f"percentage points; the mean over language pairs, for systems in at least {MIN_LANGUAGES}.",
            table(
                ("metric", "year", "rated higher than by people", "rated lower than by people"),
                list(_system_rows(pairs)),
                texts=4,
            ),
        ),
        _said(pairs, mixed),
    )


def _counts(pairs: Sequence[Pair]) -> str:
    found = []
    for year in YEARS:
        judged = {(name, pair.campaign) for pair in pairs if pair.year == year for name in (pair.better, pair.worse)}
        counts = Counter(kind_of(*each) for each in judged)
        found.append(f"WMT{year % 100}: " + ", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts)))
    return f"Judged systems by kind. {'. '.join(found)}. The table has {len(system_kinds())} entries."


def _metrics(pairs: Iterable[Pair]) -> list[str]:
    known = {pair.metric for pair in pairs}
    return [metric for metric in (*LEXICAL, *STORED) if metric in known]


def _label(metric: str) -> str:
    return LABELS.get(metric, metric)


def _by_metric(pairs: Sequence[Pair]) -> Iterator[tuple[str, int, list[Pair]]]:
    for metric in _metrics(pairs):
        for year in YEARS:
            if found := [pair for pair in pairs if pair.metric == metric and pair.year == year]:
                yield metric, year, found


def _direction_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, year, found in _by_metric(pairs):
        for kinds, words in KINDS.items():
            members = [pair for pair in found if pair.kinds == kinds]
            shares = (percent_with_interval(*share_with_interval(members, each)) for each in (is_better, is_worse))
            yield _label(metric), str(year), words, str(len(members)), *shares


def _llm_by_metric(pair: Pair) -> bool:
    return pair.kinds == "LLM-over-MT"


def _llm_by_people(pair: Pair) -> bool:
    return _llm_by_metric(pair) == pair.agrees


def _bias(pairs: Sequence[Pair]) -> float:
    return 100 * (share(pairs, _llm_by_metric) - share(pairs, _llm_by_people))


def _signed(value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:+.0f}".replace("-", "−") if round(value) else "0"


def _bias_rows(mixed: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, year, found in _by_metric(mixed):
        shares = (percent(share(found, each)) for each in (_llm_by_metric, _llm_by_people))
        yield _label(metric), str(year), str(len(found)), *shares, _signed(_bias(found))


def _language_table(mixed: Sequence[Pair], year: int) -> str:
    found = [pair for pair in mixed if pair.year == year]
    counts = Counter(pair.lp for pair in found if pair.metric == _metrics(found)[-1])
    lps = sorted(lp for lp, count in counts.items() if count >= MIN_PAIRS)
    rows = []
    for metric in _metrics(found):
        by_lp = {lp: [pair for pair in found if (pair.metric, pair.lp) == (metric, lp)] for lp in lps}
        rows.append((_label(metric), *(_signed(_bias(by_lp[lp])) if by_lp[lp] else "–" for lp in lps)))
    return table((f"WMT{year % 100}", *(f"{lp} ({counts[lp]})" for lp in lps)), rows)


def _overrated(pairs: Sequence[Pair]) -> dict[str, float]:
    """How many more other systems a system beats by the metric than by people, mean over its language pairs."""
    shares: dict[str, dict[str, list[int]]] = {}
    for pair in pairs:
        for name, by_metric, by_people in ((pair.better, 1, pair.agrees), (pair.worse, 0, not pair.agrees)):
            shares.setdefault(name, {}).setdefault(pair.lp, []).append(by_metric - by_people)
    return {
        name: 100 * sum(sum(each) / len(each) for each in by_lp.values()) / len(by_lp)
        for name, by_lp in shares.items()
        if len(by_lp) >= MIN_LANGUAGES
    }


def _system_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, year, found in _by_metric(pairs):
        ordered = sorted(_overrated(found).items(), key=lambda item: -item[1])
        highest = [each for each in ordered[:SHOWN] if each[1] > 0]
        lowest = [each for each in ordered[: -SHOWN - 1 : -1] if each[1] < 0]
        named = (
            ", ".join(f"{name} ({kind_of(name, found[0].campaign)}) {_signed(value)}" for name, value in some) or "–"
            for some in (highest, lowest)
        )
        yield _label(metric), str(year), *named


def _figure(pairs: Sequence[Pair]) -> Figure:
    rows = []
    for metric, year, found in _by_metric(pairs):
        for kinds, role in (("MT-over-LLM", "second"), ("LLM-over-MT", "first")):
            members = [pair for pair in found if pair.kinds == kinds]
            if len(members) >= MIN_PAIRS:
                value, low, high = share_with_interval(members, agrees)
                name = f"{_label(metric)} {year}, {kinds.partition('-')[0]}"
                rows.append({"name": name, "value": value, "low": low, "high": high, "role": role})
    return Figure(
        "agreement",
        "How often people order a mixed pair as the metric does",
        "Orange: the metric puts the MT system ahead; blue: it puts the LLM ahead. By however little; intervals over "
        "language pairs",
        "share of pairs",
        rows,
        line=0.5,
    )


def _said(pairs: Sequence[Pair], mixed: Sequence[Pair]) -> tuple[str, str, str]:
    bleu = [pair for pair in pairs if pair.metric == "bleu"]
    ahead = {kinds: [pair for pair in bleu if pair.kinds == kinds] for kinds in KINDS}
    llm, mt = ahead["LLM-over-MT"], ahead["MT-over-LLM"]
    first = (
        f"If BLEU puts an LLM ahead of an MT system, believe it; if it puts the MT system ahead, ask people: they "
        f"significantly preferred the better-scored system in {percent(share(llm, is_better))} of {len(llm)} pairs and "
        f"in {percent(share(mt, is_better))} of {len(mt)}, and the worse-scored one in {percent(share(llm, is_worse))} "
        f"and {percent(share(mt, is_worse))} (both years)."
    )
    biases = {(metric, year): _bias(found) for metric, year, found in _by_metric(mixed) if len(found) >= MIN_PAIRS}
    to_mt, to_llm = min(biases, key=lambda key: biases[key]), max(biases, key=lambda key: biases[key])
    second = (
        f"Metrics take sides: of mixed pairs, {_label(to_mt[0])} ({to_mt[1]}) puts the LLM ahead "
        f"{number(-biases[to_mt], 0)} percentage points less often than people do, and {_label(to_llm[0])} "
        f"({to_llm[1]}) {number(biases[to_llm], 0)} points more often, so report one metric of each side."
    )
    two = ahead["LLM"]
    is_safer = share(two, is_worse) < share(mt, is_worse)
    third = (
        f"Between two LLMs, BLEU errs {'less' if is_safer else 'no less'} often than where it puts an MT system ahead: "
        f"people significantly preferred the better-scored one in {percent(share(two, is_better))} of {len(two)} pairs "
        f"and the worse-scored one in {percent(share(two, is_worse))}."
    )
    return first, second, third
