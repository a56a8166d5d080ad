from __future__ import annotations

import numpy as np
import pytest

from assay import Signature, load, score
from assay.errors import ConfigError, InputError
from assay.metrics.external import ExternalScores
from assay.study.score import AGGREGATIONS
from assay.types import NoteKind, ScoreTable

TESTSET = load(outputs={"x": ["a", "b", "c"], "y": ["a", "b", "d"]}, references=["a", "b", "c"])
VALUES = np.array([[0.25, 0.5, np.nan], [1.0, 0.0, 0.5]])


def table(**changes):
    fields = {"name": "COMET", "level": "segment", "systems": ("y", "x"), "values": VALUES[::-1], "origin": "a/c.json"}
    return ScoreTable(**fields | {"digest": "00ff", "references": ("refA",)} | changes)


def test_scores_from_elsewhere_take_part_in_everything():
    run = score(TESTSET, ["bleu", table()], agg=AGGREGATIONS, resamples=50, by="length")
    comet = run["COMET"]
    assert comet.segment_mean["x"] == comet.corpus["x"] == pytest.approx(0.375)  # over what both systems have
    assert comet.segment_mean.estimate("y").n == 2
    assert np.array_equal(comet.segments["x"], VALUES[0], equal_nan=True)
    assert comet.bootstrap.estimate("x").low <= 0.375 <= comet.bootstrap.estimate("x").high
    assert comet.groups
    assert [(n.where, n.count) for n in run.notes if n.kind is NoteKind.EXCLUDED] == [("COMET", 1)]
    signature = str(comet.signature)
    assert signature.startswith("external|scores:COMET|references:refA|origin:c.json|digest:00ff|refs:1|agg:segment|")
    assert Signature.parse(signature) == comet.signature


def test_direction_comes_with_the_table():
    assert not score(TESTSET, table(higher_is_better=False), resamples=0)["COMET"].higher_is_better


@pytest.mark.warns("no segments of")
def test_a_system_without_scores_is_a_gap():
    run = score(TESTSET, table(systems=("x",), values=VALUES[:1]), resamples=0)
    assert np.isnan(run["COMET"].segment_mean["y"])
    assert run["COMET"].segment_mean.estimate("y").reason == "no segment was scored"


def test_what_does_not_fit():
    with pytest.raises(InputError, match="2 scores per system, but the test set has 3"):
        score(TESTSET, table(values=VALUES[:, :2]))
    with pytest.raises(InputError, match="'COMET' holds system scores; segment scores are needed"):
        score(TESTSET, table(level="system", values=VALUES[:, :1]))
    with pytest.raises(ConfigError, match="two metrics are called 'COMET'"):
        score(TESTSET, [table(), table(digest="01")])
    with pytest.raises(InputError, match=r"are for named segments \(a, …\)"):
        score(TESTSET, table(items=("a", "b", "c")))


def test_a_score_table_is_a_metric():
    metric = ExternalScores.of(table())
    assert metric == ExternalScores.of(table())
    assert metric != ExternalScores.of(table(digest="01"))
    assert metric.scorable(TESTSET).tolist() == [[True, True, False], [True, True, True]]
    assert metric.reference_count(TESTSET) == "1"
