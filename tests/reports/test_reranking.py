from __future__ import annotations

import assay
from assay.reports.reranking import document


def test_a_row_for_the_whole_test_set():
    (section,) = document(assay.rerank([["x", "a b c", "a b d"], ["q"]], "chrf")).sections
    (grid,) = section.grids
    titles = [column.title for column in grid.columns]
    assert titles == ["chosen by", "segments", "candidates", "not the first", "chosen", "first", "all", "ties"]
    (row,) = [[getattr(cell, "text", getattr(cell, "value", None)) for cell in row] for row in grid.rows]
    assert row[:4] == ["chrf", 2, 4, 1]
    assert row[4] > row[6] > row[5]
    assert "highest mean utility" in grid.captions[0].template
    assert "metric:chrf" in section.signatures[0]
