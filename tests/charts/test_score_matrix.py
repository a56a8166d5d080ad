from __future__ import annotations

import numpy as np
import pytest

from assay.charts import draw, drawable, svg
from tests.store.examples import example


@pytest.mark.slow
def test_people_and_metrics():
    meta = example("meta")
    text = svg(draw("score-matrix", meta, width=1040))
    agreement = next(iter(meta.metrics[0].agreements.values()))
    r = np.corrcoef(agreement.scores.T)[0, 1]
    assert f">{r:.2f}<" in text
    assert ">da<" in text
    assert f">{meta.metrics[0].metric}<" in text


@pytest.mark.slow
def test_named_metrics():
    name = example("meta").metrics[-1].metric
    text = svg(draw("score-matrix", example("meta"), metrics=name, width=1040))
    assert f">{name}<" in text
    assert f">{example('meta').metrics[0].metric}<" not in text
    assert "score-matrix" not in drawable(example("meta segments"))
