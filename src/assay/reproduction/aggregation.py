"""Cavalin et al. 2024, "Sentence-level aggregation": corpus scores, segment means and bootstrap scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

import assay
from assay.lazily import numpy as np
from assay.reproduction.campaigns import ARCHIVE, lacking, load_test_sets, no_data, value_of, with_papers_names
from assay.results import (
    Estimate,
    EvaluatedMetric,
    MetaEvaluation,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
    ScoreCorrelations,
)
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "run", "score_with_transposed_references"]

TITLE = "Cavalin et al. 2024, Sentence-level aggregation"
CITATION = (
    "Paulo Cavalin, Pedro H. Domingues, Claudio Pinhanez (2024): Sentence-level Aggregation of Lexical Metrics "
    "Correlates Stronger with Human Judgements than Corpus-level Aggregation. arXiv:2407.12832."
)
TEST_SETS = ("wmt23",)
PAPERS_DATA = "wmt23"
METRICS = {"BLEU": "bleu:tok=13a", "chrF": "chrf"}  # sacreBLEU's defaults, for every language
SIZE, SAMPLE_SIZES, SAMPLES = 1000, (1, 10, 100, 1000), 1000
"""Segments of a bootstrap resample and of the samples, and how many samples of each size, as in the paper."""
AGGREGATIONS = {"": "corpus", "m-": "segment", "x-": "bootstrap"}
"""How the paper marks a score, and our names."""
TRANSPOSED = "transposed-"
PROTOCOLS = {"mqm": "MQM", "wmt": "DA", "da-sqm": "DA", "wmt-z": "DA-z", "wmt-appraise": "DA+SQM"}
"""Human scores of systems by their names in the data."""
NEURAL: Mapping[str, Sequence[str]] = {
    "COMET": ("COMET-22",),
    "BLEURT": ("BLEURT-20",),
    "BERTScore": ("BERTScore",),
}
"""Metrics of Table 1 that may have stored scores, under these names in any case."""
NEURAL_23: Mapping[str, Sequence[str]] = {**NEURAL, "COMET": ("COMET",)}
"""On WMT23, where the model of COMET-22 was called COMET; in other years that is an older model."""
MODELS = {
    "COMET": "comet:model=wmt22-comet-da",
    "BLEURT": "bleurt:model=BLEURT-20",
    "BERTScore": "bertscore:vectors=bert-base-multilingual-cased",
}
"""What computes them where no scores are stored."""
JUDGED = {
    "MQM": ("en-de", "he-en", "zh-en"),
    "DA": ("cs-uk", "de-en", "en-cs", "en-de", "en-ja", "en-zh", "ja-en", "zh-en"),
}
"""The language pairs of WMT23 that Table 1 averages over."""

COUNTS = {"systems": "492", "language pairs": "147", "outputs": "468850"}
"""Section 4.1."""
BETWEEN: Mapping[tuple[str, str], tuple[str, str]] = {
    ("BLEU", "x-BLEU"): ("Figure 1", ".53"),
    ("BLEU", "m-BLEU"): ("Figure 1", ".48"),
    ("x-BLEU", "m-BLEU"): ("Figure 1", ".95"),
    ("chrF", "x-chrF"): ("Figure 2", ".56"),
    ("chrF", "m-chrF"): ("Figure 2", ".55"),
    ("x-chrF", "m-chrF"): ("Figure 2", ".99"),
    ("BLEU", "chrF"): ("Figure 3", ".77"),
    ("x-BLEU", "x-chrF"): ("Figure 3", ".88"),
    ("m-BLEU", "m-chrF"): ("Figure 3", ".93"),
}
MEANS = {"BLEU": ".29", "x-BLEU": ".43", "m-BLEU": ".39", "chrF": ".54", "x-chrF": ".57", "m-chrF": ".58"}
"""Section 4.4: means over all systems."""
CROSSED = ("m-BLEU", "chrF"), ("m-BLEU", "x-chrF"), ("m-chrF", "BLEU"), ("m-chrF", "x-BLEU")
"""Figure 4: the segment mean of one metric against the other aggregations of the other."""
SAMPLED = {1: "1.0", 10: ".7", 100: ".6"}
"""Corpus scores against segment means on samples of the segments, about (Figure 5)."""
WITH_PEOPLE: Mapping[str, Mapping[str, str]] = {
    "MQM": {
        "BLEU": ".425", "m-BLEU": ".776", "x-BLEU": ".762", "chrF": ".392", "m-chrF": ".806", "x-chrF": ".804",
        "COMET": ".923", "BLEURT": ".872", "BERTScore": ".855",
    },
    "DA": {
        "BLEU": "-.006", "m-BLEU": ".729", "x-BLEU": ".456", "chrF": ".285", "m-chrF": ".802", "x-chrF": ".793",
        "COMET": ".926", "BLEURT": ".917", "BERTScore": ".821",
    },
}  # fmt: skip
"""Table 1, on WMT23: the mean over language pairs of Pearson with human scores."""

REASONS = {
    "other data": "other test sets: the paper uses WMT23",
    "fewer": "fewer systems: of the paper's 492 evaluations, 306 are of the challenge sets of WMT23 (ACES, DFKI and "
    "NRC-MSLC23), which are not campaigns with outputs of systems (assay meta --level challenge reads ACES)",
    "effective order": "with one segment, m-BLEU leaves out n-gram orders that the segment is too "
    "short for, and corpus BLEU does not",
    "call": "found by recomputing Table 1 on WMT23: its corpus and bootstrap scores come out if references are passed "
    "to sacreBLEU as one list for each segment, when it scores the first output only, without a warning (inferred from "
    "numbers; the authors' code was not seen)",
    "open": "open: the same call of sacreBLEU on what is here of WMT23",
    "transposed": "a wrong call, shown as a caution: only the first output is scored",
    "whole": "the score of a sample against the bootstrap score of the whole test set: it measures sampling noise",
    "own": "not a number of the paper",
    "words": "the paper says in words which distributions are skewed",
    "figure": "a figure without numbers",
}


class _People(NamedTuple):
    """The agreement of the scores with one kind of human scores of a test set."""

    test_set: str
    gold: str
    table: MetaEvaluation

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"people-{self.test_set}-{self.gold}"


def run(
    data: Path,
    runtime: Runtime,
    *,
    test_sets: Sequence[str] = (),
    metrics: Sequence[str] = (),
    as_published: bool = False,
) -> Reproduction:
    """The correlations between aggregations and with people, on the test sets of the folder and with any metrics."""
    names = {each: each for each in metrics} or METRICS
    campaigns = _load(data, test_sets, runtime)
    studies = _studies(campaigns)
    between = {
        label: assay.correlate(
            found,
            metrics=list(names.values()),
            agg=list(AGGREGATIONS.values()),
            size=SIZE,
            sample_sizes=SAMPLE_SIZES,
            samples=SAMPLES,
            runtime=runtime,
        )
        for label, found in studies.items()
    }
    people = [each for name, found in campaigns.items() for each in _people(name, found, names, as_published, runtime)]
    numbers = [(label, row) for label in studies for row in _study(label, studies[label], between[label], names)]
    numbers += _table_1(people, names)
    return Reproduction(
        paper="aggregation",
        citation=CITATION,
        settings={
            "data": "+".join(campaigns),
            "metrics": "+".join(names.values()),
            "size": str(SIZE),
            "sample_sizes": "+".join(map(str, SAMPLE_SIZES)),
            "samples": str(SAMPLES),
            **({"as_published": "yes"} if as_published else {}),
            "seed": next(iter(between.values())).settings["seed"],
        },
        numbers=(*_counted_once(numbers), *_gains(people, names)),
        recommendations=(_recommendation(people, names),),
        remarks=tuple(_remarks(between, campaigns, names, as_published=as_published)),
        results={
            **{f"correlate{_ending(label)}": table for label, table in between.items()},
            **{each.file: each.table for each in people},
        },
        tables={
            each.file: f"Table 1 by language pair: Pearson with {PROTOCOLS.get(each.gold, each.gold)}, {each.test_set}"
            for each in people
        },
        figures=dict([*_figures(between, names), *_figures_by_pair(people, names)]),
    )


def _load(data: Path, names: Sequence[str], runtime: Runtime) -> dict[str, list[assay.Campaign]]:
    """The campaigns with texts, by test set: those named, or all of the folder."""
    folders = sorted(data.iterdir()) if data.is_dir() else []
    wanted = names or [folder.name for folder in folders if (folder / "system-outputs").is_dir()]
    found: dict[str, list[assay.Campaign]] = {}
    if wanted:
        found = load_test_sets(data, wanted, runtime)
    else:  # a test set, or something else
        for campaign in assay.load_campaigns(data, runtime=runtime):
            found.setdefault(campaign.name, []).append(campaign)
    with_texts = {name: [each for each in campaigns if each.testset is not None] for name, campaigns in found.items()}
    if not any(with_texts.values()):
        raise assay.errors.InputError("the test sets have no texts to score", path=str(data))
    return {name: campaigns for name, campaigns in with_texts.items() if campaigns}


def _studies(campaigns: Mapping[str, Sequence[assay.Campaign]]) -> dict[str, list[assay.Campaign]]:
    """The paper's own test set by itself, and the others together."""
    others = [name for name in campaigns if name != PAPERS_DATA]
    parts = {"+".join(names): names for names in ([PAPERS_DATA] if PAPERS_DATA in campaigns else [], others) if names}
    return {label: [each for name in names for each in campaigns[name]] for label, names in parts.items()}


