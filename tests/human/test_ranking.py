from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from assay.errors import ConfigError, InputError
from assay.human.methods import method as method_registry
from assay.human.options import RankingOptions
from assay.human.preparation import prepare
from assay.human.ranking import rank_systems
from assay.reports import document as make_document
from assay.reports.table import Table
from assay.runtime import Runtime
from assay.significance import test as significance_tests
from assay.types import ErrorSpan, NoteKind, Rankings, Ratings, ScoreTable


def rank(judgements, *, runtime=None, **options):
    return rank_systems(prepare(judgements, RankingOptions(**options)), RankingOptions(**options), runtime)


def texts(ranking):
    return [str(note) for note in ranking.notes]


SYSTEMS = ("good", "fair", "twin", "poor", "unseen")


def table(**changes):
    """Fair and twin are the same; poor is far below; unseen was never judged."""
    noise = np.random.Generator(np.random.PCG64(1))
    base = noise.normal(size=200)
    fair = base + noise.normal(size=200)
    rows = [base + 1 + noise.normal(size=200), fair, fair, base - 2 + noise.normal(size=200), np.full(200, np.nan)]
    return ScoreTable("da", "segment", SYSTEMS, np.array(rows), protocol="DA", **changes)


def rankings():
    """good > fair = twin > poor, with some noise, ten judges."""
    noise = np.random.Generator(np.random.PCG64(2))
    quality = np.array([2.0, 1.0, 1.0, -1.0])
    ranks = np.zeros((300, 5), np.int8)
    for row in range(300):
        scores = quality + noise.normal(size=4) * 1.5
        ranks[row, :4] = 1 + np.argsort(np.argsort(-scores))
    return Rankings("rr", SYSTEMS, tuple("abcdefghij"), np.arange(300) // 60, np.arange(300) % 60, ranks)


@pytest.mark.parametrize("test", significance_tests.names())
def test_scores_are_ranked_by_their_mean(test):
    found = rank(table(), test=test, resamples=200)
    assert [ranked.system for ranked in found] == ["good", "fair", "twin", "poor"]
    assert [ranked.cluster for ranked in found] == [1, 2, 2, 3]
    assert found["good"].score.value == pytest.approx(np.nanmean(table().values[0]))
    assert found.p_value("fair", "twin") == 1.0
    assert found.p_value("good", "poor") < 0.01 < 0.9 < found.p_value("poor", "good")
    assert [ranked.fuzzy_rank for ranked in found] == [1.0, 2.5, 2.5, 4.0]
    assert (found["good"].rank_low, found["good"].rank_high, found["good"].p_best) == (1, 1, 1.0)
    assert texts(found) == ["not judged: unseen"]
    assert found.judgement_count == 800
    assert found.rank_shares.sum(axis=1) == pytest.approx(np.ones(4))


@pytest.mark.parametrize("method", method_registry.names())
def test_rankings_are_ranked_by_every_method(method):
    found = rank(rankings(), method=method, resamples=200)
    assert next(iter(found)).system == "good"
    assert [ranked.system for ranked in found][-1] == "poor"
    assert (found["good"].cluster, found["poor"].cluster) == (1, 3)
    assert found["fair"].cluster == found["twin"].cluster == 2
    assert texts(found) == ["never compared: unseen"]
    assert found.judgement_count == 300 * 6
    for ranked in found:
        assert ranked.score.low <= ranked.score.value <= ranked.score.high


@pytest.mark.parametrize("judgements", [table(), rankings()], ids=["scores", "rankings"])
def test_the_order_of_systems_and_threads_do_not_matter(judgements):
    first = rank(judgements, resamples=50, runtime=Runtime(threads=1))
    again = rank(judgements.take(SYSTEMS[::-1]), resamples=50, runtime=Runtime(threads=2))
    for ranked in first:
        assert again[ranked.system].cluster == ranked.cluster
        assert again[ranked.system].score.value == pytest.approx(ranked.score.value)
        assert again[ranked.system].score.low == pytest.approx(ranked.score.low)


def test_lower_can_be_better():
    negated = dataclasses.replace(table(), values=-table().values, higher_is_better=False)
    found = rank(negated, resamples=100)
    assert [ranked.system for ranked in found] == ["good", "fair", "twin", "poor"]
    assert found["good"].score.value == pytest.approx(-rank(table(), resamples=100)["good"].score.value)
    assert [ranked.cluster for ranked in found] == [1, 2, 2, 3]
    assert "|higher_is_better:no|" in found.signature
    assert found.tree()["higher_is_better"] is False
    assert "lower is better" in Table().render(make_document(found))


def test_corrections_make_p_values_no_smaller():
    plain = rank(table(), resamples=10).p_values
    for correction in ("holm", "bonferroni", "benjamini-hochberg", "benjamini-yekutieli"):
        adjusted = rank(table(), resamples=10, correction=correction).p_values
        assert (adjusted[~np.isnan(plain)] >= plain[~np.isnan(plain)] - 1e-15).all()


def ratings(**changes):
    rows = [("a", 0, 0, 90, "TGT"), ("a", 1, 0, 50, "TGT"), ("a", 0, 1, 80, "TGT"), ("a", 1, 1, 45, "TGT")]
    rows += [("b", 0, 0, 60, "TGT"), ("b", 1, 0, 40, "TGT"), ("b", 0, 1, 55, "TGT"), ("b", 1, 1, 20, "BAD")]
    rater, system, segment, score, kind = zip(*rows, strict=True)
    fields = {
        "name": "esa",
        "protocol": "DA",
        "raters": ("a", "b"),
        "systems": ("x", "y"),
        "rater": np.array([("a", "b").index(r) for r in rater]),
        "system": np.array(system),
        "segment": np.array(segment),
        "score": np.array(score, float),
        "kind": kind,
    }
    return Ratings(**fields | changes)


def test_ratings_are_averaged_without_controls():
    found = rank(ratings(), resamples=10)
    assert found["x"].score.value == pytest.approx(((90 + 60) / 2 + (80 + 55) / 2) / 2)
    assert found["y"].score.value == pytest.approx(((50 + 40) / 2 + 45) / 2)
    assert texts(found) == ["left out: 1 rating of quality-control items (1 BAD)"]
    assert (found.judgement_count, found.judgement_kind, found.outputs) == (7, "ratings", 4)
    standardised = rank(ratings(), resamples=10, standardise="population")
    assert standardised.settings["protocol"] == "DA-z"
    assert standardised["x"].score.value > 0 > standardised["y"].score.value


def test_errors_are_weighed():
    errors = ((ErrorSpan("accuracy/mistranslation", "major"),), (), (ErrorSpan("fluency/punctuation", "minor"),)) + (
        (),
    ) * 5
    found = rank(ratings(protocol="MQM", errors=errors, score=np.full(8, math.nan), kind=()), resamples=10)
    assert found["y"].score.value == 0.0
    assert found["x"].score.value == pytest.approx(-((5 + 0) / 2 + (0.1 + 0) / 2) / 2)
    assert found.settings["test"] == "randomisation:resamples=10"
    weights = {"major": 10, "minor": 1}
    assert rank(
        ratings(protocol="MQM", errors=errors, score=np.full(8, math.nan), kind=()), resamples=10, weights=weights
    )["x"].score.value == pytest.approx(-((10 + 0) / 2 + (1 + 0) / 2) / 2)


def test_scores_become_preferences():
    found = rank(table(), method="expected-wins", threshold=1.0, resamples=50)
    assert next(iter(found)).system == "good"
    assert found.settings["threshold"] == "1"
    strict = rank(table(), method="expected-wins", threshold=3.0, resamples=50)
    assert strict.judgement_count < found.judgement_count


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"alpha": 0}, ConfigError, "alpha must be between"),
        ({"confidence": 1}, ConfigError, "confidence must be between"),
        ({"test": "chi-squared"}, ConfigError, "unknown test 'chi-squared'"),
        ({"method": "elo"}, ConfigError, "unknown method 'elo'"),
        ({"correction": "hommel"}, ConfigError, "unknown value 'hommel' for correction"),
        (
            {"method": "wins", "test": "rank-sum"},
            ConfigError,
            "test has no effect on 'da'",
        ),
        ({"standardise": "sample"}, ConfigError, "standardise has no effect on 'da'"),
    ],
)
def test_options_that_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        rank(table(), resamples=10, **arguments)


