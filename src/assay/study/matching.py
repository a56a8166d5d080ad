"""`assay.match`: how did they get this number?"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from assay.contracts import Metric
from assay.errors import AssayError, ConfigError, MissingExtraError
from assay.metrics import metric as metric_registry
from assay.registry import option_text, options_of
from assay.results import Candidate, Match, MetricScores, Run
from assay.study.scoring import Progress, score
from assay.types import TestSet

__all__ = ["match"]

_DIGITS = 9  # scores that agree in so many decimals are one score
_SLACK = 1e-9  # for numbers that stand on the edge of their rounding
_ALL_SUBSETS = 4  # so many references are tried in all combinations, more only alone, in pairs and together
_OWN_FORM = "segment (own form)"  # the mean of segment scores without the metric's segment form: BLEU's effective order


def match(
    testset: TestSet,
    published: str | float,
    metrics: str | Iterable[str] = "bleu",
    *,
    top: int | None = None,
    resamples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Match:
    """Which options, references and aggregation give a published number, within its rounding.

    Options that are given (`bleu:tok=intl`) stay as they are; those in which publications differ are tried
    (docs/methods/match.md). A number below 1 may be a fraction: both readings count. `top`: keep so many candidates.
    """
    if top is not None and (not isinstance(top, int) or top < 1):
        raise ConfigError(f"top must be a whole number from 1, not {top}")
    readings = _readings(str(published).strip())
    found: list[Candidate] = []
    notes: dict[str, None] = {}
    tried = 0
    for references in _reference_choices(tuple(testset.references)):
        subset = dataclasses.replace(testset, references={name: testset.references[name] for name in references})
        for spec in [metrics] if isinstance(metrics, str) else metrics:
            variants, skipped = _variants(spec, subset)
            run = score(subset, variants, resamples=resamples, seed=seed, threads=threads, progress=progress)
            notes |= dict.fromkeys((*run.notes, *skipped))
            family = _Family(spec, subset, variants, run, len(references) < len(testset.references))
            for candidate, count in family.candidates(readings):
                found.append(candidate)
                tried += count
    ranked = sorted(found, key=_rank)
    matched = sum(candidate.is_match for candidate in found)
    return Match(str(published), readings, tuple(ranked[:top]), tried, matched, tuple(notes))


def _readings(text: str) -> dict[float, float]:
    """What the number may stand for, and half of its last digit."""
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{0,12})?|\.[0-9]{1,12}", text) is None:
        raise ConfigError(f"'{text}' is not a published score", hint="write it as it was printed, e.g. 27.3")
    value, tolerance = float(text), 0.5 * 10.0 ** -len(text.partition(".")[2])
    return {value: tolerance, 100 * value: 100 * tolerance} if 0 < value < 1 else {value: tolerance}


def _reference_choices(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All together first, then fewer and fewer."""
    sizes = range(len(names), 0, -1) if len(names) <= _ALL_SUBSETS else (len(names), 2, 1)
    return [choice for size in sizes for choice in itertools.combinations(names, size)] or [()]


def _variants(spec: str, testset: TestSet) -> tuple[list[Metric], list[str]]:
    """The metric under every combination of the options in which publications differ, but for those given.

    Also what could not be tried for want of a package.
    """
    base = metric_registry.create(spec)
    given = metric_registry.given_options(spec)
    choices = {name: values for name, values in base.variants(testset).items() if name not in given}
    found, skipped = [base], []
    for values in itertools.product(*choices.values()):
        try:
            variant = dataclasses.replace(base, **dict(zip(choices, values, strict=True)))  # type: ignore[type-var]
            _ = variant.prepare(testset).resources  # loads what the variant needs
            found.append(variant)
        except MissingExtraError as error:
            skipped.append(f"not tried: {error.message} ({error.hint})")
        except (ValueError, AssayError):
            continue  # options that exclude each other, e.g. smooth_value with smooth=exp
    return list(dict.fromkeys(found)), skipped


class _Family:
    """Variants of one metric, scored against one choice of references."""

    def __init__(self, spec: str, testset: TestSet, variants: Sequence[Metric], run: Run, is_partial: bool) -> None:
        self._base = metric_registry.create(spec).prepare(testset)
        self._metrics = {metric_registry.spec(v): v.prepare(testset) for v in variants}
        self._run = run
        self._references = tuple(testset.references)
        self._is_partial = is_partial

    def candidates(self, readings: Mapping[float, float]) -> Iterator[tuple[Candidate, int]]:
        """One for each score, with how many settings it stands for."""
        for system in self._run.systems:
            for aggregation, forms in self._aggregations():
                values = {spec: self._value(spec, system, aggregation) for spec in forms}
                unusual = self._is_partial + (aggregation != self._base.default_aggregation)
                for specs in _alike(values, forms):
                    yield self._candidate(system, aggregation, specs, forms, values, unusual, readings), len(specs)

    def _aggregations(self) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
        """Each aggregation, with the options of every variant that counts in it, by spec."""
        own = {spec: _options(metric) for spec, metric in self._metrics.items()}
        first = self._run.metrics[next(iter(self._metrics))]
        for name in first.aggregations:
            if name != "segment":
                yield name, own
                continue
            by_form = {metric.segment_form: spec for spec, metric in reversed(self._metrics.items())}
            yield name, {spec: _options(form) for form, spec in by_form.items()}
            differing = {spec: own[spec] for spec, metric in self._metrics.items() if metric.segment_form != metric}
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
        usual = _options(self._base.segment_form if aggregation == "segment" else self._base)

        def departures(spec: str) -> int:
            return unusual + sum(forms[spec][name] != value for name, value in usual.items())

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
            off=values[spec] - nearest,
            is_match=abs(values[spec] - nearest) <= tolerance + _SLACK,
            departures=departures(spec),
            signature=str(signature),
            alternatives=_alternatives([forms[spec], *(forms[s] for s in specs if s != spec)]),
        )


def _alike(values: Mapping[str, float], forms: Mapping[str, Mapping[str, str]]) -> Iterator[list[str]]:
    """Specs with one score, where they are all combinations of some options; others stand alone."""
    groups: dict[float, list[str]] = {}
    for spec, value in values.items():
        if not math.isnan(value):
            groups.setdefault(round(value, _DIGITS), []).append(spec)
    for specs in groups.values():
        combinations = math.prod(len(seen) for _, seen in _alternatives([forms[spec] for spec in specs]))
        yield from [specs] if combinations == len(specs) else ([spec] for spec in specs)


def _options(metric: Metric) -> dict[str, str]:
    """Without the value of a smoothing, which follows from its kind."""
    return {name: option_text(value) for name, value in options_of(metric) if name != "smooth_value"}


def _alternatives(options: Sequence[Mapping[str, str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The options that are not the same in all, with their values."""
    values = {name: tuple(dict.fromkeys(each[name] for each in options)) for name in options[0]}
    return tuple((name, seen) for name, seen in values.items() if len(seen) > 1)


def _rank(candidate: Candidate) -> tuple[bool, float, float, str]:
    off = abs(candidate.off)
    return (False, candidate.departures, off, candidate.spec) if candidate.is_match else (True, off, 0, candidate.spec)
