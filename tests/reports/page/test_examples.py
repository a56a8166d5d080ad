from __future__ import annotations

from dataclasses import replace

from assay import compare
from tests.reports.page.built import built
from tests.store import examples


def test_examples_of_saved_comparisons_are_shown():
    found = compare(examples.testset(), ["bleu"], examples=1, resamples=10)
    saved = replace(found, inputs=found.inputs.record)
    _, content = built("groups.examples", saved)["examples"]
    assert found.examples[0].best[0].first_output in content.cells
    assert content.having("mark")
    assert built("groups.examples", found) == {}  # the viewer shows all segments
    assert built("groups.examples", examples.example("score")) == {}
