"""eBLEU: the formulas of the paper on small vectors, its edge cases and options."""

from __future__ import annotations

import math
import sys

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, InputError, MissingExtraError
from assay.metrics import metric, tokenized_texts
from assay.metrics.ebleu import Ebleu
from assay.testing import check_metric
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.metrics import made_up_vectors

VECTORS = {
    "the": (0.9, 0.1, 0.0, 0.1),
    "cat": (0.1, 0.9, 0.2, 0.0),
    "kitty": (0.15, 0.85, 0.3, 0.05),
    "dog": (0.1, 0.7, -0.4, 0.1),
    "sat": (0.0, 0.1, 0.9, 0.3),
    "sits": (0.05, 0.12, 0.88, 0.35),
    "on": (0.7, 0.0, 0.1, 0.5),
    "mat": (0.2, 0.4, 0.1, 0.8),
    "rug": (0.22, 0.38, 0.15, 0.75),
    "chased": (-0.2, 0.3, 0.8, -0.5),
}
MAT = "the cat sat on the mat"
# From an independent evaluation of the printed equations 3 to 13 in NumPy: output, reference, scores by softmax and L1.
GOLDEN = [
    ("the kitty sits on the rug", MAT, 0.9313241562499398, 0.9534158235925623),
    ("the dog chased the cat", MAT, 0.6526975213930065, 0.6920597146133884),
    (MAT, MAT, 0.9287184774194625, 0.9579172654639826),
    ("cat", MAT, 0.489308864076126, 0.5323308027049645),
    ("the cat", "the cat sat", 0.8661944720282514, 0.9247280035952775),
    ("the the the cat cat cat sat sat on on mat mat", MAT, 0.5424561536919497, 0.5578165983207849),
]


@pytest.fixture
def exact(monkeypatch):
    """Use the vectors in double precision, whatever the name."""
    vectors = made_up_vectors.ExactVectors(VECTORS)
    monkeypatch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: vectors)


@pytest.fixture
def path(tmp_path):
    return made_up_vectors.write(tmp_path / "small.vec", VECTORS)


def segment(output, reference=MAT, **options):
    """The score of one segment."""
    made = Ebleu(vectors="given", tok="none", **options)
    testset = load(outputs={"x": [output]}, references=[reference])
    return made.score(made.statistics(testset, Runtime(threads=1)))[0, 0]


@pytest.mark.usefixtures("exact")
@pytest.mark.parametrize(("output", "reference", "softmax", "l1"), GOLDEN)
def test_the_formulas(output, reference, softmax, l1):
    assert segment(output, reference, length="reference") == pytest.approx(softmax, abs=1e-9)
    assert segment(output, reference, length="reference", diffusion="l1") == pytest.approx(l1, abs=1e-9)


def test_vectors_in_a_file_are_in_single_precision(path):
    outputs, references, softmax, _ = zip(*GOLDEN, strict=True)
    spec = f"ebleu:vectors={path},tok=none,length=reference"
    found = score(load(outputs={"x": outputs}, references=references), spec, resamples=0)[spec]
    np.testing.assert_allclose(found.segments["x"], softmax, atol=1e-7)
    assert found.segment_mean["x"] == pytest.approx(np.mean(softmax), abs=1e-7)
    assert 0 < found.corpus["x"] < 1
    assert f"vectors:{path}|" in str(found.signature)
    assert "vectors.digest:sha256-" in str(found.signature)


@pytest.mark.usefixtures("exact")
def test_one_word_by_hand():
    """S = 0.5 between the words: what each reconstructs of the other is 0.5 of 1, at order 1 alone."""
    half = made_up_vectors.ExactVectors({"a": (1, 0), "b": (0.5, math.sqrt(0.75))})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: half)
        assert segment("a", "b") == pytest.approx(0.5**0.75)
        assert segment("a", "b", weights="normalised") == pytest.approx(0.5**0.5)
        assert segment("a", "b", weights="all-orders") == pytest.approx(0.5**0.4)
        assert segment("a", "b", short="zero") == 0


