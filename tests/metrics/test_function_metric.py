from __future__ import annotations

import math

import pytest

import assay
from assay.errors import ConfigError, PluginError
from assay.metrics import from_function, metric
from assay.testing import check_metric


@pytest.fixture(autouse=True)
def _registry(monkeypatch):
    """What a test registers does not stay."""
    metric.names()  # imports all of them
    monkeypatch.setattr(metric, "_types", dict(metric._types))


def overlap(output: str, reference: str, n: int = 1) -> float:
    """Dice coefficient of the sets of n-grams of characters, in per cent."""
    a, b = ({text[i : i + n] for i in range(len(text) - n + 1)} for text in (output, reference))
    return 200 * len(a & b) / (len(a) + len(b)) if a or b else 100.0


def test_a_function_becomes_a_metric():
    created = from_function(overlap, name="char-overlap")
    check_metric(created)
    assert metric.spec(created) == "char-overlap"
    assert metric.create("char-overlap:n=2").n == 2
    assert (created.needs, created.default_aggregation) == (frozenset({"reference"}), "segment")
    testset = assay.load(outputs={"x": ["ab", None]}, references={"A": ["cd", "e"], "B": ["ax", "e"]})
    run = assay.score(testset, [created, "char-overlap:n=2"], resamples=0)
    assert run["char-overlap"].segments["x"][0] == 50  # the better reference
    assert math.isnan(run["char-overlap"].segments["x"][1])
    assert run["char-overlap:n=2"].segment_mean["x"] == 0


def test_lower_is_better_and_the_worst_reference_does_not_count():
    def difference(hyp, ref):
        return abs(len(hyp) - len(ref)) + (hyp != ref)

    created = from_function(difference, higher_is_better=False)
    check_metric(created)
    testset = assay.load(outputs={"x": ["abc"]}, references={"A": ["abcdefg"], "B": ["abc"]})
    assert assay.score(testset, created, resamples=0)["difference"].segment_mean["x"] == 0
    assert not created.higher_is_better


def test_what_a_function_needs():
    assert from_function(lambda output: 1.0, name="one").needs == frozenset()
    assert from_function(lambda output, source: 1.0, name="two").needs == {"source"}
    assert from_function(lambda output, reference, source: 1.0, name="three").texts == ("output", "reference", "source")
    assert from_function(lambda o, s, r: 1.0, name="four", needs=("source", "reference")).texts == (
        "output",
        "source",
        "reference",
    )
    assert from_function(lambda o, s: 1.0, name="five", needs="source").needs == {"source"}
    testset = assay.load(outputs=["abc"], references=["ab"], sources=["a"])
    lengths = from_function(
        lambda o, s, r: len(o) * 100 + len(s) * 10 + len(r), name="six", needs=("source", "reference")
    )
    assert assay.score(testset, lengths, resamples=0)["six"].segment_mean["output"] == 312


@pytest.mark.parametrize("function", [lambda: 1, lambda a, b, c, d: 1])
def test_functions_of_no_or_too_many_texts(function):
    with pytest.raises(ConfigError, match=r"takes (\d|no) texts"):
        from_function(function, name="wrong")


def test_needs_that_do_not_fit():
    with pytest.raises(ConfigError, match="takes 2 texts, but an output and reference, source are given"):
        from_function(lambda a, b: 1, name="wrong", needs=("reference", "source"))


@pytest.mark.parametrize("value", [None, "1", float("inf"), float("nan")])
def test_values_that_are_not_numbers_are_named(value):
    created = from_function(lambda output, reference: value, name="wrong-value")
    testset = assay.load(outputs={"x": ["a"]}, references=["a"])
    with pytest.raises(
        PluginError, match=f"the metric 'wrong-value' is faulty: it returned {value!r} for segment 1 of x"
    ):
        assay.score(testset, created, resamples=0)


def test_texts_go_where_the_names_of_parameters_say():
    testset = assay.load(outputs={"x": ["output"]}, references={"A": ["r"]}, sources=["so"])
    for number, function in enumerate(
        [
            lambda reference, output: len(output) - len(reference),
            lambda ref, hyp: len(hyp) - len(ref),
            lambda src, reference, mt: len(mt) - len(reference),
        ]
    ):
        created = from_function(function, name=f"named{number}")
        assert assay.score(testset, [created], resamples=0)[f"named{number}"].segments["x"][0] == 5


@pytest.mark.parametrize(
    "function", [lambda reference: 1.0, lambda reference, source: 1.0, lambda output, hypothesis: 1.0]
)
def test_names_that_contradict_each_other(function):
    with pytest.raises(ConfigError, match="not one output and other texts"):
        from_function(function, name="odd")


def test_a_function_in_a_file_says_that_lower_is_better(tmp_path, monkeypatch):
    metric.names()  # imports all of them
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    path = tmp_path / "my.py"
    code = "def f(output): return len(output)\nf.higher_is_better = "
    path.write_text(code + "False\n")
    assert metric.create(f"{path}:f").higher_is_better is False
    path.write_text(code + "'no'\n")
    with pytest.raises(PluginError, match="higher_is_better is 'no', not True or False"):
        metric.create(f"{path}:f")
