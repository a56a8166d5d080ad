from __future__ import annotations

import math

from assay.comparison.verdict import verdict
from assay.results import ComparedMetric, ComparedPair, Comparison, Estimate


def pair(difference, p, first="new", second="base", reason=None):
    comparison = Comparison(first, second, Estimate(difference, 10, reason=reason), p, "randomisation")
    return ComparedPair(comparison, p, 1, 2, 3, 0.5)


def metric(name, *pairs, higher_is_better=True, aggregation="corpus", clusters=None):
    scores = {name: Estimate(1.0, 10) for each in pairs for name in (each.first, each.second)}
    return ComparedMetric(name, aggregation, higher_is_better, "", scores, pairs, clusters or {})


def test_metrics_that_agree_share_a_sentence():
    found = verdict([metric("bleu", pair(1.2, 0.004)), metric("chrf", pair(0.8, 0.01))], 0.05, is_all_pairs=False)
    assert found == ("new is better than base by bleu (+1.20, p = 0.004) and chrf (+0.80, p = 0.01).",)


def test_lower_can_be_better():
    (found,) = verdict([metric("ter", pair(1.2, 0.004), higher_is_better=False)], 0.05, is_all_pairs=False)
    assert found.startswith("new is worse than base by ter")


def test_what_is_not_settled_is_said_and_never_called_equal():
    found = verdict([metric("bleu", pair(1.2, 0.004)), metric("chrf", pair(0.1, 0.6))], 0.05, is_all_pairs=False)
    assert found[1] == "Not settled by chrf (+0.10, p = 0.6)."
    (alone,) = verdict([metric("chrf", pair(0.1, 0.6))], 0.05, is_all_pairs=False)
    assert alone == "No difference between new and base is shown by chrf (+0.10, p = 0.6)."
    assert "equal" not in " ".join((*found, alone))


def test_contradictions_and_undefined_values():
    found = verdict(
        [
            metric("bleu", pair(1.2, 0.004)),
            metric("chrf", pair(-1.0, 0.001), aggregation="segment"),
            metric("ter", pair(math.nan, math.nan, reason="a score is undefined")),
        ],
        0.05,
        is_all_pairs=False,
    )
    assert found[1].startswith("new is worse than base by chrf segment mean")
    assert found[2:] == (
        "The metrics or aggregations contradict each other.",
        "Undefined: ter (a score is undefined).",
    )


def test_all_pairs_are_summed_up_in_clusters():
    pairs = (pair(1.0, 0.01, "a", "b"), pair(2.0, 0.001, "a", "c"), pair(1.0, 0.2, "b", "c"))
    clusters = {"a": 1, "b": 2, "c": 2}
    turned = tuple(pair(-each.difference.value, each.p_corrected, each.first, each.second) for each in pairs)
    found = verdict([metric("bleu", *pairs, clusters=clusters), metric("chrf", *turned)], 0.05, is_all_pairs=True)
    assert found[0] == "bleu: a difference is shown for 2 of 3 pairs; clusters: a > b, c."
    assert found[-1] == "The metrics or aggregations contradict each other on a and b and a and c."
