from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from assay.calibration.options import PairOptions
from assay.calibration.system_pairs import collect_pairs, score_keys
from assay.runtime import Runtime
from tests.calibration.made_up import campaign
from tests.calibration.test_options import OPTIONS


def collect(*campaigns, **changes):
    options = PairOptions(**OPTIONS | {"min_segments": 20, **changes})
    return collect_pairs(campaigns, options, Runtime())


def test_differences_and_tests():
    made = campaign()
    ((pairs,), notes) = collect(made)
    human = made.human[0].values
    assert notes == []
    assert pairs.systems[0] == ("s0", "s1")
    assert pairs.human[0] == pytest.approx(human[0].mean() - human[1].mean())
    assert pairs.p_values[0, 0] == pytest.approx(ttest_rel(human[0], human[1], alternative="greater").pvalue)
    assert pairs.judged == dict.fromkeys(made.systems, 40)


def test_a_domain_has_its_own_segments():
    whole, *domains = collect(campaign(domains=True), by_domain=True)[0]
    assert [each.domain for each in domains] == ["social", "news"]
    assert domains[0].segments.tolist() == [20] * 6
    assert not np.array_equal(whole.differences["bleu", "corpus"], domains[0].differences["bleu", "corpus"])


def test_all_aggregations_of_a_metric_stand_together():
    pairs, _ = collect(campaign(), metrics=("chrf", "bleu"), aggregations=("segment", "corpus"), stored=("Sto*",))
    assert score_keys(pairs) == [
        ("chrf", "corpus"),
        ("chrf", "segment"),
        ("bleu", "corpus"),
        ("bleu", "segment"),
        ("Stored", "stored"),
    ]


def test_reasons_are_said_once():
    _, notes = collect(campaign(), campaign("cs-en", gold="other"), campaign("ru-en", gold="other"), gold="wmt-z")
    (note,) = notes
    text = "left out: wmt98 cs-en, wmt98 ru-en (no human scores of segments called wmt-z; available: other)"
    assert (str(note), note.count) == (text, 2)
