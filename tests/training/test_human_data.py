from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assay.training.human_data import LanguagePairExcluded, find_human_data
from assay.types import Campaign, Rankings, ScoreTable, TestSet

SYSTEMS = ("a", "b", "c")


def made(scores=(), judgements=()):
    texts = TestSet({name: ["x", "y"] for name in SYSTEMS}, lp="en-de")
    return Campaign("test", "en-de", 2, SYSTEMS, (), texts, tuple(scores), tuple(judgements))


def table(name, protocol, values, **more):
    return ScoreTable(name, "segment", SYSTEMS, np.array(values, dtype=float), protocol=protocol, **more)


def test_scores_become_preferences_within_segments():
    nan = np.nan
    human = find_human_data(made([table("da", "DA-z", [[1, nan], [2, 5], [1, 4]])]), (), "preferences", SYSTEMS)
    cells = list(zip(human.system.tolist(), human.segment.tolist(), strict=True))
    pairs = {(cells[b], cells[w]) for b, w in zip(human.better, human.worse, strict=True)}
    assert pairs == {((1, 0), (0, 0)), ((1, 0), (2, 0)), ((1, 1), (2, 1))}  # equal scores are no preference
    assert (human.judgements, human.protocol) == (5, "DA-z")


def test_rankings_become_preferences_and_shares_of_wins():
    ranks = np.array([[1, 2, 2], [2, 1, 0], [1, 2, 0]], dtype=np.int8)
    rankings = Rankings("rr", SYSTEMS, ("j",), np.zeros(3, int), np.array([0, 0, 1]), ranks)
    human = find_human_data(made(judgements=[rankings]), (), "preferences", SYSTEMS)
    cells = list(zip(human.system.tolist(), human.segment.tolist(), strict=True))
    pairs = [(cells[b], cells[w]) for b, w in zip(human.better, human.worse, strict=True)]
    assert sorted(pairs) == [
        ((0, 0), (1, 0)),
        ((0, 0), (2, 0)),
        ((0, 1), (1, 1)),
        ((1, 0), (0, 0)),  # two judges disagree, and both count
    ]
    shares = dict(zip(cells, human.value.tolist(), strict=True))
    assert shares == pytest.approx({(0, 0): 2 / 3, (1, 0): 0.5, (2, 0): 0.25, (0, 1): 1, (1, 1): 0})
    assert human.judgements == 5


def test_the_most_trusted_kind_is_used_unless_one_is_named():
    values = [[1, 2], [2, 3], [3, 1]]
    tables = [
        table("wmt-z", "DA-z", values),
        table("mqm", "MQM", -np.array(values)),
        table("mqm-col1", "MQM", -np.array(values), rater="col1"),
    ]
    campaign = made(tables)
    assert find_human_data(campaign, (), "preferences", SYSTEMS).name == "mqm"
    assert find_human_data(campaign, ("esa", "wmt-z", "mqm"), "preferences", SYSTEMS).name == "wmt-z"
    with pytest.raises(LanguagePairExcluded, match="no judgements of segments of these names"):
        find_human_data(campaign, ("esa",), "preferences", SYSTEMS)
    with pytest.raises(LanguagePairExcluded, match="no ratings with marked errors"):
        find_human_data(campaign, (), "error-free", SYSTEMS)


def test_named_items_that_are_no_lines_are_refused():
    named = replace(table("mqm", "MQM", [[-1, 0], [0, -1], [0, 0]]), items=("p", "q"))
    with pytest.raises(LanguagePairExcluded, match="named items, which cannot be aligned"):
        find_human_data(made([named]), (), "preferences", SYSTEMS)
