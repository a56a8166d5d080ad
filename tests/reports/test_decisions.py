from __future__ import annotations

import assay
from assay.calibration.decisions import decide_all
from assay.reports import document
from assay.reports.table import Table
from tests.calibration.made_up import campaign
from tests.calibration.test_decisions import PAIRS


def test_the_convention_comes_first_and_once():
    text = Table().render(document(assay.decisions([campaign()], metrics="bleu,chrf", min_segments=20)))
    assert text.count("Type I: the better-scored system is accepted, but people do not find it") == 1
    assert text.count("Type II: ") == 1
    assert "bleu corpus, DA/SQM" in text
    assert "type I: the smallest" in text
    assert "type II: the largest" in text
    assert "People find a system significantly better: paired t test of their scores, one-sided, p < 0.05." in text
    assert "significant: approximate randomisation test of the metric's scores, two-sided" in text
    assert "in parentheses: the number of accepted pairs (type I) or rejected pairs (type II) behind a rate" in text
    assert "Errors that metrics share, DA/SQM" in text
    assert "whom people side with" in text


def test_why_there_is_no_threshold():
    text = Table().render(document(decide_all([PAIRS], 0.05, (), {}, [])))
    assert "type I: no threshold: the lowest rate is 0.400" in text
