from __future__ import annotations

import math

from assay.results import RuleErrors


def test_rates_are_shares_of_accepted_and_rejected_pairs():
    rule = RuleErrors("at least 3", 3.0, 10, 2, 1, 5, 4)
    assert (rule.type_1, rule.type_1_rate) == (3, 0.3)
    assert (rule.type_2, rule.type_2_rate) == (4, 0.8)
    nothing = RuleErrors("at least 99", 99.0, 0, 0, 0, 0, 0)
    assert math.isnan(nothing.type_1_rate)
    assert nothing.to_dict()["type_2_rate"] is None
