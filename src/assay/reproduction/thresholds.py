"""Lo, Knowles & Goutte 2023, "Beyond correlation": from metric differences to what people find significant."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import assay
from assay.lazily import numpy as np
from assay.reproduction.campaigns import ARCHIVE, lacking, load_test_sets, no_data, value_of, with_papers_names
from assay.results import (
    Calibration,
    CalibrationCurve,
    Decisions,
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
TEST_SETS = ("wmt19", "wmt20", "wmt21.news", "wmt21.flores", "wmt22")
"""FLORES too: Bengali is among the paper's target languages, and only FLORES has it."""
JUDGED: Mapping[str, Mapping[str, str]] = {
    "DA/SQM": {
        "wmt19": "de-cs de-en de-fr en-cs en-de en-fi en-gu en-kk en-lt en-ru en-zh fi-en fr-de gu-en kk-en lt-en "
        "ru-en zh-en",
        "wmt20": "cs-en de-en en-cs en-de en-iu en-ja en-pl en-ru en-ta en-zh iu-en ja-en km-en pl-en ps-en ru-en "
        "ta-en zh-en",
        "wmt21.news": "cs-en de-en de-fr en-cs en-de en-ha en-is en-ja en-ru en-zh fr-de ha-en is-en ja-en ru-en zh-en",
        "wmt21.flores": "bn-hi hi-bn xh-zu zu-xh",
        "wmt22": "cs-en cs-uk de-en en-cs en-de en-hr en-ja en-liv en-ru en-uk en-zh ja-en liv-en ru-en sah-ru uk-cs "
        "uk-en zh-en",
    },
    "MQM": {"wmt20": "en-de zh-en", "wmt21.news": "en-de en-ru zh-en", "wmt22": "en-de en-ru zh-en"},
}
"""The language pairs whose segments people judged in these campaigns, by protocol."""
DOMAINS_OF = "wmt22"
"""The test set of Table 4."""
LEVELS = (0.5, 0.8, 0.95)
FEW = 20
"""Cut-offs that fewer pairs of systems reach are marked."""


class Source(NamedTuple):
    """Where the scores of a metric come from: names of stored scores, and how Assay computes it."""

    stored: tuple[str, ...]
    spec: str
    is_mean: bool = True
    """Whether the score of a system is the mean of its segments, so that segment scores are enough."""
    remark: str = ""


COMPUTED = {"BLEU": "bleu", "chrF": "chrf"}
"""Metrics that need the texts alone. Where there are none, as in some copies of WMT20, stored ones are used."""
SOURCES: Mapping[str, Source] = {
    "spBLEU": Source(("f200spBLEU", "f101spBLEU", "spBLEU"), "bleu:tok=flores200", is_mean=False),
    "BERTScore": Source(("BERTScore",), "bertscore:vectors=bert-base-multilingual-cased"),
    "BLEURT-20": Source(("BLEURT-20",), "bleurt:model=BLEURT-20"),
    "COMET-20": Source(("COMET-20", "COMET-DA_2020", "COMET"), "comet:model=wmt20-comet-da"),
    "YiSi-1": Source(("YiSi-1",), ""),
    "COMET-22": Source(("COMET-22",), "comet:model=wmt22-comet-da", remark="one model of the submission's ensemble"),
    "MetricX": Source(("metricx_xxl_MQM_2020", "metricx_xxl_DA_2019"), "", remark="its model was never released"),
    "UniTE": Source(("UniTE",), "unite:model=unite-mup"),
}
"""Metrics whose scores are stored, or that need a model."""
NAMES: Mapping[str, tuple[str, ...]] = {
    **{metric: source.stored for metric, source in SOURCES.items()},
    **{metric: (metric,) for metric in COMPUTED},
}
"""How each metric may be stored."""

