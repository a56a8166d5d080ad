"""What the verbs return: numbers with their n, interval and reason, never formatted text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.lazily import exporter

if TYPE_CHECKING:
    from assay.results.agreement import Agreement as Agreement
    from assay.results.difference import Difference as Difference
    from assay.results.difference import ScoreChange as ScoreChange
    from assay.results.difference import SegmentChanges as SegmentChanges
    from assay.results.difference import SettingChange as SettingChange
    from assay.results.findings import SEVERITIES as SEVERITIES
    from assay.results.findings import Finding as Finding
    from assay.results.findings import Findings as Findings
    from assay.results.match import Candidate as Candidate
    from assay.results.match import Match as Match
    from assay.results.meta import EvaluatedMetric as EvaluatedMetric
    from assay.results.meta import EvaluatedPair as EvaluatedPair
    from assay.results.meta import Measure as Measure
    from assay.results.meta import MetaColumn as MetaColumn
    from assay.results.meta import MetaEvaluation as MetaEvaluation
    from assay.results.outliers import Outliers as Outliers
    from assay.results.ranking import RankedSystem as RankedSystem
    from assay.results.ranking import Ranking as Ranking
    from assay.results.robustness import Casts as Casts
    from assay.results.robustness import Curve as Curve
    from assay.results.robustness import Curves as Curves
    from assay.results.robustness import Point as Point
    from assay.results.robustness import Robustness as Robustness
    from assay.results.robustness import SubsampledMetric as SubsampledMetric
    from assay.results.robustness import Subsamples as Subsamples
    from assay.results.scores import SCHEMA_VERSION as SCHEMA_VERSION
    from assay.results.scores import Disagreement as Disagreement
    from assay.results.scores import Estimate as Estimate
    from assay.results.scores import MetricScores as MetricScores
    from assay.results.scores import Run as Run
    from assay.results.scores import Scores as Scores
    from assay.results.scores import html_table as html_table
    from assay.results.scores import none_if_nan as none_if_nan

_HOME = {
    "Agreement": "agreement",
    "Candidate": "match",
    "Casts": "robustness",
    "Curve": "robustness",
    "Curves": "robustness",
    "Difference": "difference",
    "Disagreement": "scores",
    "Estimate": "scores",
    "EvaluatedMetric": "meta",
    "EvaluatedPair": "meta",
    "Finding": "findings",
    "Findings": "findings",
    "Match": "match",
    "Measure": "meta",
    "MetaColumn": "meta",
    "MetaEvaluation": "meta",
    "MetricScores": "scores",
    "Outliers": "outliers",
    "Point": "robustness",
    "RankedSystem": "ranking",
    "Ranking": "ranking",
    "Robustness": "robustness",
    "Run": "scores",
    "SCHEMA_VERSION": "scores",
    "SEVERITIES": "findings",
    "ScoreChange": "difference",
    "Scores": "scores",
    "SegmentChanges": "difference",
    "SettingChange": "difference",
    "SubsampledMetric": "robustness",
    "Subsamples": "robustness",
    "html_table": "scores",
    "none_if_nan": "scores",
}

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

__getattr__, __dir__ = exporter(globals(), _HOME)
