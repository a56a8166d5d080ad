from __future__ import annotations

import json

import numpy as np
import pytest

from assay import compare, load, load_scores, read
from assay.errors import InputError

ROWS = [("one", "eins", "ein", 0.5), ("two", "zwo", "zwei", 4.25), ("three", "drei", "drei", None)]
FIELDS = ("source", "hypothesis", "reference", "prediction")


def write(tmp_path, rows=ROWS, name="online-a.jsonl", **more):
    path = tmp_path / name
    lines = (json.dumps(dict(zip(FIELDS, row, strict=True)) | more) for row in rows)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_texts_and_scores(tmp_path):
    (campaign,) = read(write(tmp_path, segment_id=3))
    (table,) = campaign.scores
    assert (table.name, table.systems, table.references, table.higher_is_better) == (
        "MetricX",
        ("online-a",),
        ("ref",),
        False,
    )
    np.testing.assert_array_equal(table.values, [[0.5, 4.25, np.nan]])
    assert list(campaign.testset.outputs["online-a"]) == ["eins", "zwo", "drei"]
    assert list(campaign.testset.sources) == ["one", "two", "three"]
    assert [note.text for note in campaign.notes] == [
        "unused fields: segment_id",
        "MetricX by segment: 1 of 3 scores missing",
    ]


def test_without_references_and_sources(tmp_path):
    (campaign,) = read(write(tmp_path, [(None, "eins", None, 1.0)]))
    assert (campaign.references, campaign.testset.sources, campaign.scores[0].references) == ((), None, ())


def test_lower_is_better(tmp_path):
    """The system with fewer errors is better, whatever the scores are called."""
    worse = write(tmp_path, [(*row[:3], 5.0 + i) for i, row in enumerate(ROWS)], "a.jsonl")
    better = write(tmp_path, [(*row[:3], 1.0 + i) for i, row in enumerate(ROWS)], "b.jsonl")
    texts = [row[1] for row in ROWS]
    testset = load(outputs={"a": texts, "b": texts}, references=[row[2] for row in ROWS])
    loaded = load_scores([("mx", worse), ("mx", better)], testset)
    assert loaded.notes == ()
    (pair,) = compare(testset, loaded.tables, resamples=10).metrics[0].pairs
    assert (pair.wins, pair.losses) == (3, 0)


def test_a_field_that_is_no_text(tmp_path):
    with pytest.raises(InputError, match=r"line 2: the field 'source' must be a text"):
        read(write(tmp_path, [ROWS[0], (7, "zwo", "zwei", 1.0)]))


def test_several_systems(tmp_path):
    path = write(tmp_path, ROWS, "all.jsonl", system="base")
    more = [(source, f"{text}!", reference, 2.0) for source, text, reference, _ in ROWS]
    path.write_text(path.read_text() + write(tmp_path, more, system="new").read_text(), encoding="utf-8")
    (campaign,) = read(path)
    (table,) = campaign.scores
    assert (table.systems, campaign.segments) == (("base", "new"), 3)
    np.testing.assert_array_equal(table.values, [[0.5, 4.25, np.nan], [2, 2, 2]])
    assert list(campaign.testset.outputs["new"]) == ["eins!", "zwo!", "drei!"]
    path.write_text(path.read_text() + write(tmp_path, ROWS[:1]).read_text(), encoding="utf-8")
    with pytest.raises(InputError, match="line 7: no system, which other lines have"):
        read(path)


def test_a_number_may_be_written_as_a_text(tmp_path):
    (campaign,) = read(write(tmp_path, [("one", "eins", "ein", "0.5")]))
    assert campaign.scores[0].values.tolist() == [[0.5]]
    with pytest.raises(InputError, match="line 1: the score is not a number: 'good'"):
        read(write(tmp_path, [("one", "eins", "ein", "good")]))
    with pytest.raises(InputError, match="no scores: no line has a number in the field prediction"):
        read(write(tmp_path, [("one", "eins", "ein", None)]))
