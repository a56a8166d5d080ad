from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.charts import caption, draw
from assay.labels.numbers import agreement_text
from assay.results import Estimate, EvaluatedMetric, Measure, MetaColumn, MetricDifferences, RuleErrors
from assay.words.metrics import (
    best_metric,
    calibration_verdict,
    curves_verdict,
    decisions_verdict,
    meta_verdict,
)
from tests.store.examples import example, invent, parts


def test_without_a_test_the_highest_value_is_named_and_what_it_does_not_show():
    evaluation = example("meta")
    best = evaluation.metrics[0]
    found = meta_verdict(evaluation)
    assert found.text.startswith(
        f"{best.metric} has the highest Pearson correlation with people on wmt99 de-en, en-zh."
    )
    highest = best.averages[evaluation.measures[0]]
    value, low, high = (agreement_text(each) for each in (highest.value, highest.low, highest.high))
    assert found.lede[0].startswith(f"It has {value} [{low}, {high}], of ")


def test_intervals_that_contain_the_highest_value_are_counted():
    found = meta_verdict(evaluated({"a": (0.9, 0.8, 0.95), "b": (0.85, 0.7, 0.92), "c": (0.5, 0.3, 0.7)}))
    assert found.text == "a has the highest Pearson correlation with people on wmt99 en-de."
    assert found.lede == (
        "It has 0.900 [0.800, 0.950], of 3 metrics.",
        "The intervals of 1 of the 2 others contain its value; intervals are no test of that.",
    )
    apart = meta_verdict(evaluated({"a": (0.9, 0.8, 0.95), "c": (0.5, 0.3, 0.7)}))
    assert apart.lede[1] == "Whether it agrees better than the others was not tested."


def test_without_metrics_there_is_none_to_name():
    alone = evaluated({})
    assert best_metric(alone, alone.measures[0]) is None
    assert meta_verdict(alone).text == (
        "No metric is compared on wmt99 en-de: the table has people and baselines only."
    )


def test_who_is_first_without_outliers():
    values = {"a": (0.9, 0.8, 0.95), "b": (0.85, 0.7, 0.92)}
    other = meta_verdict(evaluated(values, {"a": (0.4, -0.1, 0.6), "b": (0.6, 0.5, 0.7)}))
    assert other.text.endswith("Without 1 outlier, it is b.")
    assert other.lede[-1] == "Without far, b has 0.600 [0.500, 0.700], a 0.400 [-0.100, 0.600]."
    same = meta_verdict(evaluated(values, {"a": (0.7, 0.1, 0.8), "b": (0.6, 0.5, 0.7)}))
    assert "outlier" not in same.text
    assert same.lede[-1] == "Without far, a is still first, with 0.700 [0.100, 0.800]."


def test_metrics_that_share_first_place_are_counted():
    values = {"a": (0.9, 0.8, 0.95), "b": (0.85, 0.7, 0.92), "c": (0.5, 0.3, 0.7)}
    shared = meta_verdict(evaluated(values, better=[("a", "c")]))
    assert shared.text == "2 of 3 metrics share the first rank on wmt99 en-de."
    tested = "(Williams test of 3 pairs, p < 0.05, not corrected)"
    assert shared.lede[:2] == (
        f"Within this rank, no metric is shown to agree better with people than another {tested}.",
        "a, with the highest Pearson, has 0.900 [0.800, 0.950].",
    )
    alone = meta_verdict(evaluated(values, better=[("a", "b"), ("a", "c")]))
    assert alone.text == "a is alone in the first rank of 3 metrics on wmt99 en-de."
    assert alone.lede[0].startswith("It is shown to agree better than 2 of the 2 others ")
    without = meta_verdict(evaluated(values, {"b": (0.9, 0.8, 1), "a": (0.8, 0.7, 1), "c": (0, 0, 0)}, [("a", "c")]))
    assert without.text.endswith("Without 1 outlier, 3 do, not all of them the same.")


def test_headline_and_chart_count_the_same_metrics_as_first():
    values = {"a": (0.9, 0.8, 0.95), "b": (0.85, 0.7, 0.92), "c": (0.5, 0.3, 0.7), "d": (0.4, 0.3, 0.5)}
    evaluation = evaluated(values, better=[("a", "c")])
    found = meta_verdict(evaluation)
    assert found.text == "2 of 4 metrics share the first rank on wmt99 en-de."
    assert found.lede[1] == "Of a lower rank, but not shown to be worse than any metric: d."
    assert dash_names(draw("metric-ranking", evaluation, lp="en-de")) == ["c"]


def dash_names(chart):
    """The metrics that a dotted line stands above."""
    tree = chart.to_dict(validate=False)
    named = [layer["data"]["name"] for layer in tree["layer"] if "strokeDash" in layer.get("mark", {})]
    return [row["name"] for name in named for row in tree["datasets"][name]]


def test_tests_of_a_few_metrics_make_none_of_them_best():
    values = {"a": (0.9, 0.8, 0.95), "b": (0.85, 0.7, 0.92), "c": (0.5, 0.3, 0.7)}
    evaluation = evaluated(values, better=[("a", "b")])
    partial = replace(evaluation, tests=(_tested(["a", "b"], "kept", [("a", "b")]),))
    found = meta_verdict(partial)
    assert found.text == "a has the highest Pearson correlation with people on wmt99 en-de."
    assert found.lede[1] == (
        "Only 2 of them could be tested against each other (Williams test of 1 pair, p < 0.05, not corrected)."
    )
    drawn = draw("metric-ranking", partial, lp="en-de")
    assert dash_names(drawn) == []
    assert "2 of 3 metrics could be tested" in caption(drawn)[1]


