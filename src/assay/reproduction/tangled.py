"""Mathur, Baldwin & Cohn 2020, "Tangled up in BLEU": outlier systems, and what they do to correlations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path

import assay
from assay.reproduction.campaigns import (
    ARCHIVE,
    by_pair,
    load_test_sets,
    no_data,
    of_pair,
    value_of,
    with_papers_names,
)
from assay.results import (
    DecisionBin,
    Decisions,
    ErrorOverlap,
    Estimate,
    EvaluatedMetric,
    MetaEvaluation,
    MetricDecisions,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
    Result,
    RobustnessCurves,
    RobustnessSubsamples,
)
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "run"]

TITLE = "Mathur et al. 2020, Tangled up in BLEU"
CITATION = (
    "Nitika Mathur, Timothy Baldwin, Trevor Cohn (2020): Tangled up in BLEU: Reevaluating the Evaluation of Automatic "
    "Machine Translation Evaluation Metrics. ACL 2020."
)
TEST_SETS = ("wmt19",)
COMPUTED = ("bleu", "chrf", "ter")
GOLD = "wmt-z"
"""The human scores of systems."""
STORED = {"YiSi-1": ("YiSi-1",), "ESIM": ("ESIM",)}
"""The metrics of Figures 4 and 5: three are computed from texts, and two need stored scores of segments."""
CORRELATIONS = resources.files("assay.reproduction") / "tangled_correlations.tsv"
"""What the authors' rule gives on their scores of WMT19, computed once by another program and rounded to two digits.

