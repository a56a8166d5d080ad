from __future__ import annotations

import json

from assay.results import Holding, Holdings

HOLDINGS = Holdings(
    (
        Holding("wmt", "en-de", 2, 2, 2, 1, ("mqm", "da"), {"mqm": 3}, 1, 0, {"rr": 3}),
        Holding("", "", 2, 0, 0, 0, (), {}, 1, 0, {}),
    )
)


def test_rows_and_tree():
    first, second = HOLDINGS.rows()
    assert list(first) == [column.name for column in Holdings.file_columns()]
    assert (first["human_system"], first["human_segment"], first["judgements"]) == ("mqm da", "mqm:3", "rr:3")
    assert (second["testset"], second["human_segment"]) == (None, None)
    tree = json.loads(json.dumps(HOLDINGS.to_dict()))
    assert tree["campaigns"][0]["human_system"] == ["mqm", "da"]
    assert tree["campaigns"][0]["human_segment"] == {"mqm": 3}


def test_sequence():
    assert (len(HOLDINGS), [holding.lp for holding in HOLDINGS]) == (2, ["en-de", ""])
    assert repr(HOLDINGS) == "Holdings(wmt en-de, )"
