"""How much marked errors weigh in MQM scores.

The key of a weight is `severity`, `severity/category` or `severity/category/subcategory`; the severity `*` stands for
any. An error has the weight of the longest key that matches it, ignoring case (Freitag et al. 2021); at the same
length, a key that names the severity goes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.types.judgements import ErrorSpan
from assay.types.severity import SEVERITY_WEIGHTS

__all__ = ["DEFAULT_WEIGHTS", "GOOGLE_WEIGHTS", "WEIGHTS", "matching_keys"]

DEFAULT_WEIGHTS = "google2020"

GOOGLE_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "trivial": 0.1,  # as Google's viewer Marot weighs it, like punctuation
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation": 25.0,
    "major/non-translation!": 25.0,  # as Google's files spell it
    "minor/fluency/punctuation": 0.1,
}
_WMT22: Mapping[str, float] = {**GOOGLE_WEIGHTS, "*/source issue": 0.0, "*/source error": 0.0}
_WMT23: Mapping[str, float] = {
    **_WMT22,
    "critical": 5.0,
    **{f"{severity}/non-translation{mark}": 25.0 for severity in ("critical", "minor") for mark in ("", "!")},
    "*/creative reinterpretation": 0.0,
    "*/accuracy/creative reinterpretation": 0.0,
}

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    # Freitag et al. 2021, and the converter score_mqm.py of mt-metrics-eval. An error in the source counts like any
    # other: so it does in the scores of WMT21's TED talks. (The files of newstest2020 leave such errors out.)
    DEFAULT_WEIGHTS: GOOGLE_WEIGHTS,
    # WMT22: errors of the source became a category of their own, which is not the fault of the translation.
    "wmt22": _WMT22,
    # The penalties stored in the .seg.rating files of WMT23: creative reinterpretation counts 0 too.
    "wmt23": _WMT23,
    # The scripts of wmt24-news-systems weigh as WMT23 does; a critical error is a major one.
    "wmt24": _WMT23,
    # ESA has two severities, which count as in MQM.
    "esa-spans": SEVERITY_WEIGHTS,
}
"""Weights by name."""


def matching_keys(error: ErrorSpan) -> Iterator[str]:
    """The keys that match an error, the longest first."""
    levels = error.category.lower().split("/")
    for length in range(len(levels), -1, -1):
        for severity in (error.severity.lower(), "*"):
            yield "/".join([severity, *levels[:length]])
