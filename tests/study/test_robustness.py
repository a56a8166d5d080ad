from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from assay.agreement import Statistic
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.metaeval.gold import Gold
from assay.metaeval.subsets import leave_one_out, rolling, subsample, top_n
from assay.study.agree import agree
from assay.study.rank import rank
from assay.study.robustness import robustness
from assay.types import Rankings, ScoreTable
from assay.types.runtime import Runtime
from tests.campaigns_with_metrics import campaign
from tests.campaigns_with_metrics import human as people
from tests.campaigns_with_metrics import metric as metric_scores

HUMAN = [5.0, 9.0, 1.0, 7.0, 3.0, 8.0, -30.0]
METRIC = [4.0, 8.0, 2.0, 9.0, 3.0, 6.0, -20.0]
NAMES = tuple("abcdefg")
BEST_FIRST = ("b", "f", "d", "a", "e", "c", "g")


@pytest.fixture
def scores():
    return ScoreTable("m", "system", NAMES, np.array(METRIC)[:, np.newaxis])


@pytest.fixture
def human():
    return ScoreTable("h", "system", NAMES, np.array(HUMAN)[:, np.newaxis], protocol="DA-z")


def expected(names):
    places = [NAMES.index(name) for name in names]
    return pytest.approx(np.corrcoef(np.array(METRIC)[places], np.array(HUMAN)[places])[0, 1])


def test_top(scores, human):
    curve = top_n(scores, human)
    assert [len(point.systems) for point in curve] == [7, 6, 5, 4]
    for point in curve:
        assert point.systems == BEST_FIRST[: len(point.systems)]
        assert point.value == expected(point.systems)
        assert point.estimate.n == len(point.systems)
    assert curve.points[0].value == curve.all_systems.value == agree(scores, human).value
    assert curve.points[-1].label == "top 4"
    assert len(top_n(scores, human, min_systems=2, exclude=("g",))) == 5


def test_windows_from_the_worst_to_the_best(scores, human):
    curve = rolling(scores, human, subset_size=4)
    assert [point.systems for point in curve] == [BEST_FIRST[k : k + 4] for k in (3, 2, 1, 0)]
    assert [point.label for point in curve] == ["ranks 4-7", "ranks 3-6", "ranks 2-5", "ranks 1-4"]
    assert [point.value for point in curve] == [expected(point.systems) for point in curve]


def test_leave_one_out(scores, human):
    curve = leave_one_out(scores, human)
    assert [point.label for point in curve] == [f"without {name}" for name in BEST_FIRST]
    for point, gone in zip(curve, BEST_FIRST, strict=True):
        assert set(point.systems) == set(NAMES) - {gone}
        assert point.value == pytest.approx(agree(scores, human, exclude=(gone,)).value, abs=1e-12)
    assert min(curve, key=lambda point: point.value).label == "without g"


def test_subsamples_with_and_without_outliers(scores, human):
    without, one = subsample(scores, human, subset_size=4, outliers=("g",), resamples=300)
    assert (without.included, one.included) == ((), ("g",))
    assert without.drawn_from == one.drawn_from == ("a", "b", "c", "d", "e", "f")
    assert len(without.values) == 300
    assert one.mean > 0.9 > without.mean
    assert one.quantile(0.025) <= one.quantile(0.5) <= one.quantile(0.975)
    again, _ = subsample(scores, human, subset_size=4, outliers=("g",), resamples=300)
    assert (again.values == without.values).all()
    other, _ = subsample(scores, human, subset_size=4, outliers=("g",), resamples=300, seed=1)
    assert (other.values != without.values).any()
    assert [each.included for each in subsample(scores, human, subset_size=4, outliers=("g", "c"), resamples=3)] == [
        (),
        ("g",),
        ("c",),
        ("g", "c"),
    ]
    (plain,) = subsample(scores, human, subset_size=7, resamples=5)
    assert plain.values == pytest.approx(np.full(5, agree(scores, human).value))


def test_every_part_is_likely(scores, human):
    """C(6, 4) = 15 parts, all of them drawn."""
    (found,) = subsample(scores, human, subset_size=4, resamples=1000, exclude=("g",))
    assert len(np.unique(found.values.round(12))) == 15


def test_ties_in_the_human_scores_go_by_name():
    tied = ScoreTable("h", "system", ("b", "a", "c"), np.array([[1.0], [1.0], [2.0]]), protocol="DA")
    scores = ScoreTable("m", "system", ("c", "b", "a"), np.array([[1.0], [1.0], [2.0]]))
    assert [point.systems for point in top_n(scores, tied, min_systems=2)] == [("c", "a", "b"), ("c", "a")]


