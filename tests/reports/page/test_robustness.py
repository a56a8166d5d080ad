from __future__ import annotations

import pytest

from tests.reports.page.built import built
from tests.store.examples import example


@pytest.mark.parametrize("kind", ["top", "windows", "without-one", "subsamples"])
def test_every_kind_has_its_question(kind):
    section, content = built("metrics.robustness", example(f"robustness {kind}"))["robustness"]
    assert section.heading.endswith("?")
    assert section.link != "Subsets"
    assert "systems, human scores" in section.lede
    assert content.cells


def test_several_are_numbered():
    found = built("metrics.robustness", example("robustness top"), example("robustness windows"))
    assert list(found) == ["robustness", "robustness-2"]
    assert built("metrics.robustness", example("score")) == {}
