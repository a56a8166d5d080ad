"""Which pairs of systems count, which scores they are compared by, and how they are tested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from assay.errors import ConfigError
from assay.measurement import AGGREGATIONS
from assay.metrics import metric as metric_registry
from assay.options.checks import check_choice, check_integer, check_share
from assay.registry import name_list, option_text
from assay.significance import Test
from assay.significance import test as test_registry

__all__ = [
    "DEFAULT_METRICS",
    "MIN_SEGMENTS",
    "OWN_TESTS",
    "STORED",
    "STORED_SEGMENT",
    "STORED_TEST",
    "Key",
    "PairOptions",
]

Key: TypeAlias = tuple[str, str]
"""A metric and an aggregation."""

DEFAULT_METRICS = ("bleu", "chrf")
"""Without any scores from files."""
STORED = "stored"
"""The aggregation of system scores that come from files: it is not known."""
STORED_SEGMENT = "stored-segment"
"""Means of segment scores that come from files, for metrics without system scores there."""

MIN_SEGMENTS = 250
"""Judged segments that two systems need in common, as in Lo et al. 2023."""
OWN_TESTS = ("randomisation", "bootstrap", "mathur2020")
"""Tests of a metric's own difference, two-sided. mathur2020: a paired bootstrap for BLEU, a paired t-test of segment
scores for all others (Mathur et al. 2020, section 5, which does not say what was done for TER)."""
STORED_TEST = "paired-t"
"""The test of scores from files: of the segment scores in files, where there are any."""


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Which pairs count, and how they are tested. The arguments are those of `assay.calibrate`."""

    test: str
    """Of human scores, one-sided."""
    alpha: float
    min_segments: int
    """The number of judged segments that two systems must at least have in common."""
    metrics: tuple[str, ...]
    aggregations: tuple[str, ...]
    stored: tuple[str, ...]
    """Patterns of metrics whose stored scores are used, too: those of systems, or else means of those of segments."""
    gold: str | None
    own_test: str | None
    """Also test differences of the metric itself, with one of `OWN_TESTS`."""
    exclude: tuple[str, ...]
    """Patterns of systems to leave out."""
    keep_references: bool
    seed: int
    by_domain: bool = False

    def __post_init__(self) -> None:
        for aggregation in self.aggregations:
            check_choice("aggregation", aggregation, AGGREGATIONS)
        if self.own_test is not None:
            check_choice("own_test", self.own_test, OWN_TESTS)
        check_share("alpha", self.alpha)
        if not (self.metrics and self.aggregations) and not self.stored:
            raise ConfigError("no metric was given", hint="metrics=bleu, or stored=COMET for stored scores")
        check_integer("min_segments", self.min_segments, 2, 10**9)

    @property
    def human_test(self) -> Test:
        """The test of human scores."""
        return test_registry.create(self.test)

    @property
    def specs(self) -> tuple[str, ...]:
        """The shortest specs of the metrics."""
        return tuple(metric_registry.spec(metric_registry.create(metric)) for metric in self.metrics)

    @property
    def settings(self) -> dict[str, str]:
        """For a signature: what is not the default is named."""
        settings = {
            "metrics": name_list(self.specs),
            "agg": "+".join(self.aggregations) if self.metrics else "",
            "stored": name_list(self.stored),
            "test": test_registry.spec(self.human_test),
            "sides": "one",
            "alpha": option_text(self.alpha),
            "min_segments": str(self.min_segments),
            "gold": option_text(self.gold) if self.gold else "",
            "by_domain": "yes" if self.by_domain else "",
            "exclude": name_list(self.exclude),
            "keep_references": "yes" if self.keep_references else "",
            "seed": str(self.seed),
        }
        return {name: value for name, value in settings.items() if value}