def test_undefined_points_say_why():
    flat = ScoreTable("h", "system", ("a", "b", "c"), np.array([[1.0], [1.0], [2.0]]), protocol="DA")
    scores = ScoreTable("m", "system", ("a", "b", "c"), np.array([[1.0], [3.0], [2.0]]))
    point = rolling(scores, flat, subset_size=2).points[0]
    assert math.isnan(point.value)
    assert "are constant" in point.estimate.reason


def test_invalid_options(scores, human, monkeypatch):
    with pytest.raises(ConfigError, match=r"min_systems must be between 2 and 7 \(the number of systems\), not 8"):
        top_n(scores, human, min_systems=8)
    with pytest.raises(ConfigError, match="subset_size must be between 2"):
        rolling(scores, human, subset_size=1)
    with pytest.raises(
        ConfigError, match=r"subset_size must be between 2 and 6 \(the number of systems that are not outliers\)"
    ):
        subsample(scores, human, subset_size=7, outliers=("g",))
    with pytest.raises(UnknownNameError, match="no system is called 'x'"):
        subsample(scores, human, subset_size=3, outliers=("x",))
    with pytest.raises(ConfigError, match="resamples must be an integer between 1"):
        subsample(scores, human, subset_size=3, resamples=0)

    @dataclasses.dataclass(frozen=True)
    class BySegment(Statistic):
        name = "odd"
        levels = frozenset({"segment"})

        def compute(self, batch):
            raise NotImplementedError

    with pytest.raises(ConfigError, match="odd is not defined at the system level"):
        top_n(scores, human, BySegment())


def test_a_table_of_all_metrics():
    found = robustness(campaign())
    assert found.kind == "top"
    assert [curve.metric for curve in found] == ["good-refA", "good-refB", "fair-all", "poor-src"]
    values = [curve.all_systems.value for curve in found]
    assert values == sorted(values, reverse=True)
    assert found.order == ("e", "d", "c", "b", "a", "far")
    assert found.pair.outliers.systems == ("far",)
    assert found.signature == ("kind:top|statistic:pearson|gold:da|min_systems:4|cutoff:2.5|test:rank-sum|alpha:0.05")
    assert [str(note) for note in found.notes] == [
        "left out: refA, refB (references)",
        "poor-src: system scores: means over segments of the metric, system scores of the human scores",
    ]
    curve = top_n(campaign().find("good", "system", references=("refA",)), people(), exclude=("ref?",))
    assert [point.value for point in found.curves[0]] == pytest.approx([point.value for point in curve])


def test_each_kind_equals_its_function_for_one_metric():
    scores, judged, chosen = metric_scores("good", 1.0), people(), ("?", "far")
    one = campaign(scores=(scores, judged))
    for options, alone in (
        ({"kind": "windows", "subset_size": 5}, rolling(scores, judged, subset_size=5, systems=chosen)),
        ({"kind": "without-one"}, leave_one_out(scores, judged, systems=chosen)),
    ):
        (curve,) = robustness(one, **options)
        assert curve == dataclasses.replace(alone, metric="good-refA")
    drawn = subsample(scores, judged, subset_size=3, outliers=("far",), resamples=40, seed=7, systems=chosen)
    for options in ({}, {"subset_size": 3, "outliers": ("far",)}):
        (row,) = robustness(one, kind="subsamples", resamples=40, seed=7, **options)
        assert [each.included for each in row.subsamples] == [(), ("far",)]
        assert all((mine.values == its.values).all() for mine, its in zip(row.subsamples, drawn, strict=True))
        assert row.all_systems.value == pytest.approx(agree(scores, judged, systems=chosen).value)


def test_a_metric_with_too_few_systems_is_left_out_with_a_note():
    few = metric_scores("few", 1.0, systems=("a", "b", "c"))
    lacking = metric_scores("lacking", 1.0, systems=("a", "b", "c", "d", "e"))
    given = campaign(scores=(people(), metric_scores("good", 1.0), few, lacking))
    found = robustness(given)
    assert [curve.metric for curve in found] == ["good-refA", "lacking-refA"]
    assert [(len(curve), curve.missing) for curve in found] == [(3, ()), (3, ("far",))]
    assert "few-refA: left out: scores of fewer than 4 systems" in map(str, found.notes)
    drawn = robustness(given, kind="subsamples", subset_size=3)
    assert [row.metric for row in drawn] == ["good-refA"]
    assert "few-refA, lacking-refA: left out: no score of far" in map(str, drawn.notes)
    with pytest.raises(InputError, match="no metric has scores for enough systems"):
        robustness(campaign(scores=(people(), few)))


