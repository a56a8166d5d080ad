from __future__ import annotations

import inspect

import pytest

from assay import ScoreTable, load, score
from assay.registry import option_text
from assay.reports import document as make_document
from assay.reports.cells import Flag, cell_text
from assay.reports.layout import caption_text
from assay.reports.scores import DEFAULT_RESAMPLING, _caption, short_signature
from assay.results import Disagreement, Run
from assay.version import __version__


def make(**options):
    testset = load(outputs={"a": ["x y", "z"], "b": ["x", "z"]}, references=["x y", "z"], domains=["m", "n"])
    return score(testset, "chrf", resamples=5, **options)


def grids(run, **options):
    (section,) = make_document(run, **options).sections
    return section.grids


def test_whole_groups_and_segments():
    run = make(by="domain")
    whole, groups, segments = grids(run, segments=True)
    assert [column.title for column in whole.columns] == ["chrf (n=2)", "corpus", "segment"]
    assert [cell_text(row[0]) for row in whole.rows] == ["a", "b"]
    assert whole.captions[0].template.startswith("corpus and segment scores differ by up to {}")
    assert groups.labels == 2
    assert [tuple(map(cell_text, row[:2])) for row in groups.rows] == [
        *(("domain:m (n=1)", "a"), ("", "b")),
        *(("domain:n (n=1)", "a"), ("", "b")),
    ]
    assert [column.title for column in segments.columns] == ["chrf", "a", "b"]
    assert list(map(cell_text, segments.rows[1])) == ["2", "100.00", "100.00"]


def test_cells_hold_values_and_the_best_is_flagged():
    run = make()
    (whole,) = grids(run)
    first, second = (row[1] for row in whole.rows)
    estimate = run["chrf"].corpus.estimate("b")
    assert (second.value, second.low, second.high) == (estimate.value, estimate.low, estimate.high)
    assert (first.flags, second.flags) == ({Flag.BEST}, frozenset())
    (whole,) = grids(score(run.testset, "ter", resamples=0))
    assert [row[1].flags for row in whole.rows] == [{Flag.BEST}, frozenset()]  # lower is better


def test_only_what_there_is():
    run = make(agg="corpus")
    (whole,) = grids(run)
    assert (whole.labels, whole.captions) == (1, ())


def test_flips_are_named_but_not_all():
    flips = tuple((f"a{i}", f"b{i}") for i in range(5))
    text = caption_text(_caption(Disagreement(1.25, "a0", flips, 10), 2, has_all=True))
    assert text == (
        "corpus and segment scores differ by up to 1.25 (a0) and rank 5 of 10 pairs of systems differently: "
        "a0 / b0, a1 / b1, a2 / b2 and 2 more"
    )


@pytest.mark.warns("nothing was scored")
def test_nothing_in_common_has_no_disagreement():
    run = score(load(outputs={"x": [None, "a"], "y": ["a", None]}, references=["a", "a"]), "chrf", resamples=5)
    (whole,) = grids(run)
    assert not any("differ by" in caption.template for caption in whole.captions)


def test_every_row_has_every_column():
    run = score(load(outputs={"x": ["a", None]}, references=["a", "b"]), "chrf", resamples=5)
    rows = list(make_document(run, segments=True).rows)
    assert [list(row) for row in rows] == [[column.name for column in Run.file_columns()]] * 4
    for column in Run.file_columns():
        assert {type(row[column.name]) for row in rows} <= {column.type, type(None)}
    assert [(row["group"], row["value"], row["n"]) for row in rows[2:]] == [
        ("segment:1", 100.0, 1),
        ("segment:2", None, 0),
    ]


def test_a_small_percentage_has_two_decimals_all_the_same():
    testset = load(outputs={"x": ["a " + "b " * 99]}, references=["a " + "c " * 99])
    run = score(testset, ["bleu", "bleu:percent=no"], resamples=0)
    percent, fraction = (section.grids[0].rows[0][1] for section in make_document(run).sections)
    assert percent.value < 2
    assert (percent.decimals, fraction.decimals) == (2, 4)


def test_systems_with_one_of_the_two_scores_are_not_meant():
    assert caption_text(_caption(Disagreement(0.0, "a", (), 0), 2, has_all=False)) == (
        "corpus and segment scores of systems that have both are the same"
    )


def test_tiny_differences_are_not_shown_as_zero():
    assert caption_text(_caption(Disagreement(3e-5, "a", (), 0), 2, has_all=True)) == (
        "corpus and segment scores differ by up to 0.00003 (a)"
    )


TESTSET = load(outputs={"x": ["a b", "c"]}, references={"refA": ["a b", "c"], "refB": ["a", "c"]})


def short(metric, **options):
    scores = next(iter(score(TESTSET, metric, **options).metrics.values()))
    return short_signature(scores, scores.headline)


@pytest.mark.parametrize(
    ("metric", "start"),
    [("bleu", "bleu|"), ("bleu:tok=intl,lowercase=yes", "bleu|tok:intl|lowercase:yes|"), ("chrf++", "chrf++|")],
)
def test_options_that_are_not_the_defaults(metric, start):
    assert short(metric) == f"{start}refs:2|agg:corpus|version:{__version__}"


def test_resampling_that_is_not_the_default():
    assert short("bleu", resamples=20, seed=7).endswith(f"|agg:corpus|resamples:20|seed:7|version:{__version__}")
    assert "resamples" not in short("bleu", resamples=0)


def test_scores_from_a_file_keep_the_full_signature():
    table = ScoreTable("my metric", "segment", ("x",), [[1.0, 2.0]])
    assert "scores:my%20metric" in short(table)


def test_defaults_are_those_of_score():
    parameters = inspect.signature(score).parameters
    for name, text in DEFAULT_RESAMPLING.items():
        default = parameters[name].default
        assert text == ("all" if default is None else option_text(default))
