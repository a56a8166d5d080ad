"""What the viewer gets to know of a test set: scores, groups of segments, texts if they may be shown, marked errors."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.charts.metric_label import metric_label, score_label
from assay.reports.html.segments.marked_errors import MarkedErrors, marked_errors
from assay.reports.html.segments.scored_texts import ScoredMetric, ScoredTexts
from assay.results import Estimate
from assay.segment_groups import groups_by_label, groups_of
from assay.types import Campaign, Column, FloatArray, TestSet

__all__ = ["Embedded", "embed"]

_MOST_CHARACTERS = 30_000_000  # of all texts together: a browser still opens the file
_FRACTION = 1.5  # scores up to here are shown with more decimals, like those between 0 and 1


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """The data of a viewer, and what is to be said about it."""

    tree: Mapping[str, Any]
    texts: int
    """How many texts are in it."""
    segments_with_texts: int
    errors: MarkedErrors | None


def embed(scored: ScoredTexts, *, texts: bool, campaigns: Iterable[Campaign] = ()) -> Embedded:
    """The data of a viewer. Without `texts` it holds no text, whatever is at hand."""
    systems, testset = scored.inputs.systems, scored.testset
    shown = testset if texts else None
    errors = marked_errors(campaigns, shown) if shown else None
    with_texts = _segments_with_texts(shown) if shown else 0
    columns = _columns(shown, with_texts) if shown else None
    source, _, target = (scored.inputs.lp or "").partition("-")
    tree = {
        "segments": scored.segments,
        "systems": list(systems),
        "pair": [systems.index(name) for name in scored.pair],
        "metrics": [_metric(metric, systems) for metric in scored.metrics.values()],
        "tests": list(_tests(scored)),
        "groupings": list(_groupings(scored)),
        "names": list(testset.items) if testset and texts else [],
        "languages": [source.replace("_", "-"), target.replace("_", "-")],
        "texts": columns,
        "embedded": with_texts,
        "errors": _by_system(errors, systems) if errors else None,
    }
    return Embedded(tree, _count(columns), with_texts, errors)


def _metric(metric: ScoredMetric, systems: Iterable[str]) -> dict[str, Any]:
    scores = [metric.segments[name] for name in systems]
    known = np.abs(np.concatenate(scores)) if scores else np.zeros(0)
    largest = np.nanmax(known) if np.isfinite(known).any() else 0.0
    return {
        "name": metric_label(metric.spec),
        "higher": metric.higher_is_better,
        "decimals": 3 if largest <= _FRACTION else 1,
        "scores": [_packed(each) for each in scores],
    }


def _tests(scored: ScoredTexts) -> Iterator[dict[str, Any]]:
    """The tested differences of all pairs, so that they follow the pair that a reader chooses."""
    places = {name: place for place, name in enumerate(scored.inputs.systems)}
    for comparison in scored.comparisons:
        alpha = float(comparison.settings["alpha"])
        for metric in comparison.metrics:
            pairs = [
                [
                    places[pair.first],
                    places[pair.second],
                    *map(_rounded, _favour(pair.difference, metric.higher_is_better)),
                    _rounded(pair.p_corrected),
                    int(pair.shows_difference(alpha)),
                ]
                for pair in metric.pairs
            ]
            name = score_label(metric.metric, metric.aggregation)
            yield {"name": name, "corpus": int(metric.aggregation == "corpus"), "pairs": pairs}


def _favour(difference: Estimate, higher_is_better: bool) -> tuple[float, float, float]:
    """How much better the first system is, with the interval; also where lower scores are better."""
    value, low, high = difference.value, difference.low, difference.high
    return (value, low, high) if higher_is_better else (-value, -high, -low)


def _rounded(value: float) -> float | None:
    return (
        None if math.isnan(value) else float(f"{value:.7g}")
    )  # shown with fewer digits: rounding twice must not change them


def _packed(scores: FloatArray) -> str:
    """Floats of 32 bits, NaN where there is none: shorter than digits, and read at once."""
    return base64.b64encode(np.asarray(scores, dtype="<f4").tobytes()).decode()


def _groupings(scored: ScoredTexts) -> Iterator[dict[str, Any]]:
    """The labels of each grouping, and for each segment the number of its label."""
    columns: dict[str, Column | None] = {"domain": scored.inputs.domains, "document": scored.inputs.documents}
    for grouping, column in columns.items():
        if column is not None and (grouping == "document" or len(set(column)) > 1):
            yield _grouping(grouping, scored.segments, groups_by_label(grouping, column))
    if scored.testset is not None:
        yield _grouping("length", scored.segments, groups_of(scored.testset, ["length"]))


def _grouping(grouping: str, segments: int, groups: Iterable[Any]) -> dict[str, Any]:
    of, labels = np.zeros(segments, dtype=np.int64), []
    for number, group in enumerate(groups):
        labels.append(group.label)
        of[group.segments] = number
    return {"name": grouping, "labels": labels, "of": of.tolist()}


def _all_columns(testset: TestSet) -> list[Column]:
    sources = [testset.sources] if testset.sources else []
    return [*sources, *testset.references.values(), *testset.outputs.values()]


def _segments_with_texts(testset: TestSet) -> int:
    """How many segments, from the first on, fit into the file with all of their texts."""
    lengths = np.zeros(len(testset), dtype=np.int64)
    for column in _all_columns(testset):
        lengths += [len(text or "") for text in column]
    return int(np.searchsorted(np.cumsum(lengths), _MOST_CHARACTERS, side="right"))


def _columns(testset: TestSet, count: int) -> dict[str, Any]:
    return {
        "source": list(testset.sources[:count]) if testset.sources else None,
        "references": [[name, list(column[:count])] for name, column in testset.references.items()],
        "outputs": [list(column[:count]) for column in testset.outputs.values()],
    }


def _count(columns: dict[str, Any] | None) -> int:
    if columns is None:
        return 0
    lists = [columns["source"] or [], *(column for _, column in columns["references"]), *columns["outputs"]]
    return sum(text is not None for column in lists for text in column)


def _by_system(errors: MarkedErrors, systems: Iterable[str]) -> dict[str, Any]:
    return {**errors.tree, "systems": [errors.tree["systems"].get(name, {}) for name in systems]}
