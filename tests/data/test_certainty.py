from __future__ import annotations

from assay.data.certainty import CERTAIN, LIKELY, NO, POSSIBLE


def test_order():
    assert NO < POSSIBLE < LIKELY < CERTAIN
