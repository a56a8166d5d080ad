"""Metrics as the literature writes them, and aggregations in words."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable

from assay.errors import ConfigError
from assay.metrics import metric

__all__ = ["AGGREGATIONS", "difference_label", "distinct_labels", "dots_legend", "metric_label", "score_label"]

AGGREGATIONS = {"corpus": "corpus", "segment": "segment mean", "bootstrap": "bootstrap mean"}
"""What the aggregations are called in charts."""

_AGGREGATED = ("m-", "x-")
"""Prefixes of means of segment scores and of bootstrap replicates (Cavalin et al. 2024)."""


def metric_label(spec: str) -> str:
    """A metric as the literature writes it: bleu:tok=intl is BLEU:tok=intl, bleu-refA BLEU-refA, m-bleu m-BLEU."""
    prefix = spec[:2] if spec[:2] in _AGGREGATED else ""
    name, colon, options = spec.removeprefix(prefix).partition(":")
    return f"{prefix}{_name_label(name)}{colon}{options}"


@functools.lru_cache(maxsize=1024)
def _name_label(name: str) -> str:
    """The label of a name, which may have the name of a reference after a hyphen.

    Only names in lower case are looked up: stored scores are shown under the name that their authors gave them.
    """
    for hyphen in (len(name), *(match.start() for match in re.finditer("-", name))):
        if re.fullmatch("[a-z][a-z0-9+-]*", name[:hyphen]) is None:
            continue
        try:
            metric_class, _ = metric.type_of(name[:hyphen])
        except ConfigError:
            continue
        label = next((label for label in metric_class.labels if name.startswith(label.lower())), "")
        return label + name[len(label) :]
    return name


def distinct_labels(specs: Iterable[str]) -> dict[str, str]:
    """The labels of several metrics; those of metrics that would have the same one stay as they are."""
    labels = {spec: metric_label(spec) for spec in specs}
    shared = {label for label, count in Counter(labels.values()).items() if count > 1}
    return {spec: spec if label in shared else label for spec, label in labels.items()}


def score_label(metric: str, aggregation: str) -> str:
    """BLEU, which is the corpus score; BLEU segment mean."""
    label = metric_label(metric)
    return label if aggregation == "corpus" else f"{label} {AGGREGATIONS.get(aggregation, aggregation)}"


def dots_legend(aggregations: Iterable[str]) -> str:
    """What filled and hollow dots are: `Filled: corpus score; hollow: segment mean`; nothing without hollow ones."""
    found = dict.fromkeys(aggregations)
    hollow = " or ".join(AGGREGATIONS.get(each, each) for each in found if each != "corpus")
    filled = "filled: corpus score; " if "corpus" in found else ""
    legend = f"{filled}hollow: {hollow}" if hollow else ""
    return f"{legend[:1].upper()}{legend[1:]}"


def difference_label(metric: str, aggregation: str) -> str:
    """The title of an axis."""
    return f"difference in {metric_label(metric)}, {AGGREGATIONS.get(aggregation, aggregation)}"
