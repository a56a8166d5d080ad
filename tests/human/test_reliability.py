from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from assay.errors import ConfigError
from assay.human import reliability
from assay.human.rater_scores import rater_scores_of_ratings, rater_scores_of_tables
from assay.human.reliability import kappa, pearson, reliability_of
from assay.types import ScoreTable
from tests.human.judged import WMT16, make_rankings, make_ratings, needs_archives, random_rankings, wmt_rankings


def slow_kappa(rankings, who, as_shown):
    """All judgements in a list, and every two of them compared."""
    judgements = []
    for row in range(len(rankings)):
        numbers = range(len(rankings.systems)) if rankings.output is None else rankings.output[row].tolist()
        shown = {}
        for system, number in enumerate(numbers):
            if rankings.ranks[row, system]:
                shown.setdefault(number, []).append(system)
        outputs = [(tuple(shown[number]), int(rankings.ranks[row, shown[number][0]])) for number in sorted(shown)]
        for (one, rank), (other, second) in combinations(outputs, 2):
            outcome = "tie" if rank == second else one if rank < second else other
            judgements.append((int(rankings.judge[row]), int(rankings.segment[row]), (one, other), outcome))
    agreed = comparable = 0
    for (judge, segment, pair, outcome), (judge2, segment2, pair2, outcome2) in combinations(judgements, 2):
        same_pair = pair == pair2 if as_shown else set(pair) == set(pair2)
        right_judges = {"all": True, "between": judge != judge2, "within": judge == judge2}[who]
        if segment == segment2 and same_pair and right_judges:
            comparable += 1
            agreed += outcome == outcome2
    return agreed, comparable, sum(j[-1] == "tie" for j in judgements), len(judgements)


def test_kappa_as_the_slow_twin():
    comparable = 0
    for rankings in random_rankings(60, seed=7, largest=4):
        for who in ("between", "within", "all"):
            for as_shown in (False, True):
                found = kappa(rankings, who, as_shown=as_shown)
                counts = (found.agreed, found.comparable, found.ties, found.judgements)
                assert counts == slow_kappa(rankings, who, as_shown)
                comparable += found.comparable
    assert comparable > 5000


def test_kappa_by_hand():
    # Three judges on one segment: a > b, a > b, b > a; then one of them again: a = b on another segment.
    rankings = make_rankings([[1, 2], [1, 2], [2, 1], [1, 1]], judges=[0, 1, 2, 0], segments=[0, 0, 0, 1])
    found = kappa(rankings)
    assert (found.agreed, found.comparable, found.ties, found.judgements) == (1, 3, 1, 4)
    assert found.observed == pytest.approx(1 / 3)
    assert found.by_chance == pytest.approx(1 / 16 + 9 / 32)
    assert found.value == pytest.approx((1 / 3 - 11 / 32) / (1 - 11 / 32))
    assert found.reason is None


def test_perfect_agreement_is_1_and_none_is_below_0():
    rankings = make_rankings([[1, 2, 3]] * 4, judges=[0, 1, 2, 0], segments=[0] * 4)
    assert kappa(rankings).value == kappa(rankings, "within").value == kappa(rankings, "all").value == 1
    assert kappa(make_rankings([[1, 2], [2, 1]], judges=[0, 1], segments=[0, 0])).value == -1


def test_undefined_kappas_have_a_reason():
    alone = kappa(make_rankings([[1, 2], [1, 2]]))
    assert (math.isnan(alone.value), alone.reason) == (True, "no two judgements compare the same two outputs")
    ties = kappa(make_rankings([[1, 1], [1, 1]], judges=[0, 1], segments=[0, 0]))
    assert (math.isnan(ties.value), ties.reason, ties.observed) == (True, "every judgement is a tie", 1.0)
    nothing = kappa(make_rankings([[0, 1]]))
    assert math.isnan(nothing.value)
    assert math.isnan(nothing.by_chance)
    assert nothing.reason is not None


def test_unknown_kinds_are_refused():
    with pytest.raises(ConfigError, match=r"unknown kind of agreement 'betwen'"):
        kappa(make_rankings([[1, 2]]), "betwen")


def test_order_and_names_do_not_matter():
    for rankings in random_rankings(30, seed=9):
        expected = kappa(rankings, "all")
        turned = rankings.take(rankings.systems[::-1])
        assert kappa(replace(turned, systems=tuple("pqrstuvw"[: len(turned.systems)])), "all") == expected


