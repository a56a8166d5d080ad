from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, NameClashError
from assay.human.options import RankingOptions
from assay.metaeval.gold import Gold, GoldOptions, find_gold
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.study.rank import rank
from assay.types import NoteKind, Rankings, Ratings
from assay.types.runtime import Runtime
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


def test_stored_scores_are_preferred_to_judgements_of_the_same_name():
    gold = find_gold(campaign(judgements=(rankings("da"),)), SOME, GoldOptions("da"), Runtime())
    assert gold.rankings is None
    (note,) = gold.notes
    assert note.kind == NoteKind.PROVENANCE
    assert note.text == "the stored scores 'da' are used, not the individual judgements of the same name"


def test_scores_as_they_are():
    gold = find_gold(campaign(), SOME, GoldOptions("da"), Runtime())
    assert [table.level for table in gold.by_level.tables] == ["system", "segment"]
    assert gold.system_scores == pytest.approx(dict(zip(SOME, human().values[:6, 0], strict=True)))
    assert gold.has("system")
    assert gold.has("segment")
    assert (gold.rankings, gold.pairs, gold.replicates) == (None, None, None)
    assert find_gold(campaign(), SOME, GoldOptions("mqm"), Runtime()) is None
    assert not find_gold(campaign(scores=(human(),)), SOME, GoldOptions("da"), Runtime()).has("segment")


def test_rankings_are_expected_wins_and_their_draws():
    gold = find_gold(campaign(judgements=(rankings(),)), SOME, GoldOptions("rr", resamples=7), Runtime())
    assert gold.by_level.system.values[:, 0].tolist() == pytest.approx([5 / 6, 0.7, 17 / 30, 13 / 30, 0.3, 1 / 6])
    assert gold.replicates.shape == (7, 6)
    assert gold.has("segment")
    paired = gold.align(ScoresByLevel("good", system=metric("good", 0.1).take(SOME)), "system")
    assert paired.systems == tuple(sorted(SOME))
    np.testing.assert_array_equal(paired.human_replicates, gold.replicates)
    assert Gold.from_rankings(rankings(), GoldOptions("rr"), Runtime()).replicates is None


def test_ratings_are_averaged_and_systems_without_outputs_noted():
    judged = campaign(scores=(), judgements=(dataclasses.replace(ratings(), systems=(*SOME[:5], "unknown")),))
    gold = find_gold(judged, SOME, GoldOptions("esa"), Runtime())
    assert gold.by_level.segment.values.shape == (6, 6)
    assert gold.by_level.segment.values[:2, 0].tolist() == [90.0, 80.0]
    assert [str(note) for note in gold.notes] == ["judged systems without outputs are not compared: unknown"]


@pytest.mark.parametrize("view", ["clusters", "fuzzy-ranks"])
def test_clusters_and_fuzzy_ranks(view):
    gold = find_gold(campaign(), SOME, GoldOptions("da", view=view, ranking=RankingOptions(test="paired-t")), Runtime())
    ranking = rank(human("segment").take(SOME), test="paired-t")
    expected = {each.system: each.cluster if view == "clusters" else each.fuzzy_rank for each in ranking}
    table = gold.by_level.system
    assert dict(zip(table.systems, table.values[:, 0].tolist(), strict=True)) == expected
    assert not table.higher_is_better
    assert len(set(expected.values())) > 2
    paired = gold.align(ScoresByLevel("good", system=metric("good", 0.0).take(SOME)), "system")
    assert np.corrcoef(paired.cells.metric[:, 0], paired.cells.human[:, 0])[0, 1] > 0.5
    assert gold.system_scores == find_gold(campaign(), SOME, GoldOptions("da"), Runtime()).system_scores


def test_significant_pairs():
    gold = find_gold(
        campaign(), SOME, GoldOptions("da", significant=0.01, ranking=RankingOptions(test="paired-t")), Runtime()
    )
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
    assert find_gold(campaign(scores=(human(),)), SOME, GoldOptions("da", significant=0.05), Runtime()) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"view": "stars"}, "unknown view 'stars'"),
        ({"significant": 0.0}, "between 0 and 1"),
        ({"ranking": RankingOptions(test="rank-sum")}, "test has no effect on 'da'"),
    ],
)
def test_invalid_options(options, message):
    with pytest.raises(ConfigError, match=message):
        GoldOptions("da", **options)


def test_two_of_one_name_are_refused():
    twice = campaign(scores=(human("segment"), human("segment", seed=33)))
    with pytest.raises(NameClashError, match="there are two segment-level scores called 'da'"):
        find_gold(twice, SOME, GoldOptions("da"), Runtime())
    twice = campaign(scores=(), judgements=(rankings("rr"), rankings("rr")))
    with pytest.raises(NameClashError, match="2 kinds of judgements called 'rr'"):
        find_gold(twice, SOME, GoldOptions("rr"), Runtime())


def test_a_method_is_for_rankings():
    judged = campaign(judgements=(rankings(), ratings()))
    assert find_gold(judged, SOME, GoldOptions("rr", ranking=RankingOptions(method="trueskill")), Runtime()) is not None
    for name in ("da", "esa"):
        with pytest.raises(ConfigError, match=f"method has no effect on '{name}'"):
            find_gold(judged, SOME, GoldOptions(name, ranking=RankingOptions(method="trueskill")), Runtime())


def test_single_rankings_have_no_significant_pairs():
    """Once they were compared on all pairs, and said to be on the significant ones."""
    gold = find_gold(campaign(judgements=(rankings(),)), SOME, GoldOptions("rr", significant=0.05), Runtime())
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
        gold = find_gold(judged, only_tied.systems, GoldOptions("rr", view=view), Runtime())
        table = gold.by_level.system
        assert dict(zip(table.systems, table.values[:, 0].tolist(), strict=True)) == {"a": 1, "c": 2, "b": 3}
        assert any("only ever tied" in str(note) for note in gold.notes)
    nothing_but_ties = dataclasses.replace(only_tied, ranks=np.where(rows > 0, 1, 0))
    with pytest.raises(InputError, match="contain only ties"):
        rank(nothing_but_ties)
