"""What the verbs return: numbers with their n, interval and reason, never formatted text."""

from __future__ import annotations

from assay.results.agreement import Agreement
from assay.results.difference import Difference, ScoreChange, SegmentChanges, SettingChange
from assay.results.findings import SEVERITIES, Finding, Findings
from assay.results.match import Candidate, Match
from assay.results.meta import EvaluatedMetric, EvaluatedPair, Measure, MetaColumn, MetaEvaluation
from assay.results.outliers import Outliers
from assay.results.ranking import RankedSystem, Ranking
from assay.results.robustness import Casts, Curve, Curves, Point, Robustness, SubsampledMetric, Subsamples
from assay.results.scores import (
    SCHEMA_VERSION,
    Disagreement,
    Estimate,
    MetricScores,
    Run,
    Scores,
    html_table,
    none_if_nan,
)

__all__ = [
    "SCHEMA_VERSION",
    "SEVERITIES",
    "Agreement",
    "Candidate",
    "Casts",
    "Curve",
    "Curves",
    "Difference",
    "Disagreement",
    "Estimate",
    "EvaluatedMetric",
    "EvaluatedPair",
    "Finding",
    "Findings",
    "Match",
    "Measure",
    "MetaColumn",
    "MetaEvaluation",
    "MetricScores",
    "Outliers",
    "Point",
    "RankedSystem",
    "Ranking",
    "Robustness",
    "Run",
    "ScoreChange",
    "Scores",
    "SegmentChanges",
    "SettingChange",
    "SubsampledMetric",
    "Subsamples",
    "html_table",
    "none_if_nan",
]
