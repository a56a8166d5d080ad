"""`assay.match`: find the settings behind a published number."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Unpack

from assay.aggregate.resample import RESAMPLES, SEED, Seed, resamples_option
from assay.contracts import Metric
from assay.errors import AssayError, ConfigError, MissingExtraError
from assay.lazily import numpy as np
from assay.measurement import metrics_option
from assay.metrics import metric as metric_registry
from assay.options.option import Option
from assay.options.shared import RUNTIME, TESTSET
from assay.options.verb import verb
from assay.registry import option_texts
from assay.results import Candidate, Match, MetricScores, Run
from assay.results.result import with_undefined_note
from assay.study.score import AGGREGATIONS, DEFAULT_AGGREGATIONS, score
from assay.types import Note, NoteKind, TestSet
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["match"]

_DIGITS = 9  # scores that agree to this many decimals count as equal
_SLACK = 1e-9  # for scores at the edge of the rounding interval
_ALL_SUBSETS = 4  # up to this many references, try all subsets; beyond, only all, pairs and single ones
_OWN_FORM = (
    "segment (corpus settings)"  # the segment mean without the metric's segment form: no effective order for BLEU
)


@verb
def match(
    testset: Annotated[TestSet, TESTSET],
    published: Annotated[
        str | float, Option("The number as published. Below 1 it may be a fraction, so it is also tried times 100.")
    ],
    metrics: Annotated[str | Iterable[str], metrics_option("Metrics to try; options in a spec are not varied.")] = (
        "bleu",
    ),
    *,
    top: Annotated[
        int | None, Option("Number of candidates to return.", default="all", is_command_option=False)
    ] = None,
    resamples: Annotated[
        int, resamples_option("Number of bootstrap resamples; 0 skips the bootstrap aggregation.")
    ] = RESAMPLES,
    seed: Seed = SEED,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Match:
    """Find the settings that give a published score.

    "How did they get this BLEU?" Assay tries the tokenisers that fit the script, case, smoothing, effective order,
    references and aggregations (docs/methods/match.md), and ranks the settings whose score rounds to the published one
    by how common they are.
    """
    if top is not None and top < 1:
        raise ConfigError(f"top must be a positive integer, not {top}")
    specs = tuple(metrics)
    readings = _readings(str(published).strip())
    candidates: list[Candidate] = []
    notes: dict[Note, None] = {}
    tried = 0
    for references in _reference_choices(tuple(testset.references)):
        subset = testset.with_references(references)
        for spec in specs:
            variants, skipped = _variants(spec, subset)
            agg = AGGREGATIONS if resamples else DEFAULT_AGGREGATIONS
            run = score(subset, variants, agg=agg, resamples=resamples, seed=seed, runtime=runtime)
            notes |= dict.fromkeys((*_of_all_variants(run, spec), *skipped))
            family = _Family(spec, subset, variants, run, len(references) < len(testset.references))
            for candidate, settings in family.candidates(readings):
                candidates.append(candidate)
                tried += settings
    ranked = sorted(candidates, key=_sort_key)
    matched = sum(candidate.is_match for candidate in candidates)
    result = Match(str(published), readings, tuple(ranked[:top]), tried, matched, notes=tuple(notes))
    return with_undefined_note(result)


def _of_all_variants(run: Run, spec: str) -> Iterator[Note]:
    """The notes of a run, those on a variant as notes on the spec that was asked for: most have the same."""
    for note in run.notes:
        if note.kind is NoteKind.NOTHING:
            continue  # other references may give scores
        yield dataclasses.replace(note, where=spec) if note.where in run.metrics else note


def _readings(text: str) -> dict[float, float]:
    """The values that the number may stand for, each with half a unit of its last digit."""
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{0,12})?|\.[0-9]{1,12}", text) is None:
        raise ConfigError(f"'{text}' is not a score", hint="write it as it was published, e.g. 27.3")
    value, tolerance = float(text), 0.5 * 10.0 ** -len(text.partition(".")[2])
    return {value: tolerance, 100 * value: 100 * tolerance} if 0 < value < 1 else {value: tolerance}


def _reference_choices(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Sets of references to try, the largest first."""
    sizes = range(len(names), 0, -1) if len(names) <= _ALL_SUBSETS else (len(names), 2, 1)
    return [choice for size in sizes for choice in itertools.combinations(names, size)] or [()]


def _variants(spec: str, testset: TestSet) -> tuple[list[Metric], list[Note]]:
    """The metric with every combination of the options that the spec leaves open; those that are equal once.

    Variants that need a package that is not installed are skipped; the notes name them.
    """
    base = metric_registry.create(spec)
    fixed = metric_registry.explicit_options(spec)
    prepared = base.prepare(testset)
    choices = {name: values for name, values in prepared.variants(testset).items() if name not in fixed}
    variants, skipped = {prepared: base}, []
    for values in itertools.product(*choices.values()):
        try:
            variant = dataclasses.replace(base, **dict(zip(choices, values, strict=True)))  # type: ignore[type-var]
            prepared = variant.prepare(testset)
            _ = prepared.resources  # loads the packages that the variant needs
            variants.setdefault(prepared, variant)
        except MissingExtraError as error:
            skipped.append(Note(NoteKind.EXCLUDED, f"not tried: {error.message} ({error.hint})", where=spec))
        except (ValueError, AssayError):
            continue  # options that exclude each other, e.g. smooth_value with smooth=exp
    return list(variants.values()), skipped


