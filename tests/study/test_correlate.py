from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import AlignmentError, ConfigError, InputError, NameClashError, UnknownNameError
from assay.types import Campaign, ScoreTable, TestSet
from assay.types.runtime import Runtime

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "big", "red", "mat", "house"]


def campaign(seed, *, segments=12, systems=5, lp="de-en", name="made", **changes):
    """A reference, and systems that replace more and more of its words."""
    random = np.random.default_rng(seed)
    reference = [" ".join(random.choice(WORDS, random.integers(4, 9))) for _ in range(segments)]
    outputs = {
        f"s{k}": tuple(
            " ".join(random.choice(WORDS) if random.random() < (k + 1) / (systems + 2) else w for w in text.split())
            for text in reference
        )
        for k in range(systems)
    }
    testset = TestSet(outputs=outputs, references={"refA": tuple(reference)}, lp=lp, name=name)
    return Campaign(name, lp, segments, tuple(outputs), ("refA",), testset, **changes)


CAMPAIGNS = [campaign(k, segments=8 + k, systems=4 + k % 3, name=f"set{k}") for k in range(6)]


def correlations():
    return assay.correlate(CAMPAIGNS, metrics="bleu,ter", sample_sizes="1,5", samples=20, resamples=50)


@pytest.fixture(scope="module")
def result():
    return correlations()


def scores(metric, aggregation, each):
    run = assay.score(each.select_texts(references=["refA"]), [metric], agg=[aggregation])
    values = getattr(
        run[metric], {"corpus": "corpus", "segment": "segment_mean", "bootstrap": "bootstrap"}[aggregation]
    )
    return np.array([values[name] for name in each.systems])


def test_the_scores_are_those_of_assay_score_and_lower_is_better_is_turned_round(result):
    assert list(result.scores) == ["bleu", "m-bleu", "m-ter", "ter", "x-bleu", "x-ter"]
    assert result.systems[0] == ("set0 de-en", "s0")
    for name, metric, aggregation, sign in (
        ("bleu", "bleu", "corpus", 1),
        ("m-bleu", "bleu", "segment", 1),
        ("x-bleu", "bleu", "bootstrap", 1),
        ("ter", "ter", "corpus", -1),
        ("m-ter", "ter", "segment", -1),
    ):
        expected = np.concatenate([sign * scores(metric, aggregation, each) for each in CAMPAIGNS])
        assert result.scores[name] == pytest.approx(expected), name


def test_pooled_values_and_those_of_language_pairs_are_the_correlations_of_the_scores(result):
    assert len(result) == 15
    labels = np.array([label for label, _ in result.systems])
    for each in result:
        x, y = result.scores[each.first], result.scores[each.second]
        assert each.pooled.value == pytest.approx(np.corrcoef(x, y)[0, 1])
        assert each.pooled.n == len(labels) == 30
        assert each.pooled.low <= each.pooled.value <= each.pooled.high
        for label, estimate in each.by_lp.items():
            rows = labels == label
            assert estimate.value == pytest.approx(np.corrcoef(x[rows], y[rows])[0, 1])
            assert estimate.n == rows.sum()
        within = [e.value for e in each.by_lp.values()]
        assert each.mean.value == pytest.approx(np.mean(within))
        assert each.mean.n == 6
        assert each.mean.low <= each.mean.value <= each.mean.high
        assert (each.lowest[1].value, each.highest[1].value) == (min(within), max(within))
    assert result["m-bleu", "bleu"] is result["bleu", "m-bleu"]


def test_stored_and_external_scores():
    comet = ScoreTable("COMET", "segment", SYSTEMS, np.arange(60.0).reshape(5, 12))
    mine = ScoreTable("mine", "system", SYSTEMS, np.arange(5.0)[:, np.newaxis], higher_is_better=False)
    each = campaign(3, scores=(comet,))
    result = assay.correlate(each, metrics="chrf,COMET", agg="corpus", external={"de-en": [mine]}, sample_sizes=[4])
    assert set(result.scores) == {"chrf", "COMET-src", "mine"}
    assert result["COMET-src", "mine"].pooled.value == pytest.approx(-1)
    with pytest.raises(UnknownNameError, match="COMETT"):
        assay.correlate(each, metrics="chrf,COMETT")


SYSTEMS = tuple(f"s{k}" for k in range(5))


