"""`assay.compare`: is the difference between systems real?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from assay.arguments import checked_arguments
from assay.comparison.contrasts import ContrastOptions
from assay.comparison.differences import ComparisonOptions
from assay.comparison.gates import lookup, parse
from assay.comparison.metrics import MetricComparer
from assay.comparison.units import UNITS
from assay.comparison.verdict import verdict
from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.measurement import MetricLike, measure
from assay.registry import option_text
from assay.results import ComparedMetric, SystemComparison
from assay.runtime import Runtime
from assay.significance.corrections import CORRECTIONS
from assay.study.score import DEFAULT_METRICS
from assay.types import Note, NoteKind, TestSet

__all__ = ["AGGREGATIONS", "compare"]

AGGREGATIONS = ("corpus", "segment")


@checked_arguments
def compare(
    testset: TestSet,
    metrics: MetricLike | Iterable[MetricLike] = DEFAULT_METRICS,
    *,
    agg: str | Iterable[str] = AGGREGATIONS,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: str = "randomisation",
    alternative: str = "two-sided",
    correction: str = "holm",
    alpha: float = 0.05,
    unit: str = "segment",
    delta: float | None = None,
    examples: int = 0,
    by: str | Iterable[str] = (),
    labels: str | Path | None = None,
    ngrams: int = 0,
    words: bool = False,
    fail_if: str | None = None,
    resamples: int = 10_000,
    seed: int = 12345,
    confidence: float = 0.95,
    runtime: Runtime | None = None,
) -> SystemComparison:
    """Compare every system with the `baseline` (default: the first system), or all pairs, under every metric.

    Each difference has a bootstrap interval and a p-value by approximate randomisation, which swaps segments between
    the two systems (`test`; or bootstrap, centred on no difference; koehn, the share of resamples that the winner does
    not win; for segment means also paired-t and signed-rank). `alternative` is two-sided, better or worse. `correction`
    (holm, bonferroni, benjamini-hochberg, …, none) is for all pairs of one metric and aggregation. `unit` document
    draws and swaps whole documents, whose segments may depend on each other. With `delta`, the result says how many
    units would be needed to show a difference of this size.

    Where the systems of a pair differ: `examples` is the number of best and worst segments to show by each metric; `by`
    compares them by document, domain, length, or a column of the file `labels`; `ngrams` is the number of n-grams to
    show that one system gets right and the other does not; `words` compares them on groups of words.

    `fail_if` is a condition such as `bleu.delta < -0.5 or chrf.p < 0.05 and chrf.delta < 0`; `failures` of the result
    say for which systems it holds.
    """
    runtime = runtime or Runtime()
    options = ComparisonOptions(test, alternative, resamples, seed, confidence, alpha)
    aggregations = tuple(dict.fromkeys([agg] if isinstance(agg, str) else agg))
    for option, value, known in (
        *(("aggregation", name, AGGREGATIONS) for name in aggregations),
        ("unit", unit, UNITS),
        ("correction", correction, tuple(CORRECTIONS)),
    ):
        if value not in known:
            raise ConfigError(f"unknown {option} '{value}'", hint=nearest(value, known))
    if delta is not None and not delta > 0:
        raise ConfigError(f"delta must be positive, not {delta:g}")
    wanted = ContrastOptions(examples, tuple(dict.fromkeys(by)), labels, ngrams, words)
    if wanted.is_any and all_pairs:
        raise ConfigError("examples, by, ngrams and words compare systems with a baseline, not all pairs")
    gate = None if fail_if is None else parse(fail_if)
    if gate is not None and all_pairs:
        raise ConfigError("fail_if compares systems with a baseline, not all pairs")
    measurements = measure(testset, metrics, runtime)
    testset = measurements.testset
    if unit == "document" and testset.documents is None:
        raise InputError("documents as units need the documents of the segments", hint="e.g. --documents docs.txt")
    pairs = _pairs(testset.systems, baseline, all_pairs=all_pairs)
    documents = testset.documents if unit == "document" else None
    compared_metrics = dict.fromkeys(measurements.metrics, aggregations)
    resolved = gate and gate.resolve(compared_metrics, [first for first, _ in pairs], pairs[0][1])
    comparer = MetricComparer(pairs, options, correction, delta, documents, all_pairs)
    compared = [
        metric
        for measured in runtime.track(list(measurements.metrics.values()), lambda m: f"comparing by {m.spec}")
        for metric in comparer.compare(measured, aggregations, runtime)
    ]
    contrasts, label_notes = wanted.contrasts(measurements, pairs, aggregations, runtime)
    settings = {
        "test": test,
        "alternative": alternative,
        "correction": correction,
        "alpha": option_text(alpha),
        "unit": unit,
        "resamples": str(resamples),
        "seed": str(seed),
        "confidence": option_text(confidence),
        "pairs": "all" if all_pairs else f"with {pairs[0][1]}",
    }
    if delta is not None:
        settings["delta"] = option_text(delta)
    result = SystemComparison(
        settings,
        None if all_pairs else pairs[0][1],
        tuple(compared),
        verdict(compared, alpha, is_all_pairs=all_pairs),
        testset,
        {
            spec: dict(zip(measured.statistics.systems, measured.segment_scores, strict=True))
            for spec, measured in measurements.metrics.items()
        },
        contrasts,
        notes=(*measurements.notes, *label_notes, *_contradictions(compared, alpha), *_level_notes(test)),
    )
    return replace(result, failures=tuple(map(str, resolved.evaluate(lookup(result)))) if resolved else ())


def _pairs(systems: Sequence[str], baseline: str | None, *, all_pairs: bool) -> list[tuple[str, str]]:
    """The pairs to compare: each system with the baseline, or each with every later one."""
    if len(systems) < 2:
        raise InputError("a comparison needs at least two systems", hint=f"there is only {', '.join(systems)}")
    if all_pairs:
        if baseline is not None:
            raise ConfigError("baseline has no effect on all pairs", hint="leave out one of them")
        return list(combinations(systems, 2))
    if baseline is not None and baseline not in systems:
        raise UnknownNameError(f"no system is called '{baseline}'", hint=nearest(baseline, systems))
    base = baseline or systems[0]
    return [(name, base) for name in systems if name != base]


def _contradictions(metrics: Sequence[ComparedMetric], alpha: float) -> list[Note]:
    """Notes where the p-value and the interval disagree about zero."""
    notes = []
    for metric in metrics:
        names = []
        for pair in metric.pairs:
            difference = pair.difference
            if math.isnan(pair.comparison.p) or math.isnan(difference.low):
                continue
            excludes_zero = difference.low > 0 or difference.high < 0
            if (pair.comparison.p < alpha) != excludes_zero:
                names.append(f"{pair.first} and {pair.second}")
        if names:
            text = f"the p-value and the interval disagree: {', '.join(names)}; trust neither too much"
            notes.append(Note(NoteKind.SUSPECT, text, f"{metric.metric} {metric.aggregation}", len(names)))
    return notes


def _level_notes(test: str) -> list[Note]:
    if test != "koehn":
        return []
    text = "koehn rejects true null hypotheses too often; randomisation keeps its level"
    return [Note(NoteKind.ADVICE, text)]
