from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError
from assay.metaeval.human_scores import HumanView, find_gold, human_scores
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.study.rank import rank
from assay.types import Rankings, Ratings
from tests.campaigns_with_metrics import SYSTEMS, campaign, human, metric

SOME = SYSTEMS[:6]


def rankings(name="rr", systems=SOME):
    """The order of the names, always; and one judge who sees it the other way round."""
    rows = [[i + 1 for i in range(len(systems))]] * 5 + [[len(systems) - i for i in range(len(systems))]]
    return Rankings(name, systems, ("j",), np.zeros(6), np.arange(6), np.array(rows))


def ratings():
    """The first system 90, the second 80, ... on every segment but the last."""
    system, segment = (grid.ravel() for grid in np.meshgrid(range(6), range(5), indexing="ij"))
    return Ratings("esa", "ESA", ("r",), SOME, np.zeros(30), system, segment, 90.0 - 10 * system)


def test_which_human_scores():
    assert find_gold([campaign()], None) == "da"
    two = campaign(scores=(human(), human(name="mqm")))
    assert find_gold([two], "mqm") == "mqm"
    with pytest.raises(ConfigError, match="several kinds") as caught:
        find_gold([two], None)
    assert caught.value.hint == "choose one: --gold da|mqm"
    with pytest.raises(UnknownNameError, match="no human scores called 'esa'"):
        find_gold([two], "esa")
    with pytest.raises(InputError, match="no human scores"):
        find_gold([campaign(scores=())], None)


def test_single_judgements_where_there_are_no_scores():
    judged = campaign(scores=(metric("good", 0.1),), judgements=(rankings(),))
    assert find_gold([judged], None) == "rr"
    assert find_gold([campaign(judgements=(rankings(),))], None) == "da"
    assert find_gold([campaign(judgements=(rankings(),))], "rr") == "rr"


def test_scores_as_they_are():
    gold = HumanView("da").scores(campaign(), SOME)
    assert [table.level for table in gold.scores.tables] == ["system", "segment"]
    assert gold.system_scores == pytest.approx(dict(zip(SOME, human().values[:6, 0], strict=True)))
    assert gold.has("system")
    assert gold.has("segment")
    assert (gold.rankings, gold.pairs, gold.replicates) == (None, None, None)
    assert HumanView("mqm").scores(campaign(), SOME) is None
    assert not HumanView("da").scores(campaign(scores=(human(),)), SOME).has("segment")


def test_rankings_are_expected_wins_and_their_draws():
    gold = HumanView("rr", resamples=7).scores(campaign(judgements=(rankings(),)), SOME)
    assert gold.scores.system.values[:, 0].tolist() == pytest.approx([5 / 6, 0.7, 17 / 30, 13 / 30, 0.3, 1 / 6])
    assert gold.replicates.shape == (7, 6)
    assert gold.has("segment")
    paired = gold.align(ScoresByLevel("good", system=metric("good", 0.1).take(SOME)), "system")
    assert paired.systems == tuple(sorted(SOME))
    np.testing.assert_array_equal(paired.human_replicates, gold.replicates)
    assert human_scores(rankings()).replicates is None


def test_ratings_are_averaged_and_systems_without_outputs_noted():
    judged = campaign(scores=(), judgements=(dataclasses.replace(ratings(), systems=(*SOME[:5], "unknown")),))
    gold = HumanView("esa").scores(judged, SOME)
    assert gold.scores.segment.values.shape == (6, 6)
    assert gold.scores.segment.values[:2, 0].tolist() == [90.0, 80.0]
    assert [str(note) for note in gold.notes] == ["judged systems without outputs are not compared: unknown"]


@pytest.mark.parametrize("view", ["clusters", "fuzzy-ranks"])
def test_clusters_and_fuzzy_ranks(view):
    gold = HumanView("da", view=view, test="paired-t").scores(campaign(), SOME)
    ranking = rank(human("segment").take(SOME), test="paired-t")
    expected = {each.system: each.cluster if view == "clusters" else each.fuzzy_rank for each in ranking}
    table = gold.scores.system
    assert dict(zip(table.systems, table.values[:, 0].tolist(), strict=True)) == expected
    assert not table.higher_is_better
    assert len(set(expected.values())) > 2
    paired = gold.align(ScoresByLevel("good", system=metric("good", 0.0).take(SOME)), "system")
    assert np.corrcoef(paired.cells.metric[:, 0], paired.cells.human[:, 0])[0, 1] > 0.5
    assert gold.system_scores == HumanView("da").scores(campaign(), SOME).system_scores


