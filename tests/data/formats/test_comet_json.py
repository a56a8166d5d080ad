from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.formats import find_format
from assay.data.formats.comet_json import CometJson
from assay.errors import AssayError, InputError
from assay.types import Campaign, NoteKind
from tests.data.formats.marked_errors import ERROR, SPAN, by_cell, only

FILE: dict[str, list[dict[str, Any]]] = {
    "out/base.de": [
        {"src": "Rain & wind", "mt": "Regen", "ref": "Regen und Wind", "COMET": 0.7211},
        {"src": "It rained.", "mt": "Es regnete.", "ref": "Es hat geregnet.", "COMET": 0.8412},
        {"src": "Bye", "mt": "", "ref": "Tschüss", "COMET": 0.1},
    ],
    "out/big.de": [
        {"src": "Rain & wind", "mt": "Regen & Wind", "ref": "Regen und Wind", "COMET": 0.9211},
        {"src": "It rained.", "mt": "Es regnete.", "ref": "Es hat geregnet.", "COMET": 0.8412},
        {"src": "Bye", "mt": "Ade", "ref": "Tschüss", "COMET": 0.95},
    ],
}


def read(tmp_path: Path, value: object) -> Campaign:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(value, indent=4, ensure_ascii=False))
    assert find_format(path) == CometJson()
    (campaign,) = CometJson().read(path)
    return campaign


def test_a_file_in_the_form_of_comet_2(tmp_path: Path) -> None:
    campaign = read(tmp_path, FILE)
    testset = campaign.testset
    assert testset is not None
    assert (campaign.name, campaign.lp, campaign.segments) == (
        "",
        "",
        3,
    )  # the file name says nothing about the test set
    assert campaign.systems == ("base", "big")
    assert testset.sources == ("Rain & wind", "It rained.", "Bye")
    assert testset.references == {"ref": ("Regen und Wind", "Es hat geregnet.", "Tschüss")}
    assert testset.outputs["base"] == ("Regen", "Es regnete.", "")
    (table,) = campaign.scores
    assert (table.name, table.level, table.references) == ("COMET", "segment", ("ref",))
    assert table.values.tolist() == [[0.7211, 0.8412, 0.1], [0.9211, 0.8412, 0.95]]
    assert table.origin == str(tmp_path / "scores.json")
    assert len(table.digest) == 32
    assert campaign.notes == ()


def test_older_versions_write_one_list(tmp_path: Path) -> None:
    segments = [{**item, "predicted_score": item["COMET"]} for item in FILE["out/base.de"]]
    for item in segments:
        del item["COMET"]
    campaign = read(tmp_path, segments)
    assert campaign.systems == ("scores",)
    assert campaign.scores[0].name == "predicted_score"


def test_without_references(tmp_path: Path) -> None:
    segments = [{key: item[key] for key in ("src", "mt", "COMET")} for item in FILE["out/base.de"]]
    campaign = read(tmp_path, {"base.de": segments})
    assert campaign.references == ()
    assert campaign.scores[0].references == ()


def test_other_values_and_gaps_are_counted(tmp_path: Path) -> None:
    value = copy.deepcopy(FILE)
    for item in value["out/base.de"]:
        item |= {"variance": 0.01, "errors": [{"text": "x", "severity": "minor"}], "LEN": 3}
    value["out/big.de"][0]["COMET"] = None
    value["out/big.de"][1]["COMET"] = math.nan
    campaign = read(tmp_path, value)
    comet, length = campaign.scores
    assert (comet.gaps, length.name, length.gaps) == (2, "LEN", 3)
    np.testing.assert_array_equal(length.values, [[3, 3, 3], [math.nan] * 3])
    assert [(note.text, note.count) for note in campaign.notes] == [
        ("unused values: errors 3, variance 3", 6),
        ("COMET by segment: 2 of 6 scores missing", 2),
        ("LEN by segment: 3 of 6 scores missing", 3),
    ]


def test_a_text_that_is_always_the_same_is_noted(tmp_path: Path) -> None:
    """Unbabel/COMET #31: the JSON had the right scores, but everywhere the texts of the first segment."""
    segments = [{**FILE["out/base.de"][0], "COMET": score} for score in (0.1, 0.5, 0.3, 0.4)]
    notes = read(tmp_path, {"base.de": segments}).notes
    assert [note.text.partition(" have ")[0] for note in notes] == [
        f"all 4 segments of {name}" for name in ("output 'base'", "reference 'ref'", "sources")
    ]
    assert all(note.kind is NoteKind.SUSPECT and "COMET #31" in note.text for note in notes)