@pytest.mark.usefixtures("exact")
def test_a_longer_output_is_penalised_from_half_the_length_on():
    ratios = [segment(" ".join(["cat"] * n), "cat cat cat cat", length="reference") for n in (4, 5, 6, 7, 8)]
    assert ratios[:3] == pytest.approx([1, 1, 1])
    assert ratios[3:] == pytest.approx([math.exp(-0.25), math.exp(-0.5)])


@pytest.mark.usefixtures("exact")
def test_by_default_a_difference_is_relative_to_the_longer_text():
    """Which is where the authors' scores are; an output of any length keeps more than 0.6 of its score."""
    ratios = [segment(" ".join(["cat"] * n), "cat cat cat cat") for n in (1, 2, 8, 12, 40)]
    assert ratios == pytest.approx([math.exp(-0.25), 1, 1, math.exp(0.5 - 8 / 12), math.exp(-0.4)])


@pytest.mark.usefixtures("exact")
def test_empty_and_unknown_texts():
    """Nothing scores 0 against something; a reference without words leaves the score undefined."""
    assert segment("") == 0
    assert math.isnan(segment("cat", ""))
    assert math.isnan(segment("", ""))
    assert segment("xyzzy") == 0
    assert segment("cat", "xyzzy") == 0
    assert segment("xyzzy", "xyzzy") == 1


@pytest.mark.usefixtures("exact")
def test_unknown_words_can_resemble_nothing():
    """A reference without a known word then leaves the score undefined."""
    assert segment("xyzzy", unknown="zero") == 0
    assert math.isnan(segment("cat", "xyzzy", unknown="zero"))
    assert math.isnan(segment("xyzzy", "xyzzy", unknown="zero"))


@pytest.mark.usefixtures("exact")
def test_unknown_words_are_similar_to_themselves_alone():
    assert segment("xyzzy", "plugh") == 0
    assert segment("the xyzzy", "the xyzzy", unknown="zero") < segment("the xyzzy", "the xyzzy") == 1


@pytest.mark.usefixtures("exact")
def test_an_order_whose_ngrams_all_have_an_unknown_word():
    """On both sides it is skipped; on one side, nothing of the other is matched."""
    both, one = "the xyzzy cat", "the dog cat"
    assert 0.5 < segment(both, both, unknown="zero") < 1
    assert segment(one, both, unknown="zero") == segment(both, one, unknown="zero") == 0


def test_case_is_ignored_by_default(tmp_path):
    path = made_up_vectors.write(tmp_path / "cased.vec", VECTORS | {"Cat": (-1.0, -1.0, -1.0, -1.0)})
    testset = load(outputs={"x": ["The Cat sat"]}, references=["the cat SAT"])
    ignored, kept = f"ebleu:vectors={path}", f"ebleu:vectors={path},lowercase=no"
    run = score(testset, [ignored, kept], resamples=0)
    assert run[ignored].segment_mean["x"] > 0.9
    assert run[kept].segment_mean["x"] == 0


@pytest.mark.usefixtures("exact")
def test_options_change_what_they_say():
    default = segment("the dog chased the cat")
    assert segment("the dog chased the cat", temperature=1.0) == default
    sharp = segment("the dog chased the cat", temperature=0.05)
    assert abs(sharp - default) > 0.01
    assert segment(MAT, temperature=0.01) > segment(MAT)
    assert segment("the cat", "the cat", meaning="diagonal") == pytest.approx(1)
    zero, spread = (segment("the chased", "cat the", diffusion="l1", zero_rows=each) for each in ("zero", "spread"))
    assert zero <= spread


