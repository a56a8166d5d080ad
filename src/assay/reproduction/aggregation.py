"""Cavalin et al. 2024, "Sentence-level aggregation": corpus scores, segment means and bootstrap scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import assay
from assay.lazily import numpy as np
from assay.reproduction.campaigns import load_test_sets, no_data, value_of
from assay.results import (
    Estimate,
    MetaEvaluation,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
    ScoreCorrelations,
)
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "run", "score_with_transposed_references"]

TITLE = "Cavalin et al. 2024, Sentence-level aggregation"
CITATION = (
    "Paulo Cavalin, Pedro H. Domingues, Claudio Pinhanez (2024): Sentence-level Aggregation of Lexical Metrics "
    "Correlates Stronger with Human Judgements than Corpus-level Aggregation. arXiv:2407.12832."
)
TEST_SETS = ("wmt17", "wmt21.news", "wmt22", "wmt23")
PAPERS_DATA = "wmt23"
METRICS = {"BLEU": "bleu:tok=13a", "chrF": "chrf"}  # sacreBLEU's defaults, for every language
SIZE, SAMPLE_SIZES, SAMPLES = 1000, (1, 10, 100, 1000), 100
"""Segments of a bootstrap resample and of the samples, as in the paper, and how many samples of each size."""
AGGREGATIONS = {"": "corpus", "m-": "segment", "x-": "bootstrap"}
"""How the paper marks a score, and our names."""
TRANSPOSED = "transposed-"
PROTOCOLS = {"mqm": "MQM", "wmt": "DA", "da-sqm": "DA", "wmt-z": "DA-z", "wmt-appraise": "DA+SQM"}
"""Human scores of systems by their names in the data."""
NEURAL = {"COMET": ("COMET-22", "COMET"), "BLEURT": ("BLEURT-20",), "BERTScore": ("BERTScore",)}
"""Metrics of Table 1 that may have stored scores, under these names."""

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
    "effective order": "other test sets; with one segment, m-BLEU leaves out n-gram orders that the segment is too "
    "short for, and corpus BLEU does not",
    "call": "found by recomputing Table 1 on WMT23: its corpus and bootstrap scores come out if references are passed "
    "to sacreBLEU as one list for each segment, when it scores the first output only, without a warning (inferred from "
    "numbers; the authors' code was not seen)",
    "open": "open: the same call of sacreBLEU on what is here of WMT23",
    "transposed": "a wrong call, shown as a caution: only the first output is scored",
    "whole": "the score of a sample against the bootstrap score of the whole test set: it measures sampling noise",
    "own": "not a number of the paper",
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
    """The campaigns with texts, by test set: those named, those that the paper's kind of study uses, or all."""
    wanted = names or [name for name in TEST_SETS if (data / name).is_dir()]
    found: dict[str, list[assay.Campaign]] = {}
    if wanted:
        found = load_test_sets(data, wanted, runtime)
    else:
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
    is_other = label != PAPERS_DATA
    found = {"systems": len(between.systems), "language pairs": len(campaigns)}
    found["outputs"] = sum(each.segments * sum(name == each.label for name, _ in between.systems) for each in campaigns)
    for name, printed in COUNTS.items():
        published = Published(printed, other_data=is_other)
        ours = Estimate(found[name], found[name])
        yield ReproducedNumber("Section 4.1", f"{name}, {label}", published, ours, _reason(label, "open"))
    for first, second, where, printed in _pairs(names):
        estimate = between[_spec(first, names), _spec(second, names)].pooled
        reason = _reason(label, "open" if first.startswith("m-") else "call")
        published = Published(printed, other_data=is_other)
        yield ReproducedNumber(where, f"{first} and {second}, {label}", published, estimate, reason)
    for name in (prefix + name for name in names for prefix in AGGREGATIONS):
        values = between.scores[_spec(name, names)] / 100
        mean = Estimate(float(np.nanmean(values)), int((~np.isnan(values)).sum()))
        published = Published(MEANS.get(name, ""), other_data=is_other)
        where = "Section 4.4" if published.number else ""
        reason = _reason(label, "open" if name.startswith("m-") else "call")
        yield ReproducedNumber(where, f"mean of {name}, {label}", published, mean, reason)
    yield from _sampled(label, between, names)


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


