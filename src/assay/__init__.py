"""Assay: machine-translation evaluation you can defend.

>>> import assay
>>> ts = assay.load(references=["the cat sat"], outputs={"base": ["the cat sat down"]})
>>> run = assay.score(ts, ["bleu", "chrf"])
>>> round(run["chrf"].corpus["base"], 2)
88.6
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.lazily import exporter

if TYPE_CHECKING:
    from assay.contracts import Metric as Metric
    from assay.errors import AssayError as AssayError
    from assay.results import Agreement as Agreement
    from assay.results import Difference as Difference
    from assay.results import Disagreement as Disagreement
    from assay.results import Estimate as Estimate
    from assay.results import Findings as Findings
    from assay.results import Match as Match
    from assay.results import MetricScores as MetricScores
    from assay.results import Ranking as Ranking
    from assay.results import Run as Run
    from assay.results import Scores as Scores
    from assay.store import open_run as open_run
    from assay.store import save_run as save_run
    from assay.study.agreeing import agree as agree
    from assay.study.campaigns import load_campaign as load_campaign
    from assay.study.campaigns import read as read
    from assay.study.checking import check as check
    from assay.study.differing import diff as diff
    from assay.study.loading import load as load
    from assay.study.matching import match as match
    from assay.study.meta import evaluate_metrics as evaluate_metrics
    from assay.study.ranking import rank as rank
    from assay.study.scoring import score as score
    from assay.types import Campaign as Campaign
    from assay.types import ScoreTable as ScoreTable
    from assay.types import Signature as Signature
    from assay.types import Statistics as Statistics
    from assay.types import TestSet as TestSet
    from assay.version import __version__ as __version__

# Imported when first used, so that `import assay` and `assay --help` do not wait for numpy.
_HOME = {
    "Agreement": "results",
    "AssayError": "errors",
    "Campaign": "types",
    "Difference": "results",
    "Disagreement": "results",
    "Estimate": "results",
    "Findings": "results",
    "Match": "results",
    "Metric": "contracts",
    "MetricScores": "results",
    "Ranking": "results",
    "Run": "results",
    "ScoreTable": "types",
    "Scores": "results",
    "Signature": "types",
    "Statistics": "types",
    "TestSet": "types",
    "__version__": "version",
    "agree": "study.agreeing",
    "check": "study.checking",
    "diff": "study.differing",
    "evaluate_metrics": "study.meta",
    "load": "study.loading",
    "load_campaign": "study.campaigns",
    "match": "study.matching",
    "open_run": "store",
    "rank": "study.ranking",
    "read": "study.campaigns",
    "save_run": "store",
    "score": "study.scoring",
}

__all__ = [
    "Agreement",
    "AssayError",
    "Campaign",
    "Difference",
    "Disagreement",
    "Estimate",
    "Findings",
    "Match",
    "Metric",
    "MetricScores",
    "Ranking",
    "Run",
    "ScoreTable",
    "Scores",
    "Signature",
    "Statistics",
    "TestSet",
    "__version__",
    "agree",
    "check",
    "diff",
    "evaluate_metrics",
    "load",
    "load_campaign",
    "match",
    "open_run",
    "rank",
    "read",
    "save_run",
    "score",
]

__getattr__, __dir__ = exporter(globals(), _HOME)
