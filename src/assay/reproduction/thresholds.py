"""Lo, Knowles & Goutte 2023, "Beyond correlation": from metric differences to what people find significant."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import assay
from assay.reproduction.campaigns import load_test_sets, no_data, value_of
from assay.results import (
    Calibration,
    Estimate,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
)
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "run"]

TITLE = "Lo et al. 2023, Beyond correlation"
CITATION = (
    "Chi-kiu Lo, Rebecca Knowles, Cyril Goutte (2023): Beyond Correlation: Making Sense of the Score Differences of "
    "New MT Evaluation Metrics. MT Summit XIX."
)
TEST_SETS = ("wmt20", "wmt21.news", "wmt22")
LEVELS = (0.5, 0.8, 0.95)
METRICS = {"BLEU": "bleu", "chrF": "chrf", "COMET-20": "COMET", "YiSi-1": "YiSi-1"}
"""The paper's metrics that have scores here, and the metrics of their curves."""
STORED = ("COMET-20", "YiSi-1")

TABLE_1 = {2.0: "0.56", 5.0: "0.70", 10.0: "0.91"}
TABLE_2: Mapping[str, tuple[str, str, str]] = {
    "BLEU": ("1.2", "5.5", "12.9"),
    "chrF": ("1.6", "5.4", "8.7"),
    "COMET-20": ("0.05", "0.20", "0.35"),
    "YiSi-1": ("0.003", "0.015", "0.023"),
}
"""Cut-offs at LEVELS over all target languages. Tables 3 and 5 print those at .8 again."""
TABLE_3: Mapping[str, Mapping[str, str]] = {
    "BLEU": {"English": "8.0", "I": "3.6", "II": "8.0", "Inuktitut": "4.5"},
    "chrF": {"English": "6.2", "I": "3.0", "II": "3.8", "Inuktitut": "6.2"},
    "COMET-20": {"English": "0.20", "I": "0.10", "II": "0.08", "Inuktitut": "0.05"},
    "YiSi-1": {"English": "0.022", "I": "0.005", "II": "0.010", "Inuktitut": "0.023"},
}
"""Cut-offs at .8 by target language."""
COMPLETE = "Inuktitut"
"""The group of which all pairs of systems of the paper are here."""
TABLE_4: Mapping[str, Mapping[str, str]] = {
    "BLEU": {"news": "10.0", "social": "12.0", "ecommerce": "23.0", "conversation": "22.0"},
    "chrF": {"news": "8.5", "social": "12.0", "ecommerce": "6.5", "conversation": "19.0"},
    "COMET-20": {"news": "0.20", "social": "0.40", "ecommerce": "0.26", "conversation": "0.25"},
    "YiSi-1": {"news": "0.035", "social": "0.003", "ecommerce": "0.002", "conversation": "0.025"},
}
"""Cut-offs at .8 by domain, on WMT22."""
TABLE_5: Mapping[str, str] = {"BLEU": "12.9", "chrF": "10.0", "COMET-20": "0.13", "YiSi-1": "0.011"}
"""Cut-offs at .8 on MQM scores."""
NOT_COMPUTED = ("spBLEU", "BERTScore", "BLEURT-20", "COMET-22", "MetricX", "UniTE")
"""Metrics that have scores of few language pairs here; each has 13 numbers in Tables 2 to 5."""
FEW = 20
"""Cut-offs that fewer pairs of systems reach are marked."""

REASONS = {
    "pairs": "other pairs of systems: the paper also has campaigns whose human scores are not at hand",
    "chrF": "the paper computed chrF anew; the scores stored by the organisers differ slightly",
    "domains": "other language pairs of WMT22 than the paper's; the cut-offs rest on few pairs of systems",
    "ordered": "what the paper's text asks: do people significantly prefer the system that the metric prefers",
    "by system": "the stored scores of this metric are of whole systems, not of domains",
    "no scores": "scores of this metric are stored for a few language pairs only, and Assay does not compute it",
}


def run(data: Path, runtime: Runtime) -> Reproduction:
    """The paper's cut-offs with its orientation (`absolute`), and those of the question that its text asks."""
    test_sets = load_test_sets(data, TEST_SETS, runtime)
    campaigns = [campaign for found in test_sets.values() for campaign in found]
    curves = {orientation: _fit(campaigns, orientation, runtime) for orientation in ("absolute", "by-metric")}
    tested = assay.decisions(campaigns, metrics=["bleu", "chrf"], test="paired-t", min_segments=250, runtime=runtime)
    absolute, by_metric = curves.values()
    return Reproduction(
        paper="thresholds",
        citation=CITATION,
        settings={"data": "+".join(test_sets), "metrics": "bleu+chrf", "stored": "COMET+YiSi-1"},
        numbers=(
            *_table_1_and_2(absolute),
            *_table_3(absolute),
            *_table_4(absolute),
            *_table_5(absolute),
            *_by_metric(by_metric),
            ReproducedNumber(
                *("Tables 2–5", ", ".join(NOT_COMPUTED), Published(), no_data(REASONS["no scores"])),
                count=13 * len(NOT_COMPUTED),
            ),
        ),
        recommendations=tuple(_recommendations(by_metric)),
        remarks=(
            "The text asks whether people agree with the metric's ranking, but Inuktitut, the only column of the paper "
            "that WMT20 gives completely, fits differences without their sign: pairs in which people prefer the other "
            "system count, too. The rows “ordered by the metric” answer the question of the text.",
            "Tried for Inuktitut: differences without a sign, ordered by the metric, and ordered by people, each with "
            "a paired test and with one of pooled variance. Only differences without a sign give the values of BLEU, "
            "COMET-20 and YiSi-1, with either test.",
            "Pairs of systems that people judged under two protocols (zh-en and liv-en of WMT22) count under both.",
            "Figure 1 has the pairs of systems whose texts are here, Figure 2 also those of stored scores.",
        ),
        results={**curves, "decisions": tested},
        figures=dict(_figures()),
    )


