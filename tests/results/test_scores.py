from __future__ import annotations

import dataclasses
import json
import math
import pickle

import pytest

from assay import load, score
from assay.errors import ConfigError
from assay.results import SCHEMA_VERSION, Disagreement, Estimate
from assay.results.result import Tabular


@pytest.fixture(scope="module")
def run():
    testset = load(
        outputs={"a": ["x y z w", "p"], "<b>": ["x y z w v u t s", "q r"]},
        references=["x y z w v", "p q"],
        domains=["m", "n"],
    )
    return score(testset, ["bleu", "chrf:word_order=2"], by="domain", resamples=50)


def test_access_by_any_spec_that_was_asked(run):
    assert run["chrf++"] is run["chrf:word_order=2"]
    assert list(run) == ["bleu", "chrf++"]
    with pytest.raises(ConfigError, match="'ter' was not scored"):
        run["ter"]


def test_scores_are_mappings(run):
    corpus = run["bleu"].corpus
    assert set(corpus) == {"a", "<b>"}
    assert corpus["a"] == corpus.estimate("a").value
    with pytest.raises(ConfigError, match=r"no system is called 'c'"):
        corpus["c"]
    assert "c" not in corpus
    assert corpus.get("c") is None


def test_an_aggregation_that_was_not_asked_for():
    run = score(load(outputs={"x": ["a"]}, references=["a"]), "bleu", agg="segment", resamples=0)
    assert run["bleu"].headline.aggregation == "segment"
    assert run["bleu"].disagreement is None
    with pytest.raises(ConfigError, match="the corpus aggregation was not computed"):
        _ = run["bleu"].corpus


def test_disagreement(run):
    found = run["bleu"].disagreement
    corpus, segment = run["bleu"].corpus, run["bleu"].segment_mean
    assert found.largest == max(abs(corpus[s] - segment[s]) for s in corpus)
    assert found.pairs == 1
    flipped = (corpus["a"] - corpus["<b>"]) * (segment["a"] - segment["<b>"]) < 0
    assert found.flips == ((("a", "<b>"),) if flipped else ())


def test_to_dict_is_json_without_nan(run):
    document = run.to_dict(segments=True)
    text = json.dumps(document, allow_nan=False)
    assert json.loads(text)["version"] == SCHEMA_VERSION
    assert set(document["rows"][0]) == {
        *("system", "metric", "signature", "aggregation", "group"),
        *("value", "reason", "low", "high", "standard_error", "standard_deviation", "n"),
    }
    assert {row["group"] for row in document["rows"]} == {None, "domain:m", "domain:n"}
    assert len(document["segment_scores"]) == 4
    json.dumps(run["bleu"].to_dict(), allow_nan=False)
    json.dumps(run["bleu"].corpus.to_dict(), allow_nan=False)
    assert Disagreement(math.nan, "", (), 0).to_dict()["largest"] is None


def test_html_is_escaped(run):
    for shown in (run, run["bleu"], run["bleu"].corpus):
        text = Tabular._repr_html_(shown)
        assert "&lt;b&gt;" in text
        assert "<b>" not in text


def test_representations_are_short(run):
    assert repr(run) == "Run(2 segments; a, <b>; bleu, chrf++)"
    assert repr(run["bleu"].corpus).startswith("Scores(corpus: a ")
    assert repr(run["bleu"].groups[0]).startswith("Scores(corpus of domain:m: a ")
    assert repr(run["bleu"]).startswith("MetricScores(bleu: Scores(corpus: a ")
    assert repr(run["bleu"].statistics).startswith("Statistics(2 systems, 2 segments, 10 columns: output_length, ")


def test_results_are_frozen(run):
    with pytest.raises(dataclasses.FrozenInstanceError):
        run.notes = ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        Estimate(1.0, 1).value = 2.0
    for mapping in (run.metrics, run["bleu"].segments, run["bleu"].aggregations, run["bleu"].corpus.estimates):
        with pytest.raises(TypeError):
            mapping["a"] = 1
    assert run == run
    assert run["bleu"] != run["chrf++"]


def test_results_can_be_pickled(run):
    again = pickle.loads(pickle.dumps(run))
    assert again.to_dict(segments=True) == run.to_dict(segments=True)


def test_the_json_of_a_run_identifies_its_texts():
    texts = {"outputs": {"x": ["a b", "c d"]}, "lp": "en-de"}
    tree = score(load(references={"refA": ["a b", "c"]}, **texts), "bleu", resamples=0).to_dict()
    other = score(load(references={"refB": ["a b", "c d"]}, **texts), "bleu", resamples=0).to_dict()
    assert tree["signature"] == other["signature"]
    assert (tree["inputs"]["references"], other["inputs"]["references"]) == (["refA"], ["refB"])
    assert tree["inputs"]["fingerprint"] != other["inputs"]["fingerprint"]
    assert tree["inputs"]["digests"]["output 'x'"] == other["inputs"]["digests"]["output 'x'"]


def test_corpus_and_segment_scores_that_differ_by_rounding_are_the_same(run):
    metric = run["chrf++"]
    noisy = {name: dataclasses.replace(e, value=e.value * (1 + 2e-16)) for name, e in metric.corpus.estimates.items()}
    segment = dataclasses.replace(metric.corpus, aggregation="segment", estimates=noisy)
    found = dataclasses.replace(metric, aggregations={"corpus": metric.corpus, "segment": segment}).disagreement
    assert segment != metric.corpus
    assert (found.largest, found.flips) == (0.0, ())


def test_segments_without_a_score_have_a_reason():
    testset = load(outputs={"x": ["a", None, "a"]}, references=["", "a", "a"])
    scores = score(testset, "wer", resamples=0)["wer"]
    assert scores.segment_reasons("x") == {1: "the references are empty", 2: "a text is missing"}
    reasons = [record.estimate.reason for record in scores.segment_records()]
    assert reasons == ["the references are empty", "a text is missing", None]
