"""What meta-evaluations, calibrations and decisions say of metrics."""

from __future__ import annotations

import math

from assay.charts.metric_label import metric_label
from assay.reports.html.labels import joined
from assay.reports.html.verdict.statement import MAX_LISTED, Verdict
from assay.results import Calibration, Decisions, EvaluatedMetric, Measure, MetaEvaluation, RobustnessCurves, RuleErrors

__all__ = ["calibration_verdict", "curves_verdict", "decisions_verdict", "meta_verdict"]

_HALF = 0.5
_WHICH = {"top": "the best ", "windows": "a window of "}


def meta_verdict(evaluation: MetaEvaluation) -> Verdict:
    """Which metric agrees best with people, whether others are shown to be worse, and what outliers do to it."""
    measure, best, pairs = evaluation.measures[0], evaluation.metrics[0], evaluation.language_pairs
    where = pairs[0].lp if len(pairs) == 1 else f"{len(pairs)} language pairs"
    value = f"{measure.statistic} {_value(best, evaluation, measure):.2f}"
    tests = evaluation.test_of(pairs[0].lp if len(pairs) == 1 else None, measure)
    if tests is not None and len(tests.winners) > 1:
        headline = f"{len(tests.winners)} of {len(tests.metrics)} metrics share first place on {where}."
        lede = (
            f"{best.metric} agrees best with people ({value}), but is not shown to be better than the others of them."
        )
    else:
        headline = f"{best.metric} agrees best with people on {where}."
        lede = f"It has {value}, the highest of {len(evaluation)} metrics."
    return Verdict(((headline,),), (lede, *_without_outliers(evaluation, best, measure)))


def _value(row: EvaluatedMetric, evaluation: MetaEvaluation, measure: Measure) -> float:
    """The average, or the value on the only language pair."""
    if len(evaluation.language_pairs) > 1:
        return row.averages[measure].value
    found = [each.estimate.value for column, each in row.agreements.items() if column.measure == measure]
    return found[0] if found else math.nan


def _without_outliers(evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure) -> tuple[str, ...]:
    dropped = measure._replace(outliers="dropped")
    names = [name for pair in evaluation.language_pairs for name in pair.outliers.systems]
    if not names or measure.outliers == "dropped" or dropped not in evaluation.measures:
        return ()
    listed = joined(names) if len(names) <= MAX_LISTED else f"{len(names)} outlying systems"
    return (f"Without {listed} its {measure.statistic} is {_value(best, evaluation, dropped):.2f}.",)


def curves_verdict(curves: RobustnessCurves) -> Verdict:
    """How far the agreement of the best metric falls over subsets of the systems."""
    best = curves.curves[0]
    defined = [point for point in best if not math.isnan(point.value)]
    if not defined:
        return Verdict(((f"How far does agreement in {curves.pair.lp} depend on the systems?",),))
    lowest = min(defined, key=lambda point: point.value)
    lede = (
        f"{best.metric}: {best.statistic} {best.all_systems.value:.2f} over all {best.all_systems.n} systems, "
        f"{lowest.value:.2f} over {_WHICH.get(curves.kind, '')}{len(lowest.systems)} of them.",
    )
    return Verdict(((f"Agreement in {curves.pair.lp} depends on which systems are compared.",),), lede)


def calibration_verdict(calibration: Calibration) -> Verdict:
    """From which difference on people see one in half of the cases."""
    curve = calibration.curves[0]
    label, population = metric_label(curve.metric), curve.population
    half = curve.cutoffs.get(_HALF)
    lede = (
        f"{population.label}: {population.pairs:,} pairs of systems in {population.language_pairs} language pairs. It "
        "says nothing about other populations.",
    )
    if half is None or math.isnan(half.value):
        return Verdict(((f"How large must a difference in {label} be for people to see it?",),), lede)
    return Verdict(((f"From a difference of {half.value:.1f} {label} on, people see it in half of the cases.",),), lede)


def decisions_verdict(decisions: Decisions) -> Verdict:
    """How often people find the system better that the first rule of the first metric accepts."""
    decided = decisions.metrics[0]
    rule, label = decided.rules[0], metric_label(decided.metric)
    if not rule.accepted:
        return Verdict(((f"{label} accepts no pair of systems.",),))
    is_tested = math.isnan(rule.threshold)
    differences = "significant differences" if is_tested else f"differences of {rule.threshold:g} or more"
    headline = f"People confirm {_confirmed(rule)} of 100 {differences} in {label}."
    lede = [
        f"{decided.protocol}, {decided.aggregation} scores: of {rule.accepted:,} pairs of systems with such a "
        f"difference, people show none in {rule.accepted_undecided:,}, and find the other system better in "
        f"{rule.accepted_worse:,}."
    ]
    for other in decisions.metrics[1:]:
        same = (other.metric, other.aggregation) == (decided.metric, decided.aggregation)
        if same and other.rules[0].accepted:
            lede.append(f"By {other.protocol}, people confirm {_confirmed(other.rules[0])} of 100.")
    return Verdict(((headline,),), tuple(lede))


def _confirmed(rule: RuleErrors) -> int:
    return round(100 * (1 - rule.type_1_rate))