TABLE_1 = {2.0: "0.56", 5.0: "0.70", 10.0: "0.91"}
TABLE_2: Mapping[str, tuple[str, str, str]] = {
    "BLEU": ("1.2", "5.5", "12.9"),
    "spBLEU": ("1.9", "5.8", "8.1"),
    "chrF": ("1.6", "5.4", "8.7"),
    "BERTScore": ("0.005", "0.014", "0.022"),
    "BLEURT-20": ("0.018", "0.052", "0.088"),
    "COMET-20": ("0.05", "0.20", "0.35"),
    "YiSi-1": ("0.003", "0.015", "0.023"),
    "COMET-22": ("0.04", "0.13", "0.33"),
    "MetricX": ("0.02", "0.05", "0.14"),
    "UniTE": ("0.04", "0.16", "0.35"),
}
"""Cut-offs at LEVELS over all target languages. Tables 3 and 5 print those at .8 again."""
GROUPS = ("English", "I", "II", "Inuktitut")
TABLE_3: Mapping[str, tuple[str, ...]] = {
    "BLEU": ("8.0", "3.6", "8.0", "4.5"),
    "spBLEU": ("8.1", "2.4", "6.2"),
    "chrF": ("6.2", "3.0", "3.8", "6.2"),
    "BERTScore": ("0.016", "0.011", "0.009"),
    "BLEURT-20": ("0.063", "0.033", "0.018"),
    "COMET-20": ("0.20", "0.10", "0.08", "0.05"),
    "YiSi-1": ("0.022", "0.005", "0.010", "0.023"),
    "COMET-22": ("0.33", "0.07", "0.08"),
    "MetricX": ("0.15", "0.03", "0.05"),
    "UniTE": ("0.35", "0.06", "0.09"),
}
"""Cut-offs at .8 by target language, in the order of GROUPS."""
COMPLETE = "Inuktitut"
"""The group that one language pair of one campaign makes: wmt20 en-iu."""
DOMAINS = ("news", "social", "ecommerce", "conversation")
TABLE_4: Mapping[str, tuple[str, str, str, str]] = {
    "BLEU": ("10.0", "12.0", "23.0", "22.0"),
    "spBLEU": ("10.0", "13.0", "14.0", "10.0"),
    "chrF": ("8.5", "12.0", "6.5", "19.0"),
    "BERTScore": ("0.013", "0.016", "0.009", "0.025"),
    "BLEURT-20": ("0.058", "0.100", "0.073", "0.070"),
    "COMET-20": ("0.20", "0.40", "0.26", "0.25"),
    "YiSi-1": ("0.035", "0.003", "0.002", "0.025"),
    "COMET-22": ("0.14", "0.15", "0.18", "0.11"),
    "MetricX": ("0.10", "0.18", "0.13", "0.10"),
    "UniTE": ("0.17", "0.45", "0.31", "0.28"),
}
"""Cut-offs at .8 by domain, on WMT22."""
TABLE_5: Mapping[str, str] = {
    "BLEU": "12.9", "spBLEU": "5.7", "chrF": "10.0", "BERTScore": "0.012", "BLEURT-20": "0.028", "COMET-20": "0.13",
    "YiSi-1": "0.011", "COMET-22": "0.11", "MetricX": "0.03", "UniTE": "0.06",
}  # fmt: skip
"""Cut-offs at .8 on MQM scores."""
_SHOWN = 8  # language pairs in a reason

REASONS = {
    "chrF": "the paper computed chrF anew; the scores stored by the organisers differ slightly",
    "open": "open: all language pairs of the paper's campaigns are here, and the cut-off is another one",
    "ordered": "what the paper's text asks: do people significantly prefer the system that the metric prefers",
    "ratio": "the paper says it in words: the metric with the smallest ratio is the most consistent",
}


