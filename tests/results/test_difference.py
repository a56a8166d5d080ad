from __future__ import annotations

import json
import math

from assay.results import Difference, Estimate, ScoreChange, SegmentChanges, SettingChange
from assay.results.result import Tabular


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
    document = json.loads(json.dumps(segments.to_dict(), allow_nan=False))
    assert document["changes"][0]["first_value"] is None
    assert "<td>segment</td>" in Tabular._repr_html_(segments)
    assert all(list(row) == list(Difference.columns) for row in segments.rows())
