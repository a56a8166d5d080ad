from __future__ import annotations

import assay
from assay.reports.alignment import document

REFERENCE = ["The cat sat on the mat.", "A dog ran away.", "It rained all day long."]


def test_a_row_for_each_output():
    outputs = {"good": [" ".join(REFERENCE)], "short": ["A cat sat on a mat. It rained"]}
    (section,) = document(assay.align(outputs=outputs, reference=REFERENCE)).sections
    (grid,) = section.grids
    titles = [column.title for column in grid.columns]
    assert titles == ["system", "words", "of the reference", "edits", "edits, %", "segments", "doubtful", "empty"]
    cells = [[getattr(cell, "text", getattr(cell, "value", None)) for cell in row] for row in grid.rows]
    assert cells[0] == ["good", 18, 18, 0, 0, 3, 0, 0]
    assert cells[1][:4] == ["short", 9, 18, 11]
    assert cells[1][5:] == [3, 2, 1]
    assert "tokens:words" in section.signatures[0]
