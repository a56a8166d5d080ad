from __future__ import annotations

import math
from dataclasses import replace

from assay.comparison.differences import ComparisonOptions
from assay.results import ComparedMetric, ComparedPair, Estimate, Outcome, Power
from assay.words.comparison import verdict


def pair(difference, p, first="new", second="base", reason=None):
    estimate = Estimate(difference, 10, reason=reason)
    outcome = Outcome.of(difference, p, 0.05)
    return ComparedPair(first, second, estimate, p, "randomisation", p, 1, 2, 3, Power(0.5), outcome)


def metric(name, *pairs, higher_is_better=True, aggregation="corpus", clusters=None):
    scores = {name: Estimate(30.0, 10) for each in pairs for name in (each.first, each.second)}
    if not higher_is_better:
        pairs = [replace(each, outcome=each.outcome.reversed()) for each in pairs]
    return ComparedMetric(name, aggregation, higher_is_better, "", scores, tuple(pairs), clusters or {})


def test_metrics_that_agree_share_a_sentence():
    found = verdict(
        [metric("bleu", pair(1.2, 0.004)), metric("chrf", pair(0.8, 0.01))], ComparisonOptions(), all_pairs=False
    )
    assert found == ("new is better than base by bleu (+1.20, p = 0.004) and chrf (+0.80, p = 0.01).",)


def test_lower_can_be_better():
    (found,) = verdict([metric("ter", pair(1.2, 0.004), higher_is_better=False)], ComparisonOptions(), all_pairs=False)
    assert found.startswith("new is worse than base by ter")


def test_what_is_not_settled_is_said_and_never_called_equal():
    found = verdict(
        [metric("bleu", pair(1.2, 0.004)), metric("chrf", pair(0.1, 0.6))], ComparisonOptions(), all_pairs=False
    )
    assert found[1] == "No difference between new and base is shown by chrf (+0.10, p = 0.6)."
    (alone,) = verdict([metric("chrf", pair(0.1, 0.6))], ComparisonOptions(), all_pairs=False)
    assert alone == "No difference between new and base is shown by chrf (+0.10, p = 0.6)."
    assert "equal" not in " ".join((*found, alone))


def test_contradictions_and_undefined_values():
    found = verdict(
        [
            metric("bleu", pair(1.2, 0.004)),
            metric("chrf", pair(-1.0, 0.001), aggregation="segment"),
            metric("ter", pair(math.nan, math.nan, reason="a score is undefined")),
        ],
        ComparisonOptions(),
        all_pairs=False,
    )
    assert found[1].startswith("new is worse than base by chrf segment mean")
    assert found[2:] == (
        "The difference between new and base is undefined by ter (a score is undefined).",
        "The metrics or aggregations contradict each other on new and base.",
    )


def test_all_pairs_are_summed_up_in_clusters():
    pairs = (pair(1.0, 0.01, "a", "b"), pair(2.0, 0.001, "a", "c"), pair(1.0, 0.2, "b", "c"))
    clusters = {"a": 1, "b": 2, "c": 2}
    turned = tuple(pair(-each.difference.value, each.p_corrected, each.first, each.second) for each in pairs)
    found = verdict(
        [metric("bleu", *pairs, clusters=clusters), metric("chrf", *turned)], ComparisonOptions(), all_pairs=True
    )
    assert found[0] == "bleu: a difference is shown for 2 of 3 pairs (a > b, a > c); clusters: a > b, c."
    assert found[1].startswith("chrf: a difference is shown for 2 of 3 pairs (b > a, c > a);")
    assert found[-1] == "The metrics or aggregations contradict each other on a and b; a and c."


def test_many_pairs_are_not_named():
    pairs = tuple(pair(1.0, 0.01, "a", name) for name in "bcdefg")
    (found,) = verdict([metric("bleu", *pairs, clusters={"a": 1})], ComparisonOptions(), all_pairs=True)
    assert "for 6 of 6 pairs; clusters" in found


def test_one_sided_tests_say_what_they_asked():
    """A system that is much worse is not shown to be better, which is not the same as no difference."""
    better = ComparisonOptions(alternative="better")
    (found,) = verdict([metric("bleu", pair(-9.0, 1.0))], better, all_pairs=False)
    assert found == "new is not shown to be better than base by bleu (-9.00, p = 1)."
    (found,) = verdict([metric("ter", pair(-9.0, 0.001), higher_is_better=False)], better, all_pairs=False)
    assert found == "new is better than base by ter (-9.00, p = 0.001)."


def test_scores_below_one_have_more_decimals():
    compared = metric("comet", pair(0.0123, 0.001))
    compared = ComparedMetric("comet", "segment", True, "", {"new": Estimate(0.85, 10)}, compared.pairs)
    (found,) = verdict([compared], ComparisonOptions(), all_pairs=False)
    assert found == "new is better than base by comet segment mean (+0.0123, p = 0.001)."
