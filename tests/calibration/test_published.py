from __future__ import annotations

import pytest

from assay import explain
from assay.calibration.published import Cutoff, Published


def test_cut_offs_of_one_population_in_order():
    high, low = (Cutoff("BLEU", "DA/SQM", "all", "all", x, p) for x, p in ((5.5, 0.8), (1.2, 0.5)))
    other = Cutoff("chrF", "DA/SQM", "I", "all", 3.0, 0.8)
    published = Published("A paper", "absolute", ("wmt22",), (), (high, low, other))
    assert published.metrics == ("BLEU", "chrF")
    assert published.find("bleu", "corpus", "DA/SQM", "all", "all") == (low, high)
    assert published.find("bleu", "segment", "DA/SQM", "all", "all") == ()
    assert published.find("chrf", "corpus", "DA/SQM", "all", "all") == ()


@pytest.mark.parametrize(
    ("options", "campaigns"),
    [
        ({}, ("wmt19", "wmt20", "wmt21", "wmt22")),
        ({"protocol": "MQM"}, ("wmt20", "wmt21", "wmt22")),
        ({"domain": "news"}, ("wmt22",)),
        ({"lp": "en-iu"}, ("wmt20",)),
    ],
)
def test_the_campaigns_of_an_answer_are_those_of_its_table(options, campaigns):
    assert explain("BLEU", 5, calibration="lo2023", **options).population.campaigns == campaigns


def test_other_languages_do_not_answer_for_a_group_that_the_paper_has():
    refused = explain("spBLEU", 3, lp="en-iu", calibration="lo2023")
    assert not refused.is_answered
    assert "no cut-offs of spBLEU for the target languages Inuktitut" in refused.gap
    assert explain("spBLEU", 3, lp="en-ta", calibration="lo2023").population.group == "all"  # in no group
    assert explain("spBLEU", 3, lp="en-iu", protocol="MQM", calibration="lo2023").population.group == "all"
