"""What meta-evaluations, calibrations and decisions say of metrics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.agreement.chance import MIN_SYSTEMS, random_bound
from assay.labels.calibrations import preferred
from assay.labels.metrics import metric_label
from assay.labels.numbers import (
    agreement_interval,
    agreement_text,
    interval_text,
    joined,
    number,
    part_of,
    with_interval,
)
from assay.labels.statistics import agreement_label, statistic_label
from assay.labels.tests import correction_words, significance_test_label
from assay.results import (
    Calibration,
    Decisions,
    Estimate,
    EvaluatedMetric,
    Measure,
    MetaColumn,
    MetaEvaluation,
    MetricDifferences,
    Point,
    RobustnessCurves,
    RuleErrors,
)
from assay.results.calibration import Validation
from assay.results.estimate import decimals_for
from assay.results.meta import lacks_systems, usual_systems
from assay.results.order import best_first
from assay.types import NoteKind
from assay.types.note import plural
from assay.words.calibration import population_words
from assay.words.statement import MAX_LISTED, Verdict, Words, named
from assay.words.subjects import subject

__all__ = ["best_metric", "calibration_verdict", "curves_verdict", "decisions_verdict", "meta_verdict"]

_HALF = 0.5
_ISOTONIC = "isotonic"
_FITS = {"logistic": "a logistic fit", "constant": "the share of all pairs"}
_WHICH = {"top": "the best ", "windows": "a window of "}


def meta_verdict(evaluation: MetaEvaluation) -> Verdict:
    """Which metric has the highest agreement with people, whether others may have it, and what outliers do to it."""
    measure, where = evaluation.measures[0], subject(evaluation)
    tests, best = _tests(evaluation, measure), best_metric(evaluation, measure)
    if best is None:
        return Verdict(((f"No metric is compared on {where}: the table has people and baselines only.",),))
    if tests is None:
        headline = f"{metric_label(best.metric)} has the highest {agreement_label(measure.statistic)} on {where}."
        lede = tuple(_untested(evaluation, best, measure))
    else:
        first = _first_rank(tests)
        if len(first) > 1:
            headline = (
                f"{part_of(len(first), len(tests.ranks), 'metric').capitalize()} share the first rank on {where}."
            )
        else:
            headline = f"{metric_label(first[0])} is alone in the first rank of {len(tests.ranks)} metrics on {where}."
        lede = tuple(_tested(evaluation, best, measure, tests))
    other, without = _without_outliers(evaluation, best, measure)
    return Verdict(((headline,), *other), (*lede, *without))


def best_metric(evaluation: MetaEvaluation, measure: Measure) -> EvaluatedMetric | None:
    """The metric with the highest value, of those that have as many systems as most; None without metrics."""
    rows = _comparable(evaluation, measure) or list(evaluation)
    if not rows:
        return None
    values = {place: _estimate(row, evaluation, measure).value for place, row in enumerate(rows)}
    return rows[best_first(values)[0]]


def _comparable(evaluation: MetaEvaluation, measure: Measure) -> list[EvaluatedMetric]:
    """The metrics with a value that is of the same systems and language pairs as that of most others."""
    columns = [MetaColumn(pair.lp, measure) for pair in evaluation.language_pairs]
    systems = {column: usual_systems(evaluation, column) for column in columns}
    return [
        row
        for row in evaluation
        if not lacks_systems(row.agreements, systems) and not math.isnan(_estimate(row, evaluation, measure).value)
    ]


def _estimate(row: EvaluatedMetric, evaluation: MetaEvaluation, measure: Measure) -> Estimate:
    """The average, or the value on the only language pair."""
    if len(evaluation.language_pairs) > 1:
        return row.averages.get(measure, Estimate(math.nan, 0))
    found = (each.estimate for column, each in row.agreements.items() if column.measure == measure)
    return next(found, Estimate(math.nan, 0))


def _with_interval(estimate: Estimate) -> str:
    return with_interval(agreement_text(estimate.value), agreement_interval(estimate.low, estimate.high))


def _untested(evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure) -> Iterator[str]:
    """Without a test of all metrics, intervals at least say which others may have the same value."""
    highest, rows = _estimate(best, evaluation, measure), _comparable(evaluation, measure)
    others = [_estimate(row, evaluation, measure) for row in rows if row is not best]
    yield f"It has {_with_interval(highest)}, of {plural(len(others) + 1, 'metric')}."
    yield from _left_out(evaluation, len(rows), "are not compared with it")
    partial = _partial_tests(evaluation, measure)
    if partial is not None:
        yield f"Only {len(partial.ranks)} of them could be tested against each other ({_test(partial)})."
    near = sum(each.low <= highest.value <= each.high for each in others)
    if near:
        counted = f"{near:,} of the {len(others):,} others"
        yield f"The intervals of {counted} contain its value; intervals are no test of that."
    elif others:
        yield "Whether it agrees better than the others was not tested."


def _tested(
    evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure, tests: MetricDifferences
) -> Iterator[str]:
    """What the first rank means, which other metrics are not shown to be worse than any, and the highest value."""
    first = _first_rank(tests)
    others = [name for name in tests.ranks if name not in first]
    if len(first) > 1:
        yield f"Within this rank, no metric is shown to agree better with people than another ({_test(tests)})."
    else:
        worse = sum(tests.is_better(first[0], name) for name in others)
        yield f"It is shown to agree better than {worse:,} of the {len(others):,} others ({_test(tests)})."
    unbeaten = [metric_label(name) for name in tests.winners if name not in first]
    if unbeaten:
        yield f"Of a lower rank, but not shown to be worse than any metric: {named(unbeaten, 'metric')}."
    yield from _left_out(evaluation, len(tests.ranks), "have no rank")
    yield f"{_highest(best, measure)} has {_with_interval(_estimate(best, evaluation, measure))}."


def _left_out(evaluation: MetaEvaluation, count: int, consequence: str) -> Iterator[str]:
    """Metrics without scores of all systems, or of all language pairs."""
    lacking = len(evaluation) - count
    if lacking > 0:
        of = "systems" if len(evaluation.language_pairs) == 1 else "systems and language pairs"
        verb = consequence if lacking > 1 else consequence.replace("are ", "is ").replace("have ", "has ")
        yield f"{plural(lacking, 'metric')} without scores of all {of} {verb}."


def _highest(best: EvaluatedMetric, measure: Measure) -> str:
    return f"{metric_label(best.metric)}, with the highest {statistic_label(measure.statistic)},"


def _test(tests: MetricDifferences) -> str:
    pairs = plural(len(tests.ranks) * (len(tests.ranks) - 1) // 2, "pair")
    corrected = correction_words(tests.correction)
    return f"{significance_test_label(tests.test)} test of {pairs}, p < {tests.alpha:g}, {corrected}"


def _without_outliers(
    evaluation: MetaEvaluation, best: EvaluatedMetric, measure: Measure
) -> tuple[tuple[Words, ...], tuple[str, ...]]:
    """For the headline, who is first without the outliers if it is another metric or tested; and the values."""
    dropped = measure._replace(outliers="dropped")
    names = [name for pair in evaluation.language_pairs for name in pair.outliers.systems]
    if not names or measure.outliers == "dropped" or dropped not in evaluation.measures:
        return (), ()
    is_listed = len(evaluation.language_pairs) == 1 and len(names) <= MAX_LISTED
    listed = joined(names) if is_listed else plural(len(names), "outlying system")
    other, label = best_metric(evaluation, dropped), metric_label(best.metric)
    if other is None:
        return (), ()
    value = _with_interval(_estimate(best, evaluation, dropped))
    tests = _tests(evaluation, dropped)
    shared = set() if tests is None else set(_first_rank(tests))
    before = _tests(evaluation, measure)
    others = "" if before is None or shared == set(_first_rank(before)) else ", not all of them the same"
    headline = ((f"Without {plural(len(names), 'outlier')}, {len(shared)} do{others}.",),) if len(shared) > 1 else ()
    if other is best:
        return headline, (f"Without {listed}, {label} is still first, with {value}.",)
    first = metric_label(other.metric)
    found = f"Without {listed}, {first} has {_with_interval(_estimate(other, evaluation, dropped))}, {label} {value}."
    return headline or ((f"Without {plural(len(names), 'outlier')}, it is {first}.",),), (found,)


def _partial_tests(evaluation: MetaEvaluation, measure: Measure) -> MetricDifferences | None:
    """The tests on the only language pair, or of the averages, if any metrics could be ranked by them."""
    pairs = evaluation.language_pairs
    tests = evaluation.test_of(pairs[0].lp if len(pairs) == 1 else None, measure)
    return tests if tests is not None and tests.ranks else None


def _tests(evaluation: MetaEvaluation, measure: Measure) -> MetricDifferences | None:
    """The same if all metrics that can be compared were tested: a rank among few of them says little."""
    tests = _partial_tests(evaluation, measure)
    names = {row.metric for row in _comparable(evaluation, measure)}
    return tests if tests is not None and names <= tests.ranks.keys() else None


def _first_rank(tests: MetricDifferences) -> list[str]:
    """The metrics of rank 1, as charts and tables have them."""
    return [name for name, rank in tests.ranks.items() if rank == 1]


def curves_verdict(curves: RobustnessCurves) -> Verdict:
    """Over which systems the best metric agrees with people no better than a random one may."""
    best, where = curves.curves[0], subject(curves)
    label, statistic = metric_label(best.metric), statistic_label(best.statistic)
    defined = [point for point in best if not math.isnan(point.value)]
    if not defined:
        return Verdict(((f"How far does agreement on {where} depend on the systems?",),))
    random = [point for point in defined if point.value <= _random_bound(curves, point)]
    shown = random[0] if random else min(defined, key=lambda point: point.value)
    which = f"{_WHICH.get(curves.kind, '')}{len(shown.systems)} of them"
    over = f"over all {best.all_systems.n} systems"
    lede = [f"{statistic} {agreement_text(best.all_systems.value)} {over}, {agreement_text(shown.value)} over {which}."]
    bound = _random_bound(curves, shown)
    if not math.isinf(bound):
        lede.append(f"95 % of random metrics are between {number(-bound, 2)} and {number(bound, 2)} there.")
    if shown.significant_pairs is not None:
        lede.append(f"People tell apart {shown.significant_pairs} of {plural(shown.pairs, 'pair')} of these systems.")
    if random:
        headline = f"over {which.replace('of them', 'systems')}, {label} agrees no better than a random metric may"
    elif math.isinf(bound):
        headline = f"{label} has {statistic} {agreement_text(shown.value)} to {agreement_text(_highest_of(defined))}"
    else:
        headline = f"{label} agrees better than random metrics over all subsets of the systems"
    return Verdict(((f"On {where}, {headline}.",),), tuple(lede))


def _highest_of(points: Sequence[Point]) -> float:
    return max(point.value for point in points)


def _random_bound(curves: RobustnessCurves, point: Point) -> float:
    """What a random metric may have; minus infinity where that is not known, so that no value is below it."""
    is_known = curves.settings.get("statistic") == "pearson" and len(point.systems) >= MIN_SYSTEMS
    return random_bound(len(point.systems)) if is_known else -math.inf


def calibration_verdict(calibration: Calibration) -> Verdict:
    """From which difference on people see one in half of the cases."""
    curve = calibration.curves[0]
    label, population = metric_label(curve.metric), curve.population
    half = curve.cutoffs.get(_HALF)
    seen = (
        f"{population.label}: {plural(population.pairs, 'pair')} of systems in "
        f"{plural(population.language_pairs, 'language pair')}."
    )
    decimals = decimals_for(curve.x.tolist())
    if half is None or math.isnan(half.value):
        return Verdict(((f"How large must a difference in {label} be for people to see it?",),), (seen,))
    size = with_interval(number(half.value, decimals), interval_text(half.low, half.high, decimals))
    headline = (
        f"From a difference of about {size} {label} on, {preferred(calibration.orientation)} "
        f"in half of the pairs, in {population_words(population)}."
    )
    return Verdict(((headline,),), (seen, *_doubts(calibration, curve.validation)))


def _doubts(result: Calibration | Decisions, validation: Validation | None = None) -> Iterator[str]:
    """What a reader must know with the numbers: a fit that predicts better, and pairs that count twice."""
    if validation is not None and validation.best != _ISOTONIC:
        better = _FITS.get(validation.best, validation.best)
        yield f"On pairs that were not used for the fit, {better} predicts better than this curve."
    twice = sum(note.count or 0 for note in result.notes if note.kind == NoteKind.DUPLICATE)
    if twice:
        pairs = f"{plural(twice, 'pair')} of systems count twice"
        yield f"{pairs}: they have two kinds of human scores, which may disagree."


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
        f"{decided.protocol}, {decided.aggregation} scores: of {plural(rule.accepted, 'pair')} of systems with such a "
        f"difference, people show none in {rule.accepted_undecided:,}, and find the other system better in "
        f"{rule.accepted_worse:,}."
    ]
    for other in decisions.metrics[1:]:
        same = (other.metric, other.aggregation) == (decided.metric, decided.aggregation)
        if same and other.rules[0].accepted:
            counted = f"{_confirmed(other.rules[0])} of 100 (of {plural(other.rules[0].accepted, 'pair')})"
            worse = f"and find the other system better in {other.rules[0].accepted_worse:,}"
            lede.append(f"By {other.protocol}, people confirm {counted}, {worse}.")
    return Verdict(((headline,),), (*lede, *_doubts(decisions)))


def _confirmed(rule: RuleErrors) -> int:
    return round(100 * (1 - rule.type_1_rate))
