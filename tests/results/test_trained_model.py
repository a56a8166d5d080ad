from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.results.trained_model import Feature, LinearModel, Tree, TreeModel

MODEL = LinearModel((0.0, -10.0), (100.0, 10.0), (50.0, 0.0), (10.0, 2.0), (1.0, -0.5))
TREE = Tree((0, -1, 1, -1, -1), (0.5, 0.0, -1.0, 0.0, 0.0), (1, -1, 3, -1, -1), (2, -1, 4, -1, -1), (0, 1, 0, 2, 3))


@pytest.mark.parametrize("text", ["chrf", "hjerson:error=missing", "ter#edits", "per#output_length/reference_length"])
def test_a_feature_is_its_text(text):
    assert str(Feature.parse(text)) == text


@pytest.mark.parametrize("text", ["", "#edits", "ter#", "ter#/x", "ter#edits/"])
def test_what_is_no_feature(text):
    with pytest.raises(ConfigError, match="is not a feature"):
        Feature.parse(text)


def test_a_weighted_sum():
    x = np.array([[60.0, 2.0], [200.0, 0.0], [50.0, np.nan]])
    assert MODEL(x)[:2].tolist() == [1.0 - 0.5, 5.0]  # 200 counts as 100
    assert np.isnan(MODEL(x)[2])
    assert MODEL(x.reshape(1, 3, 2)).shape == (1, 3)
    assert MODEL.scaled(2.0)(x)[0] == 1.0


def test_trees():
    x = np.array([[0.5, 9.0], [0.6, -1.0], [0.6, -0.9]])
    assert TREE(x).tolist() == [1, 2, 3]
    model = TreeModel((TREE, TREE))
    assert model(x.reshape(3, 1, 2)).tolist() == [[2], [4], [6]]
    assert model.scaled(0.5)(x).tolist() == [1, 2, 3]
    assert TreeModel(())(x).tolist() == [0, 0, 0]


def test_rounding_keeps_so_many_digits():
    assert LinearModel(*[(1 / 3,)] * 5).rounded(3).weights == (0.333,)
    assert Tree((-1,), (0.0,), (-1,), (-1,), (2 / 3,)).rounded(2).value == (0.67,)
