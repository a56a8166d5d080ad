from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, InputError
from assay.types import Campaign, ErrorSpan, Ratings
from tests.study.test_triage import SEGMENTS, SYSTEMS, campaign


def with_predictions(severity: str) -> Campaign:
    """A metric that marks one error in every second output."""
    data = campaign()
    cells = [(system, segment) for system in (0, 1) for segment in range(SEGMENTS)]
    zeros = np.zeros(len(cells), dtype=int)
    predicted = Ratings(
        "spans",
        "other",
        ("spans",),
        SYSTEMS,
        zeros,
        np.array([system for system, _ in cells]),
        np.array([segment for _, segment in cells]),
        zeros + np.nan,
        errors=tuple((ErrorSpan("", severity, 0, 2),) if k % 2 else () for k in range(len(cells))),
        is_human=False,
    )
    return replace(data, predictions=(predicted,))


@pytest.mark.parametrize("severity", ["critical", "major", "minor", "trivial", "undecided"])
def test_metrics_that_mark_errors_of_any_known_severity_have_scores(severity: str) -> None:
    row = assay.meta_error_free(with_predictions(severity), resamples=0).of("spans", "en-de")
    assert row.n == 4 * SEGMENTS
    assert row.roc_area.value == row.roc_area.value


def test_errors_without_a_severity_have_no_weight_and_their_metric_is_left_out() -> None:
    found = assay.meta_error_free(with_predictions(""), resamples=0)
    assert {each.metric for each in found} == {"good-src", "human: another rater", "everything is error-free"}
    text = "left out: errors without a severity, which have no weight, of spans"
    assert any(text in str(note) for note in found.notes)


def test_settings_say_what_counts() -> None:
    found = assay.meta_error_free(campaign(), min_score=0, severity="major", resamples=0)
    assert {"min_score": "0", "severity": "major", "level": "error-free"}.items() <= found.settings.items()
    assert "resamples" not in found.settings
    drawn = assay.meta_error_free(campaign(), resamples=20)
    assert {"ci": "documents", "resamples": "20", "confidence": "0.95"}.items() <= drawn.settings.items()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"min_score": -1}, ConfigError, "min_score must not be negative"),
        ({"severity": "trivial"}, ConfigError, "severity"),
        ({"resamples": 0, "confidence": 0.9}, ConfigError, "confidence has no effect\nthere are no intervals"),
        ({"gold": "da"}, InputError, "'da' has no ratings with marked errors"),
    ],
)
def test_what_cannot_be_evaluated(options: dict[str, object], error: type[Exception], message: str) -> None:
    data = campaign()
    (marked,) = data.judgements
    assert isinstance(marked, Ratings)
    both = replace(data, judgements=(marked, replace(marked, name="da", errors=())))
    with pytest.raises(error, match=message):
        assay.meta_error_free(both, **({"gold": "esa"} | options))
