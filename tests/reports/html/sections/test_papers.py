from __future__ import annotations

import pytest

from tests.reports.html.sections.built import built
from tests.results.test_reproduction import reproduction
from tests.store.examples import example


@pytest.mark.slow
def test_numbers_and_figures():
    found = built("papers", reproduction())
    assert list(found) == ["paper-made-up", "tables-made-up", "figures-made-up"]
    lede = "Nobody (2020): A paper. 15 published numbers and claims: 2 met, 1 differs, "
    assert found["paper-made-up"][0].lede.startswith(lede)
    assert ">0.852<" in found["paper-made-up"][0].html  # as many digits as the verdict rests on
    assert "<summary>Table 7</summary>" in found["tables-made-up"][0].html
    assert "<svg" not in found["paper-made-up"][0].html  # numbers of different scales have no common axis
    assert "<svg" in found["figures-made-up"][0].html
    assert built("papers", example("agree")) == {}
    assert built("others", reproduction()) == {}