class _Curves(NamedTuple):
    """The curves of one orientation, what the data lack, and how each metric is called in them."""

    pooled: Calibration
    domains: Calibration | None
    gaps: Mapping[str, str]
    """By protocol, and for domains: what is not in the data; empty: nothing."""
    keys: Mapping[str, tuple[tuple[str, str], ...]]
    """By metric: names and aggregations to look for."""

    def curve(self, metric: str, protocol: str, group: str = "all", domain: str = "all") -> CalibrationCurve:
        """The curve of a metric and a population."""
        calibration = self.pooled if domain == "all" else self.domains
        if calibration is not None:
            for name, aggregation in self.keys[metric]:
                with suppress(assay.errors.UnknownNameError):
                    return calibration.curve(name, agg=aggregation, protocol=protocol, group=group, domain=domain)
        raise assay.errors.UnknownNameError(f"no language pair of this kind has scores of {metric} and of people")

    def cutoff(
        self, metric: str, *, level: float = 0.8, protocol: str = "DA/SQM", group: str = "all", domain: str = "all"
    ) -> Estimate:
        """From this difference on, the probability is the level."""
        return self.curve(metric, protocol, group, domain).cutoff(level, supported=False)

    def has(self, metric: str, *, protocol: str = "DA/SQM", group: str = "all", domain: str = "all") -> bool:
        """Whether there is a curve, whatever it reaches."""
        with suppress(assay.errors.UnknownNameError):
            return self.curve(metric, protocol, group, domain).population.pairs > 0
        return False

    def missing(self, metric: str, *, protocol: str = "DA/SQM", group: str = "all", domain: str = "all") -> str:
        """Which of the paper's data are not there; empty: all are."""
        if group == COMPLETE:
            return ""
        with suppress(assay.errors.UnknownNameError):
            own, judged = (
                [f"{name} {lp}" for name, lps in curve.population.lps.items() for lp in lps]
                for curve in (self.curve(name, protocol, group, domain) for name in (metric, "BLEU"))
            )
            if len(own) < len(judged):
                return f"scores of {metric} for {len(own)} of {len(judged)} language pairs: {_first(own)}"
        return self.gaps["domains" if domain != "all" else protocol]


def run(data: Path, runtime: Runtime) -> Reproduction:
    """The paper's cut-offs with its orientation (`absolute`), and those of the question that its text asks."""
    test_sets = load_test_sets(data, TEST_SETS, runtime)
    read = [each for found in test_sets.values() for each in found]
    campaigns = [_with_system_means(_with_names(each)) for each in read]
    of_segments = [_with_names(_of_segments(each)) for each in read if each.name == DOMAINS_OF]
    stored = sorted({table.name for each in campaigns for table in each.metrics} & SOURCES.keys())
    lacks = {metric: _lacks(metric) for metric in SOURCES if metric not in stored}
    at_hand = [SOURCES[metric].spec for metric, lack in lacks.items() if not lack]
    try:
        curves = {
            orientation: _fit(campaigns, of_segments, orientation, stored, at_hand, runtime)
            for orientation in ("absolute", "by-metric")
        }
    except assay.errors.InputError as error:
        fetching = f"{ARCHIVE} has human scores of segments (of WMT19: wmt-raw): assay data fetch {ARCHIVE}"
        error.hint = "; ".join(filter(None, (error.hint, fetching)))
        raise
    tested = assay.decisions(
        campaigns,
        metrics=[*COMPUTED.values(), *at_hand],
        stored=stored,
        test="paired-t",
        min_segments=250,
        runtime=runtime,
    )
    absolute, by_metric = curves.values()
    domains = {} if absolute.domains is None else {"domains": absolute.domains}
    return Reproduction(
        paper="thresholds",
        citation=CITATION,
        settings={
            "data": "+".join(test_sets),
            "metrics": "+".join([*COMPUTED.values(), *at_hand]),
            **({"stored": "+".join(stored)} if stored else {}),
        },
        numbers=(
            *_table_1_and_2(absolute, lacks),
            *_table_3(absolute, lacks),
            *_table_4(absolute, lacks),
            *_table_5(absolute, lacks),
            *_by_metric(by_metric),
            *_consistency(absolute),
        ),
        recommendations=tuple(_recommendations(by_metric, absolute)),
        remarks=(
            "The text asks whether people agree with the metric's ranking, but Inuktitut, the only column of the paper "
            "that WMT20 gives completely, fits differences without their sign: pairs in which people prefer the other "
            "system count, too. The rows “ordered by the metric” answer the question of the text.",
            "Tried for Inuktitut: differences without a sign, ordered by the metric, and ordered by people, each with "
            "a paired test and with one of pooled variance. Only differences without a sign give the values of BLEU, "
            "COMET-20 and YiSi-1, with either test.",
            "Pairs of systems that people judged under two protocols (zh-en and liv-en of WMT22) count under both.",
            "System scores of learned metrics without stored ones are means of their stored segment scores. By domain, "
            "they always are, because a system score is of the whole test set. spBLEU is not: its corpus score is no "
            "mean of segments.",
            "Figure 1 has the pairs of systems whose texts are here, or whose scores are stored.",
        ),
        results={**{name: each.pooled for name, each in curves.items()}, **domains, "decisions": tested},
        figures=dict(_figures(curves, tested)),
    )


