"""BERTScore: the mathematics of the package bert-score on given vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay import _core, load, score
from assay.errors import ConfigError, InputError, MissingExtraError
from assay.metrics import metric
from assay.metrics.bertscore import Bertscore, read_baseline
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.testing import check_metric
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests.metrics import made_up_vectors
from tests.metrics.made_up_vectors import of_encoded

# Unit vectors, and what greedy matching (bert-score 0.3.13) gives for them.
HYP = {"h1": (1.0, 0.0, 0.0), "h2": (0.6, 0.8, 0.0), "h3": (0.0, 0.0, 1.0)}
REF = {"r1": (0.8, 0.6, 0.0), "r2": (0.0, 0.6, 0.8)}
PLAIN = {"precision": 0.8533333333333334, "recall": 0.88, "f1": 0.8664615384615384}
WEIGHTED = (0.8914285714285715, 0.8400000000000001)
RESCALED = {"precision": 0.2666666666666667, "recall": 0.3999999999999998, "f1": 0.33230769230769175}


@pytest.fixture
def vectors(monkeypatch):
    made = made_up_vectors.ExactVectors({**HYP, **REF})
    monkeypatch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: made)
    return made


class Encoder(made_up_vectors.ExactVectors):
    """Tokens with special ones of start and end, whose vectors are those of words."""

    is_contextual = True
    special_tokens = frozenset({"<s>", "</s>"})

    def embed(self, columns, runtime):
        return of_encoded([[None if text is None else self._encoded(text) for text in column] for column in columns])

    def tokenize(self, columns):
        return self.embed(columns, None).texts

    def _encoded(self, text):
        tokens = ["<s>", *text.split(), "</s>"]
        return tokens, np.array([self.vectors[token] for token in tokens])


def table(outputs, references, **options):
    made = Bertscore(vectors="given", tok="none", **options)
    testset = load(outputs={"x": outputs}, references=references)
    return made.statistics(testset, Runtime(threads=1))[0]


@pytest.mark.usefixtures("vectors")
@pytest.mark.parametrize("value", PLAIN)
def test_precision_recall_and_f1(value, tmp_path):
    made = Bertscore(vectors="given", tok="none", value=value)
    totals = made.statistics(load(outputs={"x": ["h1 h2 h3"]}, references=["r1 r2"]), Runtime(threads=1))
    assert made.score(totals)[0, 0] == pytest.approx(PLAIN[value], abs=1e-12)
    (tmp_path / "baseline.tsv").write_text("LAYER,P,R,F\n0,0.8,0.8,0.8\n")
    rescaled = Bertscore(vectors="given", tok="none", value=value, baseline=str(tmp_path / "baseline.tsv"))
    assert rescaled.score(totals)[0, 0] == pytest.approx(RESCALED[value], abs=1e-12)


def test_weights():
    words = [*HYP, *REF]
    vectors = _core.VectorTable(np.array([*HYP.values(), *REF.values()]), np.arange(5, dtype=np.int32))
    rows = (np.array([0, 1, 2], dtype=np.int32), np.array([3, 4], dtype=np.int32))
    starts = (np.array([0, 3]), np.array([0, 2]))
    texts = TokenizedTexts(words, rows, starts, (np.array([True]), np.array([True])))
    weights = np.array([0.5, 2, 1, 1, 3])
    found = _core.bertscore_statistics((texts.column(1, weights),), (texts.column(0, weights),), vectors, 1)
    np.testing.assert_allclose(found[0, 0, 0], WEIGHTED, rtol=1e-14)


@pytest.mark.usefixtures("vectors")
def test_rare_tokens_weigh_more():
    """ln((M + 1) / (df + 1)) over references: ln(3/3) for what both have, ln(3/2) for the rest, ln 3 for the unseen."""
    references = ["r1 r2", "r1 h3"]
    row = table(["h1 r1 r2", "h3"], references, idf=True)[0]
    unseen, rare = math.log(3), math.log(1.5)
    assert row[0] == pytest.approx((unseen * 0.8 + rare * 1) / (unseen + rare))
    assert row[1] == pytest.approx(1)
    signature = metric.create("bertscore:vectors=x,idf=yes")
    assert signature.idf


@pytest.mark.usefixtures("vectors")
def test_without_weights_there_is_no_score():
    """All words of the only reference have the weight ln(2/2) = 0."""
    assert table(["r1 r2"], ["r1 r2"], idf=True).tolist() == [[0, 0, 0, 0]]


@pytest.mark.usefixtures("vectors")
def test_empty_texts():
    """As in bert-score, an empty output scores 0. Without tokens in the reference there is no score."""
    rows = table(["", "h1", "", "h1"], ["r1", "", "", "h1"])
    np.testing.assert_allclose(rows, [[0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])


@pytest.mark.usefixtures("vectors")
def test_each_value_is_the_best_over_the_references():
    references = {"A": ["h1 h2 r2"], "B": ["h1"], "C": [None]}
    best = table(["h1 r2"], references)[0]
    alone = np.array([table(["h1 r2"], references[name])[0] for name in "AB"])
    np.testing.assert_array_equal(best, alone.max(axis=0))
    assert best[0] > alone[1, 0]
    assert best[1] > alone[0, 1]


def test_marks_of_start_and_end_weigh_nothing_but_can_be_partners(monkeypatch):
    """ "h3" is most similar to the mark of the end of the reference."""
    encoder = Encoder({**HYP, **REF, "<s>": (0, 1, 0), "</s>": (0, 0, 1)})
    monkeypatch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: encoder)
    row = table(["h1 h3"], ["r1 r2"])[0]
    assert row[0] == pytest.approx((0.8 + 1.0) / 2)
    assert row[1] == pytest.approx((0.8 + 0.8) / 2)
    assert table([""], ["r1"])[0].tolist() == [0, 0, 0, 1]
    assert table(["h1"], [""])[0].tolist() == [0, 0, 0, 0]
    weighted = table(["h1 h3", "r1"], ["r1 r2", "r1"], idf=True)  # special tokens are in all references
    assert weighted[0, 0] == pytest.approx((0.8 + 1.0) / 2)


def test_negative_cosines_count(monkeypatch):
    opposite = made_up_vectors.ExactVectors({"a": (1, 0), "b": (-1, 0)})
    monkeypatch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: opposite)
    assert table(["a"], ["b"])[0].tolist() == [-1, -1, -1, 1]


@pytest.mark.usefixtures("vectors")
def test_one_corpus_score_the_mean():
    made = Bertscore(vectors="given", tok="none")
    totals = made.statistics(load(outputs={"x": ["h1", "h1 h2 h3"]}, references=["h1", "r1 r2"]), Runtime(threads=1))
    assert made.score(totals.sum(axis=1))[0] == pytest.approx((1 + PLAIN["f1"]) / 2)


def test_a_file(tmp_path):
    path = made_up_vectors.write(tmp_path / "unit.vec", {**HYP, **REF})
    baseline = tmp_path / "baseline.csv"
    baseline.write_text("LAYER,P,R,F\n9,0.8,0.8,0.8\n")
    spec = f"bertscore:vectors={path},idf=no,baseline={baseline},tok=none"
    run = score(load(outputs={"x": ["h1 h2 h3"]}, references=["r1 r2"]), spec, resamples=0)
    scores = run[next(iter(run))]
    assert scores.segment_mean["x"] == pytest.approx(RESCALED["f1"], abs=1e-6)
    assert "baseline.digest:sha256-" in str(scores.signature)


def test_the_baseline_is_read_once(tmp_path, monkeypatch):
    path = made_up_vectors.write(tmp_path / "unit.vec", {**HYP, **REF})
    baseline = tmp_path / "baseline.csv"
    baseline.write_text("LAYER,P,R,F\n9,0.8,0.8,0.8\n")
    read = []
    monkeypatch.setattr(
        "assay.metrics.bertscore.read_baseline", lambda *given: read.append(given) or read_baseline(*given)
    )
    run = score(
        load(outputs={"x": ["h1 h2 h3"] * 3}, references=["r1 r2"] * 3),
        f"bertscore:vectors={path},baseline={baseline},tok=none",
        resamples=10,
    )
    assert run[next(iter(run))].segment_mean["x"] == pytest.approx(RESCALED["f1"], abs=1e-6)
    assert len(read) == 1


@pytest.mark.parametrize(
    ("text", "layer", "message"),
    [
        ("P,R,F\n0,1,2\n", None, "line 1: a baseline file starts with the line LAYER,P,R,F"),
        ("", None, "starts with the line"),
        ("LAYER,P,R,F\n0,.1,.1,.1\n1,.2,.2,.2\n", None, "must have one row, but it has 2"),
        ("LAYER,P,R,F\n0,.1,.1,.1\n", 3, "must have one row for layer 3, but it has 0"),
        ("LAYER,P,R,F\n0,.1,.1\n", 0, "line 2: a row must have a layer and three numbers"),
        ("LAYER,P,R,F\n0,.1,.1,1\n", 0, "line 2: baselines must be below 1"),
        ("LAYER,P,R,F\n\n\n0,.1,.1,1\n", 0, "line 4: baselines must be below 1"),
        (
            "LAYER,P,R,F\n0,.1,.1,.1\n1,.1,.1,.1\n0,.2,.2,.2\n",
            0,
            "line 4: .* must have one row for layer 0, but it has 2",
        ),
    ],
)
def test_baseline_files_that_cannot_be_used(tmp_path, text, layer, message):
    (tmp_path / "baseline.tsv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_baseline(tmp_path / "baseline.tsv", layer)


def test_the_row_of_a_layer(tmp_path):
    (tmp_path / "baseline.tsv").write_text("LAYER\tP\tR\tF\n0\t.1\t.2\t.3\n1\t.4\t.5\t.6\n")
    assert read_baseline(tmp_path / "baseline.tsv", 1) == (0.4, 0.5, 0.6)


@pytest.mark.usefixtures("vectors")
def test_missing_files():
    testset = load(outputs={"x": ["h1"]}, references=["h1"])
    with pytest.raises(MissingExtraError, match=r"baseline file not found: 'nowhere\.tsv'"):
        Bertscore(vectors="given", baseline="nowhere.tsv").prepare(testset)
    with pytest.raises(ConfigError, match="the metric bertscore needs word vectors"):
        score(testset, "bertscore")


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", ",idf=yes", ",value=recall,lowercase=yes"])
def test_it_keeps_the_contract(tmp_path, options):
    check_metric(metric.create(f"bertscore:vectors={made_up_vectors.of_sample(tmp_path / 'sample.vec')}{options}"))


def test_wrong_options():
    with pytest.raises(ConfigError, match="expected f1, precision or recall"):
        metric.create("bertscore:value=f")


def test_undefined_segments_do_not_count(tmp_path):
    path = made_up_vectors.write(tmp_path / "tiny.vec", {**HYP, **REF})
    testset = load(outputs={"x": ["h1", "h2", "h1"], "y": ["h1", "h1", "h1"]}, references=["r1", "", "r2"])
    run = score(testset, Bertscore(vectors=path, tok="none"), resamples=0)
    (scores,) = run.metrics.values()
    assert {estimate.n for each in scores.aggregations.values() for estimate in each.estimates.values()} == {2}
    (note,) = (note for note in run.notes if note.kind in (NoteKind.EXCLUDED, NoteKind.UNDEFINED))
    assert note.text == (f"excluded 1 of 3 segments, which lack a defined value ({Bertscore.undefined}) for x, y")
    reason = f"a text is missing, or {Bertscore.undefined}"
    assert [record.estimate.reason for record in scores.segment_records()] == [None, reason, None] * 2
    assert run.to_dict(segments=True)["segment_scores"][0]["reasons"] == {"2": reason}


def test_equal_texts_score_one_at_most(tmp_path):
    """The cosine of a vector with itself may round to more than 1."""
    words = [f"w{i}" for i in range(200)]
    path = made_up_vectors.write(tmp_path / "many.vec", made_up_vectors.of_words(words, dimension=31))
    testset = load(outputs={"x": words}, references=words)
    (scores,) = score(testset, f"bertscore:vectors={path},tok=none", resamples=0).metrics.values()
    assert scores.segments["x"].max() <= 1
    assert scores.segments["x"].min() == pytest.approx(1)
