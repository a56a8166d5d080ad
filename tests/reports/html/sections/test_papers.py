from __future__ import annotations

import pytest

from tests.reports.html.sections.built import built
from tests.results.test_reproduction import reproduction
from tests.store.examples import example


@pytest.mark.slow
def test_numbers_and_figures():
    found = built("papers", reproduction())
    assert list(found) == ["paper-made-up", "figures-made-up"]
    assert found["paper-made-up"][0].lede.startswith("6 numbers: 2 met, 1 differs,")
    assert "<svg" not in found["paper-made-up"][0].html  # numbers of different scales have no common axis
    assert "<svg" in found["figures-made-up"][0].html
    assert built("papers", example("agree")) == {}
    assert built("others", reproduction()) == {}
