from __future__ import annotations

import math
from collections import Counter

import pytest

from assay.metaeval.tasks.reader import read_task, shipped_tasks
from assay.metaeval.tasks.weights import normalise_weights


def components(name):
    task = read_task(name)
    ((_, pairs),) = task.tables_of(task.pairs_of({}))
    return normalise_weights([planned.component for planned in task.components_of(pairs)], task.split)


def test_wmt23_is_one_quarter_and_nine_twelfths():
    """The default weights of mt-metrics-eval's WMT23()."""
    weights = [component.weight for component in components("wmt23")]
    assert weights[0] == 0.25
    assert weights[1:] == pytest.approx([1 / 12] * 9)
    assert components("wmt23")[0].label == "pooled system pairwise-accuracy"


@pytest.mark.parametrize(("name", "count"), [("wmt24", 6), ("wmt25", 32), ("wmt26", 46)])
def test_tasks_that_weigh_all_the_same(name, count):
    assert [component.weight for component in components(name)] == pytest.approx([1 / count] * count)


def test_wmt22_divides_the_weight_attribute_by_attribute():
    """201 components: a quarter for accuracy, a quarter for each language pair, a fifth of it for each domain, …"""
    found = components("wmt22")
    by_label = {component.label: component.weight for component in found}
    assert len(found) == 201
    assert found[0].weight == 0.25
    assert math.fsum(by_label.values()) == pytest.approx(1.0)
    assert by_label["en-ru system pearson"] == pytest.approx(1 / 4 / 5 / 2 / 2)
    assert by_label["zh-en news segment with human outputs kendall by item"] == pytest.approx(1 / 4 / 5 / 2 / 2 / 3 / 2)
    shares = Counter()
    for component in found:
        shares[component.describe("lp")] += component.weight
    assert set(shares) == {"pooled", "en-de", "en-ru", "zh-en"}
    assert all(share == pytest.approx(0.25) for share in shares.values())


def test_components_that_are_only_shown_have_no_weight():
    task = read_task("wmt13")
    (_, pairs), _ = task.tables_of(task.pairs_of({}))
    found = normalise_weights([planned.component for planned in task.components_of(pairs)], task.split)
    assert [component.weight for component in found] == pytest.approx([0.2] * 5 + [0.0] * 3)
    assert [component.label for component in found[5:]] == [
        "mean pearson",
        "mean pearson clusters",
        "mean pearson fuzzy-ranks",
    ]


def test_every_shipped_task_sums_to_one():
    for name in shipped_tasks():
        task = read_task(name)
        for _, pairs in task.tables_of(task.pairs_of({})):
            planned = [each.component for each in task.components_of(pairs)]
            assert math.fsum(c.weight for c in normalise_weights(planned, task.split)) == pytest.approx(1.0)
