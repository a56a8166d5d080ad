"""What the viewer gets to know of a test set: scores, groups of segments, texts if they may be shown, marks."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.labels.metrics import metric_label
from assay.measurement.segment_groups import groups_by_label, groups_of
from assay.reports.html.segments.labelled_words import labelled_words
from assay.reports.html.segments.marked_errors import MarkedErrors, marked_errors
from assay.reports.html.segments.scored_texts import ScoredMetric, ScoredTexts
from assay.results.estimate import decimals_for
from assay.types import Campaign, Column, FloatArray, TestSet

__all__ = ["Embedded", "embed"]

_MOST_CHARACTERS = 30_000_000  # of all texts together: a browser still opens the file


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """The data of a viewer, and what is to be said about it."""

    tree: Mapping[str, Any]
    texts: int
    """How many texts are in it."""
    segments_with_texts: int
    errors: MarkedErrors | None


def embed(
    scored: ScoredTexts, *, texts: bool, campaigns: Iterable[Campaign] = (), tests: Iterable[str] = ()
) -> Embedded:
    """The data of a viewer. Without `texts` it holds no text, whatever is at hand.

    `tests` are the ids of the data on the pairs of comparisons, which the viewer reads, too.
    """
    systems, testset = scored.inputs.systems, scored.testset
    shown = testset if texts else None
    errors = marked_errors(campaigns, shown) if shown else None
    with_texts = _segments_with_texts(shown) if shown else 0
    columns = _columns(shown, with_texts) if shown else None
    specs = [metric.loadable_spec for metric in scored.metrics.values()]
    source, _, target = (scored.inputs.lp or "").partition("-")
    tree = {
        "segments": scored.segments,
        "systems": list(systems),
        "pair": [systems.index(name) for name in scored.pair],
        "metrics": [_metric(metric, systems) for metric in scored.metrics.values()],
        "tests": list(tests),
        "groupings": list(_groupings(scored)),
        "names": list(testset.items) if testset and texts else [],
        "languages": [source.replace("_", "-"), target.replace("_", "-")],
        "texts": columns,
        "embedded": with_texts,
        "errors": _by_system(errors, systems) if errors else None,
        "labels": labelled_words(specs, shown.part(0, with_texts)) if shown else None,
    }
    return Embedded(tree, _count(columns), with_texts, errors)


def _metric(metric: ScoredMetric, systems: Iterable[str]) -> dict[str, Any]:
    scores = np.stack([metric.segments[name] for name in systems])
    return {
        "name": metric_label(metric.spec),
        "higher": metric.higher_is_better,
        "decimals": decimals_for(scores.ravel().tolist()) - 1,
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