The digits that the paper prints are not at hand, so that these are no published numbers and are not counted as such."""

BLEU, CHRF, YISI_2 = "sacreBLEU-BLEU-ref", "sacreBLEU-chrF-ref", "YiSi-2-src"  # the paper uses those of sacreBLEU
METRICS = {"BLEU": BLEU, "TER": "TER-ref", "chrF": CHRF, "YiSi-1": "YiSi-1-ref", "ESIM": "ESIM-ref"}
"""The five metrics of Section 5, and their names in the scores of WMT19."""

OUTLIERS = {
    "de-cs": 1, "de-en": 1, "de-fr": 0, "en-cs": 0, "en-de": 2, "en-fi": 1, "en-gu": 0, "en-kk": 2, "en-lt": 0,
    "en-ru": 1, "en-zh": 0, "fi-en": 0, "fr-de": 3, "gu-en": 1, "kk-en": 2, "lt-en": 1, "ru-en": 1, "zh-en": 2,
}  # fmt: skip
"""The number of outlier systems of each language pair of WMT19."""
TABLES = {"into-english": 3, "out-of-english": 4, "without-english": 5}
"""The tables of all metrics; Tables 1 and 2 repeat some of their rows."""
DIRECTIONS = {"into-english": "into English", "out-of-english": "out of English", "without-english": "without English"}
EN_KK = {"kept": ".85", "dropped": ".58"}
"""Section 4.2: the correlation of BLEU on en-kk."""
_SHOWN = 5  # correlations in a reason
SUBSAMPLES = ".97"
"""Section 4.2: any metric has a higher correlation on ten systems of en-de with en_de_task among them."""
WINDOWS = {"ranks 2-5": Published("1", "about", "perfect"), "ranks 1-4": Published("-1", "about", "drops to -1")}
"""Section 4.1: BLEU and chrF on de-en."""
ERRORS: Mapping[str, tuple[Published, str, Callable[[DecisionBin], int]]] = {
    "not significant": (
        Published(".5", "about", "half of the pairs"),
        "people see a difference",
        lambda pairs: pairs.worse + pairs.better,
    ),
    "0 to 3": (
        Published(".5", "above", "more than half"),
        "people see no significant difference",
        lambda pairs: pairs.undecided,
    ),
    "3 to 5": (
        Published(".25", "about", "a quarter"),
        "people see no significant difference",
        lambda pairs: pairs.undecided,
    ),
}
"""Section 5: by difference of BLEU, the share of the pairs of systems."""
OVERLAPS = {
    "share of BLEU's errors that TER makes, too": Published(".80", "about"),
    "share of BLEU's errors that all metrics make": Published(".5", "above", "over half"),
}

REASONS = {
    "windows": "the sentence is loose: the curves of the authors' own figure of de-en (topn_wmt19.pdf of their "
    "repository) pass through our values. None of the five stored columns of BLEU and chrF gives 1 and -1 (ranks 2-5: "
    ".50 to .56, ranks 1-4: -.82 to -.61); on en-de, ranks 1-4 give -.98 for BLEU",
    "any metric": "the paper says it of any metric; it does not hold for metrics that correlate badly in any case",
    "other years": "the paper counts pairs of WMT19, whose segment scores are not in the folder; these are pairs of {} "
    "that people judged segment by segment; people see a difference if a one-sided rank-sum test in either direction "
    "has p < .05",
    "fewer pairs": "{} of 18 language pairs of WMT19 have human scores of segments",
    "metrics": "{} of the paper's five metrics, as the others have no stored scores of segments here ({})",
    "counted": "open: pairs of all language pairs of WMT19, and another share",
    "scores": "the scores in this folder give another value",
    "words": "the paper says it in words",
    "no years": "no test set in the folder has human scores of segments and texts of systems; those of WMT19 are in "
    f"{ARCHIVE}: assay data fetch {ARCHIVE}",
}


def run(data: Path, runtime: Runtime) -> Reproduction:
    """What the paper says of WMT19, and its two kinds of errors counted on later years."""
    has_others = (data / "wmt20").is_dir() or bool(_others(data))
    names = ["wmt19"] if (data / "wmt19").is_dir() or not has_others else []  # an error if there is nothing at all
    read = load_test_sets(data, names, runtime)["wmt19"] if names else []
    campaigns = by_pair([each for each in read if any((t.name, t.level) == (GOLD, "system") for t in each.human)])
    tables = _tables(campaigns, runtime)
    curves, subsamples = {}, {}
    for lp in ("de-en", "en-de"):
        if lp in campaigns:
            curves[f"top-{lp}"] = assay.robustness(campaigns[lp], kind="top", gold=GOLD, runtime=runtime)
            for name, size in (("windows", 4), ("windows-of-8", 8)):
                curves[f"{name}-{lp}"] = assay.robustness(
                    campaigns[lp], kind="windows", gold=GOLD, subset_size=size, runtime=runtime
                )
    if "en-de" in campaigns:
        subsamples["en-de"] = assay.robustness(
            campaigns["en-de"], kind="subsamples", gold=GOLD, subset_size=10, resamples=1000, runtime=runtime
        )
    results: dict[str, Result] = {**tables, **curves}
    results |= {f"subsamples-{lp}": table for lp, table in subsamples.items()}
    judged = _judged(data, read, runtime)
    years = list(dict.fromkeys(each.name for each in judged))
    decided = None
    if judged:
        decided = results["decisions"] = assay.decisions(
            judged,
            metrics=COMPUTED,
            stored=_stored(judged),
            preset="mathur2020",
            runtime=runtime,
        )
    return Reproduction(
        paper="tangled",
        citation=CITATION,
        settings={"data": "+".join(dict.fromkeys([*names, *years]) or ["wmt20"])},
        numbers=(
            *_outliers(tables),
            *_of_the_tables(tables),
            *_correlations(tables),
            *_windows({lp: curves[name] for lp in campaigns if (name := f"windows-{lp}") in curves}),
            *_subsamples(subsamples),
            ReproducedNumber(
                "Section 4.2, Figure 3",
                "rank that YiSi-2 gives to the system of en-ru that people find worst",
                Published(words="very high"),
                value_of(_rank_of_worst, tables, YISI_2, "en-ru"),
                REASONS["words"],
            ),
            *_errors(decided, judged),
            *_overlaps(decided, judged),
        ),
        recommendations=tuple(_recommendations(tables, decided)),
        remarks=tuple(_remarks(data, judged, runtime)),
        results=results,
        tables={name: f"Table {TABLES[name]}, {DIRECTIONS[name]}" for name in tables},
        figures=dict(_figures(results)),
    )


def _others(data: Path) -> list[str]:
    """The test sets of other years whose segments people scored."""
    folders = sorted(data.iterdir()) if data.is_dir() else []
    return [folder.name for folder in folders if _has_segments(folder) and folder.name != "wmt19"]


def _judged(data: Path, campaigns: Sequence[assay.Campaign], runtime: Runtime) -> list[assay.Campaign]:
    """WMT19 if people's scores of its segments are in the folder, else all other test sets with such scores."""
    judged = [each for each in campaigns if _is_judged(each)]
    if not judged:
        others = _others(data)
        found = load_test_sets(data, others, runtime) if others else {}
        judged = [each for campaigns in found.values() for each in campaigns if _is_judged(each)]
    return [with_papers_names(each, STORED) for each in judged]


