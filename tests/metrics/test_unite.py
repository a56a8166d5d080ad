"""UniTE and CometKiwi: options, and scores through the public verbs."""

from __future__ import annotations

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.unite import Cometkiwi, Unite
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.learned.official import LONG_LINE, official

pytestmark = LONG_LINE
CPU = Runtime(device="cpu")


def test_cometkiwi_reads_the_source_alone():
    assert metric.create("cometkiwi") == Cometkiwi(inputs="src")
    assert metric.create("cometkiwi").needs == {"source"}
    with pytest.raises(ConfigError, match="cometkiwi reads no references") as raised:
        metric.create("cometkiwi:unite-mup,inputs=src+ref")
    assert raised.value.hint == "leave out inputs; models that read references belong to unite"
    assert metric.create("unite").needs == {"source", "reference"}
    assert metric.create("unite:inputs=ref").needs == {"reference"}


def test_a_unite_model_that_reads_the_source_is_not_called_cometkiwi():
    assert metric.spec(Unite(model="unite-mup", inputs="src")) == "unite:unite-mup,inputs=src"
    assert metric.spec(Cometkiwi(model="wmt22-cometkiwi-da")) == "cometkiwi:wmt22-cometkiwi-da"


def test_unknown_inputs():
    with pytest.raises(ConfigError, match=r"inputs.*mt"):
        metric.create("unite:inputs=mt")


def test_the_scores_of_a_run():
    made = official("unite")
    specs = {f"unite:model={made.model}": "scores", f"unite:model={made.model},inputs=src+ref": "src+ref"}
    run = score(made.testset, list(specs), resamples=0, runtime=CPU)
    for spec in specs:
        np.testing.assert_allclose(run[spec].segments["x"], made.scores[specs[spec]], atol=1e-6)


def test_cometkiwi_needs_no_reference():
    made = official("cometkiwi")
    testset = load(outputs={"x": [each.output for each in made.segments]}, sources=made.testset.sources)
    spec = f"cometkiwi:{made.model}"
    run = score(testset, spec, resamples=0, runtime=CPU)[spec]
    np.testing.assert_allclose(run.segments["x"], made.scores["scores"], atol=1e-6)


def test_a_model_that_reads_references_is_no_cometkiwi():
    made = official("unite")
    with pytest.raises(ConfigError, match="is not a CometKiwi model: it was trained with references") as raised:
        score(made.testset, f"cometkiwi:{made.model}", resamples=0, runtime=CPU)
    assert raised.value.hint == f"use unite:model={made.model},inputs=src"


def test_a_checkpoint_of_comet_is_not_one_of_unite():
    with pytest.raises(ConfigError, match="is a regression_metric; the metric unite cannot use it") as raised:
        score(official("unite").testset, f"unite:{official('comet').model}")
    assert "use comet:model=" in raised.value.hint


def test_the_contract():
    check_metric(metric.create(f"unite:{official('unite').model}"), skip=["direction"])  # random weights do not know it
    check_metric(
        metric.create(f"cometkiwi:{official('cometkiwi').model}"), skip=["direction"]
    )  # random weights do not know it
