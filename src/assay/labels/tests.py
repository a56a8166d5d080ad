"""Significance tests and corrections as the literature writes them. Each test carries its label."""

from __future__ import annotations

from assay.errors import ConfigError
from assay.metric_tests import metric_test
from assay.significance import test as system_test

__all__ = ["IN_CLUSTERS", "correction_words", "significance_test_label"]

IN_CLUSTERS = "each system of a cluster is shown to be better than each system of the clusters below it"
"""What clusters of systems mean, everywhere."""
_SACREBLEU = "sacrebleu "
_OF_RESAMPLES = {"bootstrap": "paired bootstrap", "koehn": "Koehn's bootstrap"}
"""Tests of systems that exist for resampled scores only."""
_CORRECTIONS = {
    "benjamini-hochberg": "Benjamini–Hochberg",
    "benjamini-yekutieli": "Benjamini–Yekutieli",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
}


def significance_test_label(test: str) -> str:
    """A test as the literature writes it, with its options: Williams; approximate randomisation, better."""
    if test.startswith(_SACREBLEU):
        return f"sacreBLEU's {significance_test_label(test.removeprefix(_SACREBLEU))}"
    spec, comma, alternative = test.partition(", ")
    return f"{_label(spec)}{comma}{alternative}"


def _label(spec: str) -> str:
    name, colon, options = spec.partition(":")
    if name in _OF_RESAMPLES:
        return f"{_OF_RESAMPLES[name]}{colon}{options}"
    for registry in (metric_test, system_test):
        try:
            label = registry.type_of(name)[0].label
        except ConfigError:
            continue
        return f"{label or name}{colon}{options}"
    return spec


def correction_words(correction: str, tests: str = "") -> str:
    """How p-values are corrected, and for how many tests: `after Holm correction for 3 pairs`."""
    words = "not corrected" if correction == "none" else f"after {_CORRECTIONS.get(correction, correction)} correction"
    return f"{words} for {tests}" if tests else words
