from __future__ import annotations

import math

import pytest

from assay.reports.html.pair_details import PairDetails
from tests.reports.html.comparisons import compared, comparison


def described(details, number):
    """A pair with its texts."""
    tree = details.tree
    score, first, second, difference, facts, sentence = tree["pairs"][number]
    texts = tree["texts"]
    return {
        "score": tree["scores"][score][0],
        "systems": (tree["systems"][first], tree["systems"][second]),
        "difference": texts[difference],
        **dict(zip(tree["facts"], (texts[fact] for fact in facts), strict=True)),
        "sentence": texts[sentence],
    }


def test_a_pair_is_described_in_the_order_asked_for():
    metric = compared("bleu", 1.2)
    details = PairDetails(comparison(metric))
    forward, back = details.number(metric, "new", "base"), details.number(metric, "base", "new")
    assert details.number(metric, "new", "base") == forward != back
    assert described(details, forward) == {
        "score": "BLEU",
        "systems": ("new", "base"),
        "difference": "+1.2",
        "95 % interval": "+0.7 to +1.7",
        "p, corrected (holm)": ".001",
        "p, not corrected": ".001",
        "test": "randomisation",
        "n": "100 segments",
        "better, same, worse": "5, 1, 0 segments",
        "sentence": "new is shown to be better.",
    }
    turned = described(details, back)
    assert (turned["difference"], turned["95 % interval"]) == ("−1.2", "−1.7 to −0.7")
    assert turned["better, same, worse"] == "0, 1, 5 segments"


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (compared("bleu", 1.2, 0.4), "No difference is shown, which does not mean that they are equal."),
        (compared("bleu", 0.0, 1.0), "Both have the same score in every segment."),
        (compared("bleu", math.nan, math.nan), "Undefined: no segment was scored."),
        (compared("ter", 1.2, higher_is_better=False), "base is shown to be better."),
    ],
)
def test_what_the_test_says(metric, sentence):
    details = PairDetails(comparison(metric, correction="none"))
    found = described(details, details.number(metric, "new", "base"))
    assert found["sentence"] == sentence
    assert "p, corrected (holm)" not in found
