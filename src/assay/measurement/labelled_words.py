"""The labels that a metric gives to words, such as error classes, as the viewer reads them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assay.contracts import Metric
from assay.errors import ConfigError
from assay.metrics import metric as registry
from assay.registry import split_spec
from assay.types import TestSet, WordLabels

__all__ = ["labelled_words"]


def labelled_words(specs: Iterable[str], testset: TestSet) -> dict[str, Any] | None:
    """The labels of the first metric that labels words; None if no metric does.

    `outputs` has for each system, by segment, a list of [start, end, label]; `references` has the number of a reference
    and such a list. `reference_only` are the names of labels that no output has.
    """
    for spec in specs:
        try:
            metric_class, _ = registry.type_of(split_spec(spec)[0])
        except ConfigError:  # scores from elsewhere
            continue
        if metric_class.word_labels is Metric.word_labels:
            continue
        labels = registry.create(spec).prepare(testset).word_labels(testset)
        if labels is not None:
            return {"metric": metric_class.name, **_tree(labels, testset)}
    return None


def _tree(labels: WordLabels, testset: TestSet) -> dict[str, Any]:
    references = list(testset.references)
    return {
        "names": list(labels.names),
        "reference_only": list(labels.reference_only),
        "outputs": [labels.outputs.get(system, {}) for system in testset.systems],
        "references": [
            {
                segment: [references.index(reference), spans]
                for segment, (reference, spans) in labels.references.get(system, {}).items()
            }
            for system in testset.systems
        ],
    }
