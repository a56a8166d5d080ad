"""What the viewer gets to know of a test set: scores, groups of segments, texts if they may be shown, marks."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from assay.labels.metrics import metric_label
from assay.reports.page.scored_texts import ScoredMetric, ScoredTexts
from assay.reports.page.viewer_errors import ViewerErrors
from assay.results.estimate import decimals_for
from assay.types import Column, FloatArray, TestSet

__all__ = ["ViewerData", "embedded_segments", "viewer_data"]

_MOST_CHARACTERS = 30_000_000  # of all texts together: a browser still opens the file


@dataclass(frozen=True, slots=True, eq=False)
class ViewerData:
    """The data of a viewer, and what is to be said about it."""

    tree: Mapping[str, Any]
    texts: int
    """How many texts are in it."""
    segments_with_texts: int


def viewer_data(scored: ScoredTexts, *, tests: Iterable[str] = ()) -> ViewerData:
    """The data of a viewer. `tests` are the ids of the data on the pairs of comparisons, which it reads, too."""
    systems, testset = scored.inputs.systems, scored.testset
    with_texts = embedded_segments(testset) if testset else 0
    columns = _columns(testset, with_texts) if testset else None
    source, _, target = (scored.inputs.lp or "").partition("-")
    tree = {
        "segments": scored.segments,
        "systems": list(systems),
        "pair": [systems.index(name) for name in scored.pair],
        "metrics": [_metric(metric, systems) for metric in scored.metrics.values()],
        "tests": list(tests),
        "groupings": [asdict(grouping) for grouping in scored.groupings],
        "names": list(testset.items) if testset else [],
        "languages": [source.replace("_", "-"), target.replace("_", "-")],
        "texts": columns,
        "embedded": with_texts,
        "errors": _by_system(scored.errors, systems) if scored.errors else None,
        "labels": scored.labels,
    }
    return ViewerData(tree, _count(columns), with_texts)


def _metric(metric: ScoredMetric, systems: Iterable[str]) -> dict[str, Any]:
    scores = np.stack([metric.segments[name] for name in systems])
    return {
        "name": metric_label(metric.spec),
        "higher": metric.higher_is_better,
        "decimals": decimals_for(scores.ravel().tolist()),
        "scores": [_packed(each) for each in scores],
        "exact": _exact(scores),
    }


def _packed(scores: FloatArray) -> str:
    """Floats of 32 bits, NaN where there is none: shorter than digits, and read at once."""
    return base64.b64encode(np.asarray(scores, dtype="<f4").tobytes()).decode()


def _exact(scores: FloatArray) -> list[tuple[int, int, float]]:
    """System, segment and score where systems differ in a segment, but not in 32 bits: these need all of them.

    With these the viewer finds every pair of systems better, worse or equal in the same segments as a comparison does.
    """
    short = scores.astype("<f4")
    order = np.argsort(scores, axis=0)
    ranked, ranked_short = (np.take_along_axis(each, order, axis=0) for each in (scores, short))
    is_lost = (np.diff(ranked, axis=0) > 0) & (np.diff(ranked_short, axis=0) == 0)
    return [
        (system, segment, float(scores[system, segment]))
        for segment in np.flatnonzero(is_lost.any(axis=0)).tolist()
        for system in range(len(scores))
        if np.count_nonzero(short[:, segment] == short[system, segment]) > 1
    ]


def _all_columns(testset: TestSet) -> list[Column]:
    sources = [testset.sources] if testset.sources else []
    return [*sources, *testset.references.values(), *testset.outputs.values()]


def embedded_segments(testset: TestSet) -> int:
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


def _by_system(errors: ViewerErrors, systems: Iterable[str]) -> dict[str, Any]:
    return {**errors.tree, "systems": [errors.tree["systems"].get(name, {}) for name in systems]}