def _stored(judged: Sequence[assay.Campaign]) -> list[str]:
    """Metrics with stored scores of segments: on WMT19, or else everywhere, as errors are compared on common pairs."""
    is_own = any(each.name == "wmt19" for each in judged)
    has = {
        name: [any((t.name, t.level) == (name, "segment") for t in each.metrics) for each in judged] for name in STORED
    }
    return [name for name, there in has.items() if all(there) or (is_own and any(there))]


def _has_segments(folder: Path) -> bool:
    return (folder / "system-outputs").is_dir() and any((folder / "human-scores").glob("*.seg.score"))


def _is_judged(campaign: assay.Campaign) -> bool:
    """Whether there are texts, and segment scores by direct assessment, scalar quality metrics or MQM."""
    return campaign.testset is not None and any(
        table.level == "segment" and (table.protocol or "").startswith(("DA", "MQM")) for table in campaign.human
    )


def _tables(campaigns: Mapping[str, assay.Campaign], runtime: Runtime) -> dict[str, MetaEvaluation]:
    """Tables 3 to 5: all metrics, with all systems and without outliers, and tests between the metrics."""
    directions: dict[str, list[assay.Campaign]] = {name: [] for name in TABLES}
    for lp, campaign in campaigns.items():
        directions[_direction(lp)].append(campaign)
    return {
        direction: assay.meta(found, gold=GOLD, sig="williams", resamples=0, runtime=runtime)
        for direction, found in directions.items()
        if found
    }


def _direction(lp: str) -> str:
    return "into-english" if lp.endswith("-en") else "out-of-english" if lp.startswith("en-") else "without-english"


def _correlation(tables: Mapping[str, MetaEvaluation], metric: str, lp: str, outliers: str) -> Estimate:
    by_language_pair = {pair.lp: table for table in tables.values() for pair in table.language_pairs}
    return of_pair(by_language_pair, lp).agreement(metric, lp=lp, outliers=outliers).estimate


def _outliers(tables: Mapping[str, MetaEvaluation]) -> Iterator[ReproducedNumber]:
    pairs = {pair.lp: pair for table in tables.values() for pair in table.language_pairs}
    for lp, count in OUTLIERS.items():
        found, names = no_data(f"{lp} is not in the data"), ""
        if lp in pairs:
            outliers = pairs[lp].outliers.systems
            found, names = Estimate(len(outliers), len(pairs[lp].systems)), f" ({', '.join(outliers) or 'none'})"
        yield ReproducedNumber(
            "Tables 1–5", f"outlier systems of {lp}{names}", Published(str(count)), found, REASONS["scores"]
        )


def _of_the_tables(tables: Mapping[str, MetaEvaluation]) -> Iterator[ReproducedNumber]:
    """The share of the correlations of each table that another program gives, too: no published numbers."""
    lines = CORRELATIONS.read_text(encoding="utf-8").splitlines()[1:]
    for name, number in TABLES.items():
        for outliers, words in (("kept", "all systems"), ("dropped", "without outliers")):
            cells = [cell for cell in (line.split("\t") for line in lines) if cell[1] == outliers]
            cells = [cell for cell in cells if _direction(cell[0]) == name]
            ours = [value_of(_correlation, tables, metric, lp, outliers).value for lp, _, metric, _ in cells]
            defined = [place for place, value in enumerate(ours) if not math.isnan(value)]
            other = [place for place in defined if not Published(cells[place][3]).is_met(ours[place])]
            found = no_data("no language pair of this table is in the data")
            if defined:
                found = Estimate((len(defined) - len(other)) / len(cells), len(cells))
            yield ReproducedNumber(
                "",
                f"Table {number}, {DIRECTIONS[name]}, {words}: share of {len(cells)} correlations that another program "
                "gives, too, by the authors' rule",
                Published(),
                found,
                _of_cells([cells[place] for place in other], len(defined), len(cells)),
            )


