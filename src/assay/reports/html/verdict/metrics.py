"""What meta-evaluations, calibrations and decisions say of metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.charts.metric_label import metric_label
from assay.charts.statistic_label import agreement_label, statistic_label
from assay.reports.html.labels import joined
from assay.reports.html.verdict.statement import MAX_LISTED, Verdict, Words
from assay.reports.labelled import significance_test_label
from assay.results import (
    Calibration,
    Decisions,
    Estimate,
    EvaluatedMetric,
    Measure,
    MetaColumn,
    MetaEvaluation,
    MetricDifferences,
    RobustnessCurves,
    RuleErrors,
)
from assay.results.meta import lacks_systems, usual_systems
from assay.types.note import plural

__all__ = ["best_metric", "calibration_verdict", "curves_verdict", "decisions_verdict", "meta_verdict"]

_HALF = 0.5
_WHICH = {"top": "the best ", "windows": "a window of "}


def meta_verdict(evaluation: MetaEvaluation) -> Verdict:
    """Which metric has the highest agreement with people, whether others may have it, and what outliers do to it."""
    measure, pairs = evaluation.measures[0], evaluation.language_pairs
    where = pairs[0].lp if len(pairs) == 1 else f"{len(pairs)} language pairs"
    tests, best = _tests(evaluation, measure), best_metric(evaluation, measure)
    if tests is None:
        headline = f"{metric_label(best.metric)} has the highest {agreement_label(measure.statistic)} on {where}."
        lede = tuple(_untested(evaluation, best, measure))
    elif len(tests.winners) > 1:
        headline = f"{len(tests.winners)} of {len(tests.ranks)} metrics share first place on {where}."
        lede = tuple(_shared(evaluation, best, measure, tests))
    else:
        headline = f"{metric_label(tests.winners[0])} agrees best with people on {where}."
        lede = tuple(_alone(evaluation, best, measure, tests))
    other, without = _without_outliers(evaluation, best, measure)
    return Verdict(((headline,), *other), (*lede, *without))


def best_metric(evaluation: MetaEvaluation, measure: Measure) -> EvaluatedMetric:
    """The metric with the highest value, of those that have as many systems as most."""
    columns = [MetaColumn(pair.lp, measure) for pair in evaluation.language_pairs]
    systems = {column: usual_systems(evaluation, column) for column in columns}
    rows = [row for row in evaluation if not lacks_systems(row.agreements, systems)] or list(evaluation)
    values = [_estimate(row, evaluation, measure).value for row in rows]
    return rows[max(range(len(rows)), key=lambda k: -math.inf if math.isnan(values[k]) else values[k])]


def _estimate(row: EvaluatedMetric, evaluation: MetaEvaluation, measure: Measure) -> Estimate:
    """The average, or the value on the only language pair."""
    if len(evaluation.language_pairs) > 1:
        return row.averages.get(measure, Estimate(math.nan, 0))
    found = (each.estimate for column, each in row.agreements.items() if column.measure == measure)
    return next(found, Estimate(math.nan, 0))


def _with_interval(estimate: Estimate) -> str:
    interval = "" if math.isnan(estimate.low) else f" ({estimate.low:.2f} to {estimate.high:.2f})".replace("-", "−")
    return f"{estimate.value:.2f}".replace("-", "−") + interval


def _untested(evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure) -> Iterator[str]:
    """Without a test, intervals at least say which other metrics may have the same value."""
    highest = _estimate(best, evaluation, measure)
    yield f"It has {_with_interval(highest)}, of {plural(len(evaluation), 'metric')}."
    others = [_estimate(row, evaluation, measure) for row in evaluation if row is not best]
    near = sum(each.low <= highest.value <= each.high for each in others)
    if near:
        yield f"That it is best is not shown: the intervals of {near} of the {len(others)} others contain its value."
    elif others:
        yield "Whether it agrees better than the others was not tested."


def _shared(
    evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure, tests: MetricDifferences
) -> Iterator[str]:
    yield f"No other metric is shown to agree better with people than any of these ({_test(tests)})."
    yield f"{_highest(best, measure)} has {_with_interval(_estimate(best, evaluation, measure))}."


def _alone(
    evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure, tests: MetricDifferences
) -> Iterator[str]:
    winner = tests.winners[0]
    others = [name for name in tests.ranks if name != winner]
    worse = sum(tests.is_better(winner, name) for name in others)
    yield f"It is shown to agree better than {worse} of the {len(others)} others ({_test(tests)})."
    yield f"{_highest(best, measure)} has {_with_interval(_estimate(best, evaluation, measure))}."


def _highest(best: EvaluatedMetric, measure: Measure) -> str:
    return f"{metric_label(best.metric)}, with the highest {statistic_label(measure.statistic)},"


def _test(tests: MetricDifferences) -> str:
    corrected = "not corrected" if tests.correction == "none" else f"corrected ({tests.correction})"
    return f"{significance_test_label(tests.test)} test, p < {tests.alpha:g}, {corrected}"


def _without_outliers(
    evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure
) -> tuple[tuple[Words, ...], tuple[str, ...]]:
    """For the headline, who is first without the outliers if it is another metric or tested; and the values."""
    dropped = measure._replace(outliers="dropped")
    names = [name for pair in evaluation.language_pairs for name in pair.outliers.systems]
    if not names or measure.outliers == "dropped" or dropped not in evaluation.measures:
        return (), ()
    is_listed = len(evaluation.language_pairs) == 1 and len(names) <= MAX_LISTED
    listed = joined(names) if is_listed else f"{len(names)} outlying systems"
    other, label = best_metric(evaluation, dropped), metric_label(best.metric)
    value = _with_interval(_estimate(best, evaluation, dropped))
    if other is best:
        return (), (f"Without {listed}, {label} is still first, with {value}.",)
    first = metric_label(other.metric)
    found = f"Without {listed}, {first} has {_with_interval(_estimate(other, evaluation, dropped))}, {label} {value}."
    tests = _tests(evaluation, dropped)
    winners = 1 if tests is None else len(tests.winners)
    who = f"it is {first}" if winners == 1 else f"{winners} do"
    return ((f"Without {plural(len(names), 'outlier')}, {who}.",),), (found,)


def _tests(evaluation: MetaEvaluation, measure: Measure) -> MetricDifferences | None:
    """The tests on the only language pair, or of the averages, if metrics could be ranked by them."""
    pairs = evaluation.language_pairs
    tests = evaluation.test_of(pairs[0].lp if len(pairs) == 1 else None, measure)
    return tests if tests is not None and tests.winners else None


def curves_verdict(curves: RobustnessCurves) -> Verdict:
    """How far the agreement of the best metric falls over subsets of the systems."""
    best = curves.curves[0]
    defined = [point for point in best if not math.isnan(point.value)]
    if not defined:
        return Verdict(((f"How far does agreement in {curves.pair.lp} depend on the systems?",),))
    lowest = min(defined, key=lambda point: point.value)
    lede = (
        f"{metric_label(best.metric)}: {statistic_label(best.statistic)} {best.all_systems.value:.2f} over all "
        f"{best.all_systems.n} systems, {lowest.value:.2f} over {_WHICH.get(curves.kind, '')}{len(lowest.systems)} of "
        "them.",
    )
    return Verdict(((f"Agreement in {curves.pair.lp} depends on which systems are compared.",),), lede)


def calibration_verdict(calibration: Calibration) -> Verdict:
    """From which difference on people see one in half of the cases."""
    curve = calibration.curves[0]
    label, population = metric_label(curve.metric), curve.population
    half = curve.cutoffs.get(_HALF)
    seen = (
        f"{population.label}: {plural(population.pairs, 'pair')} of systems in "
        f"{plural(population.language_pairs, 'language pair')}."
    )
    if half is None or math.isnan(half.value):
        return Verdict(((f"How large must a difference in {label} be for people to see it?",),), (seen,))
    interval = "" if math.isnan(half.low) else f"The interval is {half.low:.1f} to {half.high:.1f}."
    headline = f"From a difference of {half.value:.1f} {label} on, people see it in half of the cases."
    return Verdict(((headline,),), tuple(filter(None, (interval, seen))))


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