def test_a_metric_that_lacks_systems_is_evaluated_on_the_same_subsets_as_the_others(scores, human):
    """On those of the best N that it scored, never on its own best N."""
    lacking = ScoreTable("l", "system", ("a", "c", "d", "e", "g"), scores.take(tuple("acdeg")).values)
    curve = top_n(lacking, human, min_systems=3)
    assert [(point.label, point.systems, point.missing) for point in curve] == [
        ("top 7", tuple("daecg"), ("b", "f")),
        ("top 6", tuple("daec"), ("b", "f")),
        ("top 5", tuple("dae"), ("b", "f")),
        ("top 4", tuple("da"), ("b", "f")),
        ("top 3", ("d",), ("b", "f")),
    ]
    assert [point.value for point in curve.points[:3]] == [expected(point.systems) for point in curve.points[:3]]
    assert curve.points[3].estimate.reason == "the metric scored 2 of these 4 systems"
    assert curve.missing == ("b", "f")
    assert [row["missing"] for row in curve.rows()] == [2] * 6
    windows = rolling(lacking, human, subset_size=3)
    assert {point.label for point in windows if not math.isnan(point.value)} == {"ranks 5-7", "ranks 4-6", "ranks 3-5"}
    without = leave_one_out(lacking, human)
    assert [point.label for point in without] == [f"without {name}" for name in "daecg"]
    assert without.points[0].systems == tuple("aecg")
    assert top_n(lacking, human, min_systems=3, exclude=("b",)).missing == ("f",)


def test_metrics_that_lack_systems_come_last():
    lacking = metric_scores("lacking", 0.0, systems=("a", "b", "c", "d", "e"))
    given = campaign(scores=(people(), metric_scores("good", 5.0), lacking))
    curves = robustness(given, exclude=())
    assert [curve.metric for curve in curves] == ["good-refA", "lacking-refA"]
    assert curves.curves[0].all_systems.value < curves.curves[1].all_systems.value
    assert curves.widest.metric == "good-refA"
    drawn = robustness(given, kind="subsamples", outliers=(), subset_size=3, resamples=10)
    assert [(metric.metric, metric.missing) for metric in drawn] == [("good-refA", ()), ("lacking-refA", ("far",))]


def test_metrics_by_name():
    def labels(*names, **options):
        return sorted(
            curve.metric for curve in robustness(campaign(), metrics=(*names, *options.pop("metrics", ())), **options)
        )

    assert labels("good") == ["good-refA", "good-refB"]
    assert labels("good-refB", "p*") == ["good-refB", "poor-src"]
    assert labels("poor", metrics=("chrf",), external=(metric_scores("mine", 1.0),)) == [
        "chrf-refA",
        "mine",
        "poor-src",
    ]
    assert labels("poor", metrics=("CHRF",)) == ["chrf-refA", "poor-src"]
    assert labels("g*", references=("refB",)) == ["good"]
    assert labels("g*", "*B") == ["good-refA", "good-refB"]
    with pytest.raises(UnknownNameError, match="no stored metric matches 'goof\\*'"):
        labels("goof*")
    with pytest.raises(UnknownNameError, match="unknown metric 'goof': it is not stored") as caught:
        labels("goof")
    assert caught.value.hint == "did you mean 'good'?"


def test_campaigns_that_cannot_be_evaluated():
    with pytest.raises(ConfigError, match=r"min_systems must be between 2 and 2 \(the number of systems\), not 4"):
        robustness(campaign(), systems=("a", "b"))
    with pytest.raises(UnknownNameError, match="no system is called 'fat'"):
        robustness(campaign(), kind="subsamples", outliers=("fat",))
    by_document = ScoreTable("da", "document", ("a",), np.array([[1.0]]), protocol="DA", items=("one",))
    with pytest.raises(InputError, match="wmt99 de-en is left out: it has no human scores 'da'"):
        robustness(campaign(scores=(by_document,)))


def test_progress_and_the_same_bytes_again():
    steps = []
    runtime = Runtime(progress=lambda *step: steps.append(step))
    first = robustness(campaign(), kind="subsamples", runtime=runtime)
    assert steps[:2] == [("evaluating fair-all", 0, 4), ("evaluating good-refA", 1, 4)]
    assert first.to_dict() == robustness(campaign(), kind="subsamples").to_dict()


def test_undefined_metrics_come_last():
    flat = ScoreTable("flat", "system", ("a", "b", "c", "d", "e"), np.ones((5, 1)), references=("refA",))
    found = robustness(campaign(scores=(people(), flat, metric_scores("good", 1.0))))
    assert [curve.metric for curve in found] == ["good-refA", "flat-refA"]
    assert found.curves[1].all_systems.reason == "the metric or the human scores are constant"


