from __future__ import annotations

from dataclasses import replace

from assay import compare
from tests.reports.html.sections.built import built
from tests.store import examples


def test_examples_of_saved_comparisons_are_shown():
    found = compare(examples.testset(), ["bleu"], examples=1, resamples=10)
    saved = replace(found, inputs=found.inputs.record)
    _, content = built("examples", saved)["examples"]
    assert found.examples[0].best[0].first_output in content.cells
    assert content.having("mark")
    assert built("examples", found) == {}  # the viewer shows all segments
    assert built("examples", examples.example("score")) == {}
