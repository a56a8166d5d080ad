from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.errors import InputError
from tests.calibration.made_up import campaign


@pytest.mark.parametrize("factor", [1.0, 0.01])
def test_stored_scores_on_two_scales_are_converted_by_name_or_refused(factor):
    first, second = campaign("de-en"), campaign("de-en", name="wmt99", seed=8)

    def with_scores(each, name, factor):
        stored = next(table for table in each.metrics if table.name == "Stored")
        return replace(each, scores=(*each.scores, replace(stored, name=name, values=factor * (30 + stored.values))))

    def calibrated(name):
        scored = [with_scores(first, name, factor), with_scores(second, name, 1.0)]
        return assay.calibrate(scored, stored=(name,), min_segments=20)

    with pytest.warns(assay.AssayWarning, match="multiplied by 100") if factor != 1.0 else nullcontext():
        result = calibrated("chrF")
    reference = assay.calibrate(
        [with_scores(each, "chrF", 1.0) for each in (first, second)], stored=("chrF",), min_segments=20
    )
    assert result.curves[0].x == pytest.approx(reference.curves[0].x)
    converted = [str(note) for note in result.notes if "multiplied by 100" in note.text]
    if factor == 1.0:
        assert converted == []
        assert calibrated("mine")
    else:
        assert converted == ["chrF, wmt98: multiplied by 100, because the scores of wmt99 are in per cent"]
        with pytest.raises(InputError, match=r"'mine' have different scales: about .* in wmt98, about .* in wmt99"):
            calibrated("mine")


def test_scores_of_domains_and_missing_scores_have_no_scale():
    """Only scores of systems and segments are calibrated."""
    first, second = campaign("de-en"), campaign("de-en", name="wmt99", seed=8)
    stored = next(table for table in first.metrics if table.name == "Stored")
    domain = replace(stored, name="Stored2", level="domain", items=("news",))
    missing = replace(stored, name="Stored3", values=np.full(stored.values.shape, math.nan))
    result = assay.calibrate(
        [replace(first, scores=(*first.scores, domain, missing)), second], stored=("Stored*",), min_segments=20
    )
    assert {curve.metric for curve in result} == {"Stored"}