def stored(name, systems=SYSTEMS, level="segment", seed=1):
    values = np.random.default_rng(seed).normal(size=(len(systems), 12 if level == "segment" else 1))
    return ScoreTable(name, level, systems, values)


def test_stored_scores_alone_need_no_texts_and_no_aggregation():
    each = campaign(3, scores=(stored("COMET"), stored("YiSi", seed=2)))
    result = assay.correlate(replace(each, testset=None), metrics="COMET,YiSi")
    assert set(result.scores) == {"COMET-src", "YiSi-src"}
    assert "agg" not in result.settings
    with pytest.raises(ConfigError, match="agg has no effect"):
        assay.correlate(each, metrics="COMET,YiSi", agg="corpus")
    with pytest.raises(UnknownNameError, match="unknown metric 'YiSy'"):
        assay.correlate(each, metrics="YiSy")


def test_the_name_of_a_stored_metric_means_the_stored_scores():
    each = campaign(3, scores=(stored("BLEU"),))
    assert set(assay.correlate(each, metrics="bleu,BLEU", agg="corpus").scores) == {"bleu", "BLEU-src"}


def test_a_note_names_the_reference():
    notes = [note.text for note in assay.correlate(CAMPAIGNS[0], metrics="bleu").notes]
    assert "metrics that need a reference use refA" in notes
    notes = [note.text for note in assay.correlate(CAMPAIGNS[0], metrics="bleu", references="refA").notes]
    assert not any("need a reference" in text for text in notes)


def test_external_scores_of_a_language_pair_in_two_test_sets():
    sets = [campaign(1, name="one"), campaign(2, name="two")]
    with pytest.raises(ConfigError, match="external scores of de-en could belong to one de-en or two de-en"):
        assay.correlate(sets, metrics="chrf", external={"de-en": [stored("mine")]})


def test_external_scores_of_other_segments():
    short = ScoreTable("mine", "segment", SYSTEMS, np.zeros((5, 11)), origin="mine.tsv")
    with pytest.raises(AlignmentError, match=r"mine.tsv: 'mine' has 11 scores per system, but made de-en has 12"):
        assay.correlate(campaign(1), metrics="chrf", external={"de-en": [short]})


def test_systems_of_some_language_pairs():
    sets = [campaign(1, systems=5), campaign(2, systems=3, lp="en-de")]
    result = assay.correlate(sets, metrics="bleu", systems="s3,s4,s0")
    assert [label for label, _ in result.systems] == ["made de-en"] * 3 + ["made en-de"]
    only = assay.correlate(sets, metrics="bleu", systems="s3,s4")
    assert {label for label, _ in only.systems} == {"made de-en"}
    with pytest.raises(ConfigError, match="no system is left"):
        assay.correlate(sets, metrics="bleu", exclude="*")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"agg": "corpus", "metrics": "bleu"}, "there are no two scores"),
        ({"agg": "corpuss"}, "unknown aggregation 'corpuss'"),
        ({"sample_sizes": "ten"}, "sample_sizes must be integers, not 'ten'"),
        ({"sample_sizes": [0]}, "must be an integer between 1"),
        ({"samples": 0}, "samples must be an integer between 1"),
        ({"sample_sizes": "-5"}, "must be an integer between 1"),
        ({"small_sets": "drop"}, "unknown small_sets 'drop'"),
        ({"small_sets": "whole"}, "small_sets has no effect"),
        ({"samples": 10}, "samples has no effect"),
        ({"without_replacement": True}, "without_replacement has no effect"),
        ({"confidence": 0.5, "resamples": 0}, "confidence has no effect"),
        ({"statistic": "kendall", "confidence": 2}, "confidence must be between 0 and 1"),
        ({"resamples": -1}, "resamples must be an integer between 0"),
        ({"statistic": "spa"}, "reads segment scores"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        assay.correlate(CAMPAIGNS[0], **options)


def test_the_same_campaign_twice():
    with pytest.raises(NameClashError, match="two test sets called 'de-en'"):
        assay.correlate([CAMPAIGNS[0], CAMPAIGNS[0]])


def test_no_campaign():
    with pytest.raises(InputError, match="empty"):
        assay.correlate([])


def test_the_same_bytes_on_any_number_of_threads():
    options = {"metrics": "bleu,chrf", "sample_sizes": [3], "samples": 4, "resamples": 5}
    trees = [assay.correlate(CAMPAIGNS[:2], runtime=Runtime(threads=n), **options).to_dict() for n in (1, 3)]
    assert trees[0] == trees[1]