def _fit(campaigns: list[assay.Campaign], orientation: str, runtime: Runtime) -> Calibration:
    return assay.calibrate(
        campaigns,
        metrics=["bleu", "chrf"],
        agg=["corpus"],
        stored=[METRICS[metric] for metric in STORED],
        orientation=orientation,
        at=list(TABLE_1),
        by_domain=True,
        runtime=runtime,
    )


def _probability(calibration: Calibration, difference: float) -> Estimate:
    return calibration.curve("bleu", agg="corpus", protocol="DA/SQM").at[difference]


def _cutoff(
    calibration: Calibration, metric: str, *, level: float = 0.8, protocol: str = "DA/SQM", **population: str
) -> Estimate:
    agg = "stored" if metric in STORED else "corpus"
    return calibration.curve(METRICS[metric], agg=agg, protocol=protocol, **population).cutoff(level, supported=False)


def _number(
    where: str, quantity: str, printed: str, found: Estimate, reason: str, *, is_complete: bool = False, count: int = 1
) -> ReproducedNumber:
    """A cut-off. Only those of complete data are compared with the paper's."""
    if not math.isnan(found.value) and found.n < FEW:
        quantity = f"{quantity} ({found.n} {'pair differs' if found.n == 1 else 'pairs differ'} so much)"
    published = Published(printed, other_data=not is_complete)
    return ReproducedNumber(where, quantity, published, found, REASONS[reason], count)


def _table_1_and_2(calibration: Calibration) -> Iterator[ReproducedNumber]:
    for x, printed in TABLE_1.items():
        found = value_of(_probability, calibration, x)
        yield _number("Table 1", f"probability at {x:g} BLEU", printed, found, "pairs")
    for metric, printed_at in TABLE_2.items():
        for level, printed in zip(LEVELS, printed_at, strict=True):
            found = value_of(_cutoff, calibration, metric, level=level)
            where, count = ("Tables 2, 3 and 5", 3) if level == 0.8 else ("Table 2", 1)
            yield _number(where, f"{metric}, cut-off at {level:g}", printed, found, "pairs", count=count)


def _table_3(calibration: Calibration) -> Iterator[ReproducedNumber]:
    for metric, by_group in TABLE_3.items():
        for group, printed in by_group.items():
            found = value_of(_cutoff, calibration, metric, group=group)
            words = f"target languages {group}" if group in ("I", "II") else f"into {group}"
            is_complete = group == COMPLETE
            reason = "chrF" if is_complete else "pairs"
            yield _number("Table 3", f"{metric}, {words}, .8", printed, found, reason, is_complete=is_complete)


def _table_4(calibration: Calibration) -> Iterator[ReproducedNumber]:
    for metric, by_domain in TABLE_4.items():
        for domain, printed in by_domain.items():
            found = value_of(_cutoff, calibration, metric, domain=domain)
            if metric in STORED and math.isnan(found.value):
                found = no_data(REASONS["by system"])
            yield _number("Table 4", f"{metric}, {domain}, .8", printed, found, "domains")


def _table_5(calibration: Calibration) -> Iterator[ReproducedNumber]:
    for metric, printed in TABLE_5.items():
        found = value_of(_cutoff, calibration, metric, protocol="MQM")
        yield _number("Table 5", f"{metric} on MQM, .8", printed, found, "pairs")


def _by_metric(calibration: Calibration) -> Iterator[ReproducedNumber]:
    """What the paper's text asks for; it prints no such number."""
    for protocol in ("DA/SQM", "MQM"):
        for metric in METRICS:
            found = value_of(_cutoff, calibration, metric, protocol=protocol)
            yield _number("", f"{metric} on {protocol}, .8, ordered by the metric", "", found, "ordered")


def _recommendations(calibration: Calibration) -> Iterator[Recommendation]:
    found = {metric: value_of(_cutoff, calibration, metric) for metric in METRICS}
    yield Recommendation(
        "Rules of thumb about metric differences do not guarantee that people see a significant difference.",
        "Ordered by the metric, people significantly prefer the better-scored system in four of five cases only from "
        f"{', '.join(f'{metric} {_shown(each)}' for metric, each in found.items())} on.",
    )
    english, other = (value_of(_cutoff, calibration, "BLEU", group=group) for group in ("English", "I"))
    yield Recommendation(
        "Thresholds do not generalise over translation directions, domains and protocols.",
        f"Ordered by the metric, BLEU needs {_shown(english)} points into English, mostly judged by the crowd, and "
        f"{_shown(other)} into the target languages of group I, judged by others.",
    )


def _shown(estimate: Estimate) -> str:
    interval = "" if math.isnan(estimate.low) else f" [{estimate.low:.3g}, {estimate.high:.3g}]"
    return "(no data)" if math.isnan(estimate.value) else f"{estimate.value:.3g}{interval}"


def _figures() -> Iterator[tuple[str, PaperFigure]]:
    for name, metric in (("BLEU", "bleu"), ("chrF", "chrf")):
        yield (
            f"figure-1-{metric}",
            PaperFigure(
                f"Figure 1, p-values against differences of {name}",
                f"p-values:metric={metric},protocol=DA/SQM",
                ("decisions",),
            ),
        )
        for orientation, words in (("absolute", "without a sign"), ("by-metric", "ordered by the metric")):
            yield (
                f"figure-2-{metric}-{orientation}",
                PaperFigure(
                    f"Figure 2, the fit for {name}, differences {words}",
                    f"calibration:metric={metric},protocol=DA/SQM",
                    (orientation,),
                ),
            )
