from __future__ import annotations

import pytest

from tests.reports.page.built import built
from tests.results.test_reproduction import reproduction
from tests.store.examples import example


@pytest.mark.slow
def test_numbers_and_figures():
    found = built("papers", reproduction())
    assert list(found) == ["paper-made-up", "tables-made-up", "figures-made-up"]
    lede = "Nobody (2020): A paper. 15 published numbers and claims: 2 met, 1 differs, "
    assert found["paper-made-up"][0].lede.startswith(lede)
    assert "0.852" in found["paper-made-up"][1].cells  # as many digits as the verdict rests on
    assert "Table 7" in found["tables-made-up"][1].text
    assert not found["paper-made-up"][1].having("svg")  # numbers of different scales have no common axis
    assert found["figures-made-up"][1].having("svg")
    assert built("papers", example("agree")) == {}
    assert built("metrics.others", reproduction()) == {}
