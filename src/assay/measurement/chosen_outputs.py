"""Outputs that were chosen by a metric, which it cannot judge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from assay.contracts import Metric
from assay.metrics import metric as metric_registry
from assay.metrics.external import ExternalScores
from assay.types import ChosenBy, Note, NoteKind, TestSet
from assay.types.note import listed

__all__ = ["chosen_by_metric", "chosen_by_scores", "chosen_notes", "chosen_systems"]

_HINT = "judge it by metrics of another kind, or by people"


def chosen_by_metric(metric: Metric, signature: str) -> ChosenBy:
    """The record of outputs that a metric chose."""
    parts = list(_parts(metric))
    families = dict.fromkeys(each.family for each in (metric, *parts) if each.family)
    return ChosenBy(metric.name, tuple(dict.fromkeys(each.name for each in parts)), tuple(families), signature)


def chosen_by_scores(name: str, signature: str) -> ChosenBy:
    """The record of outputs that were chosen by scores computed elsewhere, perhaps those of a metric that is known."""
    known = _class_of(name)
    families = (known.family,) if known is not None and known.family else ()
    return ChosenBy(name, (), families, signature)


def chosen_notes(testset: TestSet, metrics: Iterable[tuple[str, Metric]]) -> Iterator[Note]:
    """A warning for each metric that is to judge an output whose texts it chose, or a close relative of it chose."""
    for spec, metric in metrics:
        for system, relation in chosen_systems(testset, metric):
            by = testset.chosen_by[system].metric
            text = (
                f"the texts of {system} were chosen by {by}, {relation}: the score of {system} is too good for its "
                "quality"
            )
            yield Note(NoteKind.ADVICE, text, where=spec, severity="warning", hint=_HINT)


def chosen_systems(testset: TestSet, metric: Metric) -> Iterator[tuple[str, str]]:
    """The systems whose texts this metric or a close relative of it chose, and how close it is to this one."""
    for system, chosen in testset.chosen_by.items():
        if system in testset.outputs and (relation := _relation(metric, chosen)):
            yield system, relation


def _parts(metric: Metric) -> Iterator[Metric]:
    """The metrics that a metric combines, and those that they combine."""
    for part in metric.parts:
        yield part
        yield from _parts(part)


def _relation(metric: Metric, chosen: ChosenBy) -> str:
    """How close a metric is to the one that chose; empty if it is another kind."""
    name = metric.table.name if isinstance(metric, ExternalScores) else metric.name
    if name == chosen.metric and not chosen.parts:
        return "the same metric"
    own: dict[str, type[Metric] | None] = {
        name: _class_of(name) if isinstance(metric, ExternalScores) else type(metric)
    }
    parts: dict[str, type[Metric] | None] = {part.name: type(part) for part in _parts(metric)}
    if name == chosen.metric and set(parts) == set(chosen.parts):
        return "the same metric"
    if chosen.parts and (shared := _alike(chosen.parts, own | parts)):
        return f"which combines {listed(chosen.parts)}; {shared} must not judge its choice"
    are_combinations = bool(parts and chosen.parts)  # which are alike only if their parts are
    if not are_combinations and _alike((chosen.metric,), own):
        return "a variant of this metric"
    if _alike((chosen.metric,), parts):
        return "which is a part of this metric"
    families = {each.family for each in (*own.values(), *parts.values()) if each is not None} | {metric.family}
    common = [family for family in chosen.families if family in families]
    return f"which also rewards {' and '.join(common)}" if common else ""


def _alike(names: Iterable[str], classes: Mapping[str, type[Metric] | None]) -> str:
    """Those of the metrics with these names that are one of others, or a variant of it, in words."""
    found = []
    for name in names:
        known = _class_of(name)
        for other, cls in classes.items():
            is_variant = known is not None and cls is not None and (issubclass(known, cls) or issubclass(cls, known))
            if name == other or is_variant:
                found.append(name)
                break
    return listed(found) if found else ""


def _class_of(name: str) -> type[Metric] | None:
    """The class of the metric with this name; also as tables of scores write it, such as COMET-22 or chrF2."""
    known = {each.casefold(): each for each in metric_registry.names()}
    folded = name.casefold()
    words = re.split(r"[^a-z0-9+]+", folded)
    for candidate in (folded, *words, *(word.rstrip("0123456789") for word in words)):
        if candidate in known:
            return metric_registry.type_of(known[candidate])[0]
    return None
