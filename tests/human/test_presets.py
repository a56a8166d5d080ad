from __future__ import annotations

import csv
import math
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from assay import rank
from assay.data.tables.judgement_tables import read_judgement_table
from assay.errors import InputError, UnknownNameError
from assay.human.mqm import WEIGHTS
from assay.human.options import PresetChoice, RankingOptions, Weights
from assay.human.preparation import prepare
from assay.human.presets import PRESETS, Preset, find_preset
from assay.human.scoring import segment_scores
from assay.study.load_campaign import load_campaign
from tests import archives
from tests.human.judged import make_ratings, needs_archives

# Means over all segments, by the organisers' filter of the file.
EN_HI = {
    "ONLINE-B": 92.2896,
    "Claude-3.5": 91.9360,
    "TranssionMT": 91.1414,
    "Gemini-1.5-Pro": 90.6936,
    "Unbabel-Tower70B": 90.4512,
    "GPT-4": 89.3670,
    "Llama3-70B": 89.2222,
    "IOL-Research": 88.3064,
    "refA": 87.8485,
    "Aya23": 83.7003,
    "IKUN-C": 73.8788,
}


GOLDEN = Path(__file__).parents[1] / "golden" / "wmt24_human.tsv"
PUBLISHED = 1726187400.0  # the night before 13 September 2024, when the table was published
ESA_PAIRS = ("cs-uk", "en-cs", "en-es", "en-hi", "en-is", "en-ja", "en-ru", "en-uk", "en-zh")
# One rater of en-zh opened the last part of a task again on 14 September: the earlier ratings are not in the table.
RATED_AGAIN = {
    ("IOL-Research", "all"),
    ("IOL-Research", "social"),
    ("Llama3-70B", "all"),
    ("Llama3-70B", "literary"),
    ("Llama3-70B", "speech"),
    ("ONLINE-B", "news"),
    ("refA", "all"),
    ("refA", "social"),
    ("Unbabel-Tower70B", "social"),
    ("GPT-4", "speech"),
    ("Gemini-1.5-Pro", "speech"),
}


def test_help_names_all_presets_and_weights():
    presets, weights = (get_args(choice)[1].help for choice in (PresetChoice, Weights))
    assert all(name in presets for name in PRESETS)
    assert all(name in weights for name in (*WEIGHTS, "stored", "TOML"))


def test_presets_by_name():
    assert find_preset("wmt24") is PRESETS["wmt24"]
    assert find_preset(None) == Preset()
    with pytest.raises(UnknownNameError, match="there is no preset 'wmt2'"):
        find_preset("wmt2")


@needs_archives
def test_esa_of_wmt24():
    (path,) = (archives.unpacked("formats") / "esa-wmt24").glob("*.en-hi.csv")
    campaign = load_campaign(path)
    pooled = rank(campaign, preset="wmt24", over_domains="pooled", keep_references=True, resamples=20)
    assert {ranked.system: round(ranked.score.value, 4) for ranked in pooled} == EN_HI
    assert {ranked.score.n for ranked in pooled} == {297}
    ranking = rank(campaign, preset="wmt24", by_domain=True, keep_references=True, resamples=20)
    assert set(ranking.by_domain) == {"news", "social", "speech", "literary"}
    for ranked in ranking:
        means = [by_system[ranked.system].value for by_system in ranking.by_domain.values()]
        assert ranked.score.value == pytest.approx(sum(means) / 4)
    assert [ranked.system for ranked in ranking][:3] == ["Claude-3.5", "TranssionMT", "Unbabel-Tower70B"]
    assert ranking.p_value("Claude-3.5", "IKUN-C") == ranking.p_value("IKUN-C", "Claude-3.5") < 1e-6
    assert ("TranssionMT", "ONLINE-B") in ranking.opposed
    assert "preset:wmt24" in ranking.signature
    check_p_values(ranking, campaign.judgements[0])


def check_p_values(ranking, ratings):
    """Two-sided signed-rank tests by domain, combined by Stouffer's method, all by SciPy."""
    table = segment_scores(prepare(ratings, RankingOptions(preset="wmt24")).judgements)
    scores = dict(zip(table.systems, table.values, strict=True))
    for one, other in combinations(table.systems, 2):
        difference = scores[one] - scores[other]
        p_values = []
        for domain in ranking.by_domain:
            own = difference[[name == domain for name in table.domains]]
            p_values.append(stats.wilcoxon(own[~np.isnan(own)], method="asymptotic").pvalue)
        expected = stats.combine_pvalues(p_values, method="stouffer").pvalue
        assert ranking.p_value(one, other) == pytest.approx(expected, abs=1e-12)