# Agreed, comparable, ties and judgements between judges, then agreed and comparable within a judge, as in
# data/wmt16.scores.readme.txt of the organisers' repository (cfedermann/wmt16).
REPORT_OF_WMT16 = {
    "cs-en": (9370, 18389, 9836, 43991, 700, 1045),
    "en-cs": (11900, 19594, 14465, 77948, 1861, 2932),
    "de-en": (749, 1076, 1182, 12926, 101, 134),
    "en-de": (2018, 3338, 5073, 29770, 264, 378),
    "ru-en": (1410, 2476, 4742, 20520, 155, 220),
    "en-ru": (1565, 2786, 7307, 25117, 227, 331),
    "fi-en": (2125, 3998, 7180, 25637, 360, 507),
    "en-fi": (1925, 2742, 2335, 26172, 432, 547),
    "ro-en": (1793, 3062, 2101, 11978, 139, 184),
    "en-ro": (302, 509, 2110, 8642, 119, 169),
    "tr-en": (349, 630, 2367, 9684, 45, 63),
    "en-tr": (403, 735, 3540, 10095, 116, 202),
}


@needs_archives
@pytest.mark.parametrize("lp", WMT16)
def test_the_report_of_wmt16(lp):
    rankings = wmt_rankings("wmt16", lp)
    between, within = kappa(rankings, "all", as_shown=True), kappa(rankings, "within", as_shown=True)
    found = (between.agreed, between.comparable, between.ties, between.judgements, within.agreed, within.comparable)
    assert found == REPORT_OF_WMT16[lp]


def rater_agreement(tables, statistic="pearson"):
    found = reliability.rater_agreement(rater_scores_of_tables(tables))
    return found[statistic == "spearman"]


def split_half(tables, *, level="segment", **options):
    return reliability.split_half(rater_scores_of_tables(tables), **options)[level == "system"]


def tables_of(values, names="abcdefgh"):
    """(rater, system, segment)"""
    systems = tuple(names[: values.shape[1]])
    return [ScoreTable(f"r{i}", "segment", systems, table, protocol="DA-z") for i, table in enumerate(values)]


def noisy(raters, systems, segments, noise=1.0, seed=1):
    random = np.random.Generator(np.random.PCG64(seed))
    return random.normal(size=(systems, segments)) + noise * random.normal(size=(raters, systems, segments))


def test_correlations_as_scipy():
    random = np.random.Generator(np.random.PCG64(2))
    for _ in range(300):
        size = int(random.integers(3, 40))
        x, y = random.integers(0, random.choice([3, 100]), (2, size)) * 1.0
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            assert math.isnan(pearson(x, y))
            continue
        assert pearson(x, y) == pytest.approx(stats.pearsonr(x, y)[0], abs=1e-12)
        assert pearson(y, x) == pearson(x, y)


def test_correlations_of_odd_numbers():
    x, y = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.5])
    expected = pearson(x, y)
    for scale in (1e-200, 1e200):
        assert pearson(scale * x, y) == pytest.approx(expected)
    assert np.full(3, 0.1).mean() != 0.1
    assert math.isnan(pearson(np.full(3, 0.1), x))  # constant, whatever the rounding of its mean
    assert math.isnan(pearson(np.array([]), np.array([])))
    assert pearson(x, 3 * x + 0.1) == pytest.approx(1)
    assert -1 <= pearson(x, -x) <= pearson(x, x) <= 1


def test_raters_apart():
    ratings = make_ratings([("x", "a", 0, 1.0), ("x", "b", 2, 2.0), ("y", "a", 0, 3.0), ("y", "a", 0, 5.0)])
    scores = rater_scores_of_ratings(ratings)
    rows = list(zip(scores.rater.tolist(), scores.cell.tolist(), scores.score.tolist(), strict=True))
    assert (scores.raters, scores.segments, rows) == (2, 3, [(0, 0, 1.0), (1, 0, 4.0), (0, 5, 2.0)])
    assert rater_scores_of_ratings(ratings.where(ratings.rater == 1)).raters == 1  # who rated nothing does not count
    assert rater_scores_of_ratings(ratings.where(np.zeros(4, bool))).raters == 0


def test_ratings_and_tables_of_the_same_scores_agree_the_same():
    values = noisy(5, 3, 12)
    values[np.random.Generator(np.random.PCG64(3)).random(values.shape) < 0.4] = np.nan
    rows = [(f"r{r}", "abc"[s], i, v) for (r, s, i), v in np.ndenumerate(values) if not math.isnan(v)]
    from_tables, from_ratings = (
        rater_scores_of_tables(tables_of(values)),
        rater_scores_of_ratings(make_ratings(rows, protocol="DA-z")),
    )
    for compute in (reliability.rater_agreement, reliability.split_half):
        assert [e.value for e in compute(from_tables)] == pytest.approx([e.value for e in compute(from_ratings)])


