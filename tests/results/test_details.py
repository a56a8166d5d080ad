from __future__ import annotations

from assay.results import details
from assay.results.meta import MetaEvaluation


def test_numbers_among_the_details_are_columns_of_the_rows():
    named = {getattr(details, name) for name in details.__all__}
    assert {
        "cells",
        "epsilon",
        "monte_carlo_error",
        "not_on_common_cells",
    } == named & {column.name for column in MetaEvaluation.columns if column.optional}
