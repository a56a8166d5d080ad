from __future__ import annotations

import json

import pytest

from assay import describe_metric
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.metrics.lexical import Lexical
from assay.results.result import digest_of_tree


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))  # what a test registers does not stay


def test_options_as_the_spec_sets_them():
    description = describe_metric("chrf++:beta=3")
    assert description.metric.spec == "chrf:word_order=2"
    assert description.options["word_order"] == "2"
    assert description.options["beta"] == "3"
    assert description.documentation.startswith("F-score")


def test_sentences_on_a_trained_metric_follow_from_its_numbers(tmp_path):
    """The digest does not cover the sentences in the file, so that anyone could have written them."""
    tree = {**Lexical.trained().tree, "verdict": ["This metric is better than every other metric."]}
    (tmp_path / "mine.json").write_text(json.dumps(tree), encoding="utf-8")
    shown = describe_metric(f"{tmp_path}/mine.json").documentation
    assert "better than every other" not in shown
    assert "This metric is not shown to be better than its best single feature, chrf++ (other test sets)" in shown
    assert shown.splitlines()[2:] == describe_metric("lexical").documentation.splitlines()[2:]


def test_an_evaluation_that_cannot_be_read_is_refused(tmp_path):
    tree = {key: value for key, value in Lexical.trained().tree.items() if key not in ("digest", "held_out")}
    (tmp_path / "mine.json").write_text(json.dumps({**tree, "digest": digest_of_tree(tree)}), encoding="utf-8")
    with pytest.raises(InputError, match="does not say what it was trained on, or how it was evaluated"):
        describe_metric(f"{tmp_path}/mine.json")


def test_unknown():
    with pytest.raises(ConfigError, match="unknown metric 'blue'"):
        describe_metric("blue")


def test_options_that_depend_on_the_flavour():
    options = describe_metric("bleu").options
    assert {name for name, value in options.items() if value == "by flavour"} == {
        "lowercase",
        "smooth_value",
        "percent",
    }
    assert describe_metric("bleu:percent=no,smooth=none").options["smooth"] == "none"
    assert describe_metric("wer").options["tok"] == "none"


def test_tokenisers_are_listed():
    documentation = describe_metric("bleu").documentation
    assert "Tokenisers: 13a, char, " in documentation
    assert "moses-LANG" in documentation
    assert "moses-te" not in documentation
    assert "Tokenisers" not in describe_metric("chrf").documentation


def test_what_is_fitted_is_not_an_option():
    assert not {"frequencies", "baselines"} & describe_metric("bertscore").options.keys()
