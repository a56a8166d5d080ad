"""BLEURT through the public verbs."""

from __future__ import annotations

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.testing import check_metric
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.learned.official import LONG_LINE, official

pytestmark = LONG_LINE
CPU = Runtime(device="cpu")


def test_it_needs_references_and_a_model():
    assert metric.create("bleurt").needs == {"reference"}
    with pytest.raises(ConfigError, match="the metric bleurt needs a model") as raised:
        score(load(outputs={"x": ["a"]}, references=["a"]), "bleurt")
    assert "lucadiliello/BLEURT-20" in raised.value.hint


def test_the_scores_of_a_run():
    made = official("bleurt")
    spec = f"bleurt:{made.model}"
    run = score(made.testset, spec, resamples=0, runtime=CPU)
    np.testing.assert_allclose(run[spec].segments["x"], made.scores["scores"], atol=1e-6)
    notes = {note.kind: note.count for note in run.notes}
    assert notes[NoteKind.CHANGED] == 2  # truncated
    assert notes[NoteKind.PROVENANCE] == 17  # of 18


def test_the_contract():
    check_metric(
        metric.create(f"bleurt:{official('bleurt-20').model}"), skip=["direction"]
    )  # random weights do not know it