def rated_twice():
    """Two domains; in the first, some outputs have two ratings, some by the same rater in another wave."""
    random = np.random.default_rng(5)
    rows, waves, domains = [], [], []
    for segment, system in product(range(30), "abc"):
        again = (segment + ord(system)) % 3 == 0 and segment < 12
        for wave in ("1", "2")[: 1 + again]:
            rows.append(("x", system, segment, float(random.integers(0, 12)) + 2 * (system == "a")))
            waves.append(wave)
            domains.append("news" if segment < 12 else "social")
    return make_ratings(rows, wave=tuple(waves), domain=tuple(domains), protocol="ESA")


def by_domain(ratings):
    """The ratings of each segment by domain and system."""
    found = {}
    for system, segment, domain, score in zip(
        ratings.system.tolist(), ratings.segment.tolist(), ratings.domain, ratings.score.tolist(), strict=True
    ):
        found.setdefault((domain, ratings.systems[system]), {}).setdefault(segment, []).append(score)
    return found


@pytest.mark.parametrize("preset", ["wmt24", "wmt25"])
@pytest.mark.parametrize("alternative", [None, "better", "two-sided"])
def test_every_rating_counts(preset, alternative):
    ratings = rated_twice()
    ranking = rank(ratings, preset=preset, alternative=alternative, by_domain=True, resamples=20)
    scores = by_domain(ratings)
    groups = [["news"], ["social"]] if preset == "wmt24" else [["news", "social"]]
    for ranked in ranking:
        lists = {name: [s for own in scores[name, ranked.system].values() for s in own] for name in ("news", "social")}
        for name, own in lists.items():
            assert ranking.by_domain[name][ranked.system].value == pytest.approx(sum(own) / len(own))
            assert ranking.by_domain[name][ranked.system].n == len(own)
        pooled = [[score for name in group for score in lists[name]] for group in groups]
        assert ranked.score.value == pytest.approx(sum(sum(own) / len(own) for own in pooled) / len(pooled))
        assert ranked.score.n == len(lists["news"]) + len(lists["social"])
    sides = "greater" if alternative == "better" else "two-sided"
    for one, other in combinations("abc", 2):
        p_values = []
        for group in groups:
            pairs = [
                x - y
                for name in group
                for segment, own in scores[name, one].items()
                for x, y in product(own, scores[name, other][segment])
            ]
            p_values.append(stats.wilcoxon(pairs, alternative=sides, method="asymptotic").pvalue)
        expected = stats.combine_pvalues(p_values, method="stouffer").pvalue
        assert ranking.p_value(one, other) == pytest.approx(expected, abs=1e-12)
    assert ranking.outputs == 90 < ranking.judgement_count == len(ratings)
    assert any("with several ratings" in note.text for note in ranking.notes)
    assert ("alternative:" in ranking.signature) == (alternative is not None)


@pytest.mark.parametrize("alternative", ["better", "two-sided"])
@pytest.mark.parametrize("preset", ["wmt24", "wmt25"])
@pytest.mark.parametrize("domains", [("news",), ("news", "social")])
def test_a_system_and_its_copy(preset, alternative, domains):
    """However many domains there are, and whether ratings or scores by segment are compared."""
    rows = [("x", system, segment, 10.0 + segment) for segment, system in product(range(12), "ab")]
    ratings = make_ratings(rows, domain=tuple(domains[row[2] % len(domains)] for row in rows), protocol="ESA")
    for judged in (ratings, segment_scores(ratings)):
        ranking = rank(judged, preset=preset, alternative=alternative, resamples=20)
        assert ranking.p_value("a", "b") == ranking.p_value("b", "a") == 1.0


def test_a_preset_of_ratings_on_scores_by_segment():
    table = segment_scores(rated_twice())
    ranking = rank(table, preset="wmt24", resamples=20)
    assert any("there are only scores by segment" in note.text for note in ranking.notes)
    assert not any("only scores by segment" in note.text for note in rank(table, resamples=20).notes)
    assert not any("only scores by segment" in note.text for note in rank(rated_twice(), preset="wmt25").notes)


def test_penalties_by_rating():
    """Where lower is better, the same order comes out of negated ratings."""
    ratings = rated_twice()
    flipped = make_ratings(
        [
            ("x", ratings.systems[system], segment, -score)
            for system, segment, score in zip(ratings.system, ratings.segment, ratings.score, strict=True)
        ],
        wave=ratings.wave,
        domain=ratings.domain,
        protocol="other",
        higher_is_better=False,
    )
    ranking, negated = rank(ratings, preset="wmt25", resamples=20), rank(flipped, preset="wmt25", resamples=20)
    assert [ranked.system for ranked in ranking] == [ranked.system for ranked in negated]
    assert [ranked.score.value for ranked in ranking] == [-ranked.score.value for ranked in negated]
    assert np.array_equal(ranking.p_values, negated.p_values, equal_nan=True)