def _of_cells(other: Sequence[Sequence[str]], defined: int, count: int) -> str:
    """Why not all correlations of a table come out."""
    shown = ", ".join(f"{metric} on {lp}" for lp, _, metric, _ in other[:_SHOWN])
    more = f" and {len(other) - _SHOWN} more" if len(other) > _SHOWN else ""
    differing = f"{REASONS['scores']}: {shown}{more}" if other else ""
    missing = f"{count - defined} of {count} have no scores here" if defined < count else ""
    return "; ".join(filter(None, (missing, differing))) or "all of them come out"


def _correlations(tables: Mapping[str, MetaEvaluation]) -> Iterator[ReproducedNumber]:
    """The correlations that the text names."""
    for outliers, printed in EN_KK.items():
        quantity = f"BLEU on en-kk, {'all systems' if outliers == 'kept' else 'without outliers'}"
        found = value_of(_correlation, tables, BLEU, "en-kk", outliers)
        yield ReproducedNumber("Section 4.2", quantity, Published(printed), found, REASONS["scores"])
    yield ReproducedNumber(
        "Section 4.2, Figure 3",
        "YiSi-2 on en-de without outliers",
        Published("0", "about", "near 0"),
        value_of(_correlation, tables, YISI_2, "en-de", "dropped"),
        REASONS["scores"],
    )
    for lp in ("lt-en", "en-fi"):
        for name, metric in (("BLEU", BLEU), ("chrF", CHRF)):
            found = value_of(_correlation, tables, metric, lp, "dropped")
            quantity = f"{name} on {lp} without the outlier"
            yield ReproducedNumber("Section 4.2", quantity, Published(words="high"), found, REASONS["words"])
    rows = [row for table in tables.values() for row in table]
    yield ReproducedNumber(
        "Section 4.1",
        "share of correlations above .8, reference-based metrics, all systems",
        Published(words="in general above .8"),
        _share([value > 0.8 for row in rows if row.metric.endswith("-ref") for value in _values(row, "kept")]),
        REASONS["words"],
    )
    gujarati = [(_values(row, "kept", "gu-en"), _values(row, "dropped", "gu-en")) for row in rows]
    yield ReproducedNumber(
        "Section 4.2",
        "share of metrics whose correlation rises without the outlier of gu-en",
        Published(".5", "above", "most metrics"),
        _share([without > value for kept, dropped in gujarati for value, without in zip(kept, dropped, strict=True)]),
        REASONS["scores"],
    )


def _values(row: EvaluatedMetric, outliers: str, lp: str | None = None) -> list[float]:
    """The correlations of a metric that are defined, on one language pair or on all."""
    values = [
        agreement.value
        for column, agreement in row.agreements.items()
        if column.measure.outliers == outliers and lp in (None, column.lp)
    ]
    return [value for value in values if not math.isnan(value)]


def _share(cases: Sequence[bool]) -> Estimate:
    return Estimate(sum(cases) / len(cases), len(cases)) if cases else no_data("no metric has a value")


def _windows(curves: Mapping[str, RobustnessCurves]) -> Iterator[ReproducedNumber]:
    """`curves`: of windows of four systems, by language pair."""
    where = "Section 4.1, Figure 1"
    for name, metric in (("BLEU", BLEU), ("chrF", CHRF)):
        for label, published in WINDOWS.items():
            found = value_of(_window, curves, "de-en", metric, label)
            yield ReproducedNumber(where, f"{name} on de-en, {label}", published, found, REASONS["windows"])
    best = value_of(_best_window, curves, "en-de", YISI_2)
    published = Published("1", "about", "perfect at some N")
    yield ReproducedNumber(
        where, "YiSi-2 on en-de, the best window of four systems", published, best, REASONS["scores"]
    )


