"""MARKUP: shares of items and of segments, and items that only the output has."""

from __future__ import annotations

import math

import pytest

import assay
from assay.errors import ConfigError

SOURCES = ["Pay <b>3.5</b> million", "x", "{n} files", "y"]
OUTPUTS = {
    "right": ["Zahle <b>3,5</b> Mio.", "x", "{n} Dateien", "y"],
    "wrong": ["Zahle 3,5 Mio.", "x 7", "Dateien", "y"],
}


def run(spec, **options):
    testset = assay.load(sources=SOURCES, outputs=OUTPUTS, lp="en-de")
    return assay.score(testset, spec, resamples=0, **options)[spec]


@pytest.mark.parametrize(
    ("spec", "right", "wrong"),
    [
        ("markup", 100, 100 * 1 / 5),
        ("markup:extra=ignored", 100, 100 * 1 / 4),
        ("markup:unit=segments", 100, 0),
        ("markup:unit=segments,items=numbers,extra=ignored", 100, 100),
        ("markup:unit=segments,items=numbers", 100, 50),
        ("markup:items=tags+placeholders", 100, 0),
    ],
)
def test_values(spec, right, wrong):
    found = run(spec).corpus
    assert (found.estimate("right").value, found.estimate("wrong").value) == (right, wrong)


def test_segments_without_items_have_no_score():
    result = run("markup")
    assert math.isnan(result.segments["right"][1])
    assert math.isnan(result.segments["wrong"][3])
    assert result.segments["wrong"].tolist()[:3] == pytest.approx([100 / 3, 0, 0])


def test_no_items_at_all():
    testset = assay.load(sources=["a b"], outputs={"x": ["c d"]}, lp="en-de")
    with pytest.warns(assay.AssayWarning, match="neither the source nor the output has such items"):
        estimate = assay.score(testset, "markup", resamples=0)["markup"].corpus.estimate("x")
    assert math.isnan(estimate.value)
    assert estimate.reason == "neither the source nor the output has such items"


def test_a_source_is_needed():
    testset = assay.load(references=["a"], outputs={"x": ["a"]}, lp="en-de")
    with pytest.raises(ConfigError, match="source"):
        assay.score(testset, "markup")


def test_kinds_are_checked():
    with pytest.raises(ConfigError, match="there are no items 'tag'") as error:
        assay.score(assay.load(sources=["a"], outputs={"x": ["a"]}), "markup:items=tag+urls")
    assert error.value.hint == "did you mean 'tags'?"
    with pytest.raises(ConfigError, match="unit"):
        run("markup:unit=lines")