def _sampled(label: str, between: ScoreCorrelations, names: Mapping[str, str]) -> Iterator[ReproducedNumber]:
    """Scores of samples of the segments. Bootstrap scores stay those of the whole test set."""
    for name in names:
        for first, second, where, words in (
            (name, f"m-{name}", "Figure 5", "on samples of {:,}"),
            (name, f"x-{name}", "Figure 4", "of the whole set, on samples of {:,}"),
            (f"m-{name}", f"x-{name}", "Figure 4", "of the whole set, on samples of {:,}"),
        ):
            for sampled in between[_spec(first, names), _spec(second, names)].samples:
                low, high = sampled.quantile(0.025), sampled.quantile(0.975)
                found = Estimate(sampled.mean, sampled.n, low, high, reason=sampled.reason)
                quantity = f"{first} and {second} {words.format(sampled.sample_size)}, {label}"
                printed = SAMPLED.get(sampled.sample_size, "") if (first, second) == ("BLEU", "m-BLEU") else ""
                published = Published(words="a figure") if name in METRICS else Published()
                if printed:
                    published = Published(printed, "about", other_data=label != PAPERS_DATA)
                reason = REASONS["whole"] if where == "Figure 4" else _reason(label, "call")
                if sampled.sample_size == 1 and where == "Figure 5":
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
        judged = [each for each in campaigns if _has(each, gold)]
        stored = {table.name for each in judged for table in each.metrics}
        neural = [other for others in NEURAL.values() for other in others if other in stored]
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


def _golds(campaigns: Sequence[assay.Campaign]) -> list[str]:
    """The human scores of systems that the papers use, or else all kinds that there are."""
    known = [gold for gold in PROTOCOLS if any(_has(each, gold) for each in campaigns)]
    return known or list(dict.fromkeys(table.name for each in campaigns for table in each.human))


def _has(campaign: assay.Campaign, gold: str) -> bool:
    return any(table.name == gold and (table.level == "system" or gold not in PROTOCOLS) for table in campaign.human)


def _table_1(people: Sequence[_People], names: Mapping[str, str]) -> Iterator[tuple[str, ReproducedNumber]]:
    for test_set, gold, table in people:
        is_own, protocol = test_set == PAPERS_DATA, PROTOCOLS.get(gold, gold)
        printed = WITH_PEOPLE.get(protocol, {})
        for name in (*(prefix + name for name in names for prefix in AGGREGATIONS), *NEURAL):
            published = Published(printed.get(name, ""), other_data=not is_own)
            if name in NEURAL and not published.number:
                continue
            reason = _reason(test_set, "open" if name.startswith("m-") or name in NEURAL else "call")
            where, quantity = "Table 1" if published.number else "", f"{name} with {protocol}, {test_set}"
            found = value_of(_average, table, name, names)
            yield test_set, ReproducedNumber(where, quantity, published, found, reason)
        for name in names:
            found = value_of(_average, table, TRANSPOSED + name, names)
            if not math.isnan(found.value):
                number = printed.get(name, "") if is_own else ""
                quantity = f"{name} with {protocol} by transposed references, {test_set}"
                row = ("Table 1" if number else "", quantity, Published(number), found, REASONS["transposed"])
                yield test_set, ReproducedNumber(*row, count=0 if number else 1)  # counted with the right call
    for protocol in sorted(WITH_PEOPLE.keys() - {PROTOCOLS.get(each.gold, "") for each in people}):
        missing = no_data(f"the data have no {protocol} scores of systems")
        count = len(WITH_PEOPLE[protocol])
        yield "", ReproducedNumber("Table 1", f"all scores with {protocol}", Published(), missing, count=count)


def _average(table: MetaEvaluation, name: str, names: Mapping[str, str]) -> Estimate:
    """The mean over language pairs of a score, or of the first row of a stored metric."""
    for spec in NEURAL.get(name, (_spec(name, names),)):
        for row in table:
            if spec in (row.metric, row.without_references):
                return row.average
    raise assay.errors.UnknownNameError(f"no scores of {name} are stored")


def _counted_once(rows: Iterable[tuple[str, ReproducedNumber]]) -> Iterator[ReproducedNumber]:
    """A published number has a row for each test set, and counts in one: of the paper's data, or with a value."""
    listed = [((row.where, row.quantity.removesuffix(f", {label}")), row) for label, row in rows]
    counted: dict[tuple[str, str], int] = {}
    for place, (key, row) in sorted(enumerate(listed), key=lambda item: _order(item[1][1])):
        if row.is_published and row.count:
            counted.setdefault(key, place)
    for place, (key, row) in enumerate(listed):
        yield replace(row, count=0) if counted.get(key, place) != place else row


def _order(row: ReproducedNumber) -> tuple[bool, bool]:
    return math.isnan(row.ours.value), row.published.other_data


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
            "wmt23 is used if there is one."
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
            yield f"figures-4-5-{file}{end}", PaperFigure(f"Figures 4 and 5, {caption}", chart, source)
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
