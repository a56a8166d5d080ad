from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from assay.errors import UnknownNameError
from assay.results import Estimate, MetricsTask, TaskComponent, TaskMetric, TaskTable

COMPONENTS = (
    TaskComponent(
        "de-en pearson", ("de-en",), "each", "system", "pearson", "none", "macro", "scores", None, True, 0.75, -1.0, 1.0
    ),
    TaskComponent(
        "mean acc",
        ("de-en", "x-y"),
        "mean",
        "segment",
        "acc23",
        "item",
        "macro",
        "scores",
        "news",
        False,
        0.25,
        0.0,
        1.0,
    ),
)


@pytest.fixture
def task():
    whole = TaskMetric(
        "BLEU",
        1,
        Estimate(0.5, 2),
        Estimate(1.25, 2),
        {"de-en pearson": Estimate(0.4, 6), "mean acc": Estimate(0.6, 2)},
        {"de-en pearson": 1, "mean acc": 2},
    )
    part = TaskMetric(
        "<x>",
        None,
        Estimate(0.4, 1, reason="no value for de-en pearson"),
        Estimate(1.0, 1),
        {"mean acc": Estimate(0.7, 2)},
        {"mean acc": 1},
    )
    table = TaskTable("into English", COMPONENTS, (whole, part), {"lost": 2})
    return MetricsTask(
        "mine", "My task", ("a paper",), {"task": "mine"}, "score", ("lp",), (), (table,), {"x-y pearson": "no data"}
    )


def test_looking_up(task):
    assert task["BLEU"].rank == 1
    assert task.tables[0]["<x>"].score.reason == "no value for de-en pearson"
    assert task.tables[0].component("mean acc").domain == "news"
    assert [table.title for table in task] == ["into English"]
    assert len(task) == 1
    assert repr(task) == "MetricsTask(mine: 2 metrics in 2 components; BLEU, <x>, …)"
    assert task.signature == "task:mine"
    for look_up in (lambda: task["BLUE"], lambda: task.tables[0]["BLUE"], lambda: task.tables[0].component("x")):
        with pytest.raises(UnknownNameError):
            look_up()


def test_descriptions_of_components():
    first, second = COMPONENTS
    assert [first.describe(name) for name in ("lp", "domain", "human_outputs", "grouping", "statistic")] == [
        "de-en",
        "all domains",
        "with human outputs",
        "system scores",
        "pearson",
    ]
    assert [second.describe(name) for name in ("lp", "domain", "human_outputs", "grouping")] == [
        "mean",
        "news",
        "without human outputs",
        "by item",
    ]


def test_average_ranks_by_attribute(task):
    by_level = task.tables[0].average_ranks_by("level")
    assert by_level["system"]["BLEU"] == 1.0
    assert math.isnan(by_level["system"]["<x>"])
    assert by_level["segment"] == {"BLEU": 2.0, "<x>": 1.0}


def test_rows(task):
    rows = list(task.rows())
    assert [(row["metric"], row["component"], row["value"]) for row in rows] == [
        ("BLEU", "score", 0.5),
        ("BLEU", "average rank", 1.25),
        ("BLEU", "de-en pearson", 0.4),
        ("BLEU", "mean acc", 0.6),
        ("<x>", "score", 0.4),
        ("<x>", "average rank", 1.0),
        ("<x>", "mean acc", 0.7),
    ]
    assert (rows[3]["lp"], rows[3]["component_rank"], rows[3]["weight"]) == ("de-en+x-y", 2, 0.25)


def test_json_has_no_nan(task):
    tree = json.loads(json.dumps(task.to_dict(), allow_nan=False))
    assert tree["missing"] == {"x-y pearson": "no data"}
    (table,) = tree["tables"]
    assert table["dropped"] == {"lost": 2}
    assert table["components"][0]["weight"] == 0.75
    assert table["metrics"][1]["values"] == {"mean acc": Estimate(0.7, 2).to_dict()}
    assert table["metrics"][1]["ranks"] == {"mean acc": 1}


def test_an_undefined_average_rank_has_its_reason_in_json(task):
    undefined = replace(task.tables[0].metrics[0], average_rank=Estimate(math.nan, 1, reason="not tested in x"))
    table = replace(task.tables[0], metrics=(undefined,))
    (row,) = replace(task, tables=(table,)).to_dict()["tables"][0]["metrics"]
    assert (row["average_rank"]["value"], row["average_rank"]["reason"]) == (None, "not tested in x")
