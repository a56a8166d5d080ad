"""`assay.judge_reliability`: how well a language model that judges outputs agrees with itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Unpack

from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.measurement import Measurements, Metrics, measure
from assay.metaeval.repeated_scores import repeated_measures
from assay.metrics.judge import Judge
from assay.options.shared import RUNTIME, TESTSET
from assay.options.verb import verb
from assay.registry import name_list, split_spec
from assay.results import Estimate, Reliability
from assay.types import FloatArray, Note, NoteKind, TestSet
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["judge_reliability"]


@verb
def judge_reliability(
    testset: Annotated[TestSet, TESTSET],
    metrics: Metrics,
    *,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Reliability:
    """Measure how well a judge agrees with itself.

    Each vote is a rater: two votes of `judge:…,votes=5` were asked the same question. Several metrics, such as judges
    that differ in their prompts, are compared by the means of their votes. With the protocol pairwise, the answers to
    both orders of the candidates are compared, too.
    """
    runtime = runtime or Runtime()
    measurements = measure(testset, metrics, runtime, has_short_names=True)
    found: dict[str, tuple[Estimate, str]] = {}
    votes = list(_votes(measurements, runtime))
    if votes:
        found |= repeated_measures("two votes", votes)
    means = [measured.segment_scores for measured in measurements.metrics.values()]
    if len(means) > 1:
        found |= repeated_measures("two metrics", combinations(means, 2))
    found |= _orders(measurements)
    if not found:
        hint = "ask several times (judge:…,votes=3,temperature=1), by several prompts, or by the protocol pairwise"
        raise ConfigError("there is a single score of each output, which nothing can be compared with", hint=hint)
    specs = tuple(measurements.metrics)
    signatures = (
        Note(NoteKind.PROVENANCE, f"computed as {measured.signature('none')}", where=spec)
        for spec, measured in measurements.metrics.items()
    )
    return Reliability(
        ", ".join(dict.fromkeys(split_spec(spec)[0] for spec in specs)),
        {name: estimate for name, (estimate, _) in found.items()},
        {name: unit for name, (_, unit) in found.items()},
        settings={"metrics": name_list(specs)},
        notes=(*measurements.notes, *signatures),
    )


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
        f"{name}, the other order{f', {spec}' if len(asked) > 1 else ''}": (estimate, "comparisons")
        for spec, agreement in asked.items()
        for name, estimate in agreement.items()
    }