def test_invalid_judgements():
    with pytest.raises(ConfigError, match="the method mean does not apply to rankings"):
        rank(rankings(), method="mean")
    with pytest.raises(InputError, match="has system scores, but ranking needs segment scores"):
        rank(ScoreTable("x", "system", ("a",), np.ones((1, 1)), protocol="DA"))
    with pytest.raises(InputError, match="'x' has no scores"):
        rank(ScoreTable("x", "segment", ("a",), np.full((1, 2), np.nan), protocol="DA"))
    with pytest.raises(InputError, match="MQM scores 'x' are above 0"):
        rank(ScoreTable("x", "segment", ("a",), np.array([[-5.0, 2.0]]), protocol="MQM"))
    empty = Rankings("rr", ("a", "b"), ("j",), np.zeros(1), np.zeros(1), np.zeros((1, 2), np.int8))
    with pytest.raises(InputError, match="never compare two systems"):
        rank(empty)
    with pytest.raises(ConfigError, match="unknown value 'robust' for standardise"):
        rank(ratings(), standardise="robust")


def test_undefined_tests_are_noted():
    constant = ScoreTable("x", "segment", ("a", "b"), np.array([[1.0, 1.0], [2.0, 2.0]]), protocol="DA")
    found = rank(constant, test="paired-t", resamples=10)
    assert texts(found) == [
        "1 pair of systems could not be tested: the scores do not vary; clusters that depend on them are undefined"
    ]
    assert [(note.kind, note.count) for note in found.notes] == [(NoteKind.UNDEFINED, 1)]
    assert [ranked.cluster for ranked in found] == [1, None]
    apart = ScoreTable("x", "segment", ("a", "b"), np.array([[1.0, np.nan], [np.nan, 2.0]]), protocol="DA")
    assert any(
        "1 pair of systems could not be tested: the systems have no segment in common" in text
        for text in texts(rank(apart, test="signed-rank", resamples=10))
    )


