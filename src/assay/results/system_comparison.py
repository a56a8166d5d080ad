"""The comparison of systems: differences with intervals, p-values and outcomes, and clusters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, TypeVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn, Shown, Unit, estimate_columns
from assay.results.comparison import Comparison
from assay.results.contrasts import Contrast, Examples, GroupDifferences, PairContrast
from assay.results.estimate import Estimate, decimals_for
from assay.results.explanation import Explanation
from assay.results.joint_explanation import JointExplanation
from assay.results.order import best_first, best_value
from assay.results.outcome import Outcome, are_bounds
from assay.results.result import OfTexts, Result
from assay.types import FloatArray, TestSet, TestSetRecord
from assay.types.note import plural
from assay.types.record import OMITTED, Record, in_tree

__all__ = ["ComparedMetric", "ComparedPair", "MetGate", "PairRecord", "Power", "SystemComparison"]

_C = TypeVar("_C", bound=PairContrast)


@dataclass(frozen=True, slots=True)
class Power(Record):
    """What a test set like this one can show of two systems like these, whatever their difference was found to be.

    A test set shows a difference if its test rejects at the level alpha. Undefined values are NaN or None, and `reason`
    says why.
    """

    detectable: float
    """The smallest true difference that it shows with a probability of 80 %."""
    at_delta: float = field(default=math.nan, metadata=in_tree(key="power_at_delta"))
    """The probability that it shows the difference that the user named."""
    needed: int | None = None
    """How many segments or documents show the difference that the user named with a probability of 80 %."""
    reason: str | None = field(default=None, metadata=in_tree(key="power_reason"))


@dataclass(frozen=True, slots=True)
class ComparedPair(Comparison):
    """Two systems under one metric and aggregation."""

    p_corrected: float
    """The p-value, corrected for the number of pairs of this metric and aggregation."""
    wins: int
    """Segments on which the first system scores better."""
    ties: int
    losses: int
    power: Power = field(metadata=in_tree(inline=True))
    outcome: Outcome
    """What the corrected p-value says at the level alpha."""
    explanation: Explanation | None = None
    """What a calibration says of such a difference; None: not asked."""
    resamples: int | None = None
    """How many resamples the p-value comes from; None if the test draws none."""

    @property
    def is_bound(self) -> bool:
        """Whether no resample was as extreme as the difference: p is as low as it can be, and the true one is lower."""
        if self.resamples is None or self.difference.value == 0:  # sacreBLEU's p of a copy is its smallest
            return False
        return bool(are_bounds(self.p, 1 / (1 + self.resamples)))

    @property
    def shows_difference(self) -> bool:
        """Whether one system is shown to be better."""
        return self.outcome.shows_difference

    @property
    def noticed(self) -> Estimate | None:
        """The probability that people significantly prefer the better-scored system; None: no calibration was asked."""
        return None if self.explanation is None else self.explanation.probability

    def reversed(self) -> ComparedPair:
        """The same with the second system first. p stays, also of a one-sided test: it is about the tested order."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=self.difference.negated(),
            wins=self.losses,
            losses=self.wins,
            outcome=self.outcome.reversed(),
        )