@pytest.mark.parametrize(("statistic", "oracle"), [("pearson", stats.pearsonr), ("spearman", stats.spearmanr)])
def test_agreement_is_the_mean_over_pairs_of_raters_by_common_outputs(statistic, oracle):
    values = noisy(3, 4, 20)
    values[0, 1, :5] = values[2, 3, 10:] = values[2, :2] = np.nan
    pairs, outputs = [], []
    for one, other in combinations(values, 2):
        both = ~np.isnan(one) & ~np.isnan(other)
        pairs.append(oracle(one[both], other[both])[0])
        outputs.append(both.sum())
    found = rater_agreement(tables_of(values), statistic)
    assert sorted(outputs) == [30, 30, 75]
    assert found.value == pytest.approx(np.average(pairs, weights=outputs))
    assert found.n == 3


def test_a_pair_of_raters_with_few_outputs_counts_little():
    values = noisy(3, 4, 100)
    alone = rater_agreement(tables_of(values[:2])).value
    values[2] = np.nan
    values[2, 0, :3] = -values[0, 0, :3]  # three outputs, on which the third contradicts the first
    assert rater_agreement(tables_of(values)).value == pytest.approx(alone, abs=0.03)


def test_agreement_of_tables_in_another_order():
    values = noisy(2, 4, 20)
    one, other = tables_of(values)
    assert rater_agreement([one, other.take(tuple("dcba"))]).value == pytest.approx(rater_agreement([one, other]).value)


def test_undefined_agreement_has_a_reason():
    values = noisy(3, 2, 5)
    assert rater_agreement(tables_of(values)[:1]).reason == "there is only one rater"
    assert rater_agreement([]).reason == "there are no ratings"
    apart = values.copy()
    apart[0, 0], apart[1, 1], apart[2] = np.nan, np.nan, np.nan
    assert rater_agreement(tables_of(apart)).reason == "no two raters share three outputs"
    other_size = ScoreTable("r", "segment", ("a", "b"), np.ones((2, 3)), protocol="DA")
    assert rater_agreement([*tables_of(values)[:1], other_size]).reason == "no two raters share three outputs"
    values[:2] = 0.1
    found = rater_agreement(tables_of(values))
    assert (math.isnan(found.value), found.n) == (True, 0)
    assert found.reason == "in every pair of raters, one always gave the same score"


def test_split_half_of_two_raters_is_their_correlation_stepped_up():
    values = noisy(2, 3, 30)
    r = stats.pearsonr(values[0].ravel(), values[1].ravel())[0]
    found = split_half(tables_of(values), halvings=10)
    assert found.value == pytest.approx(2 * r / (1 + r))
    assert (found.n, math.isnan(found.low), math.isnan(found.high)) == (1, True, True)  # there is no other halving
    means = values.mean(axis=2)
    r = stats.pearsonr(*means)[0]
    assert split_half(tables_of(values), level="system").value == pytest.approx(2 * r / (1 + r) if r > 0 else r)


def test_split_half_is_the_reliability_of_all_raters():
    # Truth and noise have variance 1: the mean of 6 raters has reliability 1 / (1 + 1/6).
    found = split_half(tables_of(noisy(6, 8, 500)))
    assert found.value == pytest.approx(6 / 7, abs=0.02)
    assert found.low <= found.value <= found.high
    assert found == split_half(tables_of(noisy(6, 8, 500)))
    many = tables_of(noisy(9, 8, 100))
    assert split_half(many) == split_half(many)
    assert split_half(many) != split_half(many, seed=1)
    assert split_half(many).n == 100


@pytest.mark.parametrize(("raters", "halvings"), [(2, 1), (3, 3), (4, 3), (5, 10), (6, 10), (8, 35)])
def test_few_raters_are_halved_in_all_ways(raters, halvings):
    tables = tables_of(noisy(raters, 4, 50))
    found = split_half(tables)
    assert found.n == halvings
    assert found == split_half(tables, seed=1)
    turned = split_half(tables[::-1])
    assert turned.value == pytest.approx(found.value)  # every halving counts once, whatever the order of the raters
    random = split_half(tables, halvings=halvings - 1) if halvings > 1 else found
    assert random.n <= halvings


def test_split_half_with_gaps():
    values = noisy(4, 3, 40)
    values[:2, :, :20] = values[0, 2] = np.nan
    for level in ("segment", "system"):
        found = split_half(tables_of(values), level=level)
        assert -1 <= found.low <= found.value <= found.high <= 1


