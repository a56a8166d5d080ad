"""Scores and errors of xCOMET are those of unbabel-comet."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.learned import Segment, open_unite, open_xcomet
from assay.types.runtime import Runtime
from scripts.official_scores.comet import XCOMET
from tests.learned.official import official

KEYS = {"all": "scores", "src": "src", "ref": "ref"}


@pytest.mark.parametrize("batch_size", [None, 40])
@pytest.mark.parametrize("inputs", KEYS)
@pytest.mark.parametrize("name", XCOMET)
def test_scores_and_errors_are_those_of_the_official_package(name, inputs, batch_size):
    made = official(name)
    model = open_xcomet(made.model, inputs=inputs)
    predicted = model.predict(model.encode(made.segments), Runtime(device="cpu", batch_size=batch_size))
    np.testing.assert_allclose(predicted.scores, made.scores[KEYS[inputs]], rtol=0, atol=1e-6)
    assert np.std(predicted.scores) > 1e-3
    found = [model.locate(each.output, spans) for each, spans in zip(made.segments, predicted.errors, strict=True)]
    expected = made.scores["errors"][inputs]
    assert [[(each.start, each.end, each.severity) for each in spans] for spans in found] == [
        [(each["start"], each["end"], each["severity"]) for each in spans] for spans in expected
    ]
    assert sum(map(len, found)) > 10
    assert all(
        each.text == segment.output[each.start : each.end]
        for segment, spans in zip(made.segments, found, strict=True)
        for each in spans
    )


def test_what_models_need():
    model = official("xcomet").model
    assert open_xcomet(model).needs == {"source", "reference"}
    assert open_xcomet(model, inputs="src").needs == {"source"}
    assert open_xcomet(model, inputs="ref").needs == {"reference"}
    with pytest.raises(ConfigError, match="cannot read inputs=src") as raised:
        open_xcomet(model, inputs="src+ref")
    assert raised.value.hint == "it can read all, src, ref"


def test_another_metric_is_named():
    with pytest.raises(ConfigError, match="is a xcomet_metric; the metric unite cannot use it") as raised:
        open_unite(official("xcomet").model)
    assert "use xcomet:model=" in raised.value.hint
    with pytest.raises(ConfigError, match="is a unified_metric; the metric xcomet cannot use it"):
        open_xcomet(official("unite").model)


def test_scores_alone_are_the_same():
    made = official("xcomet")
    model, runtime = open_xcomet(made.model), Runtime(device="cpu")
    scores = model.score([*made.segments, made.segments[0]], runtime)
    np.testing.assert_allclose(scores[:-1], model.predict(model.encode(made.segments), runtime).scores, atol=1e-6)
    assert scores[-1] == scores[0]
    assert model.score([Segment("", "", "")], runtime).shape == (1,)