@needs_archives
@pytest.mark.slow
def test_the_published_numbers_of_wmt24():
    """587 means and 115 rank ranges and clusters, but for ratings of one rater that are not in the tables."""
    with GOLDEN.open(encoding="utf-8") as file:
        golden = {
            (row["lp"], row["system"], row["domain"]): float(row["score"])
            for row in csv.DictReader(file, delimiter="\t")
        }
    assert len(golden) == 587
    for lp in ESA_PAIRS:
        ratings = next(judged for judged in load_campaign(archives.unpacked("wmt24"), lp=lp).judgements)
        existing = ratings.where(ratings.time <= PUBLISHED)
        ranking = rank(existing, preset="wmt24", alternative="better", by_domain=True, resamples=0)
        numbers = {(ranked.system, "all"): ranked.score.value for ranked in ranking}
        for domain, means in ranking.by_domain.items():
            numbers |= {(system, domain): estimate.value for system, estimate in means.items()}
        expected = {(system, domain): score for (pair, system, domain), score in golden.items() if pair == lp}
        assert numbers.keys() == expected.keys()
        off = {key for key, score in expected.items() if not math.isclose(numbers[key], score, abs_tol=0.0500001)}
        assert off == (RATED_AGAIN if lp == "en-zh" else set())
        path = archives.unpacked("wmt24") / "human-significance" / f"{lp}.ranking-2024-09-13.tsv"
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                ranked = ranking[row["system"]]
                assert ranked.cluster == int(row["cluster"])
                if lp != "en-zh":
                    assert (ranked.rank_low, ranked.rank_high) == (int(row["rank_from"]), int(row["rank_to"]))


def organisers_clusters(ranking):
    """Boundaries by the loop of the organisers' script, which asks for a difference in either direction."""
    systems = [ranked.system for ranked in ranking]
    clusters, number, until = {}, 1, -1
    for place, system in enumerate(systems):
        until = -1 if until <= place else until
        alike = [k for k in range(place + 1, len(systems)) if ranking.p_value(system, systems[k]) > 0.05]
        until = max([until, *alike])
        clusters[system] = number
        number += until == -1
    return clusters


@needs_archives
@pytest.mark.slow
@pytest.mark.parametrize(("lp", "clusters"), [("en-cs", 9), ("en-ja", 5), ("en-uk", 5), ("en-zh", 7)])
def test_the_clusters_of_wmt24_ignore_the_direction(lp, clusters):
    """Here the test favours a lower-ranked system somewhere, and a boundary is there all the same."""
    ratings = next(judged for judged in load_campaign(archives.unpacked("wmt24"), lp=lp).judgements)
    ranking = rank(ratings, preset="wmt24", exclude=["refA"], resamples=0)
    assert max(ranked.cluster for ranked in ranking) == clusters
    assert {ranked.system: ranked.cluster for ranked in ranking} == organisers_clusters(ranking)


WMT25_PAIRS = ("cs-de_DE", "en-ar_EG", "en-bho_IN", "en-cs_CZ", "en-is_IS", "en-it_IT", "en-mas_KE", "en-zh_CN")


@needs_archives
@pytest.mark.slow
@pytest.mark.parametrize("lp", WMT25_PAIRS)
def test_the_scores_of_wmt25(lp):
    """The mean of all ratings; a mean over domains is up to 3.6 points away, and orders systems differently."""
    folder = archives.unpacked("wmt25")
    published = {
        system: float(score)
        for system, score in (line.split("\t") for line in archives.lines(folder / f"human-scores/{lp}.esa.sys.score"))
    }
    ratings = read_judgement_table(folder / f"judgements/{lp}.esa.tsv", "esa")
    ranking = rank(ratings, preset="wmt25", resamples=0)
    assert {ranked.system: ranked.score.value for ranked in ranking} == pytest.approx(published, abs=1e-6)
    assert {ranked.score.n % 2 for ranked in ranking} == {0}
    by_domain = rank(ratings, preset="wmt25", over_domains="mean", resamples=0)
    assert max(abs(ranked.score.value - published[ranked.system]) for ranked in by_domain) > 0.5
    assert [ranked.system for ranked in by_domain] != [ranked.system for ranked in ranking]


@needs_archives
def test_the_ratings_of_wmt25_are_found_without_a_name():
    """Among them, items that all raters of a pair rated for quality control, and the scores of either campaign."""
    campaign = load_campaign(archives.unpacked("wmt25"), lp="en-is_IS")
    control = next(judged for judged in campaign.judgements if judged.name == "esa-control")
    assert (set(control.kind), len(control)) == ({"CHK"}, 155)
    ranking = rank(campaign, preset="wmt25", resamples=0, reliability=True)
    assert (ranking.name, ranking.judgement_count, len(ranking)) == ("esa", 7272, 18)
    assert ranking.reliability["Pearson within pairs of raters"].n == 10  # all pairs of five raters
    stored = rank(replace(campaign, judgements=()), resamples=0, reliability=True)
    assert (stored.name, stored.reliability["Pearson within pairs of raters"].n) == (
        "esa",
        1,
    )  # either campaign is a rater
    with pytest.raises(InputError, match="all ratings of 'esa-control' are of quality-control items"):
        rank(campaign, gold="esa-control")
