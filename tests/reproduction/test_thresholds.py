from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.reproduction import reproduce, thresholds
from tests.reproduction.made_up import write_test_set, write_test_sets
from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun


@pytest.mark.slow
@needs_archives
def test_stored_values():
    found = numbers(rerun("thresholds"))
    for quantity, value in {
        "BLEU, cut-off at 0.8": 5.5405,
        "COMET-20, cut-off at 0.8": 0.19551,
        "BLEU, into Inuktitut, .8": 4.5307,
        "YiSi-1, into Inuktitut, .8": 0.02264,
        "BLEU on MQM, .8, ordered by the metric (1 pair differs so much)": 12.6393,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=1e-4), quantity
    counts = {name: count for name, count in rerun("thresholds").counts.items() if count}
    assert counts == {
        "met": 3, "differs": 1, "other data": 111, "needs data": 9, "needs model": 13, "ours only": 25,
    }  # fmt: skip
    assert found["spBLEU, cut-off at 0.8"].verdict == "needs model"
    assert found["MetricX, cut-off at 0.8 (4 pairs differ so much)"].ours.value == pytest.approx(0.0754, abs=1e-4)
    assert found["COMET-20, ecommerce, .8 (12 pairs differ so much)"].reason == (
        "scores of COMET-20 for 1 of 4 language pairs: wmt22 zh-en"
    )


def test_only_complete_data_are_compared():
    for each in on_made_up_data("thresholds"):
        is_there = not each.verdict.startswith("needs")
        assert (each.verdict in ("met", "differs")) == ("Inuktitut, .8" in each.quantity and is_there)


def test_nothing_is_said_of_what_is_not_there(tmp_path):
    result = reproduce("thresholds", data=write_test_sets(tmp_path, "wmt22"))
    assert "BLEU needs" in result.recommendations[1].found
    assert "nan" not in result.recommendations[1].found
    assert numbers(result)["BLEU, into Inuktitut, .8"].verdict == "needs data"


def test_tables_have_the_same_metrics():
    names = {*thresholds.COMPUTED, *thresholds.SOURCES}
    tables = (thresholds.TABLE_2, thresholds.TABLE_3, thresholds.TABLE_4, thresholds.TABLE_5)
    assert [set(table) for table in tables] == [names] * 4


def test_raw_scores_count_where_none_are_standardised(tmp_path):
    """As at WMT19, which has no others; a note says so."""
    write_test_set(tmp_path / "wmt19", "en-kk", golds=("wmt-raw",), references=("ref",))
    write_test_set(tmp_path / "wmt20", "de-en", golds=("wmt-raw", "wmt-z"))
    result = reproduce("thresholds", data=tmp_path)
    curve = result.results["absolute"].curve("bleu", agg="corpus", protocol="DA/SQM")
    assert curve.population.lps == {"wmt19": ("en-kk",), "wmt20": ("de-en",)}
    assert curve.population.pairs == 30  # those of wmt20 once
    assert "no standardised DA or SQM scores of segments: raw ones of wmt19 en-kk" in {n.text for n in result.notes}
    reason = numbers(result)["BLEU, cut-off at 0.8"].reason
    assert "wmt19 de-cs, de-en, de-fr" in reason
    assert "wmt22 (all)" in reason


def test_names_of_any_case_and_scores_by_domain(tmp_path):
    """As in mt-metrics-eval: system scores and segment scores of everything, under the organisers' names."""
    metrics = ("bertscore", "Comet-22", "metricx_xxl_MQM_2020", "unite", "YISI-1", "COMET-20", "f200spBLEU")
    lps = thresholds.JUDGED["DA/SQM"]["wmt22"].split()[:3]
    write_test_set(tmp_path / "wmt22", *lps, golds=("wmt-z",), systems=5, metrics=metrics, by_segment=True)
    found = numbers(reproduce("thresholds", data=tmp_path))
    complete = {name.split(" (")[0]: each for name, each in found.items()}
    for metric in ("BERTScore", "COMET-22", "MetricX", "UniTE", "YiSi-1", "COMET-20"):
        for domain in thresholds.DOMAINS:
            row = complete.get(f"{metric}, {domain}, .8")
            assert row is not None
            assert row.verdict == "other data" or row.reason.startswith("no"), (metric, domain, row)
    assert complete["spBLEU, cut-off at 0.8"].verdict != "needs model"  # it has system scores
    assert complete["BLEURT-20, cut-off at 0.8"].verdict == "needs model"


def test_stored_scores_are_those_of_the_reference_that_bleu_has(tmp_path):
    """Also where mt-metrics-eval takes another reference, as on wmt21.news en-de."""
    metrics, references = ("YiSi-1",), ("refA", "refC")
    write_test_set(tmp_path / "wmt21.news", "en-de", golds=("wmt-z",), metrics=metrics, references=references)
    curves = reproduce("thresholds", data=tmp_path).results["absolute"]
    assert {curve.metric for curve in curves} == {"bleu", "chrf", "YiSi-1"}


def test_the_consistency_of_metrics():
    recommendation = rerun_made_up().recommendations[2]
    assert "BERTScore is the most consistent metric over target languages" in recommendation.recommended
    assert "Largest cut-off at .8 over the smallest, target languages English, I and II: " in recommendation.found


def rerun_made_up():
    return on_made_up_data("thresholds")


def test_without_scores_of_segments_it_says_where_they_are(tmp_path):
    write_test_sets(tmp_path, "wmt19")
    for path in (tmp_path / "wmt19" / "human-scores").glob("*.seg.score"):
        path.unlink()
    with pytest.raises(InputError, match="no pair of systems") as caught:
        reproduce("thresholds", data=tmp_path)
    assert caught.value.hint.endswith("(of WMT19: wmt-raw): assay data fetch mt-metrics-eval-v2")
