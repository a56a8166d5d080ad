from __future__ import annotations

from assay.reports import document
from assay.reports.table import Table
from assay.results import Model, ModelList


def test_the_licence_says_whether_a_model_is_gated():
    models = ModelList((Model("m", "not here", None, "cc-by-nc-4.0", "comet:m", "me/m", True, ""),))
    table = Table().render(document(models))
    assert table.splitlines()[1].split("  ")[0] == "m"
    assert "cc-by-nc-4.0, gated" in table
    assert "me/m" not in table
