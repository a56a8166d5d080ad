"""Results that every chart can be drawn from."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import assay
from tests.calibration.made_up import campaign
from tests.metrics import made_up_vectors
from tests.store.examples import example, testset

__all__ = ["DRAWN_FROM", "calibration", "compared", "decisions", "embedded", "marks", "results_for"]

LANGUAGES = ("de-en", "cs-en", "fr-en", "en-de", "en-cs", "en-fr")


@functools.cache
def calibration():
    """Curves of chrF with bands."""
    campaigns = [campaign(lp, seed=place) for place, lp in enumerate(LANGUAGES)]
    return assay.calibrate(campaigns, metrics=("chrf",), min_segments=20, resamples=20)


@functools.cache
def decisions():
    """Decisions by BLEU and chrF, which have errors in common."""
    return assay.decisions([campaign(lp, seed=place) for place, lp in enumerate(LANGUAGES)], min_segments=20)


@functools.cache
def error_free():
    """A metric on two language pairs, each predicted by the other."""
    from tests.study.test_triage import campaign as judged

    return assay.meta_error_free([judged(), judged("en-cs", seed=2)], resamples=0)


@functools.cache
def preferences():
    """Two outputs of which people prefer the one that is longer, with three judged test sets."""
    import numpy as np

    from assay.types import Campaign, ScoreTable, TestSet

    random, campaigns = np.random.default_rng(3), []
    for number in range(3):
        scores = random.normal(size=(3, 80))
        tables = (
            ScoreTable(
                "human", "segment", ("a", "b", "c"), scores + random.normal(0, 0.5, scores.shape), protocol="DA-z"
            ),
            ScoreTable("judge", "segment", ("a", "b", "c"), scores),
        )
        campaigns.append(Campaign(f"test{number}", "en-de", 80, ("a", "b", "c"), (), None, tables))
    judge = ScoreTable("judge", "segment", ("x", "y"), random.normal(size=(2, 5)))
    return assay.prefer(TestSet({"x": ["x"] * 5, "y": ["y"] * 5}), campaigns, metrics=judge, resamples=50)


@functools.cache
def compared():
    """Three systems under two metrics, one of which has lower scores for better systems, and both aggregations."""
    return assay.compare(testset(), ["chrf", "ter"], agg=("corpus", "segment"), all_pairs=True, resamples=50)


@functools.cache
def resampled():
    """Metrics whose intervals come from resamples."""
    from tests.campaigns_with_metrics import campaign as with_metrics

    return assay.meta([with_metrics()], ci="systems", resamples=20, sig="williams")


@functools.cache
def embedded():
    """Scores of eBLEU on small vectors, with the texts."""
    words = {
        "the": (9, 1, 0),
        "cat": (1, 9, 2),
        "kitty": (2, 8, 3),
        "sat": (0, 1, 9),
        "sits": (1, 1, 9),
        "down": (3, 1, 4),
    }
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    path = made_up_vectors.write(folder / "small.vec", words)
    testset = assay.load(
        outputs={"x": ["the kitty sits", "sat"], "y": ["the cat", "sat"]}, references=["the cat sat down", "sat"]
    )
    return assay.score(testset, f"ebleu:vectors={path}", resamples=0)


DRAWN_FROM = {
    "aggregations": lambda: example("score"),
    "calibration": calibration,
    "differences": compared,
    "diffusion": embedded,
    "error-free": error_free,
    "human-differences": decisions,
    "human-ranking": lambda: example("rank ratings"),
    "language-pairs": lambda: example("meta"),
    "metric-errors": decisions,
    "metric-human": lambda: example("meta"),
    "metric-ranking": lambda: example("meta"),
    "outlier-effect": lambda: example("meta"),
    "p-values": decisions,
    "pairwise-tests": compared,
    "preference": preferences,
    "replicates": resampled,
    "robustness": lambda: example("robustness top"),
    "sampled-correlations": lambda: example("correlate"),
    "score-correlations": lambda: example("correlate"),
    "score-matrix": lambda: example("meta"),
    "scores": lambda: example("score"),
    "segment-differences": compared,
    "subsamples": lambda: example("robustness subsamples"),
}
"""A result that each chart shows."""


def results_for(name):
    """The results that a chart is drawn from."""
    return [DRAWN_FROM[name]()]


def marks(svg):
    """What is drawn inside of the axes."""
    return svg[svg.index("role-mark ") :]
