"""Mathur, Baldwin & Cohn 2020, "Tangled up in BLEU": outlier systems, and what they do to correlations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

import assay
from assay.reproduction.campaigns import find_test_sets, load_test_sets, no_data
from assay.results import (
    DecisionBin,
    Decisions,
    ErrorOverlap,
    Estimate,
    MetaEvaluation,
    PaperFigure,
    Recommendation,
    Reproduced,
    Reproduction,
    Result,
    RobustnessCurves,
    RobustnessSubsamples,
)
from assay.runtime import Runtime

__all__ = ["run"]

CITATION = (
    "Nitika Mathur, Timothy Baldwin, Trevor Cohn (2020): Tangled up in BLEU: Reevaluating the Evaluation of Automatic "
    "Machine Translation Evaluation Metrics. ACL 2020."
)
BLEU, CHRF = "sacreBLEU-BLEU-ref", "sacreBLEU-chrF-ref"  # the paper uses those of sacreBLEU
METRICS = {"BLEU": BLEU, "TER": "TER-ref", "chrF": CHRF, "YiSi-1": "YiSi-1-ref", "ESIM": "ESIM-ref"}
"""The five metrics of Section 5, and their names in the scores of WMT19."""
YISI_2 = "YiSi-2-src"
LATER_YEARS = ("wmt21.news", "wmt22")

OUTLIERS = {
    "de-cs": 1, "de-en": 1, "de-fr": 0, "en-cs": 0, "en-de": 2, "en-fi": 1, "en-gu": 0, "en-kk": 2, "en-lt": 0,
    "en-ru": 1, "en-zh": 0, "fi-en": 0, "fr-de": 3, "gu-en": 1, "kk-en": 2, "lt-en": 1, "ru-en": 1, "zh-en": 2,
}  # fmt: skip
"""The number of outlier systems of each language pair of WMT19, in Tables 1 to 3."""

WINDOWS = (
    "open: none of the five stored columns of BLEU and chrF gives 1 and -1 (ranks 2-5: .50 to .56, ranks 1-4: -.82 to "
    "-.61); the paper reads the values off a figure"
)
OTHER_YEARS = (
    "the paper counts pairs of WMT19, whose segment scores are not public; these are pairs of WMT21 and WMT22 that "
    "people judged segment by segment"
)
THREE_METRICS = f"three metrics (BLEU, chrF, TER) instead of the paper's five; {OTHER_YEARS}"
IN_WORDS = "the paper says it in words"

_Values: TypeAlias = Mapping[tuple[str, str, str], Estimate]
"""By metric, language pair, and outliers kept or dropped."""


def run(data: Path, runtime: Runtime) -> Reproduction:
    """What the paper says of WMT19, and its two kinds of errors counted on later years."""
    campaigns = {campaign.lp: campaign for campaign in load_test_sets(data, ["wmt19"], runtime)}
    german, english = campaigns["en-de"], campaigns["de-en"]
    table = assay.meta(campaigns.values(), sig="williams", resamples=0, runtime=runtime)
    curves = {
        f"{kind}-{campaign.lp}": cast("RobustnessCurves", assay.robustness(campaign, kind=kind, runtime=runtime))
        for kind in ("top", "windows")
        for campaign in (english, german)
    }
    subsamples = cast(
        "RobustnessSubsamples",
        assay.robustness(german, kind="subsamples", subset_size=10, resamples=1000, runtime=runtime),
    )
    years = find_test_sets(data, LATER_YEARS)
    decided = _decide(data, years, runtime)
    values = _values(table)
    numbers = [
        *_outliers(table),
        *_correlations(values),
        *_windows(curves["windows-de-en"], curves["windows-en-de"]),
        *_subsamples(subsamples),
        _rank_of_outlier(campaigns["en-ru"]),
        *_errors(decided),
    ]
    results: dict[str, Result] = {"tables": table, **curves, "subsamples": subsamples}
    return Reproduction(
        "tangled",
        CITATION,
        {"data": "+".join(["wmt19", *years])},
        tuple(numbers),
        tuple(_recommendations(values, decided)),
        (
            "tables.tex and tables.tsv are Tables 1 to 3: all metrics of WMT19 on all pairs, with all systems and "
            "without outliers; * marks metrics that no other one beats by Williams' test.",
            "Open: the outliers that WMT20's metrics task listed by the same rule are not among the data.",
            "Its abstract and its Section 5 use “type I” and “type II” in opposite senses; here the errors are named "
            "in words.",
        ),
        results if decided is None else {**results, "decisions": decided},
        _figures(has_decisions=decided is not None),
    )


def _decide(data: Path, years: Sequence[str], runtime: Runtime) -> Decisions | None:
    if not years:
        return None
    judged = load_test_sets(data, years, runtime)
    return assay.decisions(judged, metrics=["bleu", "chrf", "ter"], preset="mathur2020", runtime=runtime)


def _figures(*, has_decisions: bool) -> dict[str, PaperFigure]:
    curves = f"robustness:metrics={'+'.join((BLEU, CHRF, 'YiSi-1-ref', YISI_2, 'ESIM-ref'))}"
    figures = {
        f"figure-1-{name}": PaperFigure(f"Figure 1, {words}", curves, (name,))
        for name, words in (
            ("top-de-en", "the best N systems of de-en"),
            ("top-en-de", "the best N systems of en-de"),
            ("windows-de-en", "windows of four systems of de-en"),
            ("windows-en-de", "windows of four systems of en-de"),
        )
    }
    figures |= {
        "figure-2": PaperFigure(
            "Figure 2, ten systems of en-de", f"subsamples:metrics={'+'.join(METRICS.values())}", ("subsamples",)
        ),
        "figure-3-en-de": PaperFigure(
            "Figure 3, YiSi-2 on en-de", f"metric-human:metric={YISI_2},lp=en-de", ("tables",)
        ),
        "figure-3-en-ru": PaperFigure(
            "Figure 3, YiSi-2 on en-ru", f"metric-human:metric={YISI_2},lp=en-ru", ("tables",)
        ),
    }
    if has_decisions:
        for metric in ("bleu", "chrf", "ter"):
            figures[f"figure-4-{metric}"] = PaperFigure(
                f"Figure 4, {metric}", f"human-differences:metric={metric},protocol=DA/SQM", ("decisions",)
            )
        figures["figure-5"] = PaperFigure("Figure 5", "metric-errors:protocol=DA/SQM", ("decisions",))
    return figures


def _values(table: MetaEvaluation) -> _Values:
    return {
        (row.metric, column.lp, column.measure.outliers): agreement.estimate
        for row in table
        for column, agreement in row.agreements.items()
    }


def _outliers(table: MetaEvaluation) -> Iterator[Reproduced]:
    for pair in table.language_pairs:
        names = ", ".join(pair.outliers.systems) or "none"
        found = Estimate(len(pair.outliers.systems), len(pair.systems))
        printed = str(OUTLIERS.get(pair.lp, ""))
        yield Reproduced("Tables 1–3", f"outlier systems of {pair.lp} ({names})", printed, found)


def _correlations(values: _Values) -> Iterator[Reproduced]:
    """The correlations that the text names."""
    for outliers, printed in (("kept", ".85"), ("dropped", ".58")):
        name = "all systems" if outliers == "kept" else "without outliers"
        yield Reproduced("Section 4.2", f"BLEU on en-kk, {name}", printed, values[BLEU, "en-kk", outliers])
    yield Reproduced(
        "Section 4.2, Figure 3",
        "YiSi-2 on en-de without outliers",
        "about 0",
        values[YISI_2, "en-de", "dropped"],
        within=0.05,
    )
    for lp in ("lt-en", "en-fi"):
        for metric in (BLEU, CHRF):
            quantity = f"{metric.removesuffix('-ref')} on {lp} without the outlier"
            yield Reproduced("Section 4.2", quantity, "high", values[metric, lp, "dropped"], IN_WORDS)
    yield _share(
        "Section 4.1",
        "share of correlations of reference-based metrics above .8, all systems",
        "in general",
        [
            estimate.value > 0.8
            for (metric, _, outliers), estimate in values.items()
            if metric.endswith("-ref") and outliers == "kept" and not math.isnan(estimate.value)
        ],
        IN_WORDS,
    )
    yield _share(
        "Section 4.2",
        "share of metrics whose correlation rises without the outlier of gu-en",
        "> .5",
        [
            values[metric, lp, "dropped"].value > estimate.value
            for (metric, lp, outliers), estimate in values.items()
            if lp == "gu-en" and outliers == "kept"
        ],
    )


def _share(
    where: str, quantity: str, published: str, cases: Sequence[bool], why: str = "", *, within: float | None = None
) -> Reproduced:
    share = Estimate(sum(cases) / len(cases), len(cases)) if cases else no_data("no metric has a value")
    return Reproduced(where, quantity, published, share, why, within)


def _windows(english: RobustnessCurves, german: RobustnessCurves) -> Iterator[Reproduced]:
    values = {curve.metric: {point.label: point.estimate for point in curve} for curve in english}
    for metric in (BLEU, CHRF):
        for label, printed in (("ranks 2-5", "1"), ("ranks 1-4", "-1")):
            quantity = f"{metric.removesuffix('-ref')} on de-en, {label}"
            yield Reproduced("Section 4.1, Figure 1", quantity, printed, values[metric][label], WINDOWS, within=0.02)
    (yisi,) = (curve for curve in german if curve.metric == YISI_2)
    best = max(yisi, key=lambda point: point.value)
    quantity = f"YiSi-2 on en-de, best window of four ({best.label})"
    yield Reproduced("Section 4.1, Figure 1", quantity, "1", best.estimate, IN_WORDS, within=0.005)


def _subsamples(table: RobustnessSubsamples) -> Iterator[Reproduced]:
    """The claim is made of any metric; these are the metrics of Section 5, and the stored metrics that fall short."""
    drawn = {
        metric.metric: subsamples
        for metric in table
        for subsamples in metric.subsamples
        if len(subsamples.included) == 1 and subsamples.included[0].startswith("en_de_task")
    }
    for name, metric in METRICS.items():
        found = drawn[metric]
        mean = Estimate(found.mean, len(found.values), found.quantile(0.025), found.quantile(0.975))
        quantity = f"{name}, mean over draws of 10 systems of en-de with en_de_task"
        yield Reproduced("Section 4.2, Figure 2", quantity, "> .97", mean)
    yield _share(
        "Section 4.2, Figure 2",
        "share of all metrics of en-de above .97, in the same draws",
        "1",
        [found.mean > 0.97 for found in drawn.values()],
        "the paper says it of any metric; it does not hold for metrics that correlate badly in any case",
        within=0.005,
    )


def _rank_of_outlier(campaign: assay.Campaign) -> Reproduced:
    table = campaign.find("YiSi-2", "system")
    scores = dict(zip(table.systems, table.values[:, 0].tolist(), strict=True))
    (outlier,) = (name for name in scores if name.startswith("NICT"))
    rank = 1 + sum(score > scores[outlier] for score in scores.values())
    quantity = f"rank that YiSi-2 gives to the outlier {outlier} of en-ru"
    return Reproduced("Section 4.2, Figure 3", quantity, "very high", Estimate(rank, len(scores)), IN_WORDS)


def _errors(decided: Decisions | None) -> Iterator[Reproduced]:
    """Shares of the two kinds of errors by BLEU, against direct assessment as in the paper, and against MQM."""
    claims = (
        ("not significant", "about .5", "people see a difference"),
        ("0 to 3", "> .5", "people see no difference, or the reverse"),
        ("3 to 5", "about .25", "people see no difference"),
    )
    if decided is None:
        for label, printed, words in claims:
            missing = no_data(f"none of {', '.join(LATER_YEARS)} is in the folder")
            yield Reproduced("Section 5, Figure 4", f"BLEU {label}: {words}", printed, missing)
        return
    for metric in decided.metrics:
        bins = {each.label: each for each in metric.bins}
        for label, printed, words in claims if metric.metric == "bleu" else ():
            quantity = f"BLEU {label}: {words} ({metric.protocol})"
            share = _wrong(bins[label])
            printed = printed if metric.protocol == "DA/SQM" else ""
            yield Reproduced("Section 5, Figure 4", quantity, printed, share, OTHER_YEARS, within=0.05)
    for overlap in decided.overlaps:
        yield from _overlap(overlap)


def _wrong(found: DecisionBin) -> Estimate:
    """The share of pairs for which the difference misleads: below significance, people do see one."""
    if not found.pairs:
        return no_data("no pairs")
    wrong = {
        "not significant": found.pairs - found.undecided,
        "0 to 3": found.undecided + found.worse,
        "3 to 5": found.undecided,
    }
    return Estimate(wrong[found.label] / found.pairs, found.pairs)


def _overlap(overlap: ErrorOverlap) -> Iterator[Reproduced]:
    places = {name.split()[0]: place for place, name in enumerate(overlap.metrics)}
    if not {"bleu", "ter"} <= places.keys():
        return
    shared = overlap.shared.tolist()
    errors = shared[places["bleu"]][places["bleu"]]
    is_compared = overlap.protocol == "DA/SQM"
    for quantity, count, printed, why in (
        ("share of BLEU's errors that TER makes, too", shared[places["bleu"]][places["ter"]], "about .80", OTHER_YEARS),
        ("share of BLEU's errors that all metrics make", overlap.common, "> .5", THREE_METRICS),
    ):
        found = Estimate(count / errors, errors) if errors else no_data("BLEU makes no error")
        quantity = f"{quantity} ({overlap.protocol})"
        yield Reproduced("Section 5, Figure 5", quantity, printed if is_compared else "", found, why, within=0.05)


def _recommendations(values: _Values, decided: Decisions | None) -> Iterator[Recommendation]:
    means = {kind: _means(values, kind) for kind in ("kept", "dropped")}
    falling = sum(means["dropped"][metric] < mean for metric, mean in means["kept"].items())
    yield Recommendation(
        "Leave outliers out before correlating.",
        f"Without them, the mean correlation over the language pairs with outliers falls for {falling} of "
        f"{len(means['kept'])} metrics.",
    )
    if decided is not None:
        rates = [(each.metric, each.protocol, each.rules[0].type_1_rate) for each in decided.metrics if each.rules]
        shares = ", ".join(f"{metric} {100 * rate:.0f}% ({protocol})" for metric, protocol, rate in rates)
        yield Recommendation(
            "Use chrF, YiSi-1 or ESIM instead of BLEU and TER, and draw no conclusions from small changes of a metric "
            "alone.",
            "Among pairs with a significant difference of the metric, the share in which people do not find the system "
            f"better: {shares}.",
        )


def _means(values: _Values, outliers: str) -> dict[str, float]:
    """The mean correlation of each metric over the language pairs that have outliers."""
    found: dict[str, list[float]] = {}
    for (metric, lp, kind), estimate in values.items():
        if kind == outliers and OUTLIERS.get(lp) and not math.isnan(estimate.value):
            found.setdefault(metric, []).append(estimate.value)
    return {metric: math.fsum(each) / len(each) for metric, each in found.items()}
