from __future__ import annotations

import json
import math

from assay.results import Difference, Estimate, ScoreChange, SegmentChanges, SettingChange
from assay.results.result import Tabular
from assay.words.scores import changed_scores


def test_moved_and_different():
    still = ScoreChange(
        "bleu", "corpus", None, "x", Estimate(math.nan, 0, reason="r"), Estimate(math.nan, 0, reason="r")
    )
    moved = ScoreChange("bleu", "corpus", None, "x", Estimate(1.0, 2), Estimate(1.5, 2))
    assert (still.moved, moved.moved, moved.interval_moved) == (False, True, False)
    assert not Difference((), (still,), (SegmentChanges("bleu", "x", 2, 0, ()),)).different
    setting = Difference((SettingChange("input", "sources", None, "abc"),), (still,), ())
    assert (setting.different, setting.moved) == (True, False)
    segments = Difference((), (), (SegmentChanges("bleu", "x", 2, 1, ((1, math.nan, 2.0),)),))
    assert segments.moved
    infinite = ScoreChange("m", "corpus", None, "x", Estimate(1.0, 2, low=-math.inf), Estimate(1.0, 2, low=0.5))
    assert (infinite.moved, infinite.interval_moved) == (False, True)
    document = json.loads(json.dumps(segments.to_dict(), allow_nan=False))
    assert document["rows"][0]["first_value"] is None
    assert "<td>segment</td>" in Tabular._repr_html_(segments)


def test_a_difference_within_the_tolerance_of_a_metric_is_none():
    def change(first, second, tolerance):
        estimates = (Estimate(value, 2, value - 0.1, value + 0.1, 0.1) for value in (first, second))
        return ScoreChange("bertscore", "segment", None, "x", *estimates, tolerance)

    rounded = Difference((), (change(0.9, 0.9 + 8e-10, 1e-5),), ())
    assert not rounded.different
    assert not rounded.moved
    assert changed_scores(rounded).endswith("0 of their intervals (1 differs within the tolerance of the metric)")
    assert Difference((), (change(0.9, 0.9 + 8e-10, 0.0),), ()).moved
    assert change(0.9, 0.9001, 1e-5).moved
    assert change(0.9, 0.9001, 1e-5).interval_moved
    assert not change(90.0, 90.0005, 1e-5).moved  # relative to the score