def test_raters_who_contradict_each_other_are_not_infinitely_bad():
    values = noisy(2, 3, 30)
    values[1] = -values[0]
    assert split_half(tables_of(values)).value == pytest.approx(-1)
    for seed in range(20):
        assert -1 <= split_half(tables_of(noisy(4, 3, 3, noise=20, seed=seed)), level="system").value <= 1


def test_undefined_split_halves_have_a_reason():
    values = noisy(3, 2, 5)
    assert split_half(tables_of(values)[:1]).reason == "there is only one rater"
    assert split_half([]).reason == "there are no ratings"
    assert (
        split_half(tables_of(values), level="system").reason
        == "no two halves of the raters share three outputs with different scores"
    )
    found = split_half(tables_of(np.full((2, 3, 4), 0.1)))
    assert (math.isnan(found.value), found.reason is None) == (True, False)


def test_scores_of_one_rater_belong_to_the_other_raters():
    random = np.random.Generator(np.random.PCG64(5))
    raters = [
        ScoreTable(name, "segment", ("a", "b"), random.normal(size=(2, 9)), protocol="MQM")
        for name in ("mqm-col1", "mqm-col2", "mqm.rater3", "da-col1")
    ]
    for gold in ("mqm", "mqm-col2"):
        found = reliability_of(ScoreTable(gold, "segment", ("b", "a"), np.zeros((2, 9)), protocol="MQM"), raters)
        assert found["Pearson within pairs of raters"].n == 1
        assert found["Pearson within pairs of raters"].value == pytest.approx(rater_agreement(raters[:2]).value)
    averages = reliability_of(ScoreTable("esa", "segment", ("a",), np.zeros((1, 9)), protocol="ESA"), raters)
    assert {estimate.reason for estimate in averages.estimates.values()} == {
        "the scores of individual raters are not stored"
    }
    for others in ((), raters[3:]):
        alone = reliability_of(raters[3], others)
        assert {estimate.reason for estimate in alone.estimates.values()} == {"there is only one rater"}


def test_raters_with_other_levels_agree_less_over_all_outputs_than_within_pairs():
    """Four raters, each pair on outputs of its own; one of a pair gives 30 more: perfect within the pair only."""
    scores = (10.0, 20.0, 30.0, 40.0)
    rows = [
        (rater, "a", 4 * pair + k, score + (30 if rater == first else 0))
        for pair, (first, second) in enumerate((("p", "q"), ("r", "s")))
        for rater in (first, second)
        for k, score in enumerate(scores)
    ]
    found = reliability_of(make_ratings(rows))
    assert found["Pearson within pairs of raters"].value == pytest.approx(1)
    together = found["Pearson of two raters, all together"]
    low, high = np.array(scores * 2), np.array(scores * 2) + 30
    assert together.value == pytest.approx(np.corrcoef(np.append(low, high), np.append(high, low))[0, 1])
    assert (together.n, found.n_unit["Pearson of two raters, all together"]) == (8, "pairs of ratings")
    assert found["Pearson of two raters, all together"].value < 0.5
    alone = reliability_of(make_ratings(rows[:4]))["Pearson of two raters, all together"]
    assert alone.reason == "there is only one rater"


def test_two_waves_are_compared_by_output_and_by_system():
    random = np.random.default_rng(2)
    cells = [(system, segment) for system in "abcd" for segment in range(6)]
    truth = {cell: 10.0 * "abcd".index(cell[0]) + random.normal(0, 5) + 40 for cell in cells}
    rows, waves = [], []
    for wave in ("1", "2"):
        for cell in cells[: 24 if wave == "1" else 20]:
            rows.append((random.choice(["r", "s"]), *cell, truth[cell] + random.normal(0, 5)))
            waves.append(wave)
    ratings = make_ratings(rows, wave=tuple(waves))
    found = reliability_of(ratings)
    first, second = np.array([row[3] for row in rows[:20]]), np.array([row[3] for row in rows[24:]])
    outputs, systems = (found[f"Pearson of two waves, {name}"] for name in ("outputs", "systems"))
    assert (outputs.value, outputs.n) == (pytest.approx(np.corrcoef(first, second)[0, 1]), 20)
    means = [[wave[k : k + 6].mean() for k in (0, 6, 12, 18)] for wave in (first, second)]
    assert (systems.value, systems.n) == (pytest.approx(np.corrcoef(*means)[0, 1]), 4)
    assert found.n_unit["Pearson of two waves, systems"] == "systems"
    assert not any("waves" in name for name in reliability_of(make_ratings(rows)).estimates)
    apart = make_ratings(rows[:24], wave=("1",) * 12 + ("2",) * 12)
    assert (
        reliability_of(apart)["Pearson of two waves, outputs"].reason == "too few outputs in both waves, or all alike"
    )
