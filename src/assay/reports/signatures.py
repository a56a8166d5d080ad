"""Short signatures: only what is not the default."""

from __future__ import annotations

from assay.registry import split_spec
from assay.results import MetricScores, Scores

__all__ = ["DEFAULT_RESAMPLING", "short_signature"]

DEFAULT_RESAMPLING = {"resamples": "1000", "size": "all", "seed": "12345", "confidence": "0.95"}
"""The defaults of `assay.score`, as signatures write them."""


def short_signature(metric: MetricScores, scores: Scores) -> str:
    """The name, options that are not the defaults, references, aggregation, unusual resampling, and the version.

    `bleu:tok=intl` becomes `bleu|tok:intl|refs:2|agg:corpus|version:0.1.0`. Scores without defaults, such as those from
    a file, keep their full signature.
    """
    signature = scores.signature
    if metric.nondefault_options is None:
        return str(signature)
    items = [
        *metric.nondefault_options,
        ("refs", signature.references),
        ("agg", signature.aggregation),
        *(item for item in signature.resampling if DEFAULT_RESAMPLING.get(item[0]) != item[1]),
        ("version", signature.version),
    ]
    return "|".join([split_spec(metric.spec)[0], *(f"{key}:{value}" for key, value in items)])
