from __future__ import annotations

import pytest

from assay.reproduction import reproduce
from tests.reproduction.made_up import OUTLIER, write_test_sets
from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun


@pytest.mark.slow
@needs_archives
def test_stored_values():
    result = rerun("tangled")
    found = numbers(result)
    outliers = [each for each in result if each.where == "Tables 1–3"]
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


def test_without_later_years_the_errors_have_a_reason(tmp_path):
    result = reproduce("tangled", data=write_test_sets(tmp_path, "wmt19"))
    found = [each for each in result if each.where.startswith("Section 5")]
    assert len(found) == 5
    assert {each.reason for each in found} == {"neither wmt21.news nor wmt22 is in the folder"}