def test_rankings_are_scores_by_expected_wins():
    ranks = np.tile(np.arange(6, 0, -1), (4, 1)).astype(np.int8)  # e is best but for "far", which is last in the table
    ranks[:, -1] = 7
    rankings = Rankings("rr", (*"abcde", "far"), ("j",), np.zeros(4), np.arange(4), ranks)
    found = robustness(campaign(scores=(metric_scores("good", 0.1),), judgements=(rankings,)))
    assert found.order == ("e", "d", "c", "b", "a", "far")
    assert [point.label for point in found.curves[0]] == ["top 6", "top 5", "top 4"]


def test_statistics_that_read_segments_are_refused():
    with pytest.raises(ConfigError, match="reads segment scores"):
        robustness(campaign(), statistic="spa")


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "top", "min_systems": 3},
        {"kind": "windows", "subset_size": 3},
        {"kind": "without-one"},
        {"kind": "subsamples", "subset_size": 3, "resamples": 20},
    ],
)
def test_the_direction_of_scores_does_not_matter(options):
    scores = (people(), metric_scores("good", 3.0), metric_scores("poor", 9.0, references=()))
    scores = tuple(
        dataclasses.replace(table, protocol=table.protocol and "DA-z") for table in scores
    )  # without a scale
    turned = tuple(dataclasses.replace(table, values=-table.values, higher_is_better=False) for table in scores)
    found = [robustness(campaign(scores=tables), **options).to_dict() for tables in (scores, turned)]
    assert any("the scores were negated" in note["text"] for note in found[1].pop("notes"))
    found[0].pop("notes")
    assert found[0] == found[1]


def test_each_subset_has_its_significant_pairs():
    """Pairs that `assay.rank` finds significant, for every kind but random subsets."""
    found = robustness(campaign(), metrics=("good-refA",))
    ranking = rank(people("segment").take(found.order))
    better = np.nan_to_num(ranking.p_values, nan=1.0) < 0.05
    names = [each.system for each in ranking]
    for point in found.curves[0]:
        rows = [names.index(name) for name in point.systems]
        assert point.significant_pairs == int((better | better.T)[np.ix_(rows, rows)].sum()) // 2
        assert point.pairs == len(rows) * (len(rows) - 1) // 2
    assert found.settings["test"] == "rank-sum"
    assert {row["significant_pairs"] for row in robustness(campaign(), kind="windows").rows()} > {None}
    by_system = robustness(campaign(scores=(people(), metric_scores("good", 1.0))))
    assert {point.significant_pairs for point in by_system.curves[0]} == {None}
    assert "alpha" not in by_system.settings


def test_judgements_that_cannot_be_tested_are_noted(monkeypatch):
    def refuse(*_arguments):
        raise InputError("only ties")

    monkeypatch.setattr(Gold, "significant_pairs", refuse)
    assert any("no significant pairs of systems: only ties" in str(note) for note in robustness(campaign()).notes)


def test_positive_mqm_scores_are_refused():
    penalties = dataclasses.replace(
        people("segment", name="mqm"), protocol="MQM", values=np.abs(people("segment").values)
    )
    with pytest.raises(InputError, match="'mqm' are positive, but MQM scores are at most 0"):
        robustness(campaign(scores=(penalties, metric_scores("good", 1.0))))


def test_windows_that_cut_through_a_tie_are_marked():
    values = np.array([5.0, 4.0, 4.0 + 1e-12, 2.0, 1.0])[:, np.newaxis]
    tied = ScoreTable("h", "system", tuple("abcde"), values, protocol="DA")
    scores = ScoreTable("m", "system", tuple("abcde"), values)
    assert [point.cuts_tie for point in top_n(scores, tied, min_systems=2)] == [False, False, False, True]
    assert [point.cuts_tie for point in rolling(scores, tied, subset_size=2)] == [False, True, False, True]
    assert not any(point.cuts_tie for point in leave_one_out(scores, tied))


def test_aggregations_and_cells():
    options = {"metrics": ("bleu:tok=char", "good-refA"), "agg": "corpus,segment,bootstrap", "seed": 3}
    found = robustness(campaign(), **options)
    assert {curve.metric for curve in found} >= {f"{prefix}bleu:tok=char-refA" for prefix in ("", "m-", "x-")}
    assert found.settings["agg"] == "corpus+segment+bootstrap"
    assert any("|agg:bootstrap|resamples:1000|size:all|seed:3|" in note.text for note in found.notes)
    assert robustness(campaign(), cells="common").settings["cells"] == "common"
    with pytest.raises(ConfigError, match="size has no effect without the bootstrap aggregation"):
        robustness(campaign(), kind="windows", size=3)
    with pytest.raises(ConfigError, match=r"seed does not apply to kind=.top"):
        robustness(campaign(), seed=3)


def test_kept_references_are_the_same_for_all_metrics():
    found = robustness(campaign(), keep_references=True, references=("refA",))
    assert {frozenset(curve.points[0].systems) for curve in found} == {frozenset((*"abcde", "far", "refB"))}
