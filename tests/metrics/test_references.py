from __future__ import annotations

import numpy as np

from assay.metrics.references import of_best_reference


def test_the_highest_score_wins_and_the_first_of_equals():
    tables = np.arange(2 * 1 * 3 * 1).reshape(2, 1, 3, 1)
    scores = np.array([[[1.0, 0.5, 0.0]], [[0.0, 0.5, 0.0]]])
    references = (("a", "b", None), ("a", "b", "c"))
    assert of_best_reference(tables, scores, references)[0, :, 0].tolist() == [0, 1, 5]
