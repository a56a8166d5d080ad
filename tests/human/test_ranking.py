from __future__ import annotations

import dataclasses
import math
import re

import numpy as np
import pytest

from assay import rank as assay_rank
from assay.errors import ConfigError, InputError
from assay.human.methods import method as method_registry
from assay.human.options import RankingOptions
from assay.human.preparation import prepare
from assay.human.ranking import rank_systems
from assay.reports import document as make_document
from assay.reports.table import Table
from assay.significance import test as significance_tests
from assay.types import ErrorSpan, NoteKind, Rankings, Ratings, ScoreTable
from assay.types.runtime import Runtime


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
    return ScoreTable("da", "segment", SYSTEMS, np.array(rows), protocol="DA-z", **changes)


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


def test_pairs_of_a_ranking_are_drawn_together():
    """Ten rankings of three systems, as rankings and as their pairs: resamples must not take pairs for independent."""
    ranks = np.array([[1, 2, 3], [2, 1, 3]] * 5, dtype=np.int8)
    whole = Rankings("rr", ("a", "b", "c"), ("j",), np.zeros(10, int), np.arange(10), ranks)
    rows = [(segment, i, j) for segment, row in enumerate(ranks) for i, j in ((0, 1), (0, 2), (1, 2))]
    pairs = np.zeros((len(rows), 3), dtype=np.int8)
    for place, (segment, i, j) in enumerate(rows):
        pairs[place, [i, j]] = (1, 2) if ranks[segment, i] < ranks[segment, j] else (2, 1)
    segments = np.array([segment for segment, _, _ in rows])
    single = dataclasses.replace(whole, judge=np.zeros(len(rows), int), segment=segments, ranks=pairs)
    drawn = assay_rank(single, method="wins")
    assert drawn.settings["unit"] == "segment"
    assert any("draw the 10 segments with all their pairs" in note.text for note in drawn.notes)
    assert np.array_equal(drawn.p_values, assay_rank(whole, method="wins").p_values, equal_nan=True)
    assert "unit" not in assay_rank(whole, method="wins").settings


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
    assert texts(found)[0] == "left out: 1 rating of quality-control items (1 BAD)"
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
        ({"correction": "hommel"}, ConfigError, "unknown correction 'hommel'"),
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
    with pytest.raises(InputError, match="the segment scores 'x' are positive, but MQM"):
        rank(ScoreTable("x", "segment", ("a",), np.array([[-5.0, 2.0]]), protocol="MQM"))
    empty = Rankings("rr", ("a", "b"), ("j",), np.zeros(1), np.zeros(1), np.zeros((1, 2), np.int8))
    with pytest.raises(InputError, match="never compare two systems"):
        rank(empty)
    with pytest.raises(ConfigError, match="unknown standardise 'robust'"):
        rank(ratings(), standardise="robust")


def test_undefined_tests_are_noted():
    constant = ScoreTable("x", "segment", ("a", "b"), np.array([[1.0, 1.0], [2.0, 2.0]]), protocol="DA")
    found = rank(constant, test="paired-t", resamples=10)
    assert texts(found) == [
        "2 systems with fewer than 30 scores (fewest: 2): intervals and p-values are rough",
        "1 pair of systems could not be tested: the differences do not vary; "
        "clusters that depend on them are undefined",
    ]
    assert [(note.kind, note.count) for note in found.notes] == [(NoteKind.MISSING, 2), (NoteKind.UNDEFINED, 1)]
    assert [ranked.cluster for ranked in found] == [None, None]
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
    assert {(ranked.rank_low, ranked.rank_high) for ranked in found} == {(None, None)}
    assert Table().render(make_document(found)).splitlines()[1].split() == ["good", "1", "0.959", "200", "1.0", "–"]


def test_undefined_resamples_are_counted():
    """y was judged on two segments of four, z on one: many resamples leave them out."""
    nan = np.nan
    values = np.array([[1.0, 2.0, 3.0, 5.0], [nan, nan, 4.0, 4.0], [nan, nan, nan, 6.0]])
    found = rank(ScoreTable("da", "segment", ("x", "y", "z"), values, protocol="DA"), resamples=100)
    assert found["x"].score.reason is None
    assert found["y"].score.reason.endswith("of 100 resamples")
    assert found["y"].score.low == found["y"].score.high == 4.0
    assert found["z"].score.reason == "a single judgement has no interval"
    assert np.isnan(found["z"].score.low)


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
    assert [ranked.cluster for ranked in found] == [None] * 3
    assert [row["cluster"] for row in found.rows()] == [None] * 3
    assert all(math.isnan(ranked.fuzzy_rank) for ranked in found)
    assert any("clusters that depend on them are undefined" in text for text in texts(found))