def _with_names(campaign: assay.Campaign) -> assay.Campaign:
    """With stored scores of the first reference, as BLEU and chrF are computed."""
    return with_papers_names(campaign, NAMES, next(iter(campaign.references), None))


def _with_system_means(campaign: assay.Campaign) -> assay.Campaign:
    """With system scores of metrics that have only those of segments: means over the segments that all systems have.

    A metric that is no mean of segments is left out there.
    """
    of_systems = {table.name for table in campaign.metrics if table.level == "system"}
    scores = []
    for table in campaign.scores:
        if table.is_human or table.name in of_systems or table.level != "segment":
            scores.append(table)
        elif table.name in SOURCES and SOURCES[table.name].is_mean:
            common = ~np.isnan(table.values).any(axis=0)
            mean = table.values[:, common].mean(axis=1, keepdims=True) if common.any() else table.values[:, :1] * np.nan
            system = replace(table, level="system", values=mean, items=(), domains=(), documents=())
            scores += [table, system]
    return replace(campaign, scores=tuple(scores))


def _lacks(metric: str) -> str:
    """Which model a metric needs that is not at hand; empty if it can be computed."""
    source = SOURCES[metric]
    if not source.spec:
        return source.remark or "no scores of it are stored"
    lack = lacking(source.spec)
    return f"{lack}; {source.remark}" if lack and source.remark else lack


def _fit(
    campaigns: Sequence[assay.Campaign],
    of_segments: Sequence[assay.Campaign],
    orientation: str,
    stored: Sequence[str],
    at_hand: Sequence[str],
    runtime: Runtime,
) -> _Curves:
    def fitted(used: Sequence[assay.Campaign], names: Collection[str], *, by_domain: bool) -> Calibration:
        return assay.calibrate(
            used,
            metrics=[*COMPUTED.values(), *at_hand],
            agg=["corpus"],
            stored=[name for name in stored if name in names],
            orientation=orientation,
            at=list(TABLE_1),
            by_domain=by_domain,
            runtime=runtime,
        )

    keys: dict[str, tuple[tuple[str, str], ...]] = {name: ((spec, "corpus"),) for name, spec in COMPUTED.items()}
    for name, source in SOURCES.items():
        computed = ((source.spec, "corpus"),) if source.spec else ()
        keys[name] = ((name, "stored"), (name, "stored-segment"), *computed)
    domains = None
    if any(table.level == "segment" for each in of_segments for table in each.human):
        domains = fitted(of_segments, {table.name for each in of_segments for table in each.metrics}, by_domain=True)
    gaps = {protocol: _gaps(campaigns, protocol, lps) for protocol, lps in JUDGED.items()}
    gaps["domains"] = _gaps(campaigns, "DA/SQM", {DOMAINS_OF: JUDGED["DA/SQM"][DOMAINS_OF]})
    return _Curves(fitted(campaigns, stored, by_domain=False), domains, gaps, keys)


def _of_segments(campaign: assay.Campaign) -> assay.Campaign:
    """With the segment scores of metrics alone, whose means over a domain are its scores."""
    of_means = {name.casefold() for source in SOURCES.values() if source.is_mean for name in source.stored}
    kept = (
        each
        for each in campaign.scores
        if each.is_human or (each.level == "segment" and each.name.casefold() in of_means)
    )
    return replace(campaign, scores=tuple(kept))


def _gaps(campaigns: Sequence[assay.Campaign], protocol: str, expected: Mapping[str, str]) -> str:
    """The language pairs that the paper may have used and that have no human scores of segments here."""
    judged = {
        (each.name, each.lp)
        for each in campaigns
        for table in each.human
        if table.level == "segment" and (table.protocol or "").startswith(protocol.partition("/")[0])
    }
    missing = []
    for name, lps in expected.items():
        absent = [lp for lp in lps.split() if (name, lp) not in judged]
        if absent:
            missing.append(f"{name} {'(all)' if len(absent) == len(lps.split()) else _first(absent)}")
    return f"no human scores of segments by {protocol} for {'; '.join(missing)}" if missing else ""


