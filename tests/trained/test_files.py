from __future__ import annotations

import copy

import pytest

from assay.errors import InputError
from assay.results.result import digest_of_tree
from assay.trained.files import TrainedFile

LINEAR = {"kind": "linear", "low": [0.0], "high": [100.0], "centre": [50.0], "scale": [10.0], "weights": [1.5]}
NODES = {
    "feature": [0, -1, -1],
    "threshold": [50.0, 0, 0],
    "left": [1, -1, -1],
    "right": [2, -1, -1],
    "value": [0.0, -1.0, 1.0],
}
TREES = {"kind": "trees", "trees": [NODES]}


def tree(model=LINEAR, **changes):
    made = {"format": 1, "features": [{"feature": "chrf"}], "model": copy.deepcopy(model), "wins": "none", **changes}
    return {**made, "digest": digest_of_tree(made)}


def test_a_file_is_read():
    for model in (LINEAR, TREES):
        file = TrainedFile.of(tree(model), "m.json")
        assert [str(each) for each in file.features] == ["chrf"]
        assert file.model.tree() == tree(model)["model"]


def test_sentences_are_not_part_of_the_digest():
    with_sentences = {**tree(), "verdict": ["It is good."]}
    assert TrainedFile.of(with_sentences, "m.json").digest == tree()["digest"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({}, "this is not the file of a trained metric"),
        ([], "this is not the file of a trained metric"),
        ({**tree(), "wins": "soft"}, "damaged or was edited: its digest is"),
        (tree(format=9), "has format 9; this version of Assay reads format 1"),
        (tree(features=[]), "it has no features"),
        (tree(features=["chrf"]), "a feature has no name"),
        (tree(features=[{"feature": "chrf#"}]), "'chrf#' is not a feature"),
        (tree(wins="all"), "wins is not one of none, soft, hard"),
        (tree({"kind": "forest"}), "its model is of an unknown kind"),
        (tree({**LINEAR, "weights": [1.0, 2.0]}), "weights has 2 numbers, not 1"),
        (tree({**LINEAR, "scale": [0.0]}), "a scale is not positive"),
        (tree({**LINEAR, "low": [101.0]}), "a bound is above the other"),
        (tree({**LINEAR, "centre": ["x"]}), "centre is not a list of numbers"),
        (
            tree({**TREES, "trees": [{**NODES, "left": [0, -1, -1]}]}),
            "a node of a tree has an unknown feature",
        ),
        (
            tree({**TREES, "trees": [{**NODES, "feature": [3, -1, -1]}]}),
            "a node of a tree has an unknown feature",
        ),
        (tree({"kind": "trees", "trees": [{name: [] for name in NODES}]}), "a tree is empty"),
    ],
)
def test_what_is_not_as_it_was_written_is_refused(changed, message):
    with pytest.raises(InputError, match=message):
        TrainedFile.of(changed, "m.json")
