from __future__ import annotations

import pytest

from assay.errors import UnknownNameError
from tests.study.test_correlate import correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_rows_and_tree(result):
    rows = list(result.rows())
    assert len(rows) == 15 * (1 + 1 + 6) + 14 * 2
    assert {row["row"] for row in rows} == {"pooled", "mean", "lp", "samples"}
    assert [row["lp"] is None for row in rows[:4]] == [True, True, False, False]
    assert {row["sample_size"] for row in rows} == {None, 1, 5}
    assert {row["unsampled"] for row in rows} == {None, "x-bleu", "x-ter"}
    tree = result.to_dict()
    assert tree["scores"].keys() == set(result.scores)
    assert {len(values) for values in tree["scores"].values()} == {len(tree["systems"])}
    assert tree["correlations"][0]["samples"][0]["draws"] == 20
    assert tree["correlations"][0]["mean"]["n"] == 6


def test_two_scores_by_their_names(result):
    assert result["m-bleu", "bleu"] is result["bleu", "m-bleu"]
    with pytest.raises(UnknownNameError, match="no correlation between 'bleu' and 'chrf'"):
        result["bleu", "chrf"]