def _first(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} more" if len(names) > _SHOWN else shown


def _row(
    where: str,
    quantity: str,
    printed: str,
    curves: _Curves,
    metric: str,
    lacks: Mapping[str, str],
    *,
    level: float = 0.8,
    count: int = 1,
    **population: str,
) -> ReproducedNumber:
    """A cut-off, compared with the paper's if all of the paper's data are there."""
    needs: Literal["data", "model", "nothing"] = "data"
    if lacks.get(metric):
        found, needs = no_data(f"no scores of {metric} are stored; to compute them: {lacks[metric]}"), "model"
    else:
        found = value_of(curves.cutoff, metric, level=level, **population)
        if math.isnan(found.value) and curves.has(metric, **population):
            found, needs = no_data(f"with these data, the fit does not reach {level:g}"), "nothing"
    if not math.isnan(found.value) and found.n < FEW:
        quantity = f"{quantity} ({found.n} {'pair differs' if found.n == 1 else 'pairs differ'} so much)"
    missing = curves.missing(metric, **population)
    is_chrf = metric == "chrF" and population.get("group") == COMPLETE
    reason = missing or REASONS["chrF" if is_chrf else "open"]
    published = Published(printed, other_data=bool(missing))
    return ReproducedNumber(where, quantity, published, found, reason, count, needs)


