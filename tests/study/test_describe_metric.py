from __future__ import annotations

import pytest

from assay import describe_metric
from assay.errors import ConfigError


def test_options_as_the_spec_sets_them():
    description = describe_metric("chrf++:beta=3")
    assert description.metric.spec == "chrf:word_order=2"
    assert description.options["word_order"] == "2"
    assert description.options["beta"] == "3"
    assert description.documentation.startswith("F-score")


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