def _study(
    label: str, campaigns: Sequence[assay.Campaign], between: ScoreCorrelations, names: Mapping[str, str]
) -> Iterator[ReproducedNumber]:
    """The numbers that need no human scores."""
    is_other, reason = True, REASONS["other data"]
    if label == PAPERS_DATA:
        is_other, reason = len(between.systems) != int(COUNTS["systems"]), REASONS["fewer"]
    found = {"systems": len(between.systems), "language pairs": len(campaigns)}
    found["outputs"] = sum(each.segments * sum(name == each.label for name, _ in between.systems) for each in campaigns)
    for name, printed in COUNTS.items():
        published = Published(printed, other_data=is_other)
        ours = Estimate(found[name], found[name])
        yield ReproducedNumber("Section 4.1", f"{name}, {label}", published, ours, reason if is_other else "")
    for first, second, where, printed in _pairs(names):
        estimate = between[_spec(first, names), _spec(second, names)].pooled
        why = reason if is_other else _reason(label, "open" if first.startswith("m-") else "call")
        published = Published(printed, other_data=is_other)
        yield ReproducedNumber(where, f"{first} and {second}, {label}", published, estimate, why)
    yield from _crossed(label, between, names)
    for name in (prefix + name for name in names for prefix in AGGREGATIONS):
        values = between.scores[_spec(name, names)] / 100
        mean = Estimate(float(np.nanmean(values)), int((~np.isnan(values)).sum()))
        published = Published(MEANS.get(name, ""), other_data=is_other)
        where = "Section 4.4" if published.number else ""
        why = reason if is_other else _reason(label, "open" if name.startswith("m-") else "call")
        yield ReproducedNumber(where, f"mean of {name}, {label}", published, mean, why)
        skewness = _skewness(values)
        said = Published(words="in words") if name in MEANS else Published()
        row = ("Section 4.4" if said.words else "", f"skewness of {name}, {label}", said, skewness, REASONS["words"])
        yield ReproducedNumber(*row, count=0 if said.words else 1)
    yield from _sampled(label, between, names, is_other=is_other)


