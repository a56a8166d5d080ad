"""How scores and signatures are written."""

from __future__ import annotations

import json

import pytest
from sacrebleu.metrics.bleu import BLEUScore as TheirBLEUScore
from sacrebleu.metrics.chrf import CHRFScore as TheirCHRFScore

from assay.compat.sacrebleu.scores import BLEUScore, CHRFScore, Signature

SIGNATURE = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
STATISTICS = {"counts": [3, 1], "totals": [4, 3], "precisions": [75.0, 33.333], "bp": 0.9, "sys_len": 4, "ref_len": 5}


def pairs(mean=None, interval=None):
    """The same scores, ours and theirs."""
    confidence = {"mean": mean, "interval": interval}
    found = [
        BLEUScore("BLEU", 45.678, **STATISTICS, **confidence),
        CHRFScore("chrF2++", 61.05, char_order=6, word_order=2, beta=2, **confidence),
    ]
    expected = [TheirBLEUScore(45.678, *STATISTICS.values()), TheirCHRFScore(61.05, 6, 2, 2)]
    for score in expected if mean is not None else ():
        score._mean, score._ci = mean, interval
    return list(zip(found, expected, strict=True))


@pytest.mark.parametrize("confidence", [(), (44.44, 3.21), (0.0, 0.0)])
@pytest.mark.parametrize("width", [0, 1, 2, 7])
@pytest.mark.parametrize("score_only", [False, True])
@pytest.mark.parametrize("as_json", [False, True])
def test_the_same_text(confidence, width, score_only, as_json):
    for found, expected in pairs(*confidence):
        arguments = width, score_only, SIGNATURE, as_json
        assert found.format(*arguments) == expected.format(*arguments)
        assert str(found) == str(expected)


def test_json_without_a_signature():
    """sacreBLEU raises ValueError."""
    for found, _ in pairs():
        assert set(json.loads(found.format(is_json=True))) <= {"name", "score", "signature", "verbose_score"}


def test_no_reference_words():
    assert BLEUScore("BLEU", 0.0, **{**STATISTICS, "ref_len": 0}).ratio == 0


def test_signature():
    signature = Signature("nrefs:2|bs:1000|seed:12345|case:lc|eff:yes|nc:6|nw:0|space:no|version:2.6.0")
    assert str(signature) == signature.format()
    assert signature.format(short=True) == "#:2|bs:1000|rs:12345|c:lc|e:yes|nc:6|nw:0|s:no|v:2.6.0"
