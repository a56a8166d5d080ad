"""xCOMET: options, scores through the public verbs, and the errors that it marks."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.learned.model import EncodedSegments
from assay.learned.xcomet import Predicted
from assay.metrics import metric
from assay.metrics.xcomet import Xcomet
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.learned.official import LONG_LINE, official

pytestmark = LONG_LINE
CPU = Runtime(device="cpu")


def places(ratings):
    """By system and segment, the places and severities of errors."""
    rows = zip(ratings.system.tolist(), ratings.segment.tolist(), ratings.errors, strict=True)
    return {
        (system, segment): [(each.start, each.end, each.severity) for each in errors]
        for system, segment, errors in rows
    }


def expected(errors):
    return {
        (0, i): [(each["start"], each["end"], each["severity"]) for each in found] for i, found in enumerate(errors)
    }


def test_options():
    assert metric.create("xcomet").needs == {"source", "reference"}
    assert metric.create("xcomet:inputs=src").needs == {"source"}
    assert metric.create("xcomet:inputs=ref").needs == {"reference"}
    with pytest.raises(ConfigError, match=r"inputs.*src\+ref"):
        metric.create("xcomet:inputs=src+ref")
    assert metric.spec(Xcomet(model="XCOMET-XL", inputs="src")) == "xcomet:XCOMET-XL,inputs=src"


@pytest.mark.parametrize(("inputs", "key"), [("all", "scores"), ("src", "src"), ("ref", "ref")])
def test_the_scores_and_errors_of_a_run(inputs, key):
    made = official("xcomet")
    testset = made.testset
    spec = f"xcomet:{made.model}" + ("" if inputs == "all" else f",inputs={inputs}")
    run = score(testset, spec, resamples=0, runtime=CPU)[spec]
    np.testing.assert_allclose(run.segments["x"], made.scores[key], atol=1e-6)
    ratings = metric.create(spec).prepare(testset).predicted_spans(testset, CPU)
    assert not ratings.is_human
    assert places(ratings) == expected(made.scores["errors"][inputs])


def test_errors_are_kept_that_were_computed_with_the_scores(monkeypatch):
    made = official("xcomet")
    testset = made.testset
    prepared = metric.create(f"xcomet:{made.model}").prepare(testset)
    prepared.statistics(testset, CPU)
    list(prepared.advice(testset))
    monkeypatch.setattr("assay.learned.xcomet.compute", None)
    assert places(prepared.predicted_spans(testset, CPU)) == expected(made.scores["errors"]["all"])


class _OneScore:
    """A model that gives every output the same score and finds no errors."""

    name, path, input_name, max_tokens = "made up", "made up", "input", 512
    digests: ClassVar = {"model": "0"}
    needs = frozenset({"source", "reference"})

    def __init__(self):
        self.encoded = []

    def encode(self, segments):
        count = len(segments)
        self.encoded.append(count)
        return EncodedSegments([(1, 2)] * count, np.arange(count).reshape(count, 1), np.zeros((count, 1), dtype=bool))

    def predict(self, inputs, runtime):
        count = len(inputs.input_indices)
        return Predicted(np.full(count, 0.5), [[]] * count)

    def locate(self, output, spans):
        return ()


def test_texts_are_encoded_once_for_scores_notes_and_errors(monkeypatch):
    model = _OneScore()
    monkeypatch.setattr(Xcomet, "open_model", lambda self: model)
    testset = load(sources=["a", "b"], outputs={"x": ["c", "d"]}, references=["e", "f"])
    made = Xcomet(model="made up")
    run = score(testset, made, resamples=0, runtime=CPU)
    assert model.encoded == [2]
    assert len(run.predictions) == 1


def test_the_errors_of_the_best_reference():
    made = official("xcomet")
    part = [each for each in made.segments if each.output.strip() and each.reference.strip()]
    outputs, sources, references = zip(*part, strict=True)
    columns = {"A": references, "B": references[::-1]}
    both = load(outputs={"x": outputs}, references=columns, sources=sources)
    prepared = metric.create(f"xcomet:{made.model}").prepare(both)
    found = places(prepared.predicted_spans(both, CPU))
    alone = {}
    for name, column in columns.items():
        testset = load(outputs={"x": outputs}, references={name: column}, sources=sources)
        scores = prepared.score(prepared.statistics(testset, CPU))[0]
        alone[name] = scores, places(prepared.predicted_spans(testset, CPU))
    (first, with_first), (second, with_second) = alone.values()
    assert found == {
        cell: (with_second if second[i] > first[i] else with_first)[cell] for cell in found for i in cell[1:]
    }
    assert with_first != with_second
    assert 0 < np.mean(second > first) < 1


def test_windows_mark_errors_at_their_places_in_the_whole_output():
    made = official("xcomet")
    part = [each for each in made.segments if 20 < len(each.output) < 60 and each.source and each.source.strip()][:3]
    sources, outputs, references = (
        "\n".join(getattr(each, name).strip() for each in part) for name in ("source", "output", "reference")
    )
    testset = load(outputs={"x": [outputs]}, references=[references], sources=[sources])
    prepared = metric.create(f"xcomet:{made.model},window=32").prepare(testset)
    (marked,) = prepared.predicted_spans(testset, CPU).errors
    assert all(outputs[each.start : each.end] == each.text for each in marked)
    assert max(each.end for each in marked) > len(outputs) / 2
    (note,) = (note for note in prepared.advice(testset) if "averaged by length" in note.text)
    assert note.count == 1


def test_nothing_to_mark():
    testset = load(outputs={"x": [None]}, references=["a"], sources=["a"])
    prepared = metric.create(f"xcomet:{official('xcomet').model}").prepare(testset)
    assert prepared.predicted_spans(testset, CPU).errors == ()


def test_the_contract():
    check_metric(metric.create(f"xcomet:{official('xcomet').model}"), skip=["direction"])
