from __future__ import annotations

import assay
from assay.reports import document
from assay.reports.table import Table


def test_the_answer_then_its_population_then_equivalents():
    text = Table().render(document(assay.explain("bleu", 1.2, lp="de-en")))
    answer, at_all, population, *rest = [line for line in text.splitlines() if line]
    assert answer.startswith("BLEU 1.2 (corpus, de-en): in WMT 2020–2022 (DA/SQM), people significantly preferred the ")
    assert at_all.startswith("They preferred the better-scored system at all, ")
    assert population.startswith("Seen in 279 pairs of systems")
    table = next(place for place, line in enumerate(rest) if line.startswith("means the same  "))
    assert [line.split()[0] for line in rest[table + 1 : table + 3]] == ["chrf", "ter"]
    assert "orientation:by-metric" in rest[-1]


def test_no_calibration_is_one_line():
    assert len(Table().render(document(assay.explain("bleu", 500))).splitlines()) == 1