class _Family:
    """Variants of one metric, scored against one choice of references."""

    def __init__(self, spec: str, testset: TestSet, variants: Sequence[Metric], run: Run, is_partial: bool) -> None:
        self._base = metric_registry.create(spec).prepare(testset)
        self._metrics = {metric_registry.spec(v): v.prepare(testset) for v in variants}
        self._run = run
        self._references = tuple(testset.references)
        self._is_partial = is_partial

    def candidates(self, readings: Mapping[float, float]) -> Iterator[tuple[Candidate, int]]:
        """A candidate for each score, with the number of settings that give it."""
        for system in self._run.systems:
            for aggregation, forms in self._aggregations():
                values = {spec: self._value(spec, system, aggregation) for spec in forms}
                unusual = self._is_partial + (aggregation != self._base.default_aggregation)
                for specs in _equal_scores(values, forms):
                    yield self._candidate(system, aggregation, specs, forms, values, unusual, readings), len(specs)

    def _aggregations(self) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
        """Each aggregation, with the options of its variants by spec."""
        options = {spec: _options(metric) for spec, metric in self._metrics.items()}
        first = self._run.metrics[next(iter(self._metrics))]
        for name in first.aggregations:
            if name != "segment":
                yield name, options
                continue
            by_form = {metric.segment_form: spec for spec, metric in reversed(self._metrics.items())}
            yield name, {spec: _options(form) for form, spec in by_form.items()}
            differing = {spec: options[spec] for spec, metric in self._metrics.items() if metric.segment_form != metric}
            if differing:
                yield _OWN_FORM, differing

    def _value(self, spec: str, system: str, aggregation: str) -> float:
        scores: MetricScores = self._run.metrics[spec]
        if aggregation != _OWN_FORM:
            return scores.aggregations[aggregation][system]
        statistics = scores.statistics
        common = statistics.scored.all(axis=0)
        rows = statistics.table[statistics.systems.index(system)][common]
        return float(np.mean(self._metrics[spec].score(rows))) if len(rows) else math.nan

    def _candidate(
        self,
        system: str,
        aggregation: str,
        specs: Sequence[str],
        forms: Mapping[str, Mapping[str, str]],
        values: Mapping[str, float],
        unusual: int,
        readings: Mapping[float, float],
    ) -> Candidate:
        base_options = _options(self._base.segment_form if aggregation == "segment" else self._base)

        def departures(spec: str) -> int:
            return unusual + sum(forms[spec][name] != value for name, value in base_options.items())

        spec = min(specs, key=departures)
        nearest, tolerance = min(readings.items(), key=lambda reading: abs(values[spec] - reading[0]) / reading[1])
        scores = self._run.metrics[spec]
        signature = dataclasses.replace(scores.statistics.signature, aggregation="segment")
        if aggregation != _OWN_FORM:
            signature = scores.aggregations[aggregation].signature
        return Candidate(
            system=system,
            spec=spec,
            references=self._references,
            aggregation=aggregation,
            value=values[spec],
            difference=values[spec] - nearest,
            is_match=abs(values[spec] - nearest) <= tolerance + _SLACK,
            departures=departures(spec),
            signature=str(signature),
            alternatives=_alternatives([forms[spec], *(forms[s] for s in specs if s != spec)]),
        )


def _equal_scores(values: Mapping[str, float], forms: Mapping[str, Mapping[str, str]]) -> Iterator[list[str]]:
    """Groups of specs with the same score. A group must be all combinations of some options; other specs are single."""
    groups: dict[float, list[str]] = {}
    for spec, value in values.items():
        if not math.isnan(value):
            groups.setdefault(round(value, _DIGITS), []).append(spec)
    for specs in groups.values():
        combinations = math.prod(len(options) for _, options in _alternatives([forms[spec] for spec in specs]))
        yield from [specs] if combinations == len(specs) else ([spec] for spec in specs)


def _options(metric: Metric) -> dict[str, str]:
    """The options of a metric except the smoothing value, which follows from the smoothing method."""
    return {name: text for name, text in option_texts(metric).items() if name != "smooth_value"}


def _alternatives(options: Sequence[Mapping[str, str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The options that differ, with their values."""
    values = {name: tuple(dict.fromkeys(setting[name] for setting in options)) for name in options[0]}
    return tuple((name, distinct) for name, distinct in values.items() if len(distinct) > 1)


def _sort_key(candidate: Candidate) -> tuple[bool, float, float, str]:
    distance = abs(candidate.difference)
    if candidate.is_match:
        return (False, candidate.departures, distance, candidate.spec)
    return (True, distance, 0, candidate.spec)