def _window(curves: Mapping[str, RobustnessCurves], lp: str, metric: str, label: str) -> Estimate:
    return of_pair(curves, lp)[metric][label].estimate


def _best_window(curves: Mapping[str, RobustnessCurves], lp: str, metric: str) -> Estimate:
    return max((point.estimate for point in of_pair(curves, lp)[metric]), key=lambda estimate: estimate.value)


def _subsamples(tables: Mapping[str, RobustnessSubsamples]) -> Iterator[ReproducedNumber]:
    """The claim is made of any metric: these are the metrics of Section 5, and the share of all stored metrics."""
    where, draws = "Section 4.2, Figure 2", "draws of 10 systems of en-de with en_de_task"
    for name, metric in METRICS.items():
        found = value_of(_mean, tables, "en-de", metric)
        yield ReproducedNumber(
            where, f"{name}, mean over {draws}", Published(SUBSAMPLES, "above"), found, REASONS["scores"]
        )
    means = [value_of(_mean, tables, lp, each.metric).value for lp, table in tables.items() for each in table]
    yield ReproducedNumber(
        where,
        f"share of all metrics above {SUBSAMPLES} in {draws}",
        Published(words="any metric"),
        _share([mean > float(SUBSAMPLES) for mean in means]),
        REASONS["any metric"],
    )


def _mean(tables: Mapping[str, RobustnessSubsamples], lp: str, metric: str) -> Estimate:
    table = of_pair(tables, lp)
    drawn = table[metric].including(*(name for name in table.order if name.startswith("en_de_task")))
    return Estimate(drawn.mean, len(drawn.values), drawn.quantile(0.025), drawn.quantile(0.975))


def _rank_of_worst(tables: Mapping[str, MetaEvaluation], metric: str, lp: str) -> Estimate:
    """The place that a metric gives to the system that people find worst."""
    by_language_pair = {pair.lp: table for table in tables.values() for pair in table.language_pairs}
    scores = of_pair(by_language_pair, lp).agreement(metric, lp=lp).scores
    pairs = [] if scores is None else scores.tolist()
    of_worst, _ = min(pairs, key=lambda pair: pair[1])
    return Estimate(1 + sum(score > of_worst for score, _ in pairs), len(pairs))


def _errors(decided: Decisions | None, judged: Sequence[assay.Campaign]) -> Iterator[ReproducedNumber]:
    """Where BLEU misleads, against direct assessment as in the paper, and against MQM."""
    where = "Section 5, Figure 4"
    bleu = [] if decided is None else [each for each in decided if each.metric == "bleu"]
    other = _other_pairs(judged)
    for label, (said, words, count) in ERRORS.items():
        published = replace(said, other_data=bool(other))
        if not any(each.protocol == "DA/SQM" for each in bleu):
            yield ReproducedNumber(where, f"BLEU {label}: {words}", published, no_data(REASONS["no years"]))
        for each in bleu:
            found = _bin_share(each, label, count)
            is_compared = each.protocol == "DA/SQM"
            quantity = f"BLEU {label}: {words} ({each.protocol})"
            yield ReproducedNumber(
                *(where if is_compared else "", quantity, published if is_compared else Published(), found),
                reason=other or REASONS["counted"],
            )


def _other_pairs(judged: Sequence[assay.Campaign]) -> str:
    """What is not the paper's in the pairs of systems; empty: nothing."""
    years = list(dict.fromkeys(each.name for each in judged))
    if years != ["wmt19"]:
        return REASONS["other years"].format(", ".join(years))
    return "" if len(judged) == len(OUTLIERS) else REASONS["fewer pairs"].format(len(judged))


def _bin_share(decided: MetricDecisions, label: str, count: Callable[[DecisionBin], int]) -> Estimate:
    pairs = next((each for each in decided.bins if each.label == label), None)
    if pairs is None or not pairs.pairs:
        return no_data("no pairs of systems")
    return Estimate(count(pairs) / pairs.pairs, pairs.pairs)


