from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from assay.calibration.decisions import MetricPairs, compare_errors, decide, decide_all, sides_with_people
from assay.calibration.metric_scores import OwnTest
from assay.calibration.system_pairs import SystemPairs
from assay.results import Estimate
from assay.types import NoteKind

BLEU, CHRF = ("bleu", "corpus"), ("chrf", "corpus")
# By BLEU, significant: +4 right, -2 people see nothing, +7 the reverse. Not significant: +1 people see one, 0 they do.
PAIRS = SystemPairs(
    "wmt98",
    "de-en",
    "wmt-z",
    "DA/SQM",
    None,
    tuple(("a", name) for name in "bcdef"),
    np.full(5, 300),
    dict.fromkeys("abcdef", 400),
    np.array([2.0, -0.1, -3.0, 1.0, 1.0]),
    np.array([[0.01, 0.99], [0.6, 0.4], [0.99, 0.01], [0.02, 0.98], [0.03, 0.97]]),
    {BLEU: np.array([4.0, -2.0, 7.0, 1.0, 0.0]), CHRF: np.array([3.0, 2.0, -5.0, 1.0, 2.0])},
    {
        BLEU: OwnTest("randomisation", False, np.array([0.01, 0.02, 0.001, 0.3, 1.0])),
        CHRF: OwnTest("paired-t", True, np.array([0.01, 0.6, 0.001, 0.3, 0.04])),
    },
)


def test_bins_and_rules():
    decided = decide(MetricPairs.of([PAIRS], BLEU, 0.05))
    assert [(b.label, b.worse, b.undecided, b.better) for b in decided.bins] == [
        ("not significant", 0, 0, 2),
        ("0 to 3", 0, 1, 0),
        ("3 to 5", 0, 0, 1),
        ("5 to 10", 1, 0, 0),
        ("10 and more", 0, 0, 0),
    ]
    assert decided.bins[1].quartiles == pytest.approx((0.1, 0.1, 0.1))  # in favour of the second, which BLEU prefers
    assert math.isnan(decided.bins[4].quartiles[0])
    assert decided.bins[1].observed.tolist() == [[2.0, 0.1, 0.4, 0.0]]  # difference, human difference, p, outcome
    assert decided.bins[3].observed.tolist() == [[7.0, -3.0, 0.99, -1.0]]
    significant, at_3, at_5, _ = decided.rules
    assert (significant.accepted, significant.accepted_undecided, significant.accepted_worse) == (3, 1, 1)
    assert (significant.rejected, significant.rejected_different) == (2, 2)
    assert significant.type_1_rate == pytest.approx(2 / 3)
    assert significant.type_2_rate == 1.0
    assert (at_3.accepted, at_3.type_1, at_3.rejected, at_3.type_2) == (2, 1, 3, 2)
    assert (at_5.accepted, at_5.type_1, at_5.type_2) == (1, 1, 3)
    assert math.isnan(decided.type_1_bounds[0.05].value)
    assert decided.type_1_bounds[0.05].reason == "no threshold: the lowest rate is 0.400"
    assert math.isnan(decided.type_2_bounds[0.05].value)


def test_thresholds_have_the_number_of_pairs_that_their_rate_is_of():
    """By chrF, people confirm 3 (pair 1), 5 (3) and 1 (4), and 2 once (5) and once not (2)."""
    decided = decide(MetricPairs.of([PAIRS], CHRF, 0.05))
    assert decided.type_1_bounds[0.1] == Estimate(3.0, 2)
    assert decided.type_1_bounds[0.2] == Estimate(1.0, 5)
    assert decided.type_2_bounds[0.2].reason == "no threshold: the lowest rate is 0.667"
    tree = decided.to_dict()
    assert tree["type_1_bounds"][1] == {"rate": 0.1, **Estimate(3.0, 2).to_dict()}


def test_own_bins_and_scores_without_a_test():
    differences = {("comet", "stored"): np.array([0.1, 0.2, -0.3, 0.4, np.nan])}
    pairs = dataclasses.replace(PAIRS, differences=differences, own_tests={})
    decided = decide(MetricPairs.of([pairs], ("comet", "stored"), 0.05), (0.15,))
    assert [b.label for b in decided.bins] == ["0 to 0.15", "0.15 and more"]
    assert [rule.rule for rule in decided.rules] == ["at least 0.15"]
    assert decided.pairs == 4


def test_shared_errors():
    all_pairs = {key: MetricPairs.of([PAIRS], key, 0.05) for key in (BLEU, CHRF)}
    (overlap,) = compare_errors(all_pairs)
    # BLEU errs in pairs 2 to 5; chrF accepts the right system in 1, 3 and 5, rejects 2 rightly and 4 wrongly.
    assert overlap.shared.tolist() == [[4, 1], [1, 1]]
    assert overlap.reversals.tolist() == [[1, 0], [0, 0]]  # only in pair 3, people prefer the other system
    assert (overlap.pairs, overlap.common, overlap.any) == (5, 1, 4)
    (sides,) = sides_with_people(all_pairs)
    assert (sides.disagreements, sides.with_first, sides.with_second) == (2, 0, 1)
    assert not list(compare_errors({BLEU: all_pairs[BLEU]}))


def test_pairs_without_a_test_of_their_own_are_left_out():
    partly = dataclasses.replace(
        PAIRS, own_tests={BLEU: OwnTest("paired-t", True, np.array([0.01, math.nan, 0.001, 0.3, 1.0]))}
    )
    result = decide_all([partly], 0.05, (), {}, [])
    bleu, chrf = result.metrics
    assert (bleu.pairs, chrf.pairs) == (4, 5)
    assert chrf.rules[0].rule == "at least 3"
    assert result.sides[0].disagreements == 1
    assert [(note.kind, note.where, note.count) for note in result.notes] == [
        (NoteKind.EXCLUDED, "bleu corpus, DA/SQM", 1),
        (NoteKind.MISSING, "chrf corpus, DA/SQM", None),
    ]


def test_tables_for_each_protocol():
    mqm = dataclasses.replace(PAIRS, protocol="MQM", human=10 * PAIRS.human)
    result = decide_all([PAIRS, mqm], 0.05, (), {}, [])
    assert [(each.name, each.protocol) for each in result] == [
        ("bleu corpus", "DA/SQM"),
        ("chrf corpus", "DA/SQM"),
        ("bleu corpus", "MQM"),
        ("chrf corpus", "MQM"),
    ]
    assert result.metrics[0].bins[2].quartiles == (2.0, 2.0, 2.0)
    assert result.metrics[2].bins[2].quartiles == (20.0, 20.0, 20.0)
    assert [each.protocol for each in result.overlaps] == ["DA/SQM", "MQM"]