def _pairs(names: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Every two aggregations of a metric, and every two metrics under an aggregation: names, place, printed number."""
    listed = list(names)
    pairs = [(name, f"{prefix}{name}") for name in listed for prefix in ("x-", "m-")]
    pairs += [(f"x-{name}", f"m-{name}") for name in listed]
    pairs += [
        (prefix + one, prefix + other)
        for place, one in enumerate(listed)
        for other in listed[place + 1 :]
        for prefix in AGGREGATIONS
    ]
    for pair in sorted(pairs, key=lambda each: [*BETWEEN, each].index(each)):
        yield *pair, *BETWEEN.get(pair, ("", ""))


def _crossed(label: str, between: ScoreCorrelations, names: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    """Figure 4 has no numbers."""
    for first, second in CROSSED if names == METRICS else ():
        estimate = between[_spec(first, names), _spec(second, names)].pooled
        row = ("Figure 4", f"{first} and {second}, {label}", Published(words="a figure"), estimate, REASONS["figure"])
        yield ReproducedNumber(*row, count=0)


def _skewness(values: FloatArray) -> Estimate:
    """The third standardised moment over systems: above 0 with a tail of high scores."""
    defined = values[~np.isnan(values)]
    centred = defined - defined.mean()
    spread = float(np.sqrt((centred**2).mean()))
    if len(defined) < 3 or spread == 0:
        return no_data("fewer than three systems, or all have the same score")
    return Estimate(float((centred**3).mean()) / spread**3, len(defined))


def _sampled(
    label: str, between: ScoreCorrelations, names: Mapping[str, str], *, is_other: bool
) -> Iterator[ReproducedNumber]:
    """Scores of samples of the segments. Bootstrap scores stay those of the whole test set."""
    for name in names:
        for first, second, where, words in (
            (name, f"m-{name}", "Figure 5, left", "on samples of {:,}"),
            (name, f"x-{name}", "Figure 5, centre", "of the whole set, on samples of {:,}"),
            (f"m-{name}", f"x-{name}", "Figure 5, right", "of the whole set, on samples of {:,}"),
        ):
            for sampled in between[_spec(first, names), _spec(second, names)].samples:
                low, high = sampled.quantile(0.025), sampled.quantile(0.975)
                found = Estimate(sampled.mean, sampled.n, low, high, reason=sampled.reason)
                quantity = f"{first} and {second} {words.format(sampled.sample_size)}, {label}"
                printed = SAMPLED.get(sampled.sample_size, "") if (first, second) == ("BLEU", "m-BLEU") else ""
                published = Published(words="a figure") if name in METRICS else Published()
                if printed:
                    published = Published(printed, "about", other_data=is_other)
                reason = _reason(label, "fewer" if is_other else "call")
                if where != "Figure 5, left":
                    reason = REASONS["whole"]
                elif sampled.sample_size == 1:
                    reason = REASONS["effective order"]
                row = (where if name in METRICS else "", quantity, published, found, reason)
                yield ReproducedNumber(*row, count=0 if published.words else 1)


def _people(
    name: str, campaigns: Sequence[assay.Campaign], names: Mapping[str, str], as_published: bool, runtime: Runtime
) -> Iterator[_People]:
    """A table for each kind of human scores of the systems of a test set."""
    external = {}
    if as_published:
        external = {
            each.lp: score_with_transposed_references(each, list(names.values()), runtime) for each in campaigns
        }
    for gold in _golds(campaigns):
        stored_names = NEURAL_23 if name == PAPERS_DATA else NEURAL
        judged = [with_papers_names(each, stored_names) for each in campaigns if _has(each, gold)]
        if not judged:  # segments were judged, and the paper uses scores of systems
            continue
        neural = list(_neural(judged))
        table = assay.meta(
            judged,
            gold=gold,
            metrics=[*names.values(), *neural],
            agg=list(AGGREGATIONS.values()),
            size=SIZE,
            external=external,
            outliers="keep",
            random_metrics=0,
            runtime=runtime,
        )
        wanted = {prefix + spec for spec in names.values() for prefix in (*AGGREGATIONS, TRANSPOSED)} | {*neural}
        rows = [row for row in table if wanted & {row.metric, row.without_references}]
        yield _People(name, gold, replace(table, metrics=tuple(rows)))


def _neural(campaigns: Sequence[assay.Campaign]) -> Iterator[str]:
    """The metrics of Table 1 that are stored, and those that are not stored everywhere but can be computed."""
    for name, spec in MODELS.items():
        has = [name in {table.name for table in each.metrics} for each in campaigns]
        if any(has):
            yield name
        if not all(has) and not lacking(spec):
            yield spec


def _golds(campaigns: Sequence[assay.Campaign]) -> list[str]:
    """The human scores of systems that the papers use, or else all kinds that there are."""
    known = [gold for gold in PROTOCOLS if any(_has(each, gold) for each in campaigns)]
    return known or list(dict.fromkeys(table.name for each in campaigns for table in each.human))


def _has(campaign: assay.Campaign, gold: str) -> bool:
    return any(table.name == gold and (table.level == "system" or gold not in PROTOCOLS) for table in campaign.human)


def _table_1(people: Sequence[_People], names: Mapping[str, str]) -> Iterator[tuple[str, ReproducedNumber]]:
    for test_set, gold, table in people:
        protocol = PROTOCOLS.get(gold, gold)
        printed = WITH_PEOPLE.get(protocol, {})
        missing = _missing_pairs(test_set, protocol, table)
        is_own = not missing and test_set == PAPERS_DATA
        for name in (*(prefix + name for name in names for prefix in AGGREGATIONS), *NEURAL):
            published = Published(printed.get(name, ""), other_data=not is_own)
            if name in NEURAL and not published.number:
                continue
            reason = missing or _reason(test_set, "open" if name.startswith("m-") or name in NEURAL else "call")
            where, quantity = "Table 1" if published.number else "", f"{name} with {protocol}, {test_set}"
            found = value_of(_average, table, name, names)
            if is_missing := name in NEURAL and math.isnan(found.value):
                lack = f"no stored scores of {name} for {_without(table, name)}; to compute them: "
                found = no_data(lack + lacking(MODELS[name]))
            needs: Literal["data", "model"] = "model" if is_missing else "data"
            yield test_set, ReproducedNumber(where, quantity, published, found, reason, needs=needs)
        for name in names:
            found = value_of(_average, table, TRANSPOSED + name, names)
            if not math.isnan(found.value):
                number = printed.get(name, "") if test_set == PAPERS_DATA else ""
                quantity = f"{name} with {protocol} by transposed references, {test_set}"
                published = Published(number, other_data=bool(missing))
                reason = "; ".join(filter(None, (REASONS["transposed"], missing)))
                row = ("Table 1" if number else "", quantity, published, found, reason)
                yield test_set, ReproducedNumber(*row, count=0 if number else 1)  # counted with the right call
    for protocol in sorted(WITH_PEOPLE.keys() - {PROTOCOLS.get(each.gold, "") for each in people}):
        missing_data = no_data(f"the data have no {protocol} scores of systems")
        count = len(WITH_PEOPLE[protocol])
        yield "", ReproducedNumber("Table 1", f"all scores with {protocol}", Published(), missing_data, count=count)


def _missing_pairs(test_set: str, protocol: str, table: MetaEvaluation) -> str:
    """The language pairs of the paper's data that have no such human scores here; empty: none, or another test set."""
    if test_set != PAPERS_DATA or protocol not in JUDGED:
        return ""
    there = {pair.lp for pair in table.language_pairs}
    missing = [lp for lp in JUDGED[protocol] if lp not in there]
    count = len(JUDGED[protocol])
    return (
        f"{count - len(missing)} of {count} language pairs: no {protocol} scores of {', '.join(missing)}"
        if missing
        else ""
    )


def _without(table: MetaEvaluation, name: str) -> str:
    """The language pairs without stored scores of a metric."""
    rows = _rows(table, name)
    has = {column.lp for row in rows for column, each in row.agreements.items() if not math.isnan(each.value)}
    return ", ".join(pair.lp for pair in table.language_pairs if pair.lp not in has)


def _rows(table: MetaEvaluation, spec: str) -> list[EvaluatedMetric]:
    return [row for row in table if spec in (row.metric, row.without_references)]


def _average(table: MetaEvaluation, name: str, names: Mapping[str, str]) -> Estimate:
    """The mean over language pairs of a score, or of the first row of a stored metric."""
    specs = (name, MODELS[name]) if name in NEURAL else (_spec(name, names),)
    averages = [row.average for spec in specs for row in _rows(table, spec)]
    if not averages:
        raise assay.errors.UnknownNameError(f"no scores of {name} are stored")
    return next((each for each in averages if not math.isnan(each.value)), averages[0])


def _counted_once(rows: Iterable[tuple[str, ReproducedNumber]]) -> Iterator[ReproducedNumber]:
    """A published number has a row for each test set, and counts in one: of the paper's data, or with a value."""
    labelled = list(rows)
    labels = [label for label, _ in labelled]
    listed = [((row.where, row.quantity.removesuffix(f", {label}")), row) for label, row in labelled]
    counted: dict[tuple[str, str], int] = {}
    for place, (key, row) in sorted(enumerate(listed), key=lambda item: _order(item[1][1], labels[item[0]])):
        if row.is_published and row.count:
            counted.setdefault(key, place)
    for place, (key, row) in enumerate(listed):
        yield replace(row, count=0) if counted.get(key, place) != place else row


def _order(row: ReproducedNumber, label: str) -> tuple[bool, bool, bool]:
    return math.isnan(row.ours.value), row.published.other_data, label != PAPERS_DATA


def _gains(people: Sequence[_People], names: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    """How much better segment means agree with people than corpus scores, over the language pairs of all test sets."""
    for name in names:
        yield ReproducedNumber(
            *("", f"m-{name} minus {name}: difference of Pearson with people, mean over language pairs", Published()),
            _mean_gain(_gains_by_pair(people, names[name])),
            REASONS["own"],
        )


def _gains_by_pair(people: Sequence[_People], spec: str) -> dict[str, float]:
    """By test set and language pair: segment mean minus corpus score, the mean over the kinds of human scores."""
    values: dict[str, list[float]] = {}
    for test_set, _, table in people:
        for pair in table.language_pairs:
            corpus, mean = (table.agreement(score, lp=pair.lp).value for score in (spec, f"m-{spec}"))
            if not math.isnan(mean - corpus):
                values.setdefault(f"{test_set} {pair.lp}", []).append(mean - corpus)
    return {label: math.fsum(each) / len(each) for label, each in values.items()}


def _mean_gain(gains: Mapping[str, float]) -> Estimate:
    """The mean, with a 95 % interval from resampled language pairs."""
    if not gains:
        return no_data("no language pair has human scores of systems")
    values = np.array([*gains.values()])
    draws = np.random.default_rng(0).integers(len(values), size=(10_000, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), (0.025, 0.975)).tolist()
    return Estimate(float(values.mean()), len(values), low, high)


def _recommendation(people: Sequence[_People], names: Mapping[str, str]) -> Recommendation:
    found = []
    for name, spec in names.items():
        gains = _gains_by_pair(people, spec)
        mean = _mean_gain(gains)
        if math.isnan(mean.value):
            continue
        is_shown = mean.low > 0 or mean.high < 0
        best, worst = max(gains, key=lambda each: gains[each]), min(gains, key=lambda each: gains[each])
        found.append(
            f"{name}: segment mean minus corpus score {round(mean.value, 3) + 0.0:+.3f} [{mean.low:+.3f}, "
            f"{mean.high:+.3f}] over {mean.n} language pairs, from {gains[worst]:+.3f} ({worst}) to {gains[best]:+.3f} "
            f"({best}); {'a difference' if is_shown else 'no difference'} is shown."
        )
    return Recommendation(
        "Use segment means of lexical metrics instead of corpus scores: they agree better with people.",
        f"Difference of Pearson with people. {' '.join(found)} Show both."
        if found
        else "These data have no human scores of systems.",
    )


def _remarks(
    between: Mapping[str, ScoreCorrelations],
    campaigns: Mapping[str, Sequence[assay.Campaign]],
    names: Mapping[str, str],
    *,
    as_published: bool,
) -> Iterator[str]:
    name, spec = next(iter(names.items()))
    for label, table in between.items():
        pair = table[spec, f"m-{spec}"]
        yield (
            f"The mean over resampled corpora estimates the corpus score, so that the two must agree: on {label}, "
            f"{name} and x-{name} correlate at {table[spec, f'x-{spec}'].pooled.value:.4f}. Pooled values also measure "
            f"how language pairs differ; within them, {name} and m-{name} correlate at {pair.mean.value:.3f} on "
            "average."
        )
    if names == METRICS:
        yield (
            "As in the paper, BLEU has the tokeniser 13a for every language, so that a Chinese or Japanese sentence is "
            "few tokens; these language pairs lower the correlations with BLEU."
        )
    if PAPERS_DATA not in campaigns:
        yield (
            "Measured elsewhere on WMT23, which is not in this folder: BLEU and chrF correlate with DA at .763 and "
            ".807, and with transposed references at -.0069 and .2855, where the paper prints -.006 and .285. A folder "
            f"wmt23 is used if there is one: assay data fetch {ARCHIVE} has it."
        )
    if not as_published:
        yield "--as-published adds rows that show what transposed references do to these scores."


def _reason(test_set: str, own: str) -> str:
    """Why a number differs: other data, or on the paper's data what is known."""
    return REASONS[own if test_set == PAPERS_DATA else "other data"]


def _spec(name: str, names: Mapping[str, str]) -> str:
    """Our name of a score: `m-BLEU` is `m-bleu:tok=13a`."""
    prefix = next((each for each in ("m-", "x-", TRANSPOSED) if name.startswith(each)), "")
    return prefix + names.get(name.removeprefix(prefix), name.removeprefix(prefix))


def _ending(label: str) -> str:
    """What distinguishes the files of the paper's own test set."""
    return f"-{label}" if label == PAPERS_DATA else ""


def _figures(between: Mapping[str, ScoreCorrelations], names: Mapping[str, str]) -> Iterator[tuple[str, PaperFigure]]:
    for label in between:
        end, source = _ending(label), (f"correlate{_ending(label)}",)
        for number, (name, spec) in enumerate(names.items(), 1):
            scores, file = "+".join(prefix + spec for prefix in AGGREGATIONS), spec.partition(":")[0]
            chart, caption = f"score-correlations:scores={scores}", f"aggregations of {name}, {label}"
            yield f"figure-{number}-{file}{end}", PaperFigure(f"Figure {number}, {caption}", chart, source)
            chart, caption = f"sampled-correlations:scores={scores}", f"samples of segments, {name}, {label}"
            yield f"figure-5-{file}{end}", PaperFigure(f"Figure 5, {caption}", chart, source)
        for name, spec in names.items() if len(names) > 1 else ():
            others = [prefix + other for other in names.values() if other != spec for prefix in ("", "x-")]
            chart = f"score-correlations:scores={'+'.join((f'm-{spec}', *others))}"
            caption = f"Figure 4, m-{name} against other aggregations of the other metrics, {label}"
            yield f"figure-4-{spec.partition(':')[0]}{end}", PaperFigure(caption, chart, source)
        for prefix, words in AGGREGATIONS.items() if len(names) > 1 else ():
            chart = f"score-correlations:scores={'+'.join(prefix + spec for spec in names.values())}"
            caption = f"Figure 3, metrics against each other, {words}, {label}"
            yield f"figure-3-{words}{end}", PaperFigure(caption, chart, source)


def _figures_by_pair(people: Sequence[_People], names: Mapping[str, str]) -> Iterator[tuple[str, PaperFigure]]:
    """Not in the paper: corpus score and segment mean on every language pair."""
    for each in people:
        protocol = PROTOCOLS.get(each.gold, each.gold)
        for name, spec in names.items():
            caption = f"{name}: segment mean and corpus score against {protocol} by language pair, {each.test_set}"
            chart = f"language-pairs:metrics=m-{spec}+{spec}"
            yield f"{each.file}-{spec.partition(':')[0]}", PaperFigure(caption, chart, (each.file,))


def score_with_transposed_references(
    campaign: assay.Campaign, metrics: Sequence[str], runtime: Runtime
) -> list[assay.ScoreTable]:
    """What sacreBLEU's corpus_score(outputs, [[reference 1], [reference 2], …]) scores.

    It reads each inner list as a set of references and stops at the end of the shortest list: the first output of each
    system is scored against the references of all segments.
    """
    testset = campaign.select_texts(references=campaign.references[:1])
    (reference,) = testset.references.values()
    wrong = assay.load(
        references={f"segment {k}": [text] for k, text in enumerate(reference, 1)},
        outputs={name: [texts[0]] for name, texts in testset.outputs.items()},
        lp=campaign.lp,
    )
    run = assay.score(wrong, metrics, agg="corpus", resamples=0, runtime=runtime)
    systems = tuple(wrong.outputs)
    return [
        assay.ScoreTable(TRANSPOSED + spec, "system", systems, np.array([[run[spec].corpus[name]] for name in systems]))
        for spec in metrics
    ]