def _overlaps(decided: Decisions | None, judged: Sequence[assay.Campaign]) -> Iterator[ReproducedNumber]:
    overlaps = {} if decided is None else {each.protocol: each for each in decided.overlaps}
    pairs = _other_pairs(judged)
    for quantity, said in OVERLAPS.items():
        is_shared = "TER" in quantity
        if "DA/SQM" not in overlaps:
            published = replace(said, other_data=bool(pairs))
            yield ReproducedNumber("Section 5, Figure 5", quantity, published, no_data(REASONS["no years"]))
        for protocol, overlap in overlaps.items():
            names = [name.split()[0] for name in overlap.metrics]
            missing = not is_shared and len(names) < len(METRICS)
            metrics = REASONS["metrics"].format(len(names), ", ".join(names)) if missing else ""
            other = "; ".join(filter(None, (metrics, pairs)))
            found = _overlap(overlap, "ter" if is_shared else None)
            is_compared = protocol == "DA/SQM"
            published = replace(said, other_data=bool(other)) if is_compared else Published()
            where = "Section 5, Figure 5" if is_compared else ""
            yield ReproducedNumber(where, f"{quantity} ({protocol})", published, found, other or REASONS["counted"])


def _overlap(overlap: ErrorOverlap, other: str | None) -> Estimate:
    """The share of BLEU's errors that another metric makes, too, or that all metrics make."""
    places = {name.split()[0]: place for place, name in enumerate(overlap.metrics)}
    if "bleu" not in places or other not in (None, *places):
        return no_data("no tested decisions of these metrics")
    shared = overlap.shared.tolist()[places["bleu"]]
    errors, count = shared[places["bleu"]], overlap.common if other is None else shared[places[other]]
    return Estimate(count / errors, errors) if errors else no_data("BLEU makes no error")


def _recommendations(tables: Mapping[str, MetaEvaluation], decided: Decisions | None) -> Iterator[Recommendation]:
    means = {kind: _means(tables, kind) for kind in ("kept", "dropped")}
    falling = sum(
        means["dropped"][metric] < mean for metric, mean in means["kept"].items() if metric in means["dropped"]
    )
    yield Recommendation(
        "Leave outliers out before correlating.",
        f"Without them, the mean correlation over the language pairs with outliers falls for {falling} of "
        f"{len(means['kept'])} metrics.",
    )
    pairs = sum(len(table.language_pairs) for table in tables.values())
    found = ", ".join(
        f"{name} {mean:.3f} ({_won(tables, metric)})"
        for name, metric in METRICS.items()
        if not math.isnan(mean := _mean_without_outliers(tables, metric))
    )
    yield Recommendation(
        "Use chrF, YiSi-1 or ESIM instead of BLEU and TER, and draw no conclusions from small changes of a metric "
        "alone: people should judge.",
        f"Mean correlation over {pairs} language pairs of WMT19 without outliers, and in how many of them no metric is "
        f"significantly better: {found}.{_accepted(decided)}",
    )


def _mean_without_outliers(tables: Mapping[str, MetaEvaluation], metric: str) -> float:
    values = [
        value for table in tables.values() for row in table if row.metric == metric for value in _values(row, "dropped")
    ]
    return math.fsum(values) / len(values) if values else math.nan


def _won(tables: Mapping[str, MetaEvaluation], metric: str) -> int:
    """The language pairs on which no metric is significantly better, without outliers."""
    tests = [test for table in tables.values() for test in table.tests if test.outliers == "dropped" and test.lp]
    return sum(metric in test.winners for test in tests)


def _accepted(decided: Decisions | None) -> str:
    rates = [
        f"{each.metric} {100 * rule.type_1_rate:.0f} % ({each.protocol})"
        for each in decided or ()
        for rule in each.rules
        if math.isnan(rule.threshold)  # the rule that accepts significant differences
    ]
    words = " Where they judged segments, people do not find the system better that the metric significantly prefers: "
    return f"{words}{', '.join(rates)} of the pairs of systems." if rates else ""


