from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay import Runtime, score
from assay.errors import ConfigError, InputError, SegmentError
from assay.metrics import metric
from assay.types import NoteKind, TestSet

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "sempos.json").read_text(encoding="utf-8"))
"""What the scorer of Moses prints."""


def testset(output, reference, **layers):
    layers = layers or {"sempos": (output, reference)}
    return TestSet(
        outputs={"x": output},
        references={"ref": reference},
        annotations={name: {"x": columns[0], "ref": columns[1]} for name, columns in layers.items()},
    )


testset.__test__ = False


@pytest.mark.parametrize("overlap", ["cap-micro", "cap-macro"])
def test_golden(overlap):
    expected = GOLDEN["results"][f"overlapping:{overlap}"]
    texts = testset(GOLDEN["input"]["hyp"], GOLDEN["input"]["ref"])
    (run,) = score(texts, metrics=f"sempos:overlap={overlap}", resamples=0).metrics.values()
    assert run.aggregations["corpus"]["x"] == pytest.approx(expected["corpus"], abs=5e-7)
    assert run.segments["x"].tolist() == pytest.approx(expected["segment"], abs=5e-7)


def test_a_reference_without_words_of_a_class_scores_one():
    (run,) = score(testset(["a|n"], ["the|-"]), metrics="sempos", resamples=0).metrics.values()
    assert run.aggregations["corpus"]["x"] == 1.0
    (run,) = score(testset(["a|n"], ["the|-"]), metrics="sempos:overlap=cap-macro", resamples=0).metrics.values()
    assert run.aggregations["corpus"]["x"] == 1.0


def test_the_substitute_counts_content_words():
    """`sit` is a verb in both, `on` is no content word, and `mat` has another class."""
    lemmas, tags = ("the cat sit on mat", "cat sit on mat"), ("DET NOUN VERB ADP VERB", "NOUN VERB ADP NOUN")
    texts = testset(["…"], ["…"], lemma=([lemmas[0]], [lemmas[1]]), pos=([tags[0]], [tags[1]]))
    run = score(texts, metrics=["sempos-upos", "sempos-upos:overlap=cap-macro"], resamples=0)
    assert run["sempos-upos"].aggregations["corpus"]["x"] == pytest.approx(2 / 3)
    assert run["sempos-upos:overlap=cap-macro"].aggregations["corpus"]["x"] == pytest.approx((1 / 2 + 1) / 2)
    assert [note.kind for note in run.notes if note.where == "sempos-upos"] == [NoteKind.PROVENANCE]


def test_faulty_layers():
    with pytest.raises(SegmentError, match="line 1 of 'ref' has a faulty annotation: 'b' is not of the form lemma"):
        score(testset(["a|n"], ["b"]), metrics="sempos", resamples=0)
    many = [" ".join(f"a|c{i}" for i in range(51))]
    with pytest.raises(InputError, match="more than 50 semantic parts of speech"):
        score(testset(many, many), metrics="sempos:overlap=cap-macro", resamples=0)


@pytest.mark.parametrize("value", ["a|b|c", "|n", "cat|"])
def test_values_that_are_not_a_lemma_with_a_class(value):
    with pytest.raises(SegmentError, match=r"line 1 of 'x' has a faulty annotation: .* is not of the form lemma"):
        score(testset([value], ["b|n"]), metrics="sempos", resamples=0)


@pytest.mark.parametrize("tag", ["NN", "noun", "CONJ"])
def test_tags_that_are_not_universal(tag):
    """They would all be ignored, and every output would score 1."""
    texts = testset(["a b"], ["a c"], lemma=(["a b"], ["a c"]), pos=(["NOUN VERB"], [f"NOUN {tag}"]))
    message = f"line 1 of 'ref' has a faulty annotation: '{tag}' is not a universal part of speech"
    with pytest.raises(SegmentError, match=message) as caught:
        score(texts, metrics="sempos-upos", resamples=0)
    assert "XPOS" in caught.value.hint


def test_classes_are_known_before_scoring():
    macro = metric.create("sempos:overlap=cap-macro")
    with pytest.raises(ConfigError, match="sempos is not prepared for the class 'n'"):
        macro.statistics(testset(["a|n"], ["a|n"]), Runtime())
    prepared = macro.prepare(testset(["a|n"], ["a|n b|v"]))
    assert prepared.statistics(testset(["a|n x|z"], ["a|n a|- "]), Runtime()).tolist() == [[[1, 1, 0, 0]]]


def test_options():
    with pytest.raises(ConfigError, match="overlap"):
        score(testset(["a|n"], ["a|n"]), metrics="sempos:overlap=boost")
