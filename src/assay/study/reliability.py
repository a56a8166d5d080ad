"""`assay.reliability`: how well a language model that judges outputs agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Unpack

from assay.contracts import Metric
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.measurement import Measured, Measurements, Metrics, measure
from assay.metaeval.repeated_scores import repeated_measures
from assay.metrics.judge import Judge
from assay.options.shared import RUNTIME, TESTSET
from assay.options.verb import verb
from assay.registry import split_spec
from assay.results import Estimate, JudgeReliability
from assay.types import FloatArray, Note, NoteKind, ScoreTable, TestSet
from assay.types.note import plural
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["reliability"]


@verb
def reliability(
    testset: Annotated[TestSet, TESTSET],
    metrics: Metrics,
    *,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> JudgeReliability:
    """Measure how well a judge agrees with itself.

    Two votes of `judge:…,votes=5` are answers to the same question. Several metrics, such as judges that differ in
    their prompts, are compared by the means of their votes. With the protocol pairwise, the answers to both orders of
    the candidates are compared, too.
    """
    runtime = runtime or Runtime()
    requested = [metrics] if isinstance(metrics, str | Metric | ScoreTable) else list(metrics)
    if not requested:
        raise ConfigError("no metric was given", hint="e.g. judge:model=NAME,endpoint=URL,votes=3,temperature=1")
    measurements = measure(testset, requested, runtime, has_short_names=True)
    found: dict[str, tuple[Estimate, str]] = {}
    votes = list(_votes(measurements, runtime))
    if votes:
        found |= repeated_measures("two votes", "pairs of votes", votes)
    means = [_best_highest(measured) for measured in measurements.metrics.values()]
    if len(means) > 1:
        are_judges = all(isinstance(measured.metric, Judge) for measured in measurements.metrics.values())
        pairs = list(combinations(means, 2))
        found |= repeated_measures("two metrics", "pairs of metrics", pairs, has_kappa=are_judges)
    found |= _orders(measurements)
    if not found:
        hint = "ask several times (judge:…,votes=3,temperature=1), by several prompts, or pairs in both orders"
        raise ConfigError("there is a single score of each output, which nothing can be compared with", hint=hint)
    return JudgeReliability(
        ", ".join(dict.fromkeys(split_spec(spec)[0] for spec in measurements.metrics)),
        {name: estimate for name, (estimate, _) in found.items()},
        {name: unit for name, (_, unit) in found.items()},
        metrics={spec: str(measured.signature("none")) for spec, measured in measurements.metrics.items()},
        notes=(*measurements.notes, Note(NoteKind.PROVENANCE, f"agreement on {_size(measurements.testset)}")),
    )


def _size(testset: TestSet) -> str:
    return f"{plural(len(testset), 'segment')} of {plural(len(testset.systems), 'system')}"


def _best_highest(measured: Measured) -> FloatArray:
    """The segment scores, negated if lower ones are better: metrics of both kinds are compared."""
    scores = measured.segment_scores
    return scores if measured.metric.higher_is_better else -scores


def _votes(measurements: Measurements, runtime: Runtime) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Any two votes of the same judge."""
    for measured in measurements.metrics.values():
        if isinstance(measured.metric, Judge):
            scores = measured.metric.vote_scores(measurements.testset, runtime)
            yield from combinations(np.moveaxis(scores, -1, 0), 2)


def _orders(measurements: Measurements) -> dict[str, tuple[Estimate, str]]:
    """What changed with the order of the candidates, by judge."""
    by_judge = {
        spec: measured.metric.order_agreement(measurements.testset)
        for spec, measured in measurements.metrics.items()
        if isinstance(measured.metric, Judge)
    }
    asked = {spec: agreement for spec, agreement in by_judge.items() if agreement}
    return {
        f"{name}{f', {spec}' if len(asked) > 1 else ''}": (estimate, "comparisons")
        for spec, agreement in asked.items()
        for name, estimate in agreement.items()
    }
