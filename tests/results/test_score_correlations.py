from __future__ import annotations

import pytest

from tests.study.test_correlate import correlations


@pytest.fixture(scope="module")
def result():
    return correlations()


def test_rows_and_tree(result):
    rows = list(result.rows())
    assert len(rows) == 15 * (1 + 6 + 2)
    assert {row["size"] for row in rows} == {None, 1, 5}
    tree = result.to_dict()
    assert tree["systems"][0]["scores"].keys() == set(result.scores)
    assert tree["correlations"][0]["samples"][0]["resamples"] == 20


def test_two_scores_by_their_names(result):
    assert result["m-bleu", "bleu"] is result["bleu", "m-bleu"]
    with pytest.raises(KeyError):
        result["bleu", "chrf"]
