"""Signatures as a terminal shows them: without what is the default."""

from __future__ import annotations

from collections.abc import Mapping

from assay.aggregate.resample import CONFIDENCE, SEED
from assay.errors import AssayError
from assay.metrics import metric as metric_registry
from assay.registry import option_text, option_texts, split_spec
from assay.significance import ALPHA
from assay.types import TestSet, as_column

__all__ = ["short_explanation", "short_score_line", "short_settings"]

_TEXTS = as_column(["text"])
_TESTSET = TestSet({"system": _TEXTS}, references={"reference": _TEXTS}, sources=_TEXTS)
"""Without a language pair: what options are set to by default."""
_OF_TESTS = {
    "test": "randomisation",
    "alternative": "two-sided",
    "alpha": option_text(ALPHA),
    "unit": "segment",
    "resamples": "10000",
    "seed": str(SEED),
    "confidence": option_text(CONFIDENCE),
    "calibration": "wmt",
}
"""Defaults of comparisons, as signatures write them."""
_SHOWN_ABOVE = ("systems", "pairs", "lps")  # the tables name them


def short_score_line(spec: str, line: str) -> str:
    """The signature of a metric's scores without default options and resampling: `bleu|tok:intl|refs:1|agg:corpus|…`.

    Scores that no metric here computed keep their whole signature.
    """
    name = split_spec(spec)[0]
    try:
        defaults = option_texts(metric_registry.create(name).prepare(_TESTSET))
    except AssayError:  # scores from a file, or a metric that needs a model
        return line
    items = line.split("|")[1:]
    usual = {**defaults, "resamples": _OF_TESTS["resamples"], "seed": _OF_TESTS["seed"]}
    return "|".join([name, *(item for item in items if usual.get(item.partition(":")[0]) != item.partition(":")[2])])


def short_explanation(settings: Mapping[str, str]) -> str:
    """What was asked, of which calibration, which has the other settings."""
    asked = ("metric", "agg", "difference", "lp", "protocol", "calibration", "version")
    return "|".join(f"{key}:{value}" for key, value in settings.items() if key in asked)


def short_settings(settings: Mapping[str, str]) -> str:
    """The settings of a comparison that are not the defaults, its correction and the version."""
    kept = {key: value for key, value in settings.items() if _OF_TESTS.get(key) != value and key not in _SHOWN_ABOVE}
    return "|".join(f"{key}:{value}" for key, value in kept.items())
