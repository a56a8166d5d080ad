from __future__ import annotations

import inspect

import pytest

from assay import ScoreTable, load, score
from assay.registry import option_text
from assay.reports.signatures import DEFAULT_RESAMPLING, short_signature
from assay.version import __version__

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
