"""Language models against MT systems: how metrics order them, and how people do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from assay.calibration.system_kinds import LLM_OVER_MT, MT_OVER_LLM, kind_of, system_kinds
from assay.labels.metrics import metric_label
from assay.labels.numbers import UNDEFINED, difference_text, joined, share_text, true_minus
from assay.results import Estimate
from assay.types.note import plural
from scripts.bundle_calibration import MIN_SEGMENTS, STORED
from scripts.studies.judged_pairs import (
    ALPHA,
    FEW,
    LEXICAL,
    MIN_CLUSTERS,
    Pair,
    agrees,
    difference_with_interval,
    is_better,
    is_worse,
    mean_with_interval,
    share,
    share_with_bounds,
    share_with_interval,
    tested_pairs,
)
from scripts.studies.page import Figure, Page, claim, is_sure, points, table

YEARS = (2024, 2025)
MIN_PAIRS = 5
"""Shares of fewer pairs are not shown by language."""
MIN_LANGUAGES = 3
"""Systems in fewer language pairs have no row."""
SHOWN = 4
KINDS = {
    MT_OVER_LLM: "MT system ahead",
    LLM_OVER_MT: "LLM ahead",
    "LLM": "two LLMs",
}


def study() -> Page:
    """The page."""
    pairs = [pair for pair in tested_pairs() if pair.year in YEARS]
    mixed = [pair for pair in pairs if pair.kinds in (MT_OVER_LLM, LLM_OVER_MT)]
    return Page(
        "Language models against MT systems: how metrics order them, and how people do",
        (
            f"Pairs of systems of WMT24 and WMT25 that people judged by ESA on at least {MIN_SEGMENTS} common "
            "segments. Kinds of systems are those of `src/assay/calibration/system_kinds.toml`, which says who states "
            "them; online services count as MT systems, and systems of which nobody says what they are, or which "
            "combine both kinds, count nowhere here. Corpus scores of BLEU and chrF, stored system scores of all "
            "others. *Better* and *worse*: people significantly prefer the better-scored or the worse-scored system "
            f"(one-sided paired t-test, p < {ALPHA:g}). Intervals are over resampled language pairs, from "
            f"{MIN_CLUSTERS} on; where fewer than {FEW} pairs have the outcome, or do not have it, they also cover the "
            "exact bounds for as many pairs as have no system in common.",
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
    return (
        f"Judged systems by kind. {'. '.join(found)}. `system_kinds.toml` has {len(system_kinds())} "
        "entries, each for one or more systems."
    )


def _metrics(pairs: Iterable[Pair]) -> list[str]:
    known = {pair.metric for pair in pairs}
    return [metric for metric in (*LEXICAL, *STORED) if metric in known]


def _by_metric(pairs: Sequence[Pair]) -> Iterator[tuple[str, int, list[Pair]]]:
    for metric in _metrics(pairs):
        for year in YEARS:
            if found := [pair for pair in pairs if pair.metric == metric and pair.year == year]:
                yield metric, year, found


def _direction_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, year, found in _by_metric(pairs):
        for kinds, words in KINDS.items():
            members = [pair for pair in found if pair.kinds == kinds]
            shares = (share_text(share_with_interval(members, each)) for each in (is_better, is_worse))
            yield metric_label(metric), str(year), words, str(len(members)), *shares


def _llm_by_metric(pair: Pair) -> bool:
    return pair.kinds == LLM_OVER_MT


def _llm_by_people(pair: Pair) -> bool:
    return _llm_by_metric(pair) == pair.agrees


def _bias(pairs: Sequence[Pair]) -> Estimate:
    """How much more often the LLM is ahead by the metric than by people."""
    return mean_with_interval(pairs, lambda pair: float(_llm_by_metric(pair)) - float(_llm_by_people(pair)))


def _signed(share_of_pairs: float) -> str:
    return true_minus(difference_text(round(100 * share_of_pairs), 0))


def _bias_rows(mixed: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, year, found in _by_metric(mixed):
        shares = (share_text(share(found, each)) for each in (_llm_by_metric, _llm_by_people))
        yield metric_label(metric), str(year), str(len(found)), *shares, points(_bias(found))


def _language_table(mixed: Sequence[Pair], year: int) -> str:
    found = [pair for pair in mixed if pair.year == year]
    counts = Counter(pair.lp for pair in found if pair.metric == _metrics(found)[-1])
    lps = sorted(lp for lp, count in counts.items() if count >= MIN_PAIRS)
    rows = []
    for metric in _metrics(found):
        by_lp = {lp: [pair for pair in found if (pair.metric, pair.lp) == (metric, lp)] for lp in lps}
        rows.append(
            (metric_label(metric), *(_signed(_bias(by_lp[lp]).value) if by_lp[lp] else UNDEFINED for lp in lps))
        )
    return table((f"WMT{year % 100}", *(f"{lp} ({counts[lp]})" for lp in lps)), rows)


def _overrated(pairs: Sequence[Pair]) -> dict[str, float]:
    """How many more other systems a system beats by the metric than by people, mean over its language pairs."""
    shares: dict[str, dict[str, list[int]]] = {}
    for pair in pairs:
        for name, by_metric, by_people in ((pair.better, 1, pair.agrees), (pair.worse, 0, not pair.agrees)):
            shares.setdefault(name, {}).setdefault(pair.lp, []).append(by_metric - by_people)
    return {
        name: sum(sum(each) / len(each) for each in by_lp.values()) / len(by_lp)
        for name, by_lp in shares.items()
        if len(by_lp) >= MIN_LANGUAGES
    }


def _system_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for metric, year, found in _by_metric(pairs):
        ordered = sorted(_overrated(found).items(), key=lambda item: -item[1])
        highest = [each for each in ordered[:SHOWN] if each[1] > 0]
        lowest = [each for each in ordered[: -SHOWN - 1 : -1] if each[1] < 0]
        named = (
            ", ".join(f"{name} ({kind_of(name, found[0].campaign)}) {_signed(value)}" for name, value in some)
            or UNDEFINED
            for some in (highest, lowest)
        )
        yield metric_label(metric), str(year), *named


def _figure(pairs: Sequence[Pair]) -> Figure:
    rows = []
    for metric, year, found in _by_metric(pairs):
        for kinds, role in ((MT_OVER_LLM, "second"), (LLM_OVER_MT, "first")):
            members = [pair for pair in found if pair.kinds == kinds]
            if len(members) >= MIN_PAIRS:
                agreed = share_with_interval(members, agrees)
                name = f"{metric_label(metric)} {year}, {kinds.partition('-')[0]}"
                rows.append({"name": name, "value": agreed.value, "low": agreed.low, "high": agreed.high, "role": role})
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
    ahead = {kinds: [pair for pair in pairs if (pair.metric, pair.kinds) == ("bleu", kinds)] for kinds in KINDS}
    llm, mt, two = ahead[LLM_OVER_MT], ahead[MT_OVER_LLM], ahead["LLM"]
    return _said_of_mixed_pairs(llm, mt), _said_of_sides(mixed), _said_of_two_llms(two, mt)


def _said_of_mixed_pairs(llm: Sequence[Pair], mt: Sequence[Pair]) -> str:
    """What is advised holds for the lower exact bounds, as if pairs with a system in common were one."""
    better = {name: share_with_bounds(pairs, is_better) for name, pairs in (("LLM", llm), ("MT system", mt))}
    worse = {name: share_with_bounds(pairs, is_worse) for name, pairs in (("LLM", llm), ("MT system", mt))}
    mostly = [name for name, found in better.items() if found.low > worse[name].high]
    claims = {
        "LLM": "If BLEU puts an LLM ahead of an MT system, people mostly prefer it, too",
        "MT system": "if BLEU puts the MT system ahead, people mostly prefer it, too",
    }
    doubts = {
        "LLM": "If BLEU puts an LLM ahead of an MT system, it may be wrong: ask people",
        "MT system": "if BLEU puts the MT system ahead, ask people",
    }
    said = "; ".join(claims[name] if name in mostly else doubts[name] for name in better)
    numbers = joined(
        [
            f"in {share_text(better[name])} and the worse-scored one in {share_text(worse[name])} of {len(pairs)} "
            f"pairs with the {name} ahead ({better[name].n} without a system in common)"
            for name, pairs in (("LLM", llm), ("MT system", mt))
        ]
    )
    return f"{said}. People significantly preferred the better-scored system {numbers}, with exact bounds, both years."


def _said_of_sides(mixed: Sequence[Pair]) -> str:
    biases = {(metric, year): _bias(found) for metric, year, found in _by_metric(mixed)}
    sides = {
        "MT systems": [key for key, bias in biases.items() if is_sure(bias) and bias.value < 0],
        "LLMs": [key for key, bias in biases.items() if is_sure(bias) and bias.value > 0],
    }
    favoured = [
        f"{joined([f'{metric_label(metric)} in {year} ({points(biases[metric, year])})' for metric, year in keys])} "
        f"{'favours' if len(keys) == 1 else 'favour'} {side}"
        for side, keys in sides.items()
        if keys
    ]
    if all(sides.values()):
        sides_said = "Metrics take both sides, so report one metric of each"
    elif any(sides.values()):
        sides_said = "Metrics take sides, but only one side is sure"
    else:
        sides_said = "No metric surely takes a side"
    bounded = sum(not math.isnan(bias.low) for bias in biases.values())
    lowest, highest = (choose(biases, key=lambda key: biases[key].value) for choose in (min, max))
    ends = " to ".join(f"{points(biases[each])} ({metric_label(each[0])} in {each[1]})" for each in (lowest, highest))
    shown = f": {'; '.join(favoured)}, in percentage points" if favoured else ""
    return (
        f"{sides_said}{shown}. Only {bounded} of {len(biases)} biases of a metric and a year have an interval; all of "
        f"them are from {ends}."
    )


def _said_of_two_llms(two: Sequence[Pair], mt: Sequence[Pair]) -> str:
    change = difference_with_interval(two, mt, is_worse)
    errs = claim(
        change,
        above="Between two LLMs, BLEU errs more often than where it puts an MT system ahead",
        below="Between two LLMs, BLEU errs less often than where it puts an MT system ahead",
        unclear="It is not shown that BLEU errs less often between two LLMs than where it puts an MT system ahead",
    )
    better, worse = (share_text(share_with_interval(two, outcome)) for outcome in (is_better, is_worse))
    return (
        f"{errs} ({points(change)} percentage points): people significantly preferred the better-scored one in "
        f"{better} of {plural(len(two), 'pair')} and the worse-scored one in {worse}."
    )
