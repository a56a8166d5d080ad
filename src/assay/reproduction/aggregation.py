"""Cavalin et al. 2024, "Sentence-level aggregation": corpus scores, segment means and bootstrap scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

import assay
from assay.reproduction.campaigns import find_test_sets, load_test_sets
from assay.results import (
    Estimate,
    MetaEvaluation,
    PaperFigure,
    Recommendation,
    Reproduced,
    Reproduction,
    ScoreCorrelations,
)
from assay.runtime import Runtime

__all__ = ["run", "score_with_transposed_references"]

CITATION = (
    "Paulo Cavalin, Pedro H. Domingues, Claudio Pinhanez (2024): Sentence-level Aggregation of Lexical Metrics "
    "Correlates Stronger with Human Judgements than Corpus-level Aggregation. arXiv:2407.12832."
)
TEST_SETS = ("wmt17", "wmt21.news", "wmt22", "wmt23")
SIZE = 1000
SAMPLE_SIZES = (1, 10, 100, 1000)
METRICS = ("bleu:tok=13a", "chrf")  # sacreBLEU's defaults, for every language
PROTOCOLS = {"mqm": "MQM", "wmt": "DA", "wmt-z": "DA-z", "wmt-appraise": "DA+SQM"}

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
    "MQM": {"BLEU": ".425", "m-BLEU": ".776", "x-BLEU": ".762", "chrF": ".392", "m-chrF": ".806", "x-chrF": ".804"},
    "DA": {"BLEU": "-.006", "m-BLEU": ".729", "x-BLEU": ".456", "chrF": ".285", "m-chrF": ".802", "x-chrF": ".793"},
}
"""Table 1, on WMT23: the mean over language pairs of Pearson with human scores."""

CALL = (
    "the paper's corpus and bootstrap scores are what sacreBLEU returns if references are passed as one list for each "
    "segment: it then scores the first output only, without a warning (inferred from numbers; the authors' code was "
    "not seen)"
)
OTHER_DATA = "other test sets: the paper uses WMT23"


def run(data: Path, runtime: Runtime, *, as_published: bool = False) -> Reproduction:
    """The correlations between aggregations and with people, on the test sets at hand."""
    names = find_test_sets(data, TEST_SETS)
    campaigns = [each for each in load_test_sets(data, TEST_SETS, runtime) if each.testset is not None]
    between = assay.correlate(
        campaigns, metrics=METRICS, size=SIZE, sample_sizes=SAMPLE_SIZES, samples=100, runtime=runtime
    )
    people = {
        f"people-{name}-{gold}": table for name in names for gold, table in _with_people(campaigns, name, runtime)
    }
    numbers = [*_between(between, names), *_means(between, names), *_sampled(between, names), *_people(people)]
    if as_published:
        numbers += _as_published([each for each in campaigns if each.name == names[-1]], runtime)
    return Reproduction(
        "aggregation",
        CITATION,
        {"data": "+".join(names), "metrics": "+".join(METRICS), "size": str(SIZE)},
        tuple(numbers),
        (
            Recommendation(
                "Use segment means instead of corpus scores, which behave like a single sample.",
                "A mean over resampled corpora estimates the corpus score, so the two must agree: they correlate at "
                f"{_value(between, 'BLEU', 'x-BLEU'):.4f} (paper: .53). {_verdict(people)}",
            ),
        ),
        (
            "Measured once on WMT23, which is not at hand: BLEU and chrF correlate with DA at .763 and .807, and with "
            "transposed references at -.0069 and .2855, where the paper prints -.006 and .285. A folder wmt23 is used "
            "if there is one, and --as-published shows the same effect on other test sets.",
            "people-*.tsv has the values of all language pairs with their intervals.",
        ),
        {"correlate": between, **people},
        _figures(),
    )


def _figures() -> dict[str, PaperFigure]:
    bleu, chrf = ("+".join(_spec(prefix + name) for prefix in ("", "m-", "x-")) for name in ("BLEU", "chrF"))
    source = ("correlate",)
    figures = {
        "figure-1": PaperFigure("Figure 1, aggregations of BLEU", f"score-correlations:scores={bleu}", source),
        "figure-2": PaperFigure("Figure 2, aggregations of chrF", f"score-correlations:scores={chrf}", source),
    }
    for prefix, word in (("", "corpus"), ("m-", "segment"), ("x-", "bootstrap")):
        scores = "+".join(_spec(prefix + name) for name in ("BLEU", "chrF"))
        figures[f"figure-3-{word}"] = PaperFigure(
            f"Figure 3, BLEU and chrF, {word}", f"score-correlations:scores={scores}", source
        )
    for number, name, scores in (("4", "bleu", bleu), ("5", "chrf", chrf)):
        figures[f"figure-{number}-{name}"] = PaperFigure(
            f"Figures 4 and 5, samples of segments, {name}", f"sampled-correlations:scores={scores}", source
        )
    return figures


def _name(score: str) -> str:
    """The paper's name of a score, which may end in its reference: BLEU, m-BLEU, x-BLEU; empty for stored scores."""
    for spec, name in zip(METRICS, ("BLEU", "chrF"), strict=True):
        start, found, _ = score.partition(spec)
        if found:
            return start + name
    return ""


def _spec(name: str) -> str:
    return name.replace("BLEU", METRICS[0]).replace("chrF", METRICS[1])


def _published(printed: str, test_sets: Sequence[str]) -> str:
    """A published number, marked as one of WMT23 if ours are of other test sets, which need not agree."""
    return printed if not printed or list(test_sets) == ["wmt23"] else f"{printed} (WMT23)"