def _means(tables: Mapping[str, MetaEvaluation], outliers: str) -> dict[str, float]:
    """The mean correlation of each metric over the language pairs that have outliers."""
    values: dict[str, list[float]] = {}
    for table in tables.values():
        with_outliers = [pair.lp for pair in table.language_pairs if pair.outliers.systems]
        for row in table:
            found = [value for lp in with_outliers for value in _values(row, outliers, lp)]
            values.setdefault(row.metric, []).extend(found)
    return {metric: math.fsum(each) / len(each) for metric, each in values.items() if each}


def _remarks(data: Path, judged: Sequence[assay.Campaign], runtime: Runtime) -> Iterator[str]:
    yield (
        "Its abstract and its Section 5 use “type I” and “type II” in opposite senses; here the errors are named in "
        "words."
    )
    yield (
        "The digits of Tables 1 to 5 are not at hand. The correlations of Tables 3 to 5 are compared with those that "
        "another program computed once from the authors' published scores by their rule; they are not counted as "
        "published numbers. Tables 1 and 2 repeat a part of them."
    )
    if "wmt19" not in {each.name for each in judged}:
        yield (
            "Figures 4 and 5 need segment scores of people and texts of all systems. Those of WMT19 are public "
            f"({ARCHIVE}, wmt-raw); a folder wmt19 with them is used."
        )
    if (data / "wmt20").is_dir():
        campaigns = load_test_sets(data, ["wmt20"], runtime)["wmt20"]
        later = assay.meta(campaigns, gold="wmt-z", resamples=0, random_metrics=0, runtime=runtime)
        outliers = {pair.lp: ", ".join(pair.outliers.systems) for pair in later.language_pairs}
        found = "; ".join(f"{lp} {names}" for lp, names in outliers.items() if names)
        yield (
            "Open: on eight language pairs, WMT20's metrics task left out other systems than this rule does; we do not "
            f"know why. By the rule, its outliers are: {found or 'none'}."
        )


def _figures(results: Mapping[str, Result]) -> Iterator[tuple[str, PaperFigure]]:
    curves = f"robustness:metrics={'+'.join((BLEU, CHRF, 'YiSi-1-ref', YISI_2, 'ESIM-ref'))}"
    for name, words in (
        ("top-de-en", "the best N systems of de-en"),
        ("top-en-de", "the best N systems of en-de"),
        ("windows-de-en", "windows of four systems of de-en"),
        ("windows-en-de", "windows of four systems of en-de"),
        ("windows-of-8-de-en", "windows of eight systems of de-en"),
        ("windows-of-8-en-de", "windows of eight systems of en-de"),
    ):
        if name in results:
            yield f"figure-1-{name}", PaperFigure(f"Figure 1, {words}", curves, (name,))
    if "subsamples-en-de" in results:
        chart = f"subsamples:metrics={'+'.join(METRICS.values())}"
        yield "figure-2", PaperFigure("Figure 2, ten systems of en-de", chart, ("subsamples-en-de",))
    tables = results.get("out-of-english")
    for lp in ("en-de", "en-ru"):
        if isinstance(tables, MetaEvaluation) and lp in {pair.lp for pair in tables.language_pairs}:
            chart = f"metric-human:metric={YISI_2},lp={lp}"
            yield f"figure-3-{lp}", PaperFigure(f"Figure 3, YiSi-2 on {lp}", chart, ("out-of-english",))
    decisions = results.get("decisions")
    if isinstance(decisions, Decisions):
        drawn = {each.metric for each in decisions if each.protocol == "DA/SQM"}
        for metric in (each for each in (*COMPUTED, *STORED) if each in drawn):
            chart = f"human-differences:metric={metric},protocol=DA/SQM"
            yield f"figure-4-{metric.lower()}", PaperFigure(f"Figure 4, {metric}", chart, ("decisions",))
        caption = "Figure 5, errors of both metrics as a share of the errors of either"
        yield "figure-5", PaperFigure(caption, "metric-errors:protocol=DA/SQM", ("decisions",))
