from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.aggregate.resample import CONFIDENCE, Bootstrap
from assay.errors import ConfigError
from assay.metaeval.intervals import IntervalOptions, interval_method
from assay.study.agree import agree
from assay.types.runtime import Runtime
from tests.metaeval.intervals.enumeration import all_resamples, rankings, tables


def test_draws_have_the_probabilities_of_all_resamples():
    """The share of each of the ten multisets of three segments: the values of `all_resamples` are those drawn."""
    counts, probabilities = all_resamples(3)
    weights = np.concatenate([*Bootstrap(20_000).blocks(3, Runtime())])
    shares = [(weights == row).all(axis=1).mean() for row in counts]
    assert shares == pytest.approx(probabilities, abs=0.01)


def test_the_defaults():
    metric, human = tables(systems=6)
    judged = rankings()
    by_system = {"level": "system", "outliers": "keep"}
    found = {
        "pearson": agree(metric, human, "pearson", **by_system),
        "spearman": agree(metric, human, "spearman", **by_system),
        "kendall": agree(metric, human, "kendall", **by_system),
        "spa": agree(metric, human, "spa", **by_system),
        "segments": agree(metric, human, "kendall", grouping="item"),
        "documents": agree(metric, replace(human, documents=("x", "y", "x")), "kendall", grouping="item"),
        "one document": agree(metric, replace(human, documents=("x", "x", "x")), "kendall", grouping="item"),
        "rankings": agree(tables(segments=12)[0], judged, "pearson", **by_system),
        "ranked segments": agree(tables(segments=12)[0], judged, "kendall-wmt13"),
    }
    bases = {name: agreement.estimate.basis for name, agreement in found.items()}
    assert {name: (basis.method, basis.resamples) for name, basis in bases.items()} == {
        "pearson": ("fisher", 0),
        "spearman": ("fisher", 0),
        "kendall": ("systems", 300),
        "spa": ("systems", 300),
        "segments": ("segments", 300),
        "documents": ("documents", 300),
        "one document": ("segments", 300),
        "rankings": ("judgements:unit=segment", 1000),
        "ranked segments": ("segments", 300),
    }
    assert {name: basis.n for name, basis in bases.items()} == {
        "pearson": 6,
        "spearman": 6,
        "kendall": 6,
        "spa": 6,
        "segments": 3,
        "documents": 2,
        "one document": 3,
        "rankings": 12,
        "ranked segments": len(set(judged.segment.tolist())),
    }
    for agreement in found.values():
        assert agreement.interval[0] < agreement.value < agreement.interval[1]
        assert agreement.settings["ci"] == agreement.estimate.basis.method
    assert "ci" not in agree(metric, human, resamples=0, **by_system).settings
    assert (
        agree(metric, human, ci="none", **by_system).signature
        == agree(metric, human, resamples=0, **by_system).signature
    )


def test_every_method_is_known_by_name_and_has_its_spec():
    assert interval_method.names() == ["both", "documents", "fisher", "judgements", "segments", "systems"]
    for spec in (*interval_method.names(), "judgements:unit=pair"):
        assert interval_method.spec(interval_method.create(spec)) == spec


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 0.0}, "confidence must be between 0 and 1"),
        ({"resamples": -1}, "resamples must be an integer"),
        ({"seed": -1}, "seed must be an integer"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(ConfigError, match=message):
        IntervalOptions(**options)


@pytest.mark.parametrize(("ci", "resamples"), [("none", None), (None, 0), ("systems", 0)])
def test_a_confidence_without_intervals_has_no_effect(ci, resamples):
    with pytest.raises(ConfigError, match="confidence has no effect\nthere are no intervals"):
        IntervalOptions.from_spec(ci, resamples, 1, 0.9)
    assert not IntervalOptions.from_spec(ci, resamples, 1, CONFIDENCE).has_intervals


@pytest.mark.parametrize(("resamples", "drawn"), [(None, 300), (0, 0), (77, 77)])
def test_intervals_over_whole_units(resamples, drawn):
    intervals = IntervalOptions.from_spec(None, resamples, 5, 0.95).of_units(Runtime())
    assert (intervals.resamples, intervals.seed, intervals.confidence) == (drawn, 5, 0.95)


@pytest.mark.parametrize("ci", ["systems", "segments", "documents", "both"])
@pytest.mark.parametrize("level", ["system", "segment"])
def test_any_number_of_threads_gives_the_same_bits(ci, level):
    metric, human = tables(systems=6, segments=40, documents=tuple(str(k // 4) for k in range(40)))
    options = {"level": level, "ci": ci, "resamples": 20, "outliers": "keep"}
    one, many = (agree(metric, human, "kendall", runtime=Runtime(threads=n), **options) for n in (1, 3))
    np.testing.assert_array_equal(one.replicates, many.replicates)
    assert one.estimate == many.estimate
