"""Scores of COMET and UniTE are those of unbabel-comet."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.learned import Segment, open_comet, open_unite
from assay.types.runtime import Runtime
from scripts.official_scores.comet import COMET, UNITE
from tests.learned.official import official


@pytest.mark.parametrize("batch_size", [None, 40])
@pytest.mark.parametrize("name", COMET)
def test_comet_is_that_of_the_official_package(name, batch_size):
    made = official(name)
    runtime = Runtime(device="cpu", batch_size=batch_size)
    scores = open_comet(made.model).score(made.segments, runtime)
    np.testing.assert_allclose(scores, made.scores["scores"], rtol=0, atol=1e-6)
    assert np.std(scores) > 1e-3


@pytest.mark.parametrize("name", UNITE)
def test_unite_is_that_of_the_official_package(name):
    made = official(name)
    for inputs, expected in made.scores.items():
        model = open_unite(made.model, inputs="all" if inputs == "scores" else inputs)
        scores = model.score(made.segments, Runtime(device="cpu"))
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-6, err_msg=inputs)
        assert np.std(scores) > 1e-3


def test_what_models_need():
    both = {"source", "reference"}
    assert open_comet(official("comet").model).needs == both
    assert open_comet(official("comet-qe").model).needs == {"source"}
    unite = official("unite").model
    assert open_unite(unite).needs == both
    assert open_unite(unite, inputs="src+ref").needs == both
    assert open_unite(unite, inputs="src").needs == {"source"}
    assert open_unite(unite, inputs="ref").needs == {"reference"}
    assert open_unite(official("cometkiwi").model).needs == {"source"}
    assert open_unite(official("unite-reference").model).needs == {"reference"}


def test_inputs_that_a_model_was_not_trained_for():
    with pytest.raises(ConfigError, match="cannot read inputs=ref") as raised:
        open_unite(official("cometkiwi").model, inputs="ref")
    assert raised.value.hint == "it was trained for src"


def test_each_distinct_text_is_encoded_once():
    """S·N + 2·N texts and fewer, instead of 3·S·N."""
    sources, references = ["a", "b", "c"], ["the dog", "the house", "hello"]
    outputs = [["the dog", "house", "hello"], ["dog", "house", "a word"]]
    segments = [Segment(column[i], sources[i], references[i]) for column in outputs for i in range(3)]
    encoded = open_comet(official("comet").model).encode(segments)
    assert encoded.input_indices.shape == (6, 3)
    assert len(encoded.inputs) == 3 + 3 + 6 - 3  # two outputs equal their references, two equal each other
    unite = open_unite(official("unite").model).encode([*segments, segments[0]])
    assert unite.input_indices.shape == (7, 3)
    assert len(unite.inputs) == 15  # two segments are equal


def test_texts_that_are_truncated_are_counted():
    """With the real tokeniser: exactly at the length that the model reads, although both inputs are equal then."""
    fits, too_long = " ".join(["the"] * 508), " ".join(["the"] * 509)
    comet = open_comet(official("comet-xlm-r-tokenizer").model)
    encoded = comet.encode([Segment("the", "the", fits), Segment(too_long, "the", "the"), Segment("the", "the", "the")])
    assert encoded.is_truncated.any(axis=1).tolist() == [False, True, False]
    unite = open_unite(official("unite-xlm-r-tokenizer").model, inputs="src")
    half = " ".join(["the"] * 254)  # two texts and four special tokens make 512 tokens
    encoded = unite.encode([Segment(half, half), Segment(half, half + " the"), Segment("a", too_long)])
    assert encoded.is_truncated.any(axis=1).tolist() == [False, True, True]
    assert {len(each) for each in encoded.inputs} == {512}
