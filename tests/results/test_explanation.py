from __future__ import annotations

import math

from assay.results import Equivalent, Estimate, Explanation, Population


def test_rows_and_tree():
    undefined = Estimate(math.nan, 0, reason="no calibration: x")
    answer = Explanation("bleu", "corpus", 1.2, undefined, undefined, None, "wmt", "by-metric", (), "Nothing.", "")
    (row,) = answer.rows()
    assert (row["probability"], row["reason"], row["protocol"]) == (None, "no calibration: x", None)
    assert answer.to_dict()["population"] is None
    population = Population("MQM", pairs=7)
    equivalent = Equivalent("chrf", "corpus", 1.5, math.nan)
    words = ("Yes.", "Seen.", ("Few.",))
    known = Explanation(
        "bleu", "corpus", 1.2, Estimate(0.3, 5), undefined, population, "wmt", "by-metric", (equivalent,), *words
    )
    assert next(known.rows())["pairs"] == 7
    tree = known.to_dict()
    assert tree["equivalents"] == [{"metric": "chrf", "aggregation": "corpus", "difference": 1.5, "up_to": None}]
    assert (tree["sentences"], tree["cautions"]) == (["Yes.", "Seen.", "Few."], ["Few."])
    assert answer.sentences == ("Nothing.",)
