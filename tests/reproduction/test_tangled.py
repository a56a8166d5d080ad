from __future__ import annotations

import pytest

from assay.reproduction import tangled
from assay.results import DecisionBin
from tests.reproduction.rerun import needs_archives, numbers, rerun


@pytest.mark.slow
@needs_archives
def test_stored_values():
    result, found = rerun("tangled"), numbers("tangled")
    outliers = [each for each in result if each.where == "Tables 1–3"]
    assert len(outliers) == 18
    assert all(each.verdict == "met" for each in outliers)
    for quantity, value in {
        "BLEU on en-kk, all systems": 0.85158,
        "BLEU on en-kk, without outliers": 0.57565,
        "YiSi-2 on en-de without outliers": -0.01433,
        "sacreBLEU-BLEU on de-en, ranks 2-5": 0.52089,
        "sacreBLEU-BLEU on de-en, ranks 1-4": -0.82326,
        "rank that YiSi-2 gives to the outlier NICT.6563 of en-ru": 1,
        "BLEU 0 to 3: people see no difference, or the reverse (DA/SQM)": 303 / 488,
        "share of BLEU's errors that TER makes, too (DA/SQM)": 454 / 551,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=1e-5), quantity
    assert all(each.verdict == "met" for each in result if "mean over draws" in each.quantity)
    assert result.counts["differs"] == 6


def test_without_later_years_the_errors_have_a_reason():
    found = list(tangled._errors(None))
    assert {each.verdict for each in found} == {"no data"}
    assert found[0].reason == "none of wmt21.news, wmt22 is in the folder"


@pytest.mark.parametrize(("label", "share"), [("not significant", 0.5), ("0 to 3", 0.7), ("3 to 5", 0.5)])
def test_what_counts_as_misleading(label, share):
    assert tangled._wrong(DecisionBin(label, 2, 5, 3, (0.0, 0.0, 0.0))).value == share
    assert tangled._wrong(DecisionBin(label, 0, 0, 0, (0.0, 0.0, 0.0))).reason == "no pairs"