def test_systems_that_are_equal_share_their_places():
    same = ScoreTable("da", "segment", ("a", "b", "c"), np.array([[2.0] * 5, [2.0] * 5, [1.0] * 5]), protocol="DA")
    found = {ranked.system: ranked for ranked in rank(same, resamples=50)}
    assert [(found[name].rank_low, found[name].rank_high) for name in "abc"] == [(1, 2), (1, 2), (3, 3)]
    assert [found[name].p_best for name in "abc"] == [0.5, 0.5, 0.0]
    tied = Rankings("rr", ("a", "b"), ("judge",), np.zeros(4, int), np.arange(4), np.ones((4, 2), np.int8))
    assert [ranked.cluster for ranked in rank(tied, method="wins:ties=share", resamples=20)] == [1, 1]


def test_without_resamples_there_are_no_intervals_and_no_shares():
    found = rank(table(), resamples=0)
    assert math.isnan(found["good"].score.low)
    assert math.isnan(found["good"].p_best)
    assert np.isnan(found.rank_shares).all()


def test_undefined_resamples_are_counted():
    """y was judged on one segment of three: many resamples leave it out."""
    values = np.array([[1.0, 2.0, 3.0], [np.nan, np.nan, 4.0]])
    found = rank(ScoreTable("da", "segment", ("x", "y"), values, protocol="DA"), resamples=100)
    assert found["x"].score.reason is None
    assert found["y"].score.reason.endswith("of 100 resamples")
    assert found["y"].score.low == found["y"].score.high == 4.0


def apart(protocol="MQM"):
    """No two systems were judged on the same segments."""
    values = np.full((3, 60), np.nan)
    for system in range(3):
        values[system, system * 20 : system * 20 + 20] = -np.arange(20) % 4 - 5 * system
    return ScoreTable("judged", "segment", ("a", "b", "c"), values - 9, protocol=protocol)


def test_systems_without_common_segments_are_not_paired():
    found = rank(apart(), resamples=0)
    assert found.settings["test"] == "rank-sum"
    assert [ranked.cluster for ranked in found] == [1, 2, 3]
    assert "some systems have no segment in common: tested with rank-sum, not randomisation" in texts(found)
    assert (NoteKind.MISSING, 120) in [(note.kind, note.count) for note in found.notes]
    assert any("different segments: 20 to 20 each, 0 in common" in text for text in texts(found))


def test_pairs_that_were_not_tested_are_not_alike():
    found = rank(apart(), test="randomisation")
    assert [ranked.cluster for ranked in found] == [1, None, None]
    assert [row["cluster"] for row in found.rows()] == [1, None, None]
    assert all(math.isnan(ranked.fuzzy_rank) for ranked in found)
    assert any("clusters that depend on them are undefined" in text for text in texts(found))


def test_one_domain_without_a_difference_decides_two_sided_tests():
    """As WMT24 combined p-values; the note names the pairs."""
    values = np.array([[9.0] * 40 + [5.0] * 10, [1.0] * 40 + [5.0] * 10]) - np.arange(50) % 3 * 0.1
    domains = ("news",) * 40 + ("social",) * 10
    found = rank(ScoreTable("x", "segment", ("a", "b"), values, protocol="ESA", domains=domains), preset="wmt24")
    assert found.p_value("a", "b") == 1.0
    assert any("equal in one domain, whatever the others say: a and b" in text for text in texts(found))