def test_one_domain_without_a_difference_decides_two_sided_tests():
    """As WMT24 combined p-values; the note names the pairs."""
    values = np.array([[9.0] * 40 + [5.0] * 10, [1.0] * 40 + [5.0] * 10]) - np.arange(50) % 3 * 0.1
    domains = ("news",) * 40 + ("social",) * 10
    found = rank(ScoreTable("x", "segment", ("a", "b"), values, protocol="ESA-z", domains=domains), preset="wmt24")
    assert found.p_value("a", "b") == 1.0
    assert any("equal in one domain, whatever the others say: a – b" in text for text in texts(found))


def test_without_resamples_rankings_have_no_clusters():
    found = rank(rankings(), resamples=0)
    assert [ranked.cluster for ranked in found] == [None] * 4
    assert np.isnan(found.p_values).all()
    assert "clusters and p-values of rankings are undefined without resamples" in texts(found)


@pytest.mark.parametrize("option", [{"alpha": 0.1}, {"correction": "holm"}])
def test_without_resamples_rankings_have_no_p_values(option):
    with pytest.raises(ConfigError, match="has no effect on 'rr'"):
        rank(rankings(), resamples=0, **option)
    with pytest.raises(ConfigError, match="has no effect on 'rr'"):
        rank(rankings(), resamples=0, method="trueskill", **option)


def test_a_note_if_nothing_can_be_significant():
    for judgements in (dataclasses.replace(table(), protocol="ESA-z"), rankings()):
        found = rank(judgements, resamples=100, correction="bonferroni")
        (note,) = [note for note in found.notes if note.kind == NoteKind.ADVICE]
        assert (
            "smallest possible p-value is 0.059 after the correction for 6 pairs; at least 120 resamples are needed"
            in str(note)
        )
        assert not (found.p_values < 0.05).any()
        enough = rank(judgements, resamples=120, correction="bonferroni")
        assert NoteKind.ADVICE not in {note.kind for note in enough.notes}
        assert (enough.p_values < 0.05).any()


def test_segments_that_a_system_lacks_are_counted():
    values = np.tile(np.arange(40.0), (2, 1))
    values[1, :3] = np.nan
    found = rank(ScoreTable("da", "segment", ("a", "b"), values, protocol="DA"), resamples=10)
    assert {ranked.system: ranked.missing for ranked in found} == {"a": 0, "b": 3}
    text = Table().render(make_document(found))
    assert text.splitlines()[0].split()[-1] == "missing"
    assert "missing: segments that other systems were judged on, but not this one" in text
    assert "missing" not in Table().render(make_document(rank(table(), resamples=10)))
    assert all(ranked.missing is None for ranked in rank(rankings(), resamples=10))


def test_domains_are_resampled_together():
    """Four domains of p = 1 / 11 each would combine to p = .004, which ten resamples cannot show."""
    values = np.random.Generator(np.random.PCG64(3)).normal(size=(2, 120)) + np.array([[9.0], [0.0]])
    domains = tuple("abcd"[i % 4] for i in range(120))
    scores = ScoreTable("esa", "segment", ("x", "y"), values, protocol="ESA-z", domains=domains)
    assert rank(scores, over_domains="mean", resamples=10).p_value("x", "y") == pytest.approx(1 / 11)
    two_sided = rank(scores, preset="wmt24", test="randomisation", resamples=99)
    assert two_sided.p_value("x", "y") == two_sided.p_value("y", "x") == pytest.approx(1 / 100)
    assert two_sided.opposed == ()


def test_a_preset_that_needs_domains_is_named():
    scores = ScoreTable("x", "segment", ("a", "b"), np.ones((2, 3)), protocol="ESA")
    with pytest.raises(InputError, match="'x' has no domains, but the preset wmt24 averages") as caught:
        rank(scores, preset="wmt24")
    assert "over-domains pooled" in caught.value.hint or "over_domains" in caught.value.hint


def mean_against_ranks():
    """By its mean, `first` is better; in most segments, `second` is."""
    base = np.random.Generator(np.random.PCG64(3)).normal(size=90)
    values = np.stack([base + np.where(np.arange(90) % 6 == 0, 9.0, -1.0), base])
    return ScoreTable("x", "segment", ("first", "second"), values, protocol="ESA-z", domains=("news",) * 90)


