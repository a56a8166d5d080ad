"""Which pairs of systems count, which scores they are compared by, and how they are tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeAlias

from assay.calibration.external import external_patterns
from assay.errors import ConfigError, option_name
from assay.measurement import AGGREGATIONS, metrics_option
from assay.measurement.units import UNITS, test_of_segments
from assay.metrics import metric as metric_registry
from assay.options.checks import check_integer
from assay.options.option import CALIBRATION, DATA, HUMAN, METRICS, TESTS, Option
from assay.options.parameters import check_fields
from assay.options.shared import Alpha
from assay.registry import name_list, option_text
from assay.significance import SampleTest, Test, option_of_test
from assay.significance import test as test_registry
from assay.types import ScoreTable

__all__ = [
    "DEFAULT_METRICS",
    "HUMAN_TESTS",
    "MIN_SEGMENTS",
    "OWN_TESTS",
    "STORED",
    "STORED_SEGMENT",
    "STORED_TEST",
    "Aggregations",
    "HumanTest",
    "HumanUnit",
    "JudgedSegments",
    "JudgedSizes",
    "Key",
    "MinSegments",
    "OwnTest",
    "PairMetrics",
    "PairOptions",
    "ProtocolGold",
    "StatedKinds",
    "Stored",
    "check_min_segments",
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


HUMAN_TESTS = {"segment": "paired-t", "document": "randomisation"}
"""The default test of human scores for each unit: documents are swapped as a whole."""
HumanTest = Annotated[
    str | None,
    option_of_test("Test of the human scores, one-sided.", default="paired-t; with documents as units randomisation"),
]
HumanUnit = Annotated[
    str,
    Option(
        "What the test of the human scores takes as independent: segments, as WMT and Lo et al. do, or documents.",
        group=TESTS,
        choices=UNITS,
        metavar="NAME",
    ),
]
PairMetrics = Annotated[
    Sequence[str] | None,
    metrics_option("Metrics to compute from the texts.", default="bleu, chrf; none with stored or other scores"),
]
Aggregations = Annotated[
    Sequence[str],
    Option(
        "How to aggregate computed metrics: corpus, segment or bootstrap.",
        group=METRICS,
        noun="aggregation",
        choices=AGGREGATIONS,
        metavar="NAME",
    ),
]
Stored = Annotated[
    Sequence[str],
    Option(
        "Stored scores whose names match: system scores, or else means of segment scores.",
        group=METRICS,
        metavar="GLOB",
    ),
]
ProtocolGold = Annotated[
    str | None,
    Option(
        "Name of the human scores.",
        group=DATA,
        metavar="NAME",
        default="standardised DA and SQM scores (else raw ones), MQM and ESA",
    ),
]
OwnTest = Annotated[
    str | None,
    Option(
        "Also test the difference of the metric itself, two-sided: randomisation, bootstrap or mathur2020.",
        group=TESTS,
        choices=OWN_TESTS,
        metavar="NAME",
    ),
]
StatedKinds = Annotated[
    Sequence[str],
    Option(
        "Which systems are language models (LLM), and which only translate (MT), where their names do not say it: "
        "base=MT,new=LLM.",
        group=CALIBRATION,
        metavar="SYSTEM=KIND",
    ),
]
check_min_segments = partial(check_integer, low=2, high=10**9)
MinSegments = Annotated[
    int,
    Option(
        "Judged segments that two systems need in common.",
        group=HUMAN,
        metavar="N",
        check=check_min_segments,
    ),
]


JudgedSegments = Annotated[
    int | None,
    Option(
        "How many segments of each system people will judge: fewer judgements show fewer differences.",
        group=CALIBRATION,
        metavar="N",
        check=check_min_segments,
        default="as many as in the campaigns of the calibration",
    ),
]
JudgedSizes = Annotated[
    Sequence[int],
    Option(
        "Also test samples of so many judged segments, such as 100,200, so that assay explain --judged answers for "
        "numbers between them.",
        group=HUMAN,
        metavar="N",
        check=check_min_segments,
    ),
]


@dataclass(frozen=True, slots=True)
class PairOptions:
    """Which pairs count, and how they are tested. The arguments are those of `assay.calibrate`."""

    test: str
    alpha: Alpha
    min_segments: MinSegments
    metrics: tuple[str, ...]
    agg: Aggregations
    stored: tuple[str, ...]
    gold: str | None
    own_test: OwnTest
    exclude: tuple[str, ...]
    keep_references: bool
    seed: int
    by_domain: bool = False
    judged: JudgedSizes = ()
    unit: HumanUnit = "segment"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.unit == "document":
            if isinstance(self.human_test, SampleTest):
                raise test_of_segments(self.test)
            if self.judged:
                hint = f"leave out {option_name('judged')} or {option_name('unit')}"
                raise ConfigError("samples of judged segments are of single segments, not of documents", hint=hint)
        if not (self.metrics and self.agg) and not self.stored:
            raise ConfigError("no metric was given", hint="metrics=bleu, or stored=COMET for stored scores")

    @classmethod
    def of(
        cls,
        metrics: Sequence[str] | None,
        stored: Sequence[str],
        external: Mapping[str, Sequence[ScoreTable]] | None,
        **others: Any,
    ) -> PairOptions:
        """With the default metrics if no scores were chosen. External scores have joined the stored ones."""
        if metrics is None:
            metrics = () if stored or external else DEFAULT_METRICS
        return cls(metrics=tuple(metrics), stored=(*stored, *external_patterns(external)), **others)

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
            "agg": "+".join(self.agg) if self.metrics else "",
            "stored": name_list(self.stored),
            "test": test_registry.spec(self.human_test),
            "sides": "one",
            "alpha": option_text(self.alpha),
            "min_segments": str(self.min_segments),
            "gold": option_text(self.gold) if self.gold else "",
            "by_domain": "yes" if self.by_domain else "",
            "judged": "+".join(map(str, self.judged)),
            "exclude": name_list(self.exclude),
            "keep_references": "yes" if self.keep_references else "",
            "seed": str(self.seed),
        }
        return {name: value for name, value in settings.items() if value}
