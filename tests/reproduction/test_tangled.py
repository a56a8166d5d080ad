from __future__ import annotations

import pytest

from assay.reproduction import reproduce
from tests.reproduction.made_up import OUTLIER, write_test_set, write_test_sets
from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun


@pytest.mark.slow
@needs_archives
def test_stored_values():
    result = rerun("tangled")
    found = numbers(result)
    outliers = [each for each in result if each.where == "Tables 1–5"]
    assert len(outliers) == 18
    assert all(each.verdict == "met" for each in outliers)
    for quantity, value in {
        "BLEU on en-kk, all systems": 0.85158,
        "BLEU on en-kk, without outliers": 0.57565,
        "YiSi-2 on en-de without outliers": -0.01433,
        "BLEU on de-en, ranks 2-5": 0.52089,
        "BLEU on de-en, ranks 1-4": -0.82326,
        "rank that YiSi-2 gives to the system of en-ru that people find worst": 1,
        "BLEU 0 to 3: people see no significant difference (DA/SQM)": 229 / 488,
        "share of BLEU's errors that TER makes, too (DA/SQM)": 454 / 551,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=1e-5), quantity
    assert all(each.verdict == "met" for each in result if "mean over draws" in each.quantity)
    assert result.counts["differs"] == 4
    assert all("the sentence is loose" in each.reason for each in result if each.verdict == "differs")
    tables = [each for each in result if "that another program" in each.quantity]
    assert [(each.ours.value, each.ours.n) for each in tables] == [(1, n) for n in (182, 156, 161, 87, 61, 40)]
    assert "BLEU 0.862 (4), TER 0.852 (7), chrF 0.898 (5), YiSi-1 0.942 (13)" in result.recommendations[1].found


def test_outliers_and_what_is_missing():
    found = numbers(on_made_up_data("tangled"))
    assert found[f"outlier systems of de-en ({OUTLIER})"].verdict == "met"
    assert found["outlier systems of fr-de"].reason == "fr-de is not in the data"
    with_outlier = found["BLEU, mean over draws of 10 systems of en-de with en_de_task"]
    assert with_outlier.verdict == "met"
    assert found["rank that YiSi-2 gives to the system of en-ru that people find worst"].ours.value == 12


def test_the_three_tables_are_by_direction():
    result = on_made_up_data("tangled")
    directions = {name: {pair.lp for pair in result.results[name].language_pairs} for name in result.tables}
    assert directions == {
        "into-english": {"de-en", "gu-en", "lt-en"},
        "out-of-english": {"en-de", "en-kk", "en-ru", "en-fi"},
        "without-english": {"de-cs"},
    }
    assert any("By the rule, its outliers are" in remark for remark in result.remarks)


def test_without_segment_scores_the_errors_have_a_reason(tmp_path):
    result = reproduce("tangled", data=write_test_sets(tmp_path, "wmt19"))
    found = [each for each in result if each.where.startswith("Section 5")]
    assert len(found) == 5
    (reason,) = {each.reason for each in found}
    assert reason.startswith("no test set in the folder has human scores of segments and texts of systems")
    assert "assay data fetch mt-metrics-eval-v2" in reason


def test_correlations_of_another_program_have_no_verdict():
    """The digits of the paper's tables are not at hand."""
    found = [each for each in on_made_up_data("tangled") if "that another program" in each.quantity]
    assert {each.verdict for each in found} == {"ours only"}
    assert found[0].quantity.startswith("Table 3, into English, all systems: share of 182 correlations that another")
    assert "of 182 have no scores here" in found[0].reason
    assert "the scores in this folder give another value: ESIM-ref on de-en" in found[0].reason


def test_the_paper_s_own_segments_are_used_if_they_are_there(tmp_path):
    """WMT19 as mt-metrics-eval has it: raw scores of segments, texts, and five metrics; two language pairs of 18."""
    write_test_sets(tmp_path, "wmt19", "wmt22")
    options = {"golds": ("wmt-raw",), "metrics": ("Yisi-1", "esim"), "references": ("ref",), "by_segment": True}
    write_test_set(tmp_path / "wmt19", "fi-en", systems=4, **options)
    write_test_set(tmp_path / "wmt19", "fr-de", systems=13, **options)  # the last ones are equally bad
    result = reproduce("tangled", data=tmp_path)
    assert result.settings["data"] == "wmt19"
    assert [each.metric for each in result.results["decisions"]] == ["bleu", "chrf", "ter", "YiSi-1", "ESIM"]
    found = numbers(result)
    reasons = {each.reason for each in found.values() if each.where.startswith("Section 5")}
    assert reasons - {"no pairs of systems", "BLEU makes no error"} == {  # also of the row on all five metrics
        "2 of 18 language pairs of WMT19 have human scores of segments"
    }
    assert {"figure-4-bleu", "figure-4-esim", "figure-4-yisi-1", "figure-5"} <= result.figures.keys()
    assert not any("a folder wmt19 with them is used" in remark for remark in result.remarks)


def test_without_wmt19_other_years_are_counted_all_the_same(tmp_path):
    found = reproduce("tangled", data=write_test_sets(tmp_path, "wmt22"))
    assert found.settings["data"] == "wmt22"
    by_quantity = numbers(found)
    assert by_quantity["outlier systems of de-en"].verdict == "needs data"
    assert by_quantity["outlier systems of de-en"].reason == "de-en is not in the data"
    assert "decisions" in found.results
