from __future__ import annotations

import math

from assay.results import Caution, Equivalent, Estimate, Explanation, FittedPopulation, Population, Step

QUESTION = {"metric": "bleu", "aggregation": "corpus", "difference": 1.2, "source": "wmt", "orientation": "by-metric"}
UNDEFINED = Estimate(math.nan, 0, reason="no calibration: x")


def test_without_a_calibration():
    answer = Explanation(**QUESTION, probability=UNDEFINED, agrees=UNDEFINED)
    (row,) = answer.rows()
    assert (row["probability"], row["n"], row["reason"], row["protocol"]) == (None, None, "no calibration: x", None)
    assert answer.to_dict()["population"] is None
    assert not answer.is_answered


def test_published_cut_offs_do_not_say_how_many_pairs():
    answer = Explanation(**QUESTION, probability=UNDEFINED, agrees=UNDEFINED, population=Population("MQM"))
    (row,) = answer.rows()
    assert (row["protocol"], row["pairs"]) == ("MQM", None)


def test_rows_and_tree():
    answer = Explanation(
        **QUESTION,
        probability=Estimate(0.3, 5),
        agrees=UNDEFINED,
        population=FittedPopulation("MQM", lps={"wmt98": ("de-en",)}, pairs=7, segments=9.0, judgements=9.0),
        step=Step(0.3, 1.0, 2.0, 4, 1, 3),
        equivalents=(Equivalent("chrf", "corpus", 1.5, math.nan),),
        cautions=(Caution.FEW_PAIRS,),
    )
    (row,) = answer.rows()
    assert (row["n"], row["pairs"]) == (4, 7)
    tree = answer.to_dict()
    assert tree["equivalents"] == [{"metric": "chrf", "aggregation": "corpus", "difference": 1.5, "up_to": None}]
    assert tree["step"] == {"start": 1.0, "end": 2.0, "pairs": 4, "opposite": 1, "independent": 3}
    assert tree["cautions"] == ["few-pairs"]
    assert repr(answer) == "Explanation(bleu 1.2: 0.30; wmt)"