@pytest.mark.parametrize(("options", "clusters"), [({"test": "signed-rank"}, [1, 1]), ({"preset": "wmt24"}, [1, 2])])
def test_an_order_that_the_test_contradicts_is_noted_and_makes_no_cluster_but_at_wmt24(options, clusters):
    found = rank(mean_against_ranks(), resamples=20, **options)
    assert [ranked.system for ranked in found] == ["first", "second"]
    assert found.p_value("second", "first") < 0.05
    assert [ranked.cluster for ranked in found] == clusters
    (note,) = [note for note in found.notes if note.kind is NoteKind.SUSPECT]
    assert str(note) == (
        "the test contradicts the order of 1 pair of systems, in which the lower-ranked one is significantly better: "
        "second – first"
    )
    assert not any("contradicts" in text for text in texts(rank(mean_against_ranks(), test="paired-t", resamples=20)))


def test_documents_as_units():
    """Twenty documents whose segments are alike: as many units, so that intervals are wider; the scores stay."""
    noise = np.random.Generator(np.random.PCG64(3))
    quality = np.array([[0.6], [0.3], [0.0]]) + noise.normal(size=(3, 20))
    judged = ScoreTable("da", "segment", ("a", "b", "c"), np.repeat(quality, 10, axis=1), protocol="DA-z")
    documents = [f"d{i // 10}" for i in range(200)]
    by_segment = rank(judged, test="randomisation", resamples=500)
    options = RankingOptions(unit="document", resamples=500)
    by_document = rank_systems(prepare(judged, options), options, None, documents)
    assert [each.score.value for each in by_document] == pytest.approx([each.score.value for each in by_segment])
    widths = [np.mean([each.score.high - each.score.low for each in found]) for found in (by_document, by_segment)]
    assert 2.2 < widths[0] / widths[1] < 4.2  # the square root of 10
    assert by_document.settings["unit"] == "document"
    assert by_document.settings["test"].startswith("randomisation")
    assert (by_document.documents, by_segment.documents) == (20, None)
    assert any(
        text.startswith("intervals from 20 documents are rough: they cover less often than 95 %")
        for text in texts(by_document)
    )
    alone = ScoreTable("da", "segment", ("a", "b", "c"), quality, protocol="DA-z")
    same = rank(alone, test="randomisation", resamples=500)
    assert by_document.p_values == pytest.approx(same.p_values, nan_ok=True)


def test_placeholder_documents_are_noted():
    """They are drawn and swapped like one document each, as in `assay compare --unit document`."""
    values = np.random.Generator(np.random.PCG64(4)).normal(size=(2, 40))
    judged = ScoreTable("da", "segment", ("a", "b"), values, protocol="DA-z")
    options = RankingOptions(unit="document", resamples=100)
    known = [f"d{i // 4}" for i in range(40)]
    ranking = rank_systems(prepare(judged, options), options, None, ["unknown-1"] * 4 + known[4:])
    (note,) = [note for note in ranking.notes if "swapped" in note.text]
    assert str(note) == "4 segments of unknown documents (unknown-1) are swapped as if each name were one document"
    assert not any("swapped" in text for text in texts(rank_systems(prepare(judged, options), options, None, known)))
    with pytest.raises(InputError, match="documents of the segments are not known: unknown-1"):
        rank_systems(prepare(judged, options), options, None, ["unknown-1"] * 40)


@pytest.mark.parametrize(
    ("other", "cause"),
    [
        ({"over_domains": "mean"}, 'over_domains="mean" averages the means of domains'),
        ({"preset": "wmt24"}, 'preset="wmt24" averages the means of domains'),
        ({"alternative": "two-sided"}, 'alternative="two-sided" tests both sides'),
        ({"preset": "wmt25"}, 'preset="wmt25" tests both sides'),
        ({"preset": "wmt25", "alternative": "better"}, "signed-rank:continuity=no compares segments, not documents"),
        ({"test": "rank-sum"}, "rank-sum compares segments, not documents"),
    ],
)
def test_documents_as_units_are_for_one_sided_tests_of_the_means_of_documents(other, cause):
    with pytest.raises(ConfigError, match=re.escape(cause)):
        RankingOptions(unit="document", **other)


def test_systems_without_common_documents_are_not_tested_on_segments():
    values = np.full((2, 8), np.nan)
    values[0, :4], values[1, 4:] = np.arange(4), np.arange(4)
    judged = ScoreTable("da", "segment", ("a", "b"), values, protocol="DA-z")
    options = RankingOptions(unit="document", resamples=20)
    ranking = rank_systems(prepare(judged, options), options, None, [f"d{i // 2}" for i in range(8)])
    assert ranking.settings["test"].startswith("randomisation")
    assert np.isnan(ranking.p_values).all()
    assert any("could not be tested" in text for text in texts(ranking))


def test_documents_as_units_must_be_known():
    with pytest.raises(InputError, match="documents of 'da' are not known"):
        rank(table(), unit="document")
    with pytest.raises(ConfigError, match="no effect"):
        rank(rankings(), unit="document")
