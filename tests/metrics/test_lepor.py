"""LEPOR, hLEPOR and nLEPOR by hand, and against stored values of the authors' programs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from assay import load, score
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.testing import check_metric, sample_testset
from assay.types import NoteKind, TestSet

FOLDER = Path(__file__).parents[1] / "golden"
GOLDEN = json.loads((FOLDER / "lepor.json").read_text(encoding="utf-8"))["results"]
TOKENS = {
    case["set"]: (case["tokenised_hyp"], case["tokenised_refs"][0])
    for case in json.loads((FOLDER / "moses.json").read_text(encoding="utf-8"))["results"]
    if case["nrefs"] == 1
}
SPECS = {
    "LEPOR_V1.0": ("lepor", "LEPOR"),
    "nLEPOR (published file)": ("lepor", "LEPOR"),  # its numbers are those of LEPOR
    "hLEPOR weights HPR:LP:NPP=7:2:1": ("hlepor", "HLEPOR"),
    "hLEPOR 2019 sentence level, weights 3:2:1": ("hlepor:weights=2:1:3", ""),
}


def lepor(outputs, references, spec="lepor", **testset):
    loaded = load(outputs={"x": outputs}, references=references, **testset)
    return score(loaded, spec, resamples=0, agg="corpus,segment")[spec]


@pytest.mark.parametrize("case", [case for case in GOLDEN if case["program"] in SPECS])
def test_the_programs_of_the_authors(case):
    """Segments, system scores as means of segments (A), and of the mean factors (B)."""
    spec, name = SPECS[case["program"]]
    found = lepor(*TOKENS[case["set"]], spec)
    if "segments" in case:
        np.testing.assert_allclose(found.segments["x"], case["segments"], rtol=0, atol=1e-9)
        return
    values = case["values"]
    segments = values[f"evaluation value {name} of every single sentence"]
    np.testing.assert_allclose(found.segments["x"], segments, rtol=0, atol=1e-9)
    means = [values[f"mean value {name}{way} of all single sentence"][0] for way in ("", "_anotherway")]
    assert [found.segment_mean["x"], found.corpus["x"]] == pytest.approx(means, abs=1e-9)
    factors = found.statistics.table[0].mean(axis=0)
    assert factors[0] == pytest.approx(values["mean of length penalty with longer or shorter"][0], abs=1e-9)
    assert factors[1] == pytest.approx(values["mean Position different penalty"][0], abs=1e-9)


@pytest.mark.parametrize("name", ["en", "multi"])
def test_the_strict_alignment_is_that_of_the_python_package(name):
    """It differs in segments 4 and 9, presumably because it indexes an unfiltered list of candidates."""
    (case,) = [case for case in GOLDEN if case["set"] == name and "PyPI hLepor" in case["program"]]
    found = lepor(*TOKENS[name], "hlepor:alignment=strict").segments["x"]
    differing = np.flatnonzero(np.abs(found - case["segments"]) > 1e-9).tolist()
    assert differing == ([3, 8] if name == "en" else [])
    np.testing.assert_allclose(found[differing], np.array(case["segments"])[differing], rtol=0, atol=0.0006)


def test_by_hand():
    found = lepor(["b a x"], ["a b"])
    # "b" is at 2, and "a" at 1, so the differences are |1/3 - 1| and |2/3 - 1/2|
    factors = [math.exp(1 - 3 / 2), math.exp(-(2 / 3 + 1 / 6) / 3), 10 * 2 / (9 * 2 + 1 * 3)]
    assert found.statistics.table[0, 0].tolist() == pytest.approx([*factors, 1])
    assert found.segments["x"][0] == pytest.approx(math.prod(factors))
    harmonic = 10 / (2 / factors[0] + 1 / factors[1] + 7 / factors[2])
    assert lepor(["b a x"], ["a b"], "hlepor").segments["x"][0] == pytest.approx(harmonic)


def test_the_order_of_the_same_words_counts_except_in_newer_programs():
    spec = "lepor:alignment={}"
    for alignment, penalty in {"perl": 1.0, "perl-2013": math.exp(-1 / 2), "strict": math.exp(-1 / 2)}.items():
        found = lepor(["a b c d"], ["d c b a"], spec.format(alignment)).segments["x"]
        assert found[0] == pytest.approx(penalty), alignment


def test_the_programs_take_position_1_for_used_when_10_is():
    """Word 11 of the reference is at position 10, counted from 0, which starts with 1."""
    words = list("abcdefghijk")
    output, reference = " ".join(["k", *words[:-1]]), " ".join(words)
    assert lepor([output], [reference], "lepor:alignment=strict").statistics.table[0, 0, 2] == pytest.approx(1)
    assert lepor([output], [reference]).statistics.table[0, 0, 2] == pytest.approx(10 / 11)


def test_nlepor_by_hand():
    found = lepor(["a b c x"], ["a b c d"], "nlepor:max_order=2").statistics.table[0, 0]
    assert found[2] == pytest.approx(math.sqrt(3 / 4 * 2 / 3))
    weighted = lepor(["a b c x"], ["a b c d"], "nlepor:max_order=2,order_weights=3:1").statistics.table[0, 0]
    assert weighted[2] == pytest.approx((3 / 4) ** 0.75 * (2 / 3) ** 0.25)
    assert lepor(["a b c"], ["a b c"], "nlepor").segments["x"][0] == 0  # no n-gram of order 4


def test_case_is_ignored():
    assert lepor(["A B c"], ["a b C"]).segments["x"][0] == 1
    assert lepor(["A B c"], ["a b C"], "lepor:lowercase=no").segments["x"][0] == 0


def test_empty_texts_are_worth_nothing():
    assert lepor(["", "a", ""], ["a", "", ""]).segments["x"].tolist() == [0, 0, 0]
    assert lepor(["", "a", ""], ["a", "", ""], "hlepor").segments["x"].tolist() == [0, 0, 0]


def test_the_best_reference_counts_and_absent_texts_do_not():
    found = lepor(["a b c", None], {"A": ["x y z", "a"], "B": ["a b c", "a"], "C": [None, "a"]})
    assert found.statistics.table[0].tolist() == [[1, 1, 1, 1], [0, 0, 0, 0]]
    assert found.statistics.scored[0].tolist() == [True, False]


@pytest.mark.parametrize(
    ("lp", "recall_precision", "weights"),
    [
        *(("en-cs", "9:1", "2:1:7"), ("en-de", "9:1", "3:7:1"), ("ru-en", "1:9", "2:1:7"), ("fr-en", "9:1", "2:1:3")),
        *(("en-es", "9:1", "2:1:3"), ("cs_CZ-en_GB", "1:9", "2:1:7"), ("zh-en", "9:1", "2:1:7")),
    ],
)
def test_settings_of_wmt13(lp, recall_precision, weights):
    found = lepor(["a b x"], ["a c b d"], "lepor:version=3.1", lp=lp)
    same = lepor(
        ["a b x"], ["a c b d"], f"hlepor:weights={weights},recall_precision={recall_precision},alignment=perl-2013"
    )
    assert found.segments["x"].tolist() == same.segments["x"].tolist()
    parameters = dict(found.signature.parameters)
    assert parameters["version"] == "3.1"
    assert (parameters["recall_precision"], parameters["weights"]) == (recall_precision, weights)


def test_a_note_where_wmt13_had_no_settings():
    def notes(lp):
        run = score(load(outputs={"x": ["a"]}, references=["a"], lp=lp), "lepor:version=3.1", resamples=0)
        return [note.text for note in run.notes if note.where == "lepor"]

    assert notes("en-de") == []
    assert notes("zh-en") == ["WMT13 had no settings for zh-en: those of hlepor are used (9:1 and 2:1:7)"]
    assert notes(None) == [
        "the WMT13 settings depend on the language pair, which is not known: those of hlepor are used (9:1 and 2:1:7); "
        'give lp="en-de"'
    ]


@pytest.mark.parametrize(
    ("spec", "alignment"),
    [
        *(("lepor", "perl"), ("hlepor", "perl"), ("nlepor", "perl"), ("lepor:version=3.1", "perl-2013")),
        *(("lepor:version=3.1,alignment=perl", "perl"), ("lepor:alignment=strict", "strict")),
    ],
)
def test_the_alignment_of_wmt13(spec, alignment):
    assert dict(lepor(["a"], ["a"], spec, lp="en-de").signature.parameters)["alignment"] == alignment


@pytest.mark.parametrize("name", ["lepor", "hlepor", "nlepor"])
def test_advice_names_the_metric(name):
    run = score(load(outputs={"x": ["今天天气很好"]}, references=["今天天气不错"]), name, resamples=0)
    assert any(note.text.endswith(f"use {name}:tok=zh") and note.where == name for note in run.notes)


def test_orders_without_a_weight_need_no_words():
    testset = load(outputs={"x": ["a b c"]}, references=["a b c"])
    run = score(testset, "nlepor:order_weights=1:1:1:0", resamples=0)
    assert run["nlepor:order_weights=1:1:1:0"].corpus["x"] == 1
    assert not [note for note in run.notes if "at least" in note.text]


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("order_weights", "1 non-negative number such as 1"),
        ("recall_precision", "2 non-negative numbers such as 2:1"),
        ("weights", "3 non-negative numbers such as 3:2:1"),
    ],
)
def test_weights_must_be_numbers(option, expected):
    with pytest.raises(ConfigError, match=f"{option} must be {expected}, not ''"):
        metric.create(f"hlepor:{option}=")


def test_short_segments_of_nlepor_are_counted():
    references = {"A": ["a b c", "a b c d", "a b", None], "B": ["a", "a", "a b c d", None]}
    testset = load(outputs={"x": ["a b c", "a b c d", "a b", "a"]}, references=references)
    (note,) = [note for note in score(testset, "nlepor", resamples=0).notes if note.kind == NoteKind.SUSPECT]
    assert (note.where, note.count) == ("nlepor", 1)
    assert note.text == (
        "1 segment without a reference of at least 4 words: the score is 0 there, even if the output equals the "
        "reference"
    )
    assert not [note for note in score(testset, "lepor", resamples=0).notes if note.kind == NoteKind.SUSPECT]


def tagged(**layer):
    return TestSet(
        outputs={"x": ["the cats sleep", "no tags"]},
        references={"A": ["a cat sleeps", "no tags"], "B": ["dogs bark now", "no tags"]},
        annotations={"pos": layer},
    )


@pytest.mark.warns("lacks the annotation layer")
def test_tags():
    testset = tagged(x=["DET NOUN VERB", None], A=["DET NOUN VERB", "X"], B=["NOUN VERB ADV", None])
    found = score(testset, "hlepor:pos_weight=0.75", resamples=0)["hlepor:pos_weight=0.75"]
    assert found.segments["x"][0] == pytest.approx(0.75)
    assert math.isnan(found.segments["x"][1])
    assert found.statistics.table[0].tolist() == [[1, 1, 0, 1, 1, 1, 1], [0] * 7]


@pytest.mark.warns("lacks the annotation layer")
def test_a_reference_with_tags_is_preferred():
    testset = tagged(x=["DET NOUN VERB", None], B=["NOUN VERB ADV", None])
    found = score(testset, "lepor:pos_weight=1", resamples=0)["lepor:pos_weight=1"]
    assert 0 < found.segments["x"][0] < 1


def test_tags_are_needed_where_they_weigh_something():
    with pytest.raises(InputError, match="needs the annotation layer 'pos'"):
        lepor(["a"], ["a"], "lepor:pos_weight=0.5")


def test_the_contract_with_tags():
    sample = sample_testset()
    columns = {**sample.outputs, **sample.references}
    tags = {name: [" ".join(word[:1] for word in text.split()) for text in column] for name, column in columns.items()}
    testset = TestSet(
        outputs=sample.outputs, references=sample.references, sources=sample.sources, annotations={"pos": tags}
    )
    check_metric(metric.create("hlepor:pos_weight=0.5"), testset)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("lepor:version=2", "expected 1, h or 3.1"),
        ("lepor:weights=1:2:3", "weights requires version=h or version=3.1"),
        ("hlepor:weights=1:2", "weights must be 3 non-negative numbers such as 3:2:1, not '1:2'"),
        ("hlepor:weights=0:0:0", "weights must be 3"),
        ("lepor:recall_precision=9", "recall_precision must be 2"),
        ("lepor:recall_precision=a:b", "recall_precision must be 2"),
        ("lepor:recall_precision=-1:2", "recall_precision must be 2"),
        ("nlepor:order_weights=1:2", "order_weights must be 4"),
        ("lepor:max_order=0", "max_order must be between 1 and 100"),
        ("lepor:pos_weight=2", "pos_weight must be between 0 and 1"),
        ("lepor:alignment=near", "expected auto, perl, perl-2013 or strict"),
    ],
)
def test_wrong_options(spec, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(spec)


def test_names():
    assert metric.spec(metric.create("lepor:version=h")) == "hlepor"
    assert metric.spec(metric.create("lepor:max_order=4")) == "nlepor"
    assert metric.create("nlepor").default_aggregation == "segment"