@dataclass(frozen=True, slots=True, eq=False)
class ComparedMetric(Record):
    """All pairs of systems under one metric and aggregation."""

    metric: str
    aggregation: str
    higher_is_better: bool
    signature: str
    scores: Mapping[str, Estimate]
    """The score of each system with its interval."""
    pairs: tuple[ComparedPair, ...] = field(metadata=OMITTED)
    clusters: Mapping[str, int] = field(default_factory=dict)
    """Clusters of systems not shown to differ, best first; empty unless all pairs were compared."""
    rank_shares: FloatArray | None = None
    """(system in the order of `scores`, rank): the share of bootstrap resamples with the rank."""
    rank_ranges: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The best and the worst rank of each system, without the tails of the bootstrap resamples."""
    _by_systems: Mapping[tuple[str, str], ComparedPair] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        object.__setattr__(self, "_by_systems", {(pair.first, pair.second): pair for pair in self.pairs})

    @property
    def name(self) -> str:
        """The metric and the aggregation, as tables on a terminal name them."""
        return f"{self.metric} {self.aggregation}"

    def pair(self, first: str, second: str) -> ComparedPair:
        """The comparison of two systems, in this order, whichever of them was compared with the other."""
        if (first, second) in self._by_systems:
            return self._by_systems[first, second]
        if (second, first) in self._by_systems:
            return self._by_systems[second, first].reversed()
        known = [f"{pair.first} with {pair.second}" for pair in self.pairs]
        raise UnknownNameError(f"{first} was not compared with {second}", hint=nearest(f"{first} with {second}", known))

    def in_favour(self, pair: ComparedPair) -> Estimate:
        """How much better the first system of a pair is, also where lower scores are better."""
        return pair.difference if self.higher_is_better else pair.difference.negated()

    @property
    def best_first(self) -> list[str]:
        """The systems in the order of their scores, those without a score last."""
        values = {system: score.value for system, score in self.scores.items()}
        return best_first(values, higher_is_better=self.higher_is_better)

    @property
    def best(self) -> float:
        """The best score; NaN if none is defined."""
        return best_value((each.value for each in self.scores.values()), higher_is_better=self.higher_is_better)

    @property
    def decimals(self) -> int:
        """How many decimals of scores and differences are worth showing."""
        return decimals_for((score.value for score in self.scores.values()), self.signature)

    def p_best(self, system: str) -> float:
        """The share of resamples in which a system ranks first; NaN if ranks were not resampled."""
        return math.nan if self.rank_shares is None else float(self.rank_shares[list(self.scores).index(system), 0])

    def is_better(self, pair: ComparedPair) -> bool:
        """Whether the first system of the pair scores better, by however little."""
        return pair.difference.value > 0 if self.higher_is_better else pair.difference.value < 0


class PairRecord(NamedTuple):
    """A pair of systems, and the metric that it was compared by."""

    metric: ComparedMetric
    pair: ComparedPair

    @property
    def first_score(self) -> float:
        """The score of the first system."""
        return self.metric.scores[self.pair.first].value

    @property
    def second_score(self) -> float:
        """The score of the second system."""
        return self.metric.scores[self.pair.second].value


def _calibrated(estimate: str, names: tuple[str, ...], prefix: str) -> Iterator[ResultColumn]:
    """Columns of what a calibration says of the difference."""
    for column in estimate_columns(f"pair.explanation.{estimate}", names=names, prefix=prefix):
        yield replace(column, optional=True)


_LISTED = Shown.FILE | Shown.TABLE
_DETAILS = Shown.FILE | Shown.DETAILS
_EVERYWHERE = _LISTED | Shown.PAPER


@dataclass(frozen=True, slots=True)
class MetGate(Record):
    """A condition (`fail_if`) that is true, or undefined, for one system."""

    condition: str
    system: str | None
    """None where the condition itself names the systems."""
    values: Mapping[str, float]
    """The values in the condition by the name written there."""
    bounds: tuple[str, ...] = ()
    """The names of p-values that are only upper bounds."""

    @property
    def undefined(self) -> tuple[str, ...]:
        """The names whose value is undefined. An undefined value fails the gate."""
        return tuple(name for name, value in self.values.items() if math.isnan(value))


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SystemComparison(OfTexts, Result):
    """Systems compared under every requested metric and aggregation."""

    settings: Mapping[str, str]
    baseline: str | None
    """The system that the others were compared with; None: all pairs."""
    metrics: tuple[ComparedMetric, ...]
    inputs: TestSetRecord | TestSet
    segments: Mapping[str, Mapping[str, FloatArray]] = field(default_factory=dict, metadata=OMITTED)
    """Segment scores by metric and system."""
    contrasts: tuple[Contrast, ...] = ()
    """Where the systems of a pair differ, as far as it was asked for."""
    human: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """What people gave the systems, by the name of the human scores; higher is better."""
    joint: tuple[JointExplanation, ...] = ()
    """What a calibration says of the differences of each pair of systems in all scores together; none if it was not
    asked, or answers for fewer than two scores."""
    failures: tuple[MetGate, ...] = ()
    """For which systems the condition `fail_if` holds, with the values."""
    domains: tuple[GroupDifferences, ...] = field(default=(), metadata=OMITTED)
    """How the two systems in `focus` differ by domain, unless groups of segments were asked for."""

    made_by: ClassVar[str] = "compare"
    derived: ClassVar[tuple[str, ...]] = ("systems", "correction")
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("metric", read="metric.metric"),
        ResultColumn("aggregation", read="metric.aggregation"),
        ResultColumn("first", read="pair.first", label="{score}", shown=_EVERYWHERE),
        ResultColumn("second", read="pair.second", label="{other}", shown=_EVERYWHERE),
        ResultColumn("first_score", float, "first_score", label="score", unit=Unit.SCORE, shown=_LISTED),
        ResultColumn("second_score", float, "second_score", label="{other} score", unit=Unit.SCORE, shown=_LISTED),
        ResultColumn(
            "difference",
            float,
            "pair.difference",
            label="difference [{confidence}]",
            short="Δ",
            unit=Unit.DIFFERENCE,
            help="The score of the first system minus that of the second.",
            shown=_EVERYWHERE,
        ),
        *estimate_columns("pair.difference", names=("low", "high", "standard_error")),
        ResultColumn("p", float, "pair.p", unit=Unit.P_VALUE, help="Before the correction for the number of pairs."),
        ResultColumn(
            "p_corrected",
            float,
            "pair.p_corrected",
            label="p{corrected}",
            short="p",
            unit=Unit.P_VALUE,
            bound="pair.is_bound",
            help="The p-value, corrected for the number of pairs of this metric and aggregation.",
            shown=_EVERYWHERE,
        ),
        ResultColumn("resamples", int, "pair.resamples", help="How many resamples p comes from."),
        ResultColumn("test", read="pair.test"),
        ResultColumn("n", int, "pair.n", help="The number of segments or documents that were used."),
        ResultColumn("wins", int, "pair.wins", label="{segments}won", shown=_DETAILS),
        ResultColumn("ties", int, "pair.ties", label="{segments}tied", shown=_DETAILS),
        ResultColumn("losses", int, "pair.losses", label="{segments}lost", shown=_DETAILS),
        ResultColumn("outcome", read="pair.outcome", help="What the corrected p-value says of the first system."),
        ResultColumn(
            "detectable",
            float,
            "pair.power.detectable",
            label="detectable (80 % power)",
            unit=Unit.SCORE,
            help="The smallest true difference that a test set like this one shows with a probability of 80 %, if "
            "only one pair is tested. It does not depend on the difference that was found.",
            reason="pair.power.reason",
            shown=_DETAILS,
        ),
        ResultColumn("power_at_delta", float, "pair.power.at_delta", optional=True),
        ResultColumn(
            "needed",
            int,
            "pair.power.needed",
            label="{unit}s needed to show {delta}",
            help="How many it takes to show the difference that was asked for with a probability of 80 %.",
            reason="pair.power.reason",
            shown=_LISTED,
            optional=True,
        ),
        ResultColumn("power_reason", read="pair.power.reason", help="Why a number on power is missing."),
        ResultColumn(
            "noticed",
            float,
            "pair.explanation.probability",
            label="noticed if real{judged}, %",
            unit=Unit.SHARE,
            help="The probability that people significantly prefer the better-scored system, by a calibration.",
            reason="pair.explanation.probability.reason",
            shown=_LISTED,
            optional=True,
        ),
        *_calibrated("probability", ("low", "high"), "noticed_"),
        *_calibrated("probability", ("reason",), "noticed_"),
        ResultColumn("noticed_opposite", float, "pair.explanation.opposite", unit=Unit.SHARE, optional=True),
        *_calibrated("opposite", ("low", "high"), "noticed_opposite_"),
        ResultColumn("reason", read="pair.reason", help="Why the difference or the p-value is missing."),
        ResultColumn("signature", read="metric.signature"),
    )

    def __repr__(self) -> str:
        scores = ", ".join(metric.name for metric in self.metrics)
        systems = plural(len(self.inputs.systems), "system")
        return f"SystemComparison({plural(len(self.metrics[0].pairs), 'pair')} of {systems} by {scores})"

    @property
    def covers(self) -> tuple[str, tuple[str, ...]]:
        """The test set and the language pair."""
        return self.inputs.name or "", (self.inputs.lp,) if self.inputs.lp else ()

    @property
    def alpha(self) -> float:
        """The level below which a corrected p-value shows a difference."""
        return float(self.settings["alpha"])

    @property
    def correction(self) -> str:
        """How p-values were corrected for the number of pairs."""
        return self.settings.get("correction", "none")

    def joint_of(self, first: str, second: str) -> JointExplanation | None:
        """What all scores of two systems mean together, if there is an answer."""
        return next((each for each in self.joint if {each.first, each.second} == {first, second}), None)

    @property
    def pairs(self) -> tuple[ComparedPair, ...]:
        """All pairs of all metrics and aggregations."""
        return tuple(pair for metric in self.metrics for pair in metric.pairs)

    def metric(self, spec: str, aggregation: str | None = None) -> ComparedMetric:
        """The pairs under a metric; the aggregation may be left out if there is only one, or is its first."""
        for compared in self.metrics:
            if compared.metric == spec and aggregation in (None, compared.aggregation):
                return compared
        if aggregation is None:
            known, wanted = [compared.metric for compared in self.metrics], spec
        else:
            known = [f"{compared.metric} {compared.aggregation}" for compared in self.metrics]
            wanted = f"{spec} {aggregation}"
        raise UnknownNameError(f"'{wanted}' was not compared", hint=nearest(wanted, known))

    @property
    def focus(self) -> tuple[str, str]:
        """The two systems that the comparison is about, the one that scores put ahead first.

        Of a single pair, these; with a baseline, the best other system and the baseline; of all pairs, the best and
        the second by the first metric.
        """
        first, second = self._focus
        return (second, first) if self._is_behind(first, second) else (first, second)

    @property
    def _focus(self) -> tuple[str, str]:
        metric = self.metrics[0]
        if self.baseline is not None or len(metric.pairs) == 1:
            best = min(metric.pairs, key=lambda pair: metric.best_first.index(pair.first))
            return best.first, best.second
        first, second, *_ = metric.best_first
        return first, second

    def _is_behind(self, first: str, second: str) -> bool:
        """Whether scores put the second system ahead; where none shows a difference, whether the first score does."""
        pairs = [metric.pair(first, second) for metric in self.metrics]
        if any(pair.outcome is Outcome.BETTER for pair in pairs):
            return False
        return any(pair.shows_difference for pair in pairs) or self.metrics[0].in_favour(pairs[0]).value < 0

    @property
    def examples(self) -> tuple[Examples, ...]:
        """The segments in which the systems of a pair differ most, by pair and metric."""
        return tuple(each for each in self.contrasts if isinstance(each, Examples))

    def contrasts_of(self, kind: type[_C], first: str, second: str) -> tuple[_C, ...]:
        """The contrasts of a kind between two systems, in this order, whichever was compared with the other."""
        return _of_pair((each for each in self.contrasts if isinstance(each, kind)), first, second)

    def parts(self, first: str, second: str) -> tuple[GroupDifferences, ...]:
        """How two systems differ by part of the test set: by the groups that were asked for, else by domain."""
        return self.contrasts_of(GroupDifferences, first, second) or _of_pair(self.domains, first, second)

    def records(self) -> Iterator[PairRecord]:
        """One per metric, aggregation and pair."""
        return (PairRecord(metric, pair) for metric in self.metrics for pair in metric.pairs)


def _of_pair(found: Iterable[_C], first: str, second: str) -> tuple[_C, ...]:
    """Those between two systems, in this order."""
    both = (each for each in found if {each.first, each.second} == {first, second})
    return tuple(each if each.first == first else each.reversed() for each in both)