def test_significant_pairs():
    gold = HumanView("da", significant=0.01, test="paired-t").scores(campaign(), SOME)
    ranking = rank(human("segment").take(SOME), test="paired-t")
    paired = gold.align(ScoresByLevel("good", system=metric("good", 0.1).take(SOME)), "system")
    for i, one in enumerate(paired.systems):
        for j, other in enumerate(paired.systems):
            apart = one != other and min(ranking.p_value(one, other), ranking.p_value(other, one)) < 0.01
            assert paired.pairs[i, j] == apart
    assert 0 < paired.pairs.sum() < 30
    fewer = paired.without(["far"], "too far")
    assert fewer.pairs.shape == (5, 5)
    np.testing.assert_array_equal(fewer.batch("none").pairs, fewer.pairs)


def test_without_segments_nothing_is_tested():
    assert HumanView("da", significant=0.05).scores(campaign(scores=(human(),)), SOME) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"view": "stars"}, "unknown view 'stars'"),
        ({"significant": 0.0}, "between 0 and 1"),
        ({"test": "rank-sum"}, "nothing is tested"),
        ({"test": "tea", "significant": 0.1}, "unknown test"),
        ({"method": "guess"}, "unknown method"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(ConfigError, match=message):
        HumanView("da", **options)


def test_two_of_one_name_are_refused():
    twice = campaign(scores=(human("segment"), human("segment", seed=33)))
    with pytest.raises(NameClashError, match="there are two segment-level scores called 'da'"):
        HumanView("da").scores(twice, SOME)
    twice = campaign(scores=(), judgements=(rankings("rr"), rankings("rr")))
    with pytest.raises(NameClashError, match="2 kinds of judgements called 'rr'"):
        HumanView("rr").scores(twice, SOME)


def test_a_method_is_for_rankings():
    judged = campaign(judgements=(rankings(), ratings()))
    assert HumanView("rr", method="trueskill").scores(judged, SOME) is not None
    for name in ("da", "esa"):
        with pytest.raises(ConfigError, match=f"method does not apply to '{name}'"):
            HumanView(name, method="trueskill").scores(judged, SOME)


def test_single_rankings_have_no_significant_pairs():
    """Once they were compared on all pairs, and said to be on the significant ones."""
    gold = HumanView("rr", significant=0.05).scores(campaign(judgements=(rankings(),)), SOME)
    scores = ScoresByLevel("good", segment=metric("good", 0.1, level="segment").take(SOME))
    assert gold.align(scores, "system").pairs is not None
    with pytest.raises(ConfigError, match="individual rankings cannot be restricted"):
        gold.align(scores, "segment")


def test_a_system_that_was_only_ever_tied_has_no_cluster():
    """Its expected wins are undefined; last in order, it would look like the worst."""
    ranks = np.array([[1, 2, 1], [1, 2, 2]] * 15)
    ties = np.array([[0, 0, 1, 1]] * 30)
    rows = np.vstack([np.hstack([ranks, np.zeros((30, 1), dtype=int)]), ties])
    only_tied = Rankings("rr", ("a", "b", "c", "tied"), ("j",), np.zeros(60), np.arange(60) % 6, rows)
    judged = campaign(scores=(), judgements=(only_tied,), systems=only_tied.systems, testset=None)
    for view in ("clusters", "fuzzy-ranks"):
        gold = HumanView("rr", view=view).scores(judged, only_tied.systems)
        table = gold.scores.system
        assert dict(zip(table.systems, table.values[:, 0].tolist(), strict=True)) == {"a": 1, "c": 2, "b": 3}
        assert any("only ever tied" in str(note) for note in gold.notes)
    nothing_but_ties = dataclasses.replace(only_tied, ranks=np.where(rows > 0, 1, 0))
    with pytest.raises(InputError, match="contain only ties"):
        rank(nothing_but_ties)
