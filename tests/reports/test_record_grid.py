from __future__ import annotations

from assay.reports import document
from assay.reports.table import Table
from tests.results.test_agreement import agreement
from tests.results.test_result import Lengths
from tests.results.test_robustness import curve, subsamples


def test_any_result_shows_its_rows():
    text = Table().render(document(Lengths((1.5, None))))
    assert text == "text  length\n<0>   1.5000\n<1>\n"


def test_results_that_are_parts_of_others():
    for result in (agreement(), curve(), subsamples()):
        text = Table().render(document(result))
        assert result.metric in text
        assert text.endswith(f"{result.signature}\n")
