from __future__ import annotations

from assay.charts.legend import legend


def test_entries_keep_their_order():
    layers = legend([("first", "ink"), ("second", "gold")]).to_dict()["layer"]
    heights = [layer["encoding"]["y"]["value"] for layer in layers if layer["mark"]["type"] == "text"]
    assert len(heights) == 2
    assert heights[0] > heights[1], "the last entry is next to the plot"