@pytest.mark.usefixtures("exact")
def test_spread_zero_rows():
    orthogonal = made_up_vectors.ExactVectors({"a": (1, 0, 0), "b": (0, 1, 0), "c": (0, 0, 1)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: orthogonal)
        zero, spread = (segment("a b", "a c", diffusion="l1", zero_rows=each) for each in ("zero", "spread"))
        made = Ebleu(vectors="given", tok="none", diffusion="l1", zero_rows="spread")
        table = made.statistics(load(outputs={"x": ["a b"]}, references=["a c"]), Runtime(threads=1))
    assert zero == pytest.approx(0)  # no bigram is similar to one of the other text
    assert spread == pytest.approx(0)
    assert table[0, 0, 2] == pytest.approx(1 + 0.5)  # "b" is reconstructed from "a" and "c" alike: (1 + 0) / 2


def test_several_references_and_absent_ones(path):
    spec = f"ebleu:vectors={path},tok=none"
    references = {"A": [MAT, None, "dog"], "B": ["the kitty sits on the rug", MAT, None]}
    outputs = ["the kitty sits on the rug", MAT, "dog"]
    both = score(load(outputs={"x": outputs}, references=references), spec, resamples=0)[spec].segments["x"]
    alone = [
        score(load(outputs={"x": outputs}, references={name: column}), spec, resamples=0)[spec].segments["x"]
        for name, column in references.items()
    ]
    np.testing.assert_array_equal(both, np.nanmax(alone, axis=0))


def test_the_sums_of_segments_are_the_corpus(path):
    """Order by order, the corpus score is that of the sums; segments that are too short for an order still count."""
    made = Ebleu(vectors=path, tok="none")
    testset = load(outputs={"x": ["cat", "the dog chased the cat"]}, references=[MAT, MAT])
    table = made.statistics(testset, Runtime(threads=1))
    assert made.columns[:3] == ("output_length", "reference_length", "output_matched_1")
    assert len(made.columns) == 18
    total = table.sum(axis=1)
    assert total[0, :2].tolist() == [6, 12]
    assert made.score(total)[0] < made.score(table[:, 1])[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", ["", ",diffusion=l1,zero_rows=spread,unknown=zero", ",meaning=diagonal,lowercase=no,length=reference"]
)
def test_it_keeps_the_contract(tmp_path, options):
    check_metric(metric.create(f"ebleu:vectors={made_up_vectors.of_sample(tmp_path / 'sample.vec')}{options}"))


@pytest.mark.warns("have no vector in")
def test_words_without_vectors_are_counted(path):
    spec = f"ebleu:vectors={path}"
    run = score(load(outputs={"x": ["the cat plugh", "xyzzy plugh"]}, references=[MAT, "dog plugh"]), spec, resamples=0)
    (note,) = [note for note in run.notes if note.kind is NoteKind.MISSING]
    assert note.count == 4
    assert note.severity == "warning"
    assert note.text == "4 of 13 words (30.8 %) have no vector in small, most often 'plugh', 'xyzzy'"


def test_missing_vectors(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    testset = load(outputs={"x": ["a"]}, references=["a"])
    with pytest.raises(ConfigError, match="the metric ebleu needs word vectors"):
        score(testset, "ebleu")
    with pytest.raises(MissingExtraError, match="word vectors or encoder not found: 'wink-en'") as caught:
        score(testset, "ebleu:vectors=wink-en")
    assert str(tmp_path) in str(caught.value)
    assert caught.value.exit_code == 4


def test_a_text_that_is_too_long(path, monkeypatch):
    monkeypatch.setattr(tokenized_texts, "MAX_TOKENS", 5)
    with pytest.raises(InputError, match=r"line 2 of 'x' is too long for ebleu: 6 tokens, at most 5 are allowed"):
        score(load(outputs={"x": ["a", MAT]}, references=["a", "b"]), f"ebleu:vectors={path}")
    monkeypatch.setattr(sys.modules["assay.study.score"], "KEPT_CELLS", 0)  # a part of the segments at a time
    texts = ["a"] * 9000
    with pytest.raises(InputError, match=r"line 9001 of reference 'ref' is too long"):
        score(
            load(outputs={"x": [*texts, "b"]}, references={"ref": [*texts, MAT]}), f"ebleu:vectors={path}", resamples=0
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("diffusion=l2", "'diffusion=l2' of 'ebleu': expected softmax or l1"),
        ("temperature=0", "temperature must be between 0.01 and 100, not 0"),
        ("weights=uniform", "expected paper, normalised or all-orders"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(f"ebleu:{options}")
    with pytest.raises(ConfigError, match="unknown short 'no'"):
        Ebleu(short="no")
