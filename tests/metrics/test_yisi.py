"""YiSi: runs of the original program on small vectors, and edge cases."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric, tokenized_texts
from assay.metrics.yisi import Yisi
from assay.testing import check_metric
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.metrics import made_up_vectors
from tests.metrics.made_up_vectors import of_encoded
from tests.metrics.test_ebleu import VECTORS

GERMAN = {
    "die": (0.88, 0.12, 0.02, 0.1),
    "katze": (0.12, 0.88, 0.22, 0.02),
    "sass": (0.02, 0.11, 0.91, 0.28),
    "auf": (0.72, 0.02, 0.08, 0.48),
    "der": (0.85, 0.15, 0.0, 0.15),
    "matte": (0.18, 0.42, 0.12, 0.79),
}
OUTPUT = ["the kitty sits on the rug", "the dog chased the cat", "mat the on sat Cat", "unknownword sat"]
REFERENCE = ["the cat sat on the mat", "a dog chased the kitty", "the cat sat on the mat", "the cat sat"]
SOURCE = [
    "die katze sass auf der matte",
    "der hund jagte die katze",
    "die katze sass auf der matte",
    "die katze sass",
]
# What YiSi prints (C++ program, May 2019): options here, scores of the four segments.
GOLDEN = [
    ("yisi-1:n=1,alpha=0.5", (0.997047, 0.874549, 1.0, 0.375043)),
    ("yisi-1:n=1,alpha=0.8", (0.997201, 0.814031, 1.0, 0.427265)),
    ("yisi-1:n=2,alpha=0.5", (0.996786, 0.899395, 0.709527, 0.324524)),
    ("yisi-1:n=2,alpha=0.8", (0.996953, 0.873997, 0.700747, 0.332823)),
    ("yisi-1:n=3,alpha=0.5", (0.997055, 0.898739, 0.676574, 0.324524)),
    ("yisi-1:n=3,alpha=0.8", (0.997221, 0.884578, 0.677542, 0.332823)),
    ("yisi-1:n=1,alpha=0.8,weights=uniform", (0.997336, 0.831275, 1.0, 0.459526)),
    ("yisi:similarity=exact,n=1,alpha=0.8", (0.437024, 0.599411, 0.831404, 0.341804)),
    ("yisi-0:n=1,alpha=0.8", (0.595083, 0.756659, 0.943833, 0.551836)),
    ("yisi-0:n=3,alpha=0.8", (0.5803, 0.797838, 0.661794, 0.401254)),
    ("yisi-2:n=1,alpha=0.8", (0.997235, 0.509152, 0.998819, 0.483859)),
    ("yisi-2:n=3,alpha=0.8", (0.997064, 0.325468, 0.690882, 0.373958)),
]


@pytest.fixture
def english(tmp_path):
    return made_up_vectors.write(tmp_path / "en.vec", VECTORS)


@pytest.fixture
def german(tmp_path):
    return made_up_vectors.write(tmp_path / "de.vec", GERMAN)


def segments(spec, outputs=OUTPUT, references=REFERENCE, **texts):
    texts |= {} if references is None else {"references": references}
    run = score(load(outputs={"x": outputs}, **texts), spec, resamples=0)
    return run[next(iter(run))].segments["x"]


@pytest.mark.filterwarnings("ignore:.*(compared with the source):assay.AssayWarning")
@pytest.mark.parametrize(("spec", "expected"), GOLDEN)
def test_runs_of_the_original(spec, expected, english, german):
    full = f"{spec},tok=none"
    if spec.startswith(("yisi-1", "yisi-2")):
        full += f",vectors={english}"
    if spec.startswith("yisi-2"):
        full += f",source_vectors={german},source_tok=none"
    np.testing.assert_allclose(segments(full, sources=SOURCE), expected, atol=5.1e-7)


def test_defaults_are_three_words_and_mostly_recall():
    assert metric.create("yisi-1:n=3,alpha=0.8") == metric.create("yisi-1") == metric.create("yisi") == Yisi()
    assert metric.create("yisi-2").needs == {"source"}
    assert metric.create("yisi-0").needs == {"reference"}
    assert metric.spec(metric.create("yisi:similarity=lcs,n=1")) == "yisi-0:n=1"


def test_several_references_precision_and_recall_each_from_the_best():
    """The first reference has all words of the output, the output all words of the second."""
    references = {"A": ["aa bb cc dd"], "B": ["aa"]}
    spec = "yisi:similarity=exact,n=1,weights=uniform,alpha=0.5"
    assert segments(spec, ["aa bb"], references)[0] == pytest.approx(1)
    assert segments(spec, ["aa bb"], references["A"])[0] == pytest.approx(2 / 3, abs=1e-5)
    assert segments(spec, ["aa bb"], {"A": [None], "B": ["aa"]})[0] == pytest.approx(2 / 3, abs=1e-5)


def test_empty_texts():
    """An output without words scores 0; without words in the reference there is no score."""
    run = score(load(outputs={"x": ["", "a", "a", ""]}, references=["a", "", "a", ""]), "yisi-0", resamples=0)["yisi-0"]
    np.testing.assert_array_equal(run.segments["x"], [0, np.nan, 1, np.nan])
    assert run.segment_mean["x"] == run.corpus["x"] == 0.5
    assert run.segment_mean.estimate("x").n == 2


def test_words_weigh_by_how_few_references_have_them():
    """ "the" is in all three references, "cat" in one: log2(1 + 4/4) = 1 and log2(1 + 4/2) bits."""
    references = ["the cat", "the dog", "the bird"]
    found = segments("yisi:similarity=exact,n=1,alpha=1", ["the xx", "yy dog", "the bird"], references)
    cat, the = np.log2(3), 1.0
    assert found[0] == pytest.approx((the + cat * 1e-5) / (the + cat), rel=1e-9)
    assert found[1] == pytest.approx((the * 1e-5 + cat) / (the + cat), rel=1e-9)
    assert found[2] == 1


def test_weights_are_of_the_whole_test_set_and_in_the_signature():
    testset = load(outputs={"x": OUTPUT, "y": OUTPUT[::-1]}, references=REFERENCE, sources=SOURCE)
    for spec in ("yisi-0", "yisi-0:weights=own"):
        fitted = metric.create(spec).prepare(testset)
        whole = fitted.statistics(testset, Runtime(threads=1))
        np.testing.assert_array_equal(fitted.statistics(testset.take([1, 3]), Runtime(threads=1)), whole[:, [1, 3]])
        assert "idf" in fitted.resources
        np.testing.assert_array_equal(metric.create(spec).statistics(testset, Runtime(threads=1)), whole)
    assert "idf" not in metric.create("yisi-0:weights=uniform").prepare(testset).resources


def test_weights_of_a_system_that_was_not_fitted_are_of_the_whole_test_set(monkeypatch):
    """They were once those of a block of segments."""
    prepared = metric.create("yisi-0:weights=own").prepare(load(outputs={"x": OUTPUT}, references=REFERENCE))
    both = load(outputs={"y": OUTPUT}, references={"A": REFERENCE, "B": REFERENCE})
    whole = prepared.statistics(both, Runtime(threads=1))
    monkeypatch.setattr("assay.metrics.references._MIN_SEGMENTS", 1)
    monkeypatch.setattr("assay.metrics.references._BLOCK_CELLS", 1)
    np.testing.assert_array_equal(prepared.statistics(both, Runtime(threads=1)), whole)


def test_the_digest_covers_the_outputs_that_weights_are_fitted_on():
    def digest(spec, outputs):
        return metric.create(spec).prepare(load(outputs=outputs, references=REFERENCE)).resources["idf"]

    one, other = {"x": OUTPUT, "y": REFERENCE}, {"x": OUTPUT, "y": OUTPUT[::-1]}
    assert digest("yisi-0", one) == digest("yisi-0", other)
    assert digest("yisi-0:weights=own", one) != digest("yisi-0:weights=own", {"x": OUTPUT, "y": ["a", *OUTPUT[1:]]})
    renamed = {"b": OUTPUT, "a": REFERENCE}
    assert digest("yisi-0:weights=own", one) == digest("yisi-0:weights=own", renamed)


@pytest.mark.warns("compared with the source")
def test_scores_against_the_source_come_with_a_warning():
    testset = load(outputs={"x": OUTPUT}, references=REFERENCE, sources=SOURCE)

    def warned(spec):
        return [note.kind for note in score(testset, spec, resamples=0).notes if note.severity == "warning"]

    assert warned("yisi:similarity=lcs,against=source") == [NoteKind.ADVICE]
    assert warned("yisi-0") == []


def test_own_weights_do_not_depend_on_other_systems():
    spec = "yisi-0:weights=own"
    both = score(load(outputs={"x": OUTPUT, "y": REFERENCE}, references=REFERENCE), spec, resamples=0)[spec]
    np.testing.assert_array_equal(both.segments["x"], segments(spec))


@pytest.mark.warns("have no vector in|compared with the source")
def test_equal_words_of_two_languages_count_if_one_has_no_vector(english, german):
    spec = f"yisi-2:vectors={english},source_vectors={german},n=1,weights=uniform"
    found = segments(spec, ["Berlin", "sat"], None, sources=["berlin", "sat"])
    assert found.tolist() == [1, 1]
    made_up_vectors.write(Path(german), {**GERMAN, "sat": (1, 0, 0, 0)})
    assert segments(spec, ["sat"], None, sources=["sat"])[0] < 0.2


def test_what_the_scores_depend_on(english, german):
    testset = load(outputs={"x": OUTPUT}, sources=SOURCE, lp="de-en")
    made = metric.create(f"yisi-2:vectors={english},source_vectors={german},source_tok=moses-de")
    pytest.importorskip("sacremoses")
    assert set(made.prepare(testset).resources) == {"idf", "vectors", "source_vectors", "source_moses"}
    assert metric.create("yisi-2:similarity=lcs").prepare(testset).source_tok == "13a"


def test_vectors_of_two_lengths(english, tmp_path):
    short = made_up_vectors.write(tmp_path / "short.vec", {"a": (1, 2)})
    with pytest.raises(InputError, match="vectors of 4 and of 2 dimensions cannot be compared"):
        segments(f"yisi-2:vectors={short},source_vectors={english}", ["a"], None, sources=["the"])


def test_a_text_that_is_too_long(monkeypatch):
    monkeypatch.setattr(tokenized_texts, "MAX_TOKENS", 2)
    with pytest.raises(InputError, match=r"line 1 of 'x' is too long for yisi"):
        score(load(outputs={"x": ["a b c"]}, references={"ref": ["a"]}), "yisi-0")
    with pytest.raises(InputError, match=r"line 1 of the source is too long for yisi"):
        score(load(outputs={"x": ["a"]}, sources=["a b c"]), "yisi-2:similarity=lcs")


def test_tokens_of_an_encoder_are_compared_by_their_vectors_alone(monkeypatch):
    """The same piece with another vector is not equal."""
    rows = {"one": [1.0, 0.0], "two": [0.6, 0.8]}

    class Encoder(made_up_vectors.ExactVectors):
        is_contextual = True

        def embed(self, columns, runtime):
            return of_encoded([[(["same"], np.array([rows[text]], dtype=np.float32)) for text in c] for c in columns])

    encoder = Encoder({"same": (0, 0)})
    monkeypatch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: encoder)
    made = Yisi(vectors="given", weights="uniform")
    table = made.statistics(load(outputs={"x": ["one", "two"]}, references=["two", "two"]), Runtime(threads=1))
    np.testing.assert_allclose(table[0, :, 0], [0.6, 1], atol=1e-6)


@pytest.mark.warns("have no vector in|compared with the source")
def test_notes_on_words_without_vectors(english, german):
    run = score(
        load(outputs={"x": ["the xyzzy"]}, sources=["die plugh plugh"]),
        f"yisi-2:vectors={english},source_vectors={german}",
        resamples=0,
    )
    notes = [note.text for note in run.notes if note.kind is NoteKind.MISSING]
    assert notes == [
        "2 of 3 words of the source (66.7 %) have no vector in de, most often 'plugh'",
        "1 of 2 words of the outputs (50.0 %) have no vector in en, most often 'xyzzy'",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["yisi-0", "yisi-0:n=1,weights=own", "yisi:similarity=exact", "yisi-1", "yisi-1:weights=uniform", "yisi-2"]
)
def test_it_keeps_the_contract(tmp_path, spec):
    if spec.startswith(("yisi-1", "yisi-2")):
        spec += f"{',' if ':' in spec else ':'}vectors={made_up_vectors.of_sample(tmp_path / 'sample.vec')}"
    check_metric(metric.create(spec))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("yisi:n=0", "n must be between 1 and 100, not 0"),
        ("yisi:alpha=2", "alpha must be between 0 and 1, not 2"),
        ("yisi:weights=idf", "expected auto, reference, own or uniform"),
        ("yisi-0:vectors=wink-en", "takes no vectors"),
        ("yisi-1:vectors=x,source_tok=char", "source_vectors and source_tok require against=source"),
        ("yisi-2:source_tok=13b", "unknown tokeniser '13b'"),
        ("yisi-2:weights=reference", "weights=reference needs against=reference"),
    ],
)
def test_wrong_options(spec, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(spec)


def test_missing_vectors():
    with pytest.raises(ConfigError, match="the metric yisi needs word vectors"):
        segments("yisi-1")


@pytest.mark.warns("compared with the source")
def test_sources_have_a_tokeniser_of_their_own_without_vectors_too():
    testset = load(outputs={"x": ["ab cd"]}, sources=["a b c d"], references=["x"])
    values = {}
    for tok in ("none", "char"):
        spec = f"yisi-0:against=source,tok=char,source_tok={tok}"
        values[tok] = score(testset, spec, resamples=0)[spec].headline["x"]
    assert values["char"] == pytest.approx(1)
    spec = "yisi-0:against=source,tok=none,source_tok=char"
    assert score(testset, spec, resamples=0)[spec].headline["x"] < 1
