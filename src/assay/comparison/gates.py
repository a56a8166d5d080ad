"""Gates: conditions on a comparison, such as `bleu.delta < -0.5`, that make a build fail.

A name without a system stands for each compared system in turn, and the gate is met if the condition is true for any
of them. An undefined value meets it too: a gate that cannot be judged is not passed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assay.comparison.gate_syntax import Expression, Name, parse_expression
from assay.errors import AssayError, ConfigError, UnknownNameError, nearest, printable
from assay.metrics import metric as metric_registry
from assay.registry import split_spec
from assay.registry.plugin_files import is_from_file, object_name
from assay.results import MetGate, Outcome, SystemComparison
from assay.types import FrozenDict, Note, NoteKind

__all__ = ["BoundLookup", "Gate", "Lookup", "ResolvedGate", "bound_lookup", "lookup", "parse"]

Lookup: TypeAlias = Callable[[str, str, str, str], float]
"""(metric, aggregation, system, field) → value; NaN where undefined."""

BoundLookup: TypeAlias = Callable[[str, str, str, str], bool]
"""The same → whether the value is only an upper bound."""


def parse(text: str) -> Gate:
    """The gate that a condition describes; a `ConfigError` says where the condition cannot be read."""
    return Gate(text.strip(), parse_expression(text))


@dataclass(frozen=True, slots=True)
class Gate:
    """A parsed condition."""

    condition: str
    expression: Expression

    @property
    def names(self) -> tuple[Name, ...]:
        """The names in the condition in order, without repetitions."""
        return tuple(dict.fromkeys(self.expression.names()))

    def notes(self, alternative: str) -> tuple[Note, ...]:
        """A note on a condition that may never hold: one-sided, a low p-value is evidence of being better only."""
        fields = {name.field for name in self.names}
        if alternative != "better" or "p" not in fields or not fields & {"delta", "low", "high"}:
            return ()
        text = (
            f"{printable(self.condition)}: with alternative better, p is low only for systems that are shown to be "
            "better, so a condition such as p < 0.05 and delta < 0 never holds; use worse or two-sided to find those "
            "that are worse"
        )
        return (Note(NoteKind.SUSPECT, text),)

    def resolve(
        self,
        metrics: Mapping[str, Sequence[str]],
        systems: Sequence[str],
        baseline: str | None = None,
        *,
        aliases: Mapping[str, str] = FrozenDict({}),
    ) -> ResolvedGate:
        """The gate of a comparison; raises for a name that the comparison does not have.

        `metrics` gives the aggregations of each metric, the default one first. `systems` are those compared, which have
        all fields; the baseline has only a score. A metric may be named without its options if no other has its name,
        and by one of its `aliases`: as it was asked for.
        """
        places: dict[Name, tuple[str, str]] = {}
        for name in self.names:
            metric = _find_metric(name, metrics, aliases)
            places[name] = metric, _find_aggregation(name, metric, metrics[metric])
            _check_system(name, systems, baseline)
        return ResolvedGate(self, tuple(systems), places)


@dataclass(frozen=True, slots=True)
class ResolvedGate:
    """A condition on the metrics and systems of a comparison."""

    gate: Gate
    systems: tuple[str, ...]
    places: Mapping[Name, tuple[str, str]]
    """The metric and aggregation of each name in the condition."""

    def evaluate(self, value: Lookup, is_bound: BoundLookup | None = None) -> list[MetGate]:
        """The systems for which the condition is met; none: the gate is passed.

        `is_bound` says which values are only known to be at most as high.
        """
        names_all_systems = all(name.system is not None for name in self.places)
        systems = (None,) if names_all_systems else self.systems
        met = (self._evaluate(system, value, is_bound) for system in systems)
        return [gate for gate in met if gate is not None]

    def _evaluate(self, system: str | None, value: Lookup, is_bound: BoundLookup | None) -> MetGate | None:
        places = {name: (*place, name.system or system or "", name.field) for name, place in self.places.items()}
        values = {name: value(*place) for name, place in places.items()}
        if not any(map(math.isnan, values.values())) and not self.gate.expression.is_true(values):
            return None
        bounds = (name.text for name, place in places.items() if is_bound is not None and is_bound(*place))
        return MetGate(self.gate.condition, system, {name.text: values[name] for name in values}, tuple(bounds))


def lookup(comparison: SystemComparison) -> Lookup:
    """The values of systems that were compared with a baseline; p is the corrected p-value.

    A significant p is undefined if the test points to the other system than the difference: it is evidence for neither.
    """

    def value(metric: str, aggregation: str, system: str, field: str) -> float:
        compared = comparison.metric(metric, aggregation)
        if field == "score":
            return compared.scores[system].value
        pair = compared.pair(system, comparison.baseline or "")
        difference = pair.difference
        p = math.nan if pair.outcome is Outcome.OPPOSED else pair.p_corrected
        return {"delta": difference.value, "low": difference.low, "high": difference.high, "p": p}[field]

    return value


def bound_lookup(comparison: SystemComparison) -> BoundLookup:
    """Whether a value is a p-value that no resample reached."""

    def is_bound(metric: str, aggregation: str, system: str, field: str) -> bool:
        compared = comparison.metric(metric, aggregation)
        return field == "p" and compared.pair(system, comparison.baseline or "").is_bound

    return is_bound


def _find_metric(name: Name, metrics: Mapping[str, Sequence[str]], aliases: Mapping[str, str]) -> str:
    """The metric by its spec, however it is spelled, or by the part before its options if that is unique."""
    if name.metric in metrics:
        return name.metric
    if (asked_for := aliases.get(name.metric)) in metrics:
        return str(asked_for)
    canonical, short = _canonical(name.metric), name.metric.casefold()
    found = [m for m in metrics if m == canonical] or [m for m in metrics if _bare_name(m).casefold() == short]
    if len(found) == 1:
        return found[0]
    if found:
        example = f'"{found[0]}".{name.field}'
        text = f"'{name.text}' in the condition may be any of several metrics: {', '.join(found)}"
        raise UnknownNameError(text, hint=f"write the one that you mean in quotes: {example}")
    text = f"'{printable(name.text)}' in the condition: no metric '{printable(name.metric)}' is compared"
    raise UnknownNameError(text, hint=nearest(name.metric, metrics))


def _bare_name(spec: str) -> str:
    """A metric without options; one from a file without the file, too."""
    return object_name(spec) or split_spec(spec)[0]


def _canonical(spec: str) -> str | None:
    """The spec under which a metric is compared, whatever the case and order of its options; None for other names."""
    if is_from_file(spec):  # a condition never loads a file
        return None
    try:
        return metric_registry.spec(metric_registry.create(spec))
    except AssayError:
        return None


def _find_aggregation(name: Name, metric: str, aggregations: Sequence[str]) -> str:
    if name.aggregation is None:
        return aggregations[0]
    if name.aggregation not in aggregations:
        text = f"'{printable(name.text)}' in the condition: {metric} has no aggregation '{name.aggregation}' here"
        raise UnknownNameError(text, hint=nearest(name.aggregation, aggregations))
    return name.aggregation


def _check_system(name: Name, systems: Sequence[str], baseline: str | None) -> None:
    if name.system is None or name.system in systems:
        return
    if name.system == baseline:
        if name.field != "score":
            text = f"'{printable(name.text)}' in the condition: '{baseline}' is the baseline, which has only a score"
            raise ConfigError(text, hint="name one of the systems compared with it, or none, which stands for any")
        return
    text = f"'{printable(name.text)}' in the condition: no system '{printable(name.system)}' is compared"
    raise UnknownNameError(text, hint=nearest(name.system, systems))
