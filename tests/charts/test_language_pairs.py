from __future__ import annotations

import pytest

from assay import meta
from assay.charts import caption, draw, drawable, svg
from assay.errors import UnknownNameError
from tests.campaigns_with_metrics import campaign
from tests.charts.examples import marks

pytestmark = pytest.mark.slow  # they draw


def test_two_dots_for_each_language_pair():
    table = meta([campaign(), campaign("en-de")])
    made = draw("language-pairs", table, metrics="good-refA+poor")
    title, subtitle = caption(made)
    assert title == "Does good or poor agree better with people?"
    assert subtitle.startswith("2 language pairs; 95 % intervals. Filled: good; hollow: poor.")
    values = [table.agreement(name, lp="de-en").value for name in ("good-refA", "poor")]
    assert f"+{values[0] - values[1]:.2f}<" in svg(made)
    assert marks(svg(made)).count('aria-label="de-en: ') == 2


def test_it_needs_two_metrics():
    table = meta([campaign()], metrics=["poor"], resamples=0)
    assert "language-pairs" not in drawable(table)
    with pytest.raises(UnknownNameError, match="'good' has 2 rows"):
        draw("language-pairs", meta([campaign()]), metrics="good+poor")