def _table_1_and_2(curves: _Curves, lacks: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    missing = curves.missing("BLEU")
    for x, printed in TABLE_1.items():
        found = value_of(lambda x=x: curves.curve("BLEU", "DA/SQM").at[x])  # type: ignore[misc]
        published = Published(printed, other_data=bool(missing))
        reason = missing or REASONS["open"]
        yield ReproducedNumber("Table 1", f"probability at {x:g} BLEU", published, found, reason)
    for metric, printed_at in TABLE_2.items():
        for level, printed in zip(LEVELS, printed_at, strict=True):
            where, count = ("Tables 2, 3 and 5", 3) if level == 0.8 else ("Table 2", 1)
            quantity = f"{metric}, cut-off at {level:g}"
            yield _row(where, quantity, printed, curves, metric, lacks, level=level, count=count)


def _table_3(curves: _Curves, lacks: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    for metric, printed_in in TABLE_3.items():
        for group, printed in zip(GROUPS, printed_in, strict=False):  # six metrics have no value into Inuktitut
            words = f"target languages {group}" if group in ("I", "II") else f"into {group}"
            yield _row("Table 3", f"{metric}, {words}, .8", printed, curves, metric, lacks, group=group)


def _table_4(curves: _Curves, lacks: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    for metric, printed_in in TABLE_4.items():
        for domain, printed in zip(DOMAINS, printed_in, strict=True):
            yield _row("Table 4", f"{metric}, {domain}, .8", printed, curves, metric, lacks, domain=domain)


def _table_5(curves: _Curves, lacks: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    for metric, printed in TABLE_5.items():
        yield _row("Table 5", f"{metric} on MQM, .8", printed, curves, metric, lacks, protocol="MQM")


def _by_metric(curves: _Curves) -> Iterator[ReproducedNumber]:
    """What the paper's text asks for; it prints no such number."""
    for protocol in ("DA/SQM", "MQM"):
        for metric in (*COMPUTED, *SOURCES):
            found = value_of(curves.cutoff, metric, protocol=protocol)
            if not math.isnan(found.value):
                quantity = f"{metric} on {protocol}, .8, ordered by the metric{_few(found)}"
                yield ReproducedNumber("", quantity, Published(), found, REASONS["ordered"])


def _few(found: Estimate) -> str:
    if found.n >= FEW:
        return ""
    return f" ({found.n} {'pair differs' if found.n == 1 else 'pairs differ'} so much)"


def _consistency(curves: _Curves) -> Iterator[ReproducedNumber]:
    """The largest cut-off over the smallest, over the target languages and over the domains."""
    for where, words, populations in (
        ("", "target languages", [{"group": group} for group in GROUPS[:3]]),
        ("", "domains", [{"domain": domain} for domain in DOMAINS]),
    ):
        for metric, ratio in _ratios(curves, populations).items():
            quantity = f"{metric}, largest cut-off at .8 over the smallest, {words}"
            yield ReproducedNumber(where, quantity, Published(), ratio, REASONS["ratio"])


def _ratios(curves: _Curves, populations: Sequence[Mapping[str, str]]) -> dict[str, Estimate]:
    """By metric that has a cut-off for each population."""
    found = {}
    for metric in (*COMPUTED, *SOURCES):
        cutoffs = (
            value_of(partial(curves.cutoff, metric, group=each.get("group", "all"), domain=each.get("domain", "all")))
            for each in populations
        )
        values = [each.value for each in cutoffs]
        if all(value > 0 for value in values):
            found[metric] = Estimate(max(values) / min(values), len(values))
    return found


def _recommendations(curves: _Curves, absolute: _Curves) -> Iterator[Recommendation]:
    found = {metric: value_of(curves.cutoff, metric) for metric in (*COMPUTED, *SOURCES)}
    shown = {metric: each for metric, each in found.items() if not math.isnan(each.value)}
    yield Recommendation(
        "Rules of thumb about metric differences do not guarantee that people see a significant difference.",
        "Ordered by the metric, people significantly prefer the better-scored system in four of five cases only from "
        f"{', '.join(f'{metric} {_shown(each)}' for metric, each in shown.items()) or '(no data)'} on.",
    )
    english, other = (value_of(curves.cutoff, "BLEU", group=group) for group in ("English", "I"))
    yield Recommendation(
        "Thresholds do not generalise over translation directions, domains and protocols.",
        f"Ordered by the metric, BLEU needs {_shown(english)} points into English, mostly judged by the crowd, and "
        f"{_shown(other)} into the target languages of group I, judged by others.",
    )
    said = []
    for metric, words, populations in (
        ("BERTScore", "target languages English, I and II", [{"group": group} for group in GROUPS[:3]]),
        ("COMET-22", "domains of WMT22", [{"domain": domain} for domain in DOMAINS]),
    ):
        ratios = _ratios(absolute, populations)
        listed = ", ".join(f"{name} {ratio.value:.2g}" for name, ratio in sorted(ratios.items(), key=_by_value))
        what = "" if metric in ratios else f"{metric} has no cut-off at .8 for each of them here; "
        said.append(f"Largest cut-off at .8 over the smallest, {words}: {what}{listed or 'no metric has them all'}.")
    yield Recommendation(
        "BERTScore is the most consistent metric over target languages, and COMET-22 over domains.", " ".join(said)
    )


def _by_value(item: tuple[str, Estimate]) -> float:
    return item[1].value


def _shown(estimate: Estimate) -> str:
    interval = "" if math.isnan(estimate.low) else f" [{estimate.low:.3g}, {estimate.high:.3g}]"
    return "(no data)" if math.isnan(estimate.value) else f"{estimate.value:.3g}{interval}"


def _figures(curves: Mapping[str, _Curves], tested: Decisions) -> Iterator[tuple[str, PaperFigure]]:
    """Of every metric with scores; in the paper, Figure 1 has BLEU and COMET-20, and Figure 2 the others."""
    drawn = {(each.metric, each.aggregation) for each in tested if each.protocol == "DA/SQM"}
    for metric in (*COMPUTED, *SOURCES):
        file = metric.lower()
        for name, aggregation in next(iter(curves.values())).keys[metric]:
            if (name, aggregation) in drawn:
                caption = f"Figure 1, p-values against differences of {metric}"
                chart = f"p-values:metric={name},protocol=DA/SQM"
                yield f"figure-1-{file}", PaperFigure(caption, chart, ("decisions",))
        for orientation, words in (("absolute", "without a sign"), ("by-metric", "ordered by the metric")):
            with suppress(assay.errors.UnknownNameError):
                name = curves[orientation].curve(metric, "DA/SQM").metric
                caption = f"Figure 2, the fit for {metric}, differences {words}"
                chart = f"calibration:metric={name},protocol=DA/SQM"
                yield f"figure-2-{file}-{orientation}", PaperFigure(caption, chart, (orientation,))