def _value(between: ScoreCorrelations, first: str, second: str) -> float:
    return between[_spec(first), _spec(second)].pooled.value


def _between(between: ScoreCorrelations, names: Sequence[str]) -> Iterator[Reproduced]:
    for (first, second), (where, printed) in BETWEEN.items():
        found = between[_spec(first), _spec(second)].pooled
        why = OTHER_DATA if "m-" in first else CALL
        yield Reproduced(where, f"{first} and {second}, all systems", _published(printed, names), found, why)


def _means(between: ScoreCorrelations, names: Sequence[str]) -> Iterator[Reproduced]:
    for name, printed in MEANS.items():
        values = between.scores[_spec(name)] / 100
        found = Estimate(float(np.nanmean(values)), int((~np.isnan(values)).sum()))
        yield Reproduced("Section 4.4", f"mean of {name}", _published(printed, names), found, OTHER_DATA)


def _sampled(between: ScoreCorrelations, names: Sequence[str]) -> Iterator[Reproduced]:
    for first, second in (("BLEU", "m-BLEU"), ("BLEU", "x-BLEU"), ("m-BLEU", "x-BLEU")):
        for sampled in between[_spec(first), _spec(second)].samples:
            low, high = sampled.quantile(0.025), sampled.quantile(0.975)
            found = Estimate(sampled.mean, sampled.n, low, high, reason=sampled.reason)
            quantity = f"{first} and {second} on samples of {sampled.size:,}"
            is_figure_5 = (first, second) == ("BLEU", "m-BLEU")
            printed = _published(SAMPLED.get(sampled.size, "") if is_figure_5 else "", names)
            where = "Figure 5" if is_figure_5 else "Figure 4"
            yield Reproduced(where, quantity, printed, found, CALL if printed else OTHER_DATA, within=0.05)


def _with_people(
    campaigns: Sequence[assay.Campaign], name: str, runtime: Runtime
) -> Iterator[tuple[str, MetaEvaluation]]:
    """A table for each kind of human system scores of a test set."""
    for gold in PROTOCOLS:
        judged = [each for each in campaigns if each.name == name and _has(each, gold)]
        if judged:
            yield (
                gold,
                assay.meta(
                    judged,
                    gold=gold,
                    metrics=METRICS,
                    agg=["corpus", "segment", "bootstrap"],
                    size=SIZE,
                    outliers="keep",
                    random_metrics=0,
                    runtime=runtime,
                ),
            )


def _people(tables: Mapping[str, MetaEvaluation]) -> Iterator[Reproduced]:
    for label, table in tables.items():
        _, name, gold = label.split("-", 2)
        protocol = PROTOCOLS[gold]
        for row in table:
            if score := _name(row.metric):
                (average,) = row.averages.values()
                printed = _published(WITH_PEOPLE.get(protocol, {}).get(score, ""), [name])
                why = OTHER_DATA if score.startswith("m-") or not printed else CALL
                yield Reproduced("Table 1", f"{score} with {protocol}, {name}", printed, average, why)


def _verdict(tables: Mapping[str, MetaEvaluation]) -> str:
    """How often segment means agree better with people than corpus scores do."""
    better = total = 0
    for table in tables.values():
        rows = {_name(row.metric): row for row in table}
        for metric in ("BLEU", "chrF"):
            corpus, mean = rows[metric].agreements, rows[f"m-{metric}"].agreements
            for column in corpus.keys() & mean.keys():
                if not math.isnan(corpus[column].value + mean[column].value):
                    total += 1
                    better += mean[column].value > corpus[column].value
    return (
        f"With people, the segment mean agrees better than the corpus score in {better} of {total} cases (metric, "
        "language pair and kind of human scores). Neither is better in general: show both."
    )


def _as_published(campaigns: Sequence[assay.Campaign], runtime: Runtime) -> Iterator[Reproduced]:
    """Pearson with people of the scores that a wrong call gives, on each language pair and on average."""
    why = "a wrong call: only the first output is scored"
    for gold in ("mqm", "wmt", "wmt-appraise"):
        found: dict[str, list[float]] = {}
        for campaign in (each for each in campaigns if _has(each, gold)):
            for table in score_with_transposed_references(campaign, runtime):
                agreement = assay.agree(table, campaign.find(gold, "system"), "pearson", outliers="keep", resamples=0)
                quantity = f"{_name(table.name)} with {PROTOCOLS[gold]}, {campaign.label}, transposed references"
                yield Reproduced("–", quantity, "", agreement.estimate, why)
                found.setdefault(table.name, []).append(agreement.value)
        for name, values in found.items():
            quantity = f"{_name(name)} with {PROTOCOLS[gold]}, {campaigns[0].name}, transposed references, mean"
            yield Reproduced("–", quantity, "", Estimate(math.fsum(values) / len(values), len(values)), why)


def _has(campaign: assay.Campaign, gold: str) -> bool:
    return any((table.name, table.level) == (gold, "system") for table in campaign.human)


def score_with_transposed_references(campaign: assay.Campaign, runtime: Runtime) -> list[assay.ScoreTable]:
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
    run = assay.score(wrong, METRICS, agg="corpus", resamples=0, runtime=runtime)
    systems = tuple(wrong.outputs)
    return [
        assay.ScoreTable(spec, "system", systems, np.array([[run[spec].corpus[name]] for name in systems]))
        for spec in METRICS
    ]
