"""Language models against MT systems: how metrics order them, and how people do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import assay
from assay.calibration.system_kinds import LLM_OVER_MT, MT_OVER_LLM, kind_of
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
    have_documents,
    is_better,
    is_better_by_document,
    is_worse,
    is_worse_by_document,
    mean_of_language_pairs,
    mean_with_interval,
    share,
    share_with_bounds,
    share_with_interval,
    tested_pairs,
)
from scripts.studies.page import Figure, Page, is_sure, points, table

YEARS = (2024, 2025)
MIN_PAIRS = 5
"""Shares of fewer pairs are not shown by language."""
MIN_LANGUAGES = 3
"""Systems in fewer language pairs have no row."""
SHOWN = 4
LOWEST = 0.2
"""The share of other systems that people put a weak MT system above, at most."""
FAMILIES: Mapping[str, tuple[str, ...]] = {
    "GPT": ("GPT-",),
    "Claude": ("Claude-",),
    "Gemini": ("Gemini-",),
    "Gemma": ("Gemma-",),
    "Llama": ("Llama",),
    "Mistral": ("Mistral-",),
    "Qwen": ("Qwen",),
    "DeepSeek": ("DeepSeek",),
    "Command and Aya": ("Command", "Aya"),
    "EuroLLM": ("EuroLLM",),
}
"""How the names of the models of a family begin. Systems that teams built on them have names of their own."""
JUDGES = {"GEMBA-ESA-GPT4.1": "GPT", "GEMBA-ESA-CMDA": "Command and Aya"}
"""The family that a judge is of."""
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
            f"(one-sided, p < {ALPHA:g}), *by segments* in a paired t-test that takes segments as independent, *by "
            "documents* in approximate randomisation that swaps whole documents, because the segments of a document "
            f"depend on each other. Intervals are over resampled language pairs, from {MIN_CLUSTERS} on. Where fewer "
            f"than {FEW} pairs have the outcome, or fewer than {FEW} do not have it, resamples say too little: the "
            "interval then covers the exact bounds, too, for as many pairs as have no system in common.",
            _counts(pairs, mixed),
            "## Whom the metric puts ahead",
            table(
                (
                    *("metric", "year", "of the two", "pairs", "better by segments", "worse by segments"),
                    *("better by documents", "worse by documents"),
                ),
                list(_direction_rows(pairs)),
                texts=3,
            ),
            _figure(pairs),
            "Mixed pairs under BLEU, with exact bounds (the first row of each as in `assay explain`). An MT system "
            "counts once for each language pair; *weak* ones are those that people put above at most a fifth of the "
            "other systems there.",
            table(
                ("BLEU", "mixed pairs", "pairs", "MT systems", "better", "worse"),
                list(_rule_rows(_ahead(mixed, _weak_systems(pairs)))),
                texts=2,
            ),
            "## The bias of each metric",
            "In how many mixed pairs the LLM is ahead by the metric and by people (by however little). The *bias to "
            "LLMs* is the difference in percentage points; a negative one favours MT systems. Scores decide here and "
            "below, and no test.",
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
            "## Families of language models",
            "The same for the models of a family (their names begin alike; what teams built on them does not count), "
            "first over the models in a language pair, then over language pairs (their number). People put some "
            "families first, and those can hardly be rated higher.",
            *(_family_table(pairs, year) for year in YEARS),
            "A judge and its own family, beside what the other judge makes of the same systems (WMT25; "
            "GEMBA-ESA-CMDA is Command A):",
            table(
                ("judge", "family", "rated by it", "rated by the other judge", "difference"),
                list(_own_family_rows(pairs)),
                texts=2,
            ),
        ),
        _said(pairs, mixed),
    )


def _counts(pairs: Sequence[Pair], mixed: Sequence[Pair]) -> str:
    found = []
    for year in YEARS:
        judged = {(name, pair.campaign) for pair in pairs if pair.year == year for name in (pair.better, pair.worse)}
        counts = Counter(kind_of(*each) for each in judged)
        names = sorted({_mt_system(pair)[1] for pair in mixed if pair.year == year})
        found.append(
            f"WMT{year % 100}: "
            + ", ".join(f"{counts[kind]} {kind}" for kind in sorted(counts))
            + f"; MT systems in mixed pairs: {joined(names)}"
        )
    return f"Judged systems by kind. {'. '.join(found)}. All that is said of mixed pairs rests on these MT systems."


def _mt_system(pair: Pair) -> tuple[tuple[str, str], str]:
    """The MT system of a mixed pair, with the language pair."""
    return pair.cluster, pair.better if pair.kinds == MT_OVER_LLM else pair.worse


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
            by_documents = (
                share_text(share_with_interval(members, each)) if have_documents(members) else UNDEFINED
                for each in (is_better_by_document, is_worse_by_document)
            )
            yield metric_label(metric), str(year), words, str(len(members)), *shares, *by_documents


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


def _by_language_pair(pairs: Sequence[Pair]) -> dict[str, dict[str, float]]:
    """By system and language pair: the share of other systems that it beats by the metric, minus that by people."""
    shares: dict[str, dict[str, list[int]]] = {}
    for pair in pairs:
        for name, by_metric, by_people in ((pair.better, 1, pair.agrees), (pair.worse, 0, not pair.agrees)):
            shares.setdefault(name, {}).setdefault(pair.lp, []).append(by_metric - by_people)
    return {name: {lp: sum(each) / len(each) for lp, each in by_lp.items()} for name, by_lp in shares.items()}


def _overrated(pairs: Sequence[Pair]) -> dict[str, float]:
    """How many more other systems a system beats by the metric than by people, mean over its language pairs."""
    return {
        name: sum(by_lp.values()) / len(by_lp)
        for name, by_lp in _by_language_pair(pairs).items()
        if len(by_lp) >= MIN_LANGUAGES
    }


def _of_families(pairs: Sequence[Pair]) -> dict[str, dict[str, float]]:
    """By family and language pair: the mean of its models."""
    found: dict[str, dict[str, list[float]]] = {}
    for name, by_lp in _by_language_pair(pairs).items():
        for family, beginnings in FAMILIES.items():
            if name.startswith(beginnings):
                for lp, value in by_lp.items():
                    found.setdefault(family, {}).setdefault(lp, []).append(value)
    means = {
        family: {lp: sum(each) / len(each) for lp, each in sorted(found[family].items())}
        for family in FAMILIES
        if family in found
    }
    return {family: by_lp for family, by_lp in means.items() if len(by_lp) >= MIN_LANGUAGES}


def _family_table(pairs: Sequence[Pair], year: int) -> str:
    by_metric = {metric: _of_families(found) for metric, each, found in _by_metric(pairs) if each == year}
    families = [family for family in FAMILIES if any(family in each for each in by_metric.values())]
    rows = []
    for metric, found in by_metric.items():
        cells = (
            f"{points(mean_of_language_pairs(list(found[family].values())))} ({len(found[family])})"
            if family in found
            else UNDEFINED
            for family in families
        )
        rows.append((metric_label(metric), *cells))
    return table((f"WMT{year % 100}", *families), rows)


def _own_family(pairs: Sequence[Pair]) -> dict[str, tuple[Estimate, Estimate, Estimate]]:
    """By judge: how it rates its own family, how the other judge does, and the difference, over language pairs."""
    rated = {judge: _of_families([pair for pair in pairs if pair.metric == judge]) for judge in JUDGES}
    found = {}
    for judge, family in JUDGES.items():
        (other,) = (each for each in JUDGES if each != judge)
        own, others = (rated[each].get(family, {}) for each in (judge, other))
        lps = [lp for lp in own if lp in others]
        if lps:
            columns = ([own[lp] for lp in lps], [others[lp] for lp in lps], [own[lp] - others[lp] for lp in lps])
            first, second, difference = map(mean_of_language_pairs, columns)
            found[judge] = (first, second, difference)
    return found


def _own_family_rows(pairs: Sequence[Pair]) -> Iterator[tuple[str, ...]]:
    for judge, estimates in _own_family(pairs).items():
        yield metric_label(judge), JUDGES[judge], *map(points, estimates)


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
    return _said_of_mixed_pairs(_ahead(mixed, _weak_systems(pairs))), _said_of_sides(mixed), _said_of_judges(pairs)


def _weak_systems(pairs: Sequence[Pair]) -> set[tuple[tuple[str, str], str]]:
    """The systems, with their language pairs, that people put above at most a fifth of the others."""
    wins: Counter[tuple[tuple[str, str], str]] = Counter()
    seen: Counter[tuple[tuple[str, str], str]] = Counter()
    for pair in pairs:
        if pair.metric == "bleu":
            ahead = pair.better if pair.agrees else pair.worse
            wins[pair.cluster, ahead] += 1
            seen.update((pair.cluster, name) for name in (pair.better, pair.worse))
    return {key for key, count in seen.items() if wins[key] <= LOWEST * count}


@cache
def _calibrated(kinds: str) -> tuple[int, Estimate, Estimate] | None:
    """Pairs and both shares of these kinds under BLEU, as `assay explain` gives them: one interval for one number."""
    found = (each for each in assay.explain("bleu", 1.0, kinds=kinds).by_kinds if each.kinds == kinds)
    return next(((each.share.n, each.share, each.opposite_share) for each in found), None)


def _shares(pairs: Sequence[Pair], kinds: str) -> tuple[Estimate, Estimate]:
    """How often people prefer the better-scored and the worse-scored one, by segments, with exact bounds.

    The bounds are those of the bundled calibration if it has the same pairs.
    """
    own = share_with_bounds(pairs, is_better), share_with_bounds(pairs, is_worse)
    calibrated = _calibrated(kinds)
    if calibrated is None or calibrated[0] != len(pairs):
        return own
    same = all(math.isclose(one.value, other.value) for one, other in zip(own, calibrated[1:], strict=True))
    return calibrated[1:] if same else own


@dataclass(frozen=True)
class _Ahead:
    """Mixed pairs in which BLEU puts one kind ahead, and those without weak MT systems."""

    ahead: str
    behind: str
    kinds: str
    pairs: Sequence[Pair]
    strong: Sequence[Pair]

    @property
    def systems(self) -> int:
        """The number of MT systems, each counted once for a language pair."""
        return len({_mt_system(pair) for pair in self.pairs})

    @property
    def shares(self) -> tuple[Estimate, Estimate]:
        """How often people prefer the better-scored and the worse-scored one, by segments."""
        return _shares(self.pairs, self.kinds)

    @property
    def is_mostly_right(self) -> bool:
        """Whether exact bounds say that people prefer the better-scored one more often than the other: by both tests,
        and without weak MT systems, too.
        """
        outcomes = ((is_better, is_worse), (is_better_by_document, is_worse_by_document))
        tests = [self.shares] + [
            (share_with_bounds(members, better), share_with_bounds(members, worse))
            for members in (self.pairs, self.strong)
            for better, worse in outcomes
        ]
        return bool(self.strong) and all(one.low > other.high for one, other in tests)


def _ahead(mixed: Sequence[Pair], weak: Collection[tuple[tuple[str, str], str]] = ()) -> list[_Ahead]:
    """The LLM ahead by BLEU, and the MT system."""
    found = []
    for ahead, behind, kinds in (("LLM", "MT system", LLM_OVER_MT), ("MT system", "LLM", MT_OVER_LLM)):
        pairs = [pair for pair in mixed if (pair.metric, pair.kinds) == ("bleu", kinds)]
        found.append(_Ahead(ahead, behind, kinds, pairs, [pair for pair in pairs if _mt_system(pair) not in weak]))
    return found


def _rule_rows(sides: Sequence[_Ahead]) -> Iterator[tuple[str, ...]]:
    for side in sides:
        yield f"{side.ahead} ahead", "all, by segments", *_rule_cells(side.pairs, side.shares)
        yield (
            f"{side.ahead} ahead",
            "all, by documents",
            *_rule_cells(side.pairs, _bounded(side.pairs, by_document=True)),
        )
        for year in YEARS:
            found = [pair for pair in side.pairs if pair.year == year]
            yield f"{side.ahead} ahead", f"{year}, by segments", *_rule_cells(found, _bounded(found))
        yield (
            f"{side.ahead} ahead",
            "without weak MT systems, by segments",
            *_rule_cells(side.strong, _bounded(side.strong)),
        )
        by_documents = _bounded(side.strong, by_document=True)
        yield f"{side.ahead} ahead", "without weak MT systems, by documents", *_rule_cells(side.strong, by_documents)


def _bounded(pairs: Sequence[Pair], *, by_document: bool = False) -> tuple[Estimate, Estimate]:
    better, worse = (is_better_by_document, is_worse_by_document) if by_document else (is_better, is_worse)
    return share_with_bounds(pairs, better), share_with_bounds(pairs, worse)


def _rule_cells(pairs: Sequence[Pair], shares: tuple[Estimate, Estimate]) -> tuple[str, ...]:
    systems = len({_mt_system(pair) for pair in pairs})
    return str(len(pairs)), str(systems), *map(share_text, shares)


def _said_of_mixed_pairs(sides: Sequence[_Ahead]) -> str:
    claims = [
        f"if BLEU puts an {side.ahead} ahead of an {side.behind}, "
        + ("people mostly prefer it, too" if side.is_mostly_right else "it may be wrong: ask people")
        for side in sides
    ]
    parts = []
    for side in sides:
        better, worse = side.shares
        by_documents = (share_text(share(side.pairs, each)) for each in (is_better_by_document, is_worse_by_document))
        latest = [pair for pair in side.pairs if pair.year == YEARS[-1]]
        parts.append(
            f"with the {side.ahead} ahead, people significantly preferred it in {share_text(better)} of "
            f"{len(side.pairs)} pairs and the {side.behind} in {share_text(worse)} (by documents "
            f"{' and '.join(by_documents)}; in {YEARS[-1]} alone {share_text(share(latest, is_better))} and "
            f"{share_text(share(latest, is_worse))} of {len(latest)}; without weak MT systems "
            f"{share_text(share(side.strong, is_better))} and {share_text(share(side.strong, is_worse))} of "
            f"{len(side.strong)}; {side.systems} MT systems in all)"
        )
    said = "; ".join(claims)
    return f"{said[0].upper()}{said[1:]}: {'; '.join(parts)}."


def _mt_systems(mixed: Sequence[Pair], year: int) -> int:
    """How many MT systems there are, by name."""
    return len({_mt_system(pair)[1] for pair in mixed if pair.year == year})


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
    systems = joined([f"{_mt_systems(mixed, year)} in {year}" for year in YEARS if _mt_systems(mixed, year)])
    return (
        f"{sides_said}{shown}. Only {bounded} of {len(biases)} biases of a metric and a year have an interval; all of "
        f"them are from {ends}, and all rest on few MT systems: {systems}."
    )


def _said_of_judges(pairs: Sequence[Pair]) -> str:
    """Whether a judge rates its own family higher than the other judge rates the same systems."""
    found = _own_family(pairs)
    favours = [judge for judge, (_, _, difference) in found.items() if is_sure(difference) and difference.value > 0]
    against = [judge for judge, (_, _, difference) in found.items() if is_sure(difference) and difference.value < 0]
    if favours:
        said = f"Do not let a judge rank its own family: {joined(list(map(metric_label, favours)))} surely favoured it"
    elif against and len(against) == len(found):
        said = "Judges surely rated their own family lower than the other judge did"
    else:
        said = (
            "It is not shown that a judge favours its own family, nor that it does not: let a judge of another family "
            "confirm what it says of its own"
        )
    parts = [
        f"{metric_label(judge)} rated {JUDGES[judge]} {points(own)} points against people and the other judge "
        f"{points(other)}, a difference of {points(difference)} in {plural(difference.n, 'language pair')}"
        for judge, (own, other, difference) in found.items()
    ]
    return f"{said}. In WMT25, {'; '.join(parts)}."
