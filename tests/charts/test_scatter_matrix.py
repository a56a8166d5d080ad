from __future__ import annotations

import pytest

from assay.charts.scatter_matrix import _broken, _common, scatter_matrix

COLUMNS = {name: {f"s{k}": float(k * place) for k in range(1, 5)} for place, name in enumerate("abcd", 1)}


def matrix(columns, width):
    return scatter_matrix(columns, width=width, title="t", subtitle="s").to_dict()


def test_a_row_for_each_score_and_three_on_a_narrow_page():
    assert [len(row["hconcat"]) for row in matrix(COLUMNS, 1040)["vconcat"]] == [4] * 4
    assert len(matrix(COLUMNS, 368)["vconcat"]) == 3


@pytest.mark.parametrize(("systems", "size"), [(50, 26), (101, 9)])
def test_many_dots_are_small(systems, size):
    columns = {name: {f"s{k}": float(k) for k in range(systems)} for name in "ab"}
    assert matrix(columns, 500)["vconcat"][1]["hconcat"][0]["layer"][0]["mark"]["size"] == size


def test_systems_with_both_scores():
    x, y = _common({"a": 1.0, "b": 2.0, "c": float("nan")}, {"b": 5.0, "a": 4.0, "c": 1.0, "d": 2.0})
    assert (x.tolist(), y.tolist()) == (pytest.approx([1, 2]), pytest.approx([4, 5]))


def test_long_names_are_whole():
    names = [f"a-metric-with-a-long-name-{place}" for place in range(4)]
    columns = dict(zip(names, COLUMNS.values(), strict=True))
    chart = matrix(columns, 500)
    cells = [row["hconcat"] for row in chart["vconcat"]]
    texts = [chart["datasets"][layer["data"]["name"]][0]["text"] for layer in cells[1][1]["layer"][1:]]
    assert "".join(reversed(texts)).replace(" ", "") == f"2{names[1]}"
    assert cells[3][0]["layer"][0]["encoding"]["y"]["axis"]["title"] == "4"
    assert matrix(COLUMNS, 500)["vconcat"][3]["hconcat"][0]["layer"][0]["encoding"]["y"]["axis"]["title"] == "d"
    assert _broken("2 GEMBA-GPT4-Classes_src", 9) == ["2 GEMBA-", "GPT4-", "Classes_", "src"]
