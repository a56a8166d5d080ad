from __future__ import annotations

import math
import re

import pytest

import assay
from assay.errors import ConfigError, PluginError
from assay.metrics import from_function, metric, with_lower_is_better
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


def test_functions_of_no_or_too_many_texts():
    with pytest.raises(ConfigError, match="'wrong' takes 4 texts"):
        from_function(lambda a, b, c, d: 1, name="wrong")
    with pytest.raises(ConfigError, match="'wrong' needs a parameter for the output; it has no parameters"):
        from_function(lambda: 1, name="wrong")


def test_needs_that_do_not_fit():
    with pytest.raises(ConfigError, match="takes 2 texts, but an output and reference, source are given"):
        from_function(lambda a, b: 1, name="wrong", needs=("reference", "source"))


@pytest.mark.parametrize("value", [None, "1", float("inf")])
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
    ("function", "message"),
    [
        (lambda reference: 1.0, "needs a parameter for the output; it has reference$"),
        (lambda reference, source: 1.0, "needs a parameter for the output; it has reference, source$"),
        (lambda output, hypothesis: 1.0, "has two parameters for the same text: output, hypothesis$"),
    ],
)
def test_names_that_contradict_each_other(function, message):
    with pytest.raises(ConfigError) as caught:
        from_function(function, name="odd")
    assert re.search(message, caught.value.message)


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


def cost(output: str, reference: str) -> float:
    return abs(len(output) - len(reference))


def test_the_direction_is_in_the_signature_and_an_assumed_one_is_noted():
    testset = assay.load(outputs={"x": ["abc"], "y": ["a"]}, references=["abc"])
    assumed = assay.score(testset, from_function(cost), resamples=0)
    assert "|better:assumed-higher|" in str(assumed["cost"].segment_mean.signature)
    assert [note.where for note in assumed.notes if note.kind == "advice"] == ["cost"]
    for stated, better in ((True, "higher"), (False, "lower")):
        run = assay.score(testset, from_function(cost, higher_is_better=stated), resamples=0)
        assert f"|better:{better}|" in str(run["cost"].segment_mean.signature)
        assert not [note for note in run.notes if note.kind == "advice"]
    assert metric.create("cost:better=higher").higher_is_better
    with pytest.raises(ConfigError, match="parameter 'better'"):
        from_function(lambda output, better=1: 1.0, name="odd")


def test_lower_is_better_by_the_name_of_the_function():
    from_function(cost)
    specs = ("./my.py:f", "cost", "bleu")
    assert with_lower_is_better(specs[1:], ("cost", "bleu", "x")) == (("cost:better=lower", "bleu"), ("bleu", "x"))


def test_a_function_returns_nan_where_it_is_undefined():
    def ratio(output: str, reference: str) -> float:
        return len(output) / len(reference) if reference and output != "?" else math.nan

    testset = assay.load(
        outputs={"x": ["ab", "?", "ab"], "y": ["a", "b", "ab"]},
        references={"A": ["ab", "b", ""], "B": ["abcd", "b", "ab"]},
    )
    run = assay.score(testset, from_function(ratio, higher_is_better=True), resamples=0)
    assert run["ratio"].segment_mean.estimate("y").n == 2  # the second segment is excluded for both systems
    assert run["ratio"].segment_mean["x"] == 1  # the references for which the value is defined
    assert run["ratio"].segment_mean["y"] == 0.75
    (note,) = (note for note in run.notes if note.kind == "excluded")
    assert note.count == 1
    assert "excluded 1 of 3 segments, which lack a defined value for x" in str(note)


def test_a_function_is_called_once_for_equal_texts():
    calls = []

    def length(output, reference):
        calls.append((output, reference))
        return len(output) / len(reference)

    created = from_function(length, higher_is_better=True)
    outputs = {"x": ["ab", "cd", "ab"], "y": ["ab", "d", "ab"]}
    testset = assay.load(outputs=outputs, references={"A": ["r1", "r2", "r1"], "B": ["r1", "r3", "r4"]})
    run = assay.score(testset, created, resamples=0)
    assert run["length"].segments["y"].tolist() == [1.0, 0.5, 1.0]
    distinct = [("ab", "r1"), ("cd", "r2"), ("cd", "r3"), ("ab", "r4"), ("d", "r2"), ("d", "r3")]
    assert calls[:-1] == distinct
    assert calls[-1] == distinct[0]  # once more, since another value would mean that it is random


@pytest.mark.warns("no segments of output were scored")
def test_functions_that_return_other_values_for_equal_texts():
    values = iter([1.0, 2.0, 3.0])
    created = from_function(lambda output: next(values), name="count", higher_is_better=True)
    with pytest.raises(PluginError, match="not deterministic"):
        assay.score(assay.load(outputs=["a", "b"]), created, resamples=0)
    undefined = from_function(lambda output: math.nan, name="nan", higher_is_better=True)
    assert math.isnan(assay.score(assay.load(outputs=["a", "b"]), undefined, resamples=0)["nan"].segment_mean["output"])