def test_metrics_on_fewer_systems_are_not_counted():
    values = {"a": (0.99, 0.9, 1.0), "b": (0.8, 0.7, 0.9), "c": (0.7, 0.6, 0.9)}
    found = meta_verdict(evaluated(values, systems={"a": 3}))
    assert found.lede[:2] == (
        "It has 0.800 [0.700, 0.900], of 2 metrics.",
        "1 metric without scores of all systems is not compared with it.",
    )


def test_a_metric_with_fewer_systems_is_not_called_best():
    evaluation = evaluated({"a": (0.99, 0.9, 1.0), "b": (0.8, 0.7, 0.9), "c": (0.7, 0.6, 0.9)}, systems={"a": 3})
    assert best_metric(evaluation, evaluation.measures[0]).metric == "b"


def evaluated(kept, dropped=None, better=(), systems=None):
    """A meta-evaluation of made-up values: (value, low, high) of each metric, with and without an outlier."""
    made = example("meta segments")
    measures = [Measure("pearson", "kept"), *([Measure("pearson", "dropped")] if dropped else [])]
    rows = []
    for name in kept:
        agreements = {}
        for measure, values in zip(measures, (kept, dropped or {}), strict=False):
            value, low, high = values[name]
            estimate = Estimate(value, 5, low, high)
            names = tuple("vwxyz")[: (systems or {}).get(name, 5)]
            agreement = replace(next(iter(made.metrics[0].agreements.values())), estimate=estimate, systems=names)
            agreements[MetaColumn("en-de", measure)] = agreement
        rows.append(EvaluatedMetric(name, agreements, {}, {"pearson": len(rows) + 1}))
    pair = made.language_pairs[0]
    pair = replace(pair, lp="en-de", outliers=replace(pair.outliers, systems=("far",) if dropped else ()))
    tests = [
        _tested(list(kept), measure.outliers, better if measure.outliers == "kept" else ()) for measure in measures
    ]
    return replace(
        made,
        language_pairs=(pair,),
        measures=tuple(measures),
        metrics=tuple(rows),
        tests=tuple(tests if better else ()),
    )


def _tested(names, outliers, better):
    p_values = np.full((len(names), len(names)), 0.5)
    np.fill_diagonal(p_values, np.nan)
    for first, second in better:
        p_values[names.index(first), names.index(second)] = 0.01
    n = np.full(p_values.shape, 5)
    return MetricDifferences(
        lp="en-de",
        statistic="pearson",
        outliers=outliers,
        test="williams",
        null="none",
        sides="one",
        resamples=0,
        seed=None,
        p_rule=None,
        alpha=0.05,
        metrics=tuple(names),
        values=np.linspace(0.9, 0.1, len(names)),
        systems=np.full(len(names), 5),
        differences=np.zeros_like(p_values),
        p_values=p_values,
        uncorrected=p_values,
        smallest_p=np.zeros_like(p_values),
        is_exact=np.ones(p_values.shape, bool),
        n=n,
    )


def test_curves_say_where_a_random_metric_may_agree_as_well():
    curves = example("robustness top")
    best, point = curves.curves[0], curves.curves[0].points[-1]
    low = replace(point, estimate=Estimate(0.33, 4), systems=tuple("wxyz"), significant_pairs=1)
    high = replace(low, estimate=Estimate(0.97, 4))
    pearson = {**curves.settings, "statistic": "pearson"}

    def verdict_on(point, **settings):
        return curves_verdict(replace(curves, curves=(replace(best, points=(point,)),), settings=pearson | settings))

    found = verdict_on(low)
    assert f"over the best 4 systems, {best.metric} agrees no better than a random metric may." in found.text
    assert " 0.330 over the best 4 of them." in found.lede[0]
    assert found.lede[1:] == (
        "95 % of random metrics are between -0.95 and 0.95 there.",
        "People tell apart 1 of 6 pairs of these systems.",
    )
    assert "agrees better than random metrics over all subsets" in verdict_on(high).text
    assert "random" not in verdict_on(high, statistic="kendall").text


def test_calibrations_name_their_population():
    from assay.results import Calibration

    made = parts()[Calibration]
    lines = {"x": np.array([1.0, 2.3]), "y": np.array([0.2, 0.5])}
    bounds = {"low": np.array([0.1, 0.4]), "high": np.array([0.3, 0.6]), "support": np.array([12, 9])}
    bounds |= {"opposite": np.array([2, 1]), "independent": np.array([3, 3])}
    curve = replace(made.curves[0], metric="bleu", **lines, **bounds)
    found = calibration_verdict(replace(made, curves=(curve,)))
    assert found.text == (
        "From a difference of about 2.30 BLEU on, people significantly preferred the better-scored system in half of "
        "the pairs, in WMT 2098 (DA/SQM)."
    )
    assert "of systems in " in found.lede[-1]
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
    assert both.lede[1] == ("By MQM, people confirm 40 of 100 (of 10 pairs), and find the other system better in 1.")
    none = replace(decided, rules=(replace(rule, accepted=0),))
    assert decisions_verdict(replace(made, metrics=(none,))).text == "BLEU accepts no pair of systems."
