from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.reports.html.verdict.metrics import calibration_verdict, curves_verdict, decisions_verdict, meta_verdict
from assay.results import RuleErrors
from tests.store.examples import example, invent, parts


def test_the_best_metric_is_named_with_its_value():
    evaluation = example("meta")
    best = evaluation.metrics[0]
    found = meta_verdict(evaluation)
    assert found.text == f"{best.metric} agrees best with people on 2 language pairs."
    assert f"pearson {best.averages[evaluation.measures[0]].value:.2f}" in found.lede[0]


def test_on_one_language_pair():
    assert " agrees best with people on " in meta_verdict(example("meta segments")).text


def test_curves_say_how_low_agreement_falls():
    curves = example("robustness top")
    lowest = min(point.value for point in curves.curves[0])
    assert f"{lowest:.2f} over the best " in curves_verdict(curves).lede[0]


def test_calibrations_name_their_population():
    from assay.results import Calibration

    made = parts()[Calibration]
    lines = {"x": np.array([1.0, 2.3]), "y": np.array([0.2, 0.5])}
    bounds = {"low": np.array([0.1, 0.4]), "high": np.array([0.3, 0.6]), "support": np.array([12, 9])}
    curve = replace(made.curves[0], metric="bleu", **lines, **bounds)
    found = calibration_verdict(replace(made, curves=(curve,)))
    assert found.text == "From a difference of 2.3 BLEU on, people see it in half of the cases."
    assert "pairs of systems" in found.lede[0]
    unknown = calibration_verdict(replace(made, curves=(replace(curve, y=np.array([0.2, 0.4])),)))
    assert unknown.text == "How large must a difference in BLEU be for people to see it?"


def test_decisions_count_the_errors():
    from assay.results import Decisions

    made = invent(Decisions)
    rule = RuleErrors("significant", float("nan"), 10, 3, 1, 5, 2)
    decided = replace(made.metrics[0], metric="bleu", rules=(rule,))
    found = decisions_verdict(replace(made, metrics=(decided,)))
    assert found.text == "People confirm 60 of 100 significant differences in BLEU."
    assert "people show none in 3, and find the other system better in 1." in found.lede[0]
    other = replace(decided, protocol="MQM", rules=(replace(rule, accepted_undecided=5),))
    both = decisions_verdict(replace(made, metrics=(decided, other)))
    assert both.lede[1] == "By MQM, people confirm 40 of 100."
    none = replace(decided, rules=(replace(rule, accepted=0),))
    assert decisions_verdict(replace(made, metrics=(none,))).text == "BLEU accepts no pair of systems."
