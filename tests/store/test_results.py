from __future__ import annotations

import copy
import dataclasses
import json
import math
import os
import random
import re
from collections.abc import Mapping

import numpy as np
import pytest

from assay import diff, load, open_result, save_result, score
from assay.errors import CorruptError, InputError, StoreError
from assay.results import Estimate
from assay.store import results as saving
from assay.store.arrays import array_bytes
from assay.store.folder import _digest, dump_json
from assay.types import Note, NoteKind
from tests.store.examples import VERBS, example, invent, parts, result_types


@pytest.fixture(scope="module")
def run():
    testset = load(
        outputs={"a": ["x y z w", "p", None], "<b>": ["x y z w v u", "q r", ""]},
        references={"refA": ["x y z w v", "p q", "s"], "refB": [None, "p", "s"]},
        sources=["s1", "s2", "s3"],
        domains=["m", "n", "m"],
        lp="de-en",
    )
    return score(testset, ["bleu", "chrf:word_order=2"], by="domain", resamples=50)


def same(one, other):
    """Whether two values are equal field by field; NaN equals NaN, and arrays have the same type."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if dataclasses.is_dataclass(one):
        names = [field.name for field in dataclasses.fields(one) if field.init]
        return type(one) is type(other) and all(same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, Mapping):
        return same(tuple(one.items()), tuple(other.items()))
    if isinstance(one, tuple):
        return len(one) == len(other) and type(one) is type(other) and all(map(same, one, other))
    return one == other or (one != one and other != other)


@pytest.mark.parametrize("name", VERBS)
def test_the_result_of_every_verb(tmp_path, name):
    result = example(name)
    save_result(result, tmp_path, texts=True)
    opened = open_result(tmp_path)
    assert same(opened, result)
    assert opened.to_dict() == result.to_dict()
    if hasattr(result, "rows"):
        assert list(opened.rows()) == list(result.rows())
    assert repr(opened) == repr(result)


@pytest.mark.parametrize("cls", result_types(), ids=lambda cls: cls.__name__)
def test_every_result_type(tmp_path, cls):
    """If a type is new and cannot be made up, add a call that returns it to tests/store/examples.py."""
    value = parts()[cls]
    save_result(value, tmp_path, texts=True)
    assert same(open_result(tmp_path), value)


@pytest.mark.parametrize("cls", result_types(), ids=lambda cls: cls.__name__)
def test_every_field_of_every_result_type(tmp_path, cls):
    """Also those that the verbs left empty. The texts and tables of runs cannot be made up."""
    if cls.__name__ not in ("MetricScores", "Run"):
        value = invent(cls)
        save_result(value, tmp_path)
        assert same(open_result(tmp_path), value)


def test_a_comparison_has_its_texts_if_they_were_saved(tmp_path):
    comparison = example("compare")
    save_result(comparison, tmp_path / "with", texts=True)
    assert open_result(tmp_path / "with").testset == comparison.testset
    save_result(comparison, tmp_path / "without")
    with pytest.raises(InputError, match="without its texts"):
        save_result(open_result(tmp_path / "without"), tmp_path / "again", texts=True)


@pytest.mark.parametrize("texts", [False, True])
def test_a_run(run, tmp_path, texts):
    save_result(run, tmp_path / "deep" / "saved", texts=texts, command="assay score …")
    opened = open_result(tmp_path / "deep" / "saved")
    assert not diff(run, opened).different
    assert opened.to_dict(segments=True, sacrebleu=True) == run.to_dict(segments=True, sacrebleu=True)
    assert opened.record == run.record
    for spec, metric in run.metrics.items():
        assert same(opened[spec], metric)
        assert not opened[spec].segments["<b>"].flags.writeable
    assert opened["chrf:word_order=2"].spec == "chrf++"
    if texts:
        assert opened.testset == run.testset
    else:
        with pytest.raises(InputError, match="saved without its texts"):
            _ = opened.testset
    assert opened.command == "assay score …"
    assert json.loads((tmp_path / "deep/saved/result.json").read_bytes())["command"] == "assay score …"
    assert os.listdir(tmp_path / "deep") == ["saved"]


def test_saving_twice_writes_the_same_bytes(run, tmp_path):
    for name in ("one", "two"):
        save_result(run, tmp_path / name, texts=True)
    names = sorted(os.listdir(tmp_path / "one"))
    plain = sorted(re.sub(r"\.[0-9a-f]{16}", "", name) for name in names)
    assert plain == ["inputs.json", "result.json", "scored.npy", *["segments.npy"] * 2, *["table.npy"] * 2]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_an_opened_run_can_be_saved_again(run, tmp_path):
    save_result(run, tmp_path / "one", command="first")
    save_result(open_result(tmp_path / "one"), tmp_path / "two")
    assert (tmp_path / "one/result.json").read_bytes() == (tmp_path / "two/result.json").read_bytes()
    with pytest.raises(InputError, match="without its texts"):
        save_result(open_result(tmp_path / "one"), tmp_path / "three", texts=True)
    assert not (tmp_path / "three").exists()


def test_numbers_that_json_does_not_have(tmp_path):
    estimate = Estimate(math.inf, 3, low=-math.inf, high=-0.0, standard_error=5e-324)
    save_result(estimate, tmp_path)
    assert repr(open_result(tmp_path)) == repr(estimate)
    json.loads((tmp_path / "result.json").read_bytes(), parse_constant=pytest.fail)


def test_the_command_of_any_result(tmp_path):
    save_result(Estimate(1.0, 2), tmp_path, command="assay score ref\udcff.de")
    data = (tmp_path / "result.json").read_bytes()
    assert json.loads(data.decode())["command"] == "assay score ref\udcff.de"


def test_values_that_are_not_results(tmp_path):
    for value in (42, "text", None, (), Note(NoteKind.MISSING, "no result"), Estimate, example("score").testset):
        with pytest.raises(StoreError, match="cannot be saved: a value of type"):
            save_result(value, tmp_path / "saved")
    for value, message in [(set(), "a value of type set"), ("text", "the field value of Estimate")]:
        with pytest.raises(StoreError, match=f"this Estimate cannot be saved: {message}"):
            save_result(Estimate(value, 1), tmp_path / "saved")
    assert not (tmp_path / "saved").exists()


def rewrite(folder, change):
    """Change the index as an attacker would who knows how its digest is computed."""
    index = json.loads((folder / "result.json").read_bytes())
    del index["digest"]
    change(index)
    index["digest"] = _digest(dump_json(index))
    (folder / "result.json").write_bytes(dump_json(index))


def content(index):
    return index["result"]["Run"]


def metric(index):
    return content(index)["metrics"]["map"]["bleu"]["MetricScores"]


def record(index):
    return content(index)["inputs"]["TestSetRecord"]


def scores(index):
    return metric(index)["aggregations"]["map"]["corpus"]["Scores"]


def estimates(index):
    return scores(index)["estimates"]["map"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda index: index.update(kind="else"), "not a saved result"),
        (lambda index: index.update(version=99), "has format version 99"),
        (lambda index: index.pop("result"), "invalid content"),
        (lambda index: index.update(result=None), "type NoneType is not a result"),
        (lambda index: index.update(result=content(index)["inputs"]), "type TestSetRecord is not a result"),
        (lambda index: index.update(result={"Path": "/etc/passwd"}), "unknown type 'Path'"),
        (lambda index: content(index).pop("metrics"), "missing 1 required positional argument"),
        (lambda index: content(index).update(owner="me"), "Run has no field 'owner'"),
        (lambda index: metric(index).pop("aggregations"), "missing 1 required positional argument"),
        (lambda index: metric(index)["aggregations"].update(map={}), "bleu has no scores"),
        (lambda index: metric(index)["statistics"]["Statistics"].update(signature="x"), "the field signature of Stat"),
        (lambda index: metric(index).update(higher_is_better=1), "the field higher_is_better of MetricScores"),
        (lambda index: estimates(index)["a"]["Estimate"].update(value="x"), "the field value of Estimate"),
        (lambda index: estimates(index)["a"]["Estimate"].update(n=True), "the field n of Estimate"),
        (lambda index: estimates(index).pop("a"), "other systems than a, <b>"),
        (lambda index: record(index)["systems"].pop(), "other systems than a"),
        (lambda index: record(index)["systems"].append("../c"), "cannot be the name of a system"),
        (lambda index: record(index).update(segments=2), "one score for each of 2 segments"),
        (lambda index: index["files"].clear(), "is not listed among the files"),
    ],
)
def test_a_changed_index_is_refused(run, tmp_path, change, message):
    save_result(run, tmp_path)
    rewrite(tmp_path, change)
    with pytest.raises(StoreError, match=message) as caught:
        open_result(tmp_path)
    assert caught.value.path == str(tmp_path / "result.json")


def test_an_array_of_another_shape_is_refused(run, tmp_path):
    save_result(run, tmp_path)
    data = array_bytes(np.zeros((2, 7)))
    name = f"segments.{_digest(data)}.npy"
    (tmp_path / name).write_bytes(data)

    def swap(index):
        index["files"].append(name)
        metric(index)["segments"]["rows"][1] = name

    rewrite(tmp_path, swap)
    with pytest.raises(CorruptError, match="one score for each of 3 segments"):
        open_result(tmp_path)


def test_the_version_that_saved_it_is_named(tmp_path, monkeypatch):
    save_result(Estimate(1.0, 2), tmp_path)
    rewrite(tmp_path, lambda index: index["result"]["Estimate"].update(new_field=1))
    with pytest.raises(CorruptError) as caught:
        open_result(tmp_path)
    assert caught.value.hint is None
    monkeypatch.setattr(saving, "__version__", "9.9")
    with pytest.raises(CorruptError) as caught:
        open_result(tmp_path)
    assert caught.value.hint.endswith("; this is Assay 9.9")


def test_a_field_with_a_default_may_be_missing(tmp_path):
    """So that a later version can add a field and still open what an earlier one saved."""
    save_result(Estimate(1.0, 2), tmp_path)
    rewrite(tmp_path, lambda index: index["result"]["Estimate"].pop("reason"))
    assert open_result(tmp_path).reason is None


def places(tree, path=()):
    """Paths to all nodes of a JSON tree."""
    yield path
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, child in children:
        yield from places(child, (*path, key))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["score", "diff", "match", "check", "rank ratings", "meta", "robustness subsamples"])
def test_a_random_change_is_refused_or_gives_a_result(tmp_path, name):
    """Nothing but a StoreError may come out of an index that was not written by us."""
    save_result(example(name), tmp_path)
    original = json.loads((tmp_path / "result.json").read_bytes())
    paths = list(places(original["result"]))[1:]
    draw = random.Random(7)
    values = [None, True, -1, 1.5, "x", [], {}, [[]], {"map": {}}, {"map": [[[], 1]]}, {"float": "x"}, {"float": []}]
    values += [{"array": "x"}, {"rows": [["a"], "x"]}, {"texts": []}, {"Estimate": []}, {"Run": {}}, {"NoteKind": []}]
    for _ in range(60):
        index = copy.deepcopy(original)
        node = index["result"]
        *parents, last = draw.choice(paths)
        for key in parents:
            node = node[key]
        node[last] = draw.choice(values)
        rewrite(tmp_path, lambda old, index=index: old.update(index))
        try:
            open_result(tmp_path)
        except StoreError as error:
            assert "result.json: " in str(error)  # noqa: PT017
