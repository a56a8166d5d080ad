from __future__ import annotations

import dataclasses
import math

import pytest

import assay
from assay.errors import ConfigError, EmptyInputError
from assay.reports import document, renderer
from assay.reports.table import Table
from assay.sample import generate

_HALVES = ((("alder", "birch"), "en-de"), (("elm", "willow"), "en-cs"))


@pytest.fixture(scope="module")
def sample():
    campaign = generate("de")
    return assay.load(
        outputs={name: campaign.output(name) for name in ("willow", "alder", "birch", "elm")},
        references=campaign.references,
        lp="en-de",
    )


@pytest.fixture(scope="module")
def pairs(sample):
    """Three language pairs: the second lacks a system, the third has one text of its own."""
    fewer = dataclasses.replace(sample.with_systems(["alder", "birch", "elm"]), lp="en-cs")
    other = dataclasses.replace(sample.with_systems(["elm", "alder"]), lp="en-zz")
    return [sample, fewer, other]


def test_standings_are_those_of_a_comparison_of_all_pairs(sample):
    board = assay.leaderboard(sample, "bleu,ter", resamples=300)
    compared = assay.compare(sample, "bleu,ter", agg="corpus", all_pairs=True, resamples=300)
    assert board.metrics == ("bleu", "ter")
    assert board.lower_is_better == ("ter",)
    assert board.overall == ()
    for metric in compared.metrics:
        found = board.ranked(metric.metric, "corpus", "en-de")
        assert {name: each.cluster for name, each in found.items()} == metric.clusters
        assert list(found) == list(metric.clusters)  # best first
        assert [each.rank for each in found.values()] == [1, 2, 3, 4]
        assert all(each.score == metric.scores[name] for name, each in found.items())


def test_equal_scores_share_a_rank(sample):
    same = dataclasses.replace(sample, outputs={**sample.outputs, "copy": sample.outputs["alder"]})
    ranks = {each.system: each.rank for each in assay.leaderboard(same, "chrf", resamples=300).standings}
    assert ranks["copy"] == ranks["alder"]
    assert ranks["elm"] == sum(rank < ranks["elm"] for rank in ranks.values()) + 1


def test_only_systems_of_all_language_pairs_have_a_mean(pairs):
    board = assay.leaderboard(pairs, "bleu", resamples=300)
    overall = {each.system: each for each in board.overall}
    assert list(overall)[:2] == ["alder", "elm"]  # the means
    scores = [board.ranked("bleu", "corpus", lp)["alder"].score.value for lp in board.lps]
    assert overall["alder"].score.value == pytest.approx(sum(scores) / 3, abs=1e-12)
    assert (overall["alder"].rank, overall["alder"].wins, overall["alder"].top_clusters) == (1, 3, 3)
    assert overall["birch"].rank is None
    assert math.isnan(overall["birch"].score.value)
    assert overall["birch"].score.reason == "scored on 2 of 3 language pairs"
    assert overall["birch"].wins == 0


def test_tables_show_clusters_and_means(sample, pairs):
    single = renderer.create("table").render(document(assay.leaderboard(sample, "bleu,chrf,ter", resamples=300)))
    header, first = (line.split() for line in single.splitlines()[2:4])
    assert header == ["rank", "system", "bleu", "corpus", "chrf", "corpus", "ter", "corpus", "↓"]
    assert first[:2] == ["1", "alder"]
    assert first[5] == "(1)"
    several = renderer.create("table").render(document(assay.leaderboard(pairs, "bleu", resamples=300)))
    assert several.splitlines()[0].split() == [
        "rank",
        "bleu",
        "corpus",
        "mean",
        "pairs",
        "wins",
        "top",
        "en-de",
        "en-cs",
        "en-zz",
    ]
    assert "systems without a score on every language pair have no mean and no rank" in several


def test_without_a_system_on_all_language_pairs_there_is_no_mean(sample):
    halves = [dataclasses.replace(sample.with_systems(names), lp=lp) for names, lp in _HALVES]
    board = assay.leaderboard(halves, "bleu", resamples=300)
    assert all(math.isnan(each.score.value) for each in board.overall)
    shown = renderer.create("table").render(document(board))
    assert "no system has a score on every language pair, so that none has a mean or a rank" in shown


def test_a_language_pair_with_one_system_is_left_out(sample):
    single = dataclasses.replace(sample.with_systems(["elm"]), lp="en-cs")
    board = assay.leaderboard([sample, single], "bleu", resamples=300)
    assert board.lps == ("en-de",)
    assert "en-cs: left out: a leaderboard needs at least two systems" in map(str, board.notes)


def test_a_board_of_many_systems_fits_a_terminal(sample):
    columns = list(sample.outputs.values())
    many = dataclasses.replace(sample, outputs={f"a-name-of-22-chars--{i:02}": columns[i % 4] for i in range(17)})
    board = assay.leaderboard(many, "bleu,chrf,ter", resamples=300)
    lines = Table(width=100).render(document(board)).splitlines()
    assert max(map(len, lines[:20])) <= 100
    assert sum(line.startswith("rank") for line in lines) == 1  # in one block


def test_two_test_sets_of_one_language_pair_need_names(sample):
    with pytest.raises(ConfigError, match="two test sets have the same name and language pair"):
        assay.leaderboard([sample, sample], "chrf", resamples=300)
    named = [dataclasses.replace(sample, name=name) for name in ("news", "talks")]
    assert assay.leaderboard(named, "chrf", resamples=300).lps == ("news en-de", "talks en-de")
    with pytest.raises(EmptyInputError, match="testsets is empty"):
        assay.leaderboard([])


def test_language_pairs_without_a_reference_are_left_out_before_anything_is_scored(pairs):
    bare = dataclasses.replace(pairs[1], references={})
    board = assay.leaderboard([pairs[0], bare, pairs[2]], "bleu", resamples=300)
    assert board.lps == ("en-de", "en-zz")
    assert "en-cs: left out: bleu needs a reference" in map(str, board.notes)
    with pytest.raises(ConfigError, match=r"^bleu needs a reference"):
        assay.leaderboard([bare], "bleu")
    with pytest.raises(ConfigError, match=r"^en-cs: bleu needs a reference"):
        assay.leaderboard([bare, dataclasses.replace(bare, lp="en-zz")], "bleu")
    with pytest.raises(ConfigError, match="no-such"):
        assay.leaderboard([pairs[0], bare], "no-such")
