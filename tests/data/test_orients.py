"""Random tables in every form in which a data frame is written, their rows shuffled under their index."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay

SYSTEMS = ("A", "B", "Gamma-3", "my system")
METRICS = ("COMET", "BLEU", "chrF")


def json_orients(names, index, rows):
    """A table in the orients of `DataFrame.to_json`."""
    records = [dict(zip(names, row, strict=True)) for row in rows]
    labels = list(map(str, index))
    return {
        "columns": {name: {label: row[name] for label, row in zip(labels, records, strict=True)} for name in names},
        "index": dict(zip(labels, records, strict=True)),
        "split": {"columns": list(names), "index": list(index), "data": rows},
        "table": {
            "schema": {"fields": [{"name": "index"}, *({"name": name} for name in names)], "primaryKey": ["index"]},
            "data": [{"index": label, **record} for label, record in zip(index, records, strict=True)],
        },
    }


def files(names, index, rows, label):
    """The names and texts of files with a table."""
    for orient, tree in json_orients(names, index, rows).items():
        yield f"{orient}.json", json.dumps(tree)
    table = [dict(zip((label or "index", *names), (i, *row), strict=True)) for i, row in zip(index, rows, strict=True)]
    yield "records.json", json.dumps(table)
    for suffix, separator in (("csv", ","), ("tsv", "\t")):
        text = io.StringIO()
        cells = [["" if value is None else value for value in row] for row in rows]
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        writer.writerows([[label, *names], *([i, *row] for i, row in zip(index, cells, strict=True))])
        yield f"table.{suffix}", text.getvalue()


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    (campaign,) = assay.read(path)
    return campaign


PRESENT = st.integers(-(10**6), 10**6).map(lambda number: number / 1000 + 0.0001)
RANDOM = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("label", ["", "index", "idx", "line"])
@RANDOM
@given(data=st.data())
def test_scores_of_systems(tmp_path, label, data):
    systems = data.draw(st.permutations(SYSTEMS))[: data.draw(st.integers(2, 4))]
    cells = [PRESENT, *[st.none() | PRESENT] * (len(systems) - 1)]  # a row of nothing may be left out
    rows = data.draw(st.lists(st.tuples(*cells).map(list), min_size=3, max_size=8))
    rows[0] = [0.5 + i for i in range(len(systems))]
    order, first = data.draw(st.permutations(range(len(rows)))), data.draw(st.integers(0, 1))
    for name, text in files(systems, [i + first for i in order], [rows[i] for i in order], label):
        (table,) = read(tmp_path, name, text).scores
        assert table.systems == tuple(systems), name
        expected = [[math.nan if value is None else value for value in column] for column in zip(*rows, strict=True)]
        assert np.array_equal(table.values, expected, equal_nan=True), name
        assert (table.level, table.items) == ("segment", ())


@RANDOM
@given(data=st.data())
def test_texts(tmp_path, data):
    count = data.draw(st.integers(2, 6))
    texts = {name: [f"{name} says {i} words" for i in range(count)] for name in ("source", "reference", "A", "B")}
    order = data.draw(st.permutations(range(count)))
    rows = [[column[i] for column in texts.values()] for i in order]
    for name, text in files(tuple(texts), order, rows, data.draw(st.sampled_from(("", "index", "line")))):
        testset = read(tmp_path, name, text).testset
        assert testset.sources == tuple(texts["source"]), name
        assert testset.references == {"ref": tuple(texts["reference"])}
        assert testset.outputs == {"A": tuple(texts["A"]), "B": tuple(texts["B"])}


@RANDOM
@given(data=st.data())
def test_scores_of_filtered_segments(tmp_path, data):
    index = sorted(data.draw(st.sets(st.integers(0, 50), min_size=2, max_size=6)) | {60})
    rows = [[i + 0.25, i + 0.75] for i in index]
    for name, text in files(("A", "B"), index, rows, "index"):
        (table,) = read(tmp_path, name, text).scores
        assert table.items == tuple(map(str, index)), name
        assert table.values.T.tolist() == rows


@RANDOM
@given(data=st.data())
def test_scores_of_whole_systems(tmp_path, data):
    systems = data.draw(st.permutations(SYSTEMS))[: data.draw(st.integers(1, 4))]
    metrics = data.draw(st.permutations(METRICS))[: data.draw(st.integers(1, 3))]
    rows = [[i + 0.5 + j / 8 for j in range(len(metrics))] for i in range(len(systems))]
    turned = json_orients(systems, metrics, [list(column) for column in zip(*rows, strict=True)])
    both = dict(files(metrics, systems, rows, data.draw(st.sampled_from(("", "system")))))
    both |= {f"{orient}-T.json": json.dumps(tree) for orient, tree in turned.items() if orient != "table"}
    for name, text in both.items():
        tables = read(tmp_path, name, text).scores
        assert {table.name: dict(zip(table.systems, table.values[:, 0].tolist(), strict=True)) for table in tables} == {
            metric: {system: row[j] for system, row in zip(systems, rows, strict=True)}
            for j, metric in enumerate(metrics)
        }, name
        assert {table.level for table in tables} == {"system"}