def change(system: str, segment: int, **values: Any) -> Callable[[Any], Any]:
    def changed(value: Any) -> Any:
        value[system][segment] |= values
        return value

    return changed


DAMAGED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "another source": (change("out/big.de", 1, src="x"), "segment 2: 'big' and 'base' have a different source"),
    "another reference": (change("out/big.de", 2, ref=None), "segment 3: 'big' and 'base' have a different reference"),
    "a segment less": (
        lambda value: {**value, "out/big.de": value["out/big.de"][1:]},
        "'big' has 2 segments, but 'base' has 3",
    ),
    "no segments": (lambda value: {"a": []}, "system 'a' has no segments"),
    "no list": (lambda value: {"a": 3}, "system 'a' has no list of segments"),
    "no objects": (lambda value: [3], "system 'scores' has no list of segments"),
    "nothing": (lambda value: {}, "a list of segments"),
    "a text": (lambda value: "x", "a list of segments"),
    "no output": (lambda value: [{"src": "a", "COMET": 1}], "system 'scores', segment 1: no output"),
    "no score": (
        lambda value: [{"src": "a", "mt": "b"}],
        "no scores: system 'scores', segment 1 has no number in the field COMET\nthe fields are src, mt",
    ),
    "words": (
        lambda value: [{"src": "a", "mt": "b", "COMET": "good"}],
        "the score 'COMET' of system 'scores', segment 1 is not a number: 'good'",
    ),
    "an output that is no text": (
        change("out/big.de", 0, mt=3),
        "system 'big', segment 1: the output must be a text",
    ),
    "a source that is no text": (
        change("out/big.de", 0, src=[]),
        "system 'big', segment 1: the source must be a text",
    ),
    "a comma": (change("out/big.de", 0, COMET="0,5"), "'COMET' of system 'big', segment 1 is not a number: '0,5'"),
    "true": (change("out/big.de", 0, COMET=True), "segment 1 must be a number, not bool"),
    "too large": (change("out/big.de", 0, COMET=10**400), "segment 1 is too large"),
    "an unsafe name": (lambda value: {"..": value["out/big.de"]}, "cannot be the name of a system"),
    "names that are the same": (
        lambda value: {"a/b": value["out/big.de"], "a_b": [], "a//b": []},
        "two systems are called 'a_b'",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged(tmp_path: Path, case: str) -> None:
    damage, message = DAMAGED[case]
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(damage(copy.deepcopy(FILE))))
    with pytest.raises(InputError, match=message) as caught:
        CometJson().read(path)
    assert str(path) in str(caught.value)


KEYS = st.sampled_from(["src", "mt", "ref", "COMET", "errors", "a.de", "b/a.de"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
SEGMENT = st.fixed_dictionaries({"src": VALUES, "mt": st.text(max_size=3), "COMET": VALUES})


@given(st.binary(max_size=100) | (VALUES | st.lists(SEGMENT, max_size=3)).map(json.dumps).map(str.encode))
@settings(max_examples=300, deadline=None)
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.json"
    path.write_bytes(data)
    try:
        (campaign,) = CometJson().read(path)
    except AssayError:
        return
    assert campaign.scores


TEXT = json.dumps(FILE)


@given(st.integers(0, len(TEXT)), st.integers(0, 20), st.sampled_from(["", '"', "1", "}", ",", "\\ud800", "1e999"]))
@settings(max_examples=200, deadline=None)
def test_any_change(tmp_path_factory: pytest.TempPathFactory, at: int, length: int, bad: str) -> None:
    path = tmp_path_factory.mktemp("fuzz") / "x.json"
    path.write_text(TEXT[:at] + bad + TEXT[at + length :])
    try:
        (campaign,) = CometJson().read(path)
    except InputError:
        return
    assert campaign.scores


def test_a_number_may_be_written_as_a_text(tmp_path: Path) -> None:
    campaign = read(tmp_path, [{"src": "a", "mt": "b", "ref": "c", "COMET": "0.5", "doc": "7"}])
    assert [(table.name, table.values.tolist()) for table in campaign.scores] == [("COMET", [[0.5]])]


def test_xcomet_json_keeps_errors_beside_scores(tmp_path: Path) -> None:
    segments = [{"src": "s", "mt": "The cat sat", "COMET": 0.5, "errors": [SPAN]}]
    segments.append({"src": "t", "mt": "Fine", "COMET": 0.9, "errors": []})
    campaign, predicted = only(tmp_path / "xcomet.json", json.dumps({"A.txt": segments}))
    assert by_cell(predicted) == {("A", 0): (ERROR,), ("A", 1): ()}
    assert (predicted.name, campaign.metrics[0].name) == ("COMET", "COMET")
    assert not campaign.notes
