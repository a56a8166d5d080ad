"""`assay.match`: how did they get this number?"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assay.contracts import Metric
from assay.errors import AssayError, ConfigError
from assay.metrics import metric as metric_registry
from assay.registry import option_text, options_of
from assay.results import Candidate, Match, MetricScores
from assay.study.scoring import Progress, score
from assay.types import TestSet

__all__ = ["match"]

_DIGITS = 9  # scores that agree in so many decimals are one score


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

    Options that are given (`bleu:tok=intl`) stay as they are, the others are tried. A number below 1 is taken as a
    fraction of 100. `top`: keep only so many candidates.
    """
    value, tolerance, notes = _read(str(published).strip())
    found: list[Candidate] = []
    tried = 0
    for references in _reference_choices(testset):
        subset = dataclasses.replace(testset, references={name: testset.references[name] for name in references})
        for spec in [metrics] if isinstance(metrics, str) else metrics:
            base = metric_registry.create(spec)
            variants = _variants(base, subset)
            run = score(subset, variants, resamples=resamples, seed=seed, threads=threads, progress=progress)
            scored = {metric_registry.spec(v): v.prepare(subset) for v in variants}
            family = _Family(base.prepare(subset), scored, run.metrics, len(references) < len(testset.references))
            for system in run.systems:
                found += family.candidates(system, references)
            tried += len(variants) * len(run.systems) * len(next(iter(run.metrics.values())).aggregations)
    ranked = sorted(found, key=lambda c: _rank(c, value, tolerance))
    return Match(str(published), value, tolerance, tuple(ranked[:top]), tried, notes)


def _read(text: str) -> tuple[float, float, tuple[str, ...]]:
    """The number, half of its last digit, and what was assumed."""
    if re.fullmatch(r"\d+(\.\d*)?|\.\d+", text) is None:
        raise ConfigError(f"'{text}' is not a published score", hint="write it as it was printed, e.g. 27.3")
    value, decimals = float(text), len(text.partition(".")[2])
    tolerance = 0.5 * 10.0**-decimals + 1e-9
    if 0 < value < 1:
        return 100 * value, 100 * tolerance, (f"{text} is below 1 and was taken as {100 * value:g} of 100",)
    return value, tolerance, ()


def _reference_choices(testset: TestSet) -> list[tuple[str, ...]]:
    """All together, then each alone."""
    everything = tuple(testset.references)
    return list(dict.fromkeys([everything, *((name,) for name in everything)]))


def _variants(base: Metric, testset: TestSet) -> list[Metric]:
    """The metric under every combination of the options in which publications differ, but for those given."""
    defaults = {field.name: field.default for field in dataclasses.fields(base)}  # type: ignore[arg-type]
    given = {name for name, value in options_of(base) if value != defaults[name]}
    choices = {name: values for name, values in base.variants(testset).items() if name not in given}
    found = [base]
    for values in itertools.product(*choices.values()):
        try:
            found.append(dataclasses.replace(base, **dict(zip(choices, values, strict=True))))  # type: ignore[type-var]
        except (ValueError, AssayError):
            continue  # options that exclude each other, e.g. smooth_value with smooth=exp
    return list(dict.fromkeys(found))


@dataclasses.dataclass(frozen=True, slots=True)
class _Family:
    """Variants of one metric and their scores."""

    usual: Metric
    variants: Mapping[str, Metric]
    scores: Mapping[str, MetricScores]
    is_partial: bool  # not all references were used

    def candidates(self, system: str, references: tuple[str, ...]) -> Iterator[Candidate]:
        """One for each score; settings that make no difference are told together."""
        options = {spec: _options(metric) for spec, metric in self.variants.items()}
        usual = _options(self.usual)
        for aggregation in next(iter(self.scores.values())).aggregations:
            unusual = self.is_partial + (aggregation != self.usual.default_aggregation)

            def departures(spec: str, others: int = unusual) -> int:
                return others + sum(options[spec][name] != value for name, value in usual.items())

            for specs in self._groups(system, aggregation, options):
                spec = min(specs, key=departures)
                chosen = self.scores[spec].aggregations[aggregation]
                yield Candidate(
                    system=system,
                    spec=spec,
                    references=references,
                    aggregation=aggregation,
                    value=chosen[system],
                    departures=departures(spec),
                    signature=str(chosen.signature),
                    alternatives=_alternatives([options[spec], *(options[s] for s in specs if s != spec)]),
                )

    def _groups(self, system: str, aggregation: str, options: Mapping[str, Mapping[str, str]]) -> Iterator[list[str]]:
        """Specs with one score, where they are all combinations of some values; others stand alone."""
        alike: dict[float, list[str]] = {}
        for spec in self.variants:
            value = self.scores[spec].aggregations[aggregation][system]
            if not math.isnan(value):
                alike.setdefault(round(value, _DIGITS), []).append(spec)
        for specs in alike.values():
            combinations = math.prod(len(values) for _, values in _alternatives([options[s] for s in specs]))
            yield from [specs] if combinations == len(specs) else ([spec] for spec in specs)


def _options(metric: Metric) -> dict[str, str]:
    """Without the value of a smoothing, which follows from its kind."""
    return {name: option_text(value) for name, value in options_of(metric) if name != "smooth_value"}


def _alternatives(options: Sequence[Mapping[str, str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The options that are not the same in all, with their values."""
    values = {name: tuple(dict.fromkeys(each[name] for each in options)) for name in options[0]}
    return tuple((name, seen) for name, seen in values.items() if len(seen) > 1)


def _rank(candidate: Candidate, value: float, tolerance: float) -> tuple[bool, float, float, str]:
    off = abs(candidate.value - value)
    if off <= tolerance:
        return (False, candidate.departures, off, candidate.spec)
    return (True, off, candidate.departures, candidate.spec)
