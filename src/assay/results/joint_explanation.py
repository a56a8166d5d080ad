"""What the differences of several scores mean together: one probability that people would find one system better."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.results.calibration import ALL, LeftOutFold, Population, ReliabilityBin
from assay.results.columns import ResultColumn, estimate_columns, text_columns
from assay.results.estimate import Estimate
from assay.results.explanation import Caution, Explanation, KindAnswer
from assay.results.result import Result
from assay.types.record import OMITTED, Record

__all__ = ["JointExplanation", "JointValidation", "NearPairs", "SignedScore", "swapped_kinds"]

FIRST, SECOND = "the first system", "the second system"
_SWAPPED = {"MT-over-LLM": "LLM-over-MT", "LLM-over-MT": "MT-over-LLM"}


def swapped_kinds(kinds: str) -> str:
    """The kinds of two systems with the second one named first."""
    return _SWAPPED.get(kinds, kinds)


@dataclass(frozen=True, slots=True)
class SignedScore(Record):
    """The difference of two systems in one score."""

    metric: str
    aggregation: str
    difference: float
    """Positive if the score prefers the first system, also where lower scores are better."""
    weight: float = math.nan
    """What a typical difference of this score counts in the joint fit, as a share of all; NaN without a fit."""


@dataclass(frozen=True, slots=True)
class NearPairs(Record):
    """The pairs of systems with about the same probability that a joint answer rests on."""

    pairs: int
    independent: int
    """The most of them without a system in common."""

    @property
    def supported(self) -> float:
        """The highest probability that these pairs support, by Laplace's rule of succession."""
        return (self.independent + 1) / (self.independent + 2)


@dataclass(frozen=True, slots=True)
class JointValidation(Record):
    """Predictions for campaigns (or language pairs) that were left out, by all scores together and by one of them.

    All are fits of the same kind.
    """

    held_out: str
    """What is left out at a time: campaign or language pair."""
    brier: Mapping[str, float]
    """Mean squared errors of the probabilities that people significantly prefer the first and the second system: of the
    `joint` fit, of the same fit to the `single` score that predicted best without what was left out, and of the
    constant base rate."""
    difference: Estimate
    """The first minus the second of these: below 0, the scores predict better together."""
    pairs: int
    alone: tuple[float, ...] = ()
    """The same of each score, fitted in the same way: which one is best is known only afterwards."""
    population: Population | None = None
    """The pairs of systems that were predicted, with all their judgements."""

    @property
    def is_better(self) -> bool:
        """Whether the scores predict better together than the best one, chosen before or afterwards."""
        return self.brier["joint"] < min((self.brier["single"], *self.alone))


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class JointExplanation(Result):
    """The answer of one calibration for the differences of two systems in several scores."""

    first: str = FIRST
    second: str = SECOND
    """The names of the systems."""
    scores: tuple[SignedScore, ...]
    lp: str | None = None
    kinds: str = ALL
    """The kinds of the two systems that were asked for: `MT-over-LLM` is a first one that only translates."""
    judged: int | None = None
    """The number of judged segments of each system that was asked for."""
    preferred: str = ""
    """The system that the answer puts ahead: the name of one of them, or empty."""
    probability: Estimate
    """That people significantly prefer this system. NaN, with the reason, if there is no answer."""
    opposite: Estimate = field(default_factory=lambda: Estimate(math.nan, 0, reason="not known"))
    """That they significantly prefer the other one."""
    validation: JointValidation | None = None
    alone: Explanation | None = None
    """The answer of the single score that predicts best, if the scores together do not predict better, or if it has all
    the weight."""
    near: NearPairs | None = None
    """What the probability rests on; None if a single score answers."""
    check: ReliabilityBin | None = None
    """The left-out pairs with about this probability, and what people said of them."""
    left_out: tuple[LeftOutFold, ...] = ()
    """For a number of judged segments: what was predicted of each campaign by the others, and what people said."""
    grouped: Estimate | None = None
    """The probability by the pairs of the group of the target language, if they do not answer."""
    base_rate: float = math.nan
    """The mean share of pairs of the population in which people significantly prefer a given one of the two systems."""
    population: Population | None = None
    language_pairs: tuple[str, ...] = ()
    by_kinds: tuple[KindAnswer, ...] = ()
    """What people said where the two systems are language models, or one of them is: counts of pairs with about the
    same probability by the fit to all kinds, named from the system that is ahead. Of few such pairs, there is none."""
    knows_kinds: bool = False
    """Whether the fit also knows which of the two systems is a language model."""
    gap: str = field(default="", metadata=OMITTED)
    """What the calibration lacks, if there is no answer."""
    source: str
    cautions: tuple[Caution, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)

    made_by: ClassVar[str] = "explain"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("first", "second")),
        ResultColumn("scores", read=lambda joint: tuple(f"{each.metric}/{each.aggregation}" for each in joint.scores)),
        ResultColumn(
            "differences",
            read=lambda joint: tuple(f"{each.difference:g}" for each in joint.scores),
            help="Positive where the score prefers the first system.",
        ),
        ResultColumn("lp"),
        ResultColumn(
            "judged", int, optional=True, help="The number of judged segments of each system that was asked for."
        ),
        ResultColumn("preferred"),
        ResultColumn("probability", float, help="The probability that people significantly prefer this system."),
        *estimate_columns("probability", names=("low", "high")),
        ResultColumn("opposite", float, help="The probability that they significantly prefer the other one."),
        *estimate_columns("opposite", names=("low", "high"), prefix="opposite_"),
        ResultColumn("answers", read="answers", help="`joint`, or the one score that answers."),
        ResultColumn("brier_joint", float, "validation.brier.joint"),
        ResultColumn("brier_single", float, "validation.brier.single"),
        ResultColumn("brier_difference", float, "validation.difference"),
        *estimate_columns("validation.difference", names=("low", "high"), prefix="brier_difference_"),
        *(ResultColumn(name, read=f"population.{name}") for name in ("protocol", "group", "domain", "kinds")),
        ResultColumn("pairs", int, lambda joint: getattr(joint.population, "pairs", None), help="Of the fit."),
        ResultColumn("source"),
        ResultColumn("reason", read="probability.reason"),
    )

    def __repr__(self) -> str:
        value, low, high = self.probability.value, self.probability.low, self.probability.high
        interval = "" if math.isnan(low) else f" [{low:.2f}, {high:.2f}]"
        named = ", ".join(f"{each.metric} {each.difference:+g}" for each in self.scores)
        ahead = f" for {self.preferred}" if self.preferred else ""
        return f"JointExplanation({named}: {value:.2f}{interval}{ahead}; {self.source})"

    @property
    def is_answered(self) -> bool:
        """Whether there is a probability."""
        return self.probability.is_bounded

    @property
    def misordered(self) -> KindAnswer | None:
        """What people said of pairs of these kinds, if the scores together misorder them and the fit cannot know it."""
        if self.knows_kinds or self.alone is not None:
            return None
        return next(
            (each for each in self.by_kinds if each.kinds == self._kinds_from_ahead and each.is_misordered), None
        )

    @property
    def answered_kinds(self) -> str:
        """The kinds of systems that the answer is of, the system that is ahead named first."""
        if self.knows_kinds:
            return self._kinds_from_ahead
        return ALL if self.population is None else self.population.kinds

    @property
    def _kinds_from_ahead(self) -> str:
        return self.kinds if self.preferred == self.first else swapped_kinds(self.kinds)

    @property
    def answers(self) -> str:
        """What answers: `joint`, or a metric and an aggregation."""
        if not self.is_answered:
            return ""
        return "joint" if self.single is None else f"{self.single.metric}/{self.single.aggregation}"

    @property
    def single(self) -> SignedScore | None:
        """The one score that answers; None if several do."""
        if self.alone is not None:
            name = self.alone.metric, self.alone.aggregation
            return next(each for each in self.scores if (each.metric, each.aggregation) == name)
        counted = [each for each in self.scores if each.weight > 0]
        return counted[0] if len(counted) == 1 else None

    @property
    def is_undecided(self) -> bool:
        """Whether the answer does not tell which system people prefer.

        The share of either system lies in the interval of the other one's, or people did not prefer the system that is
        ahead more often than the other one in the left-out pairs with about this probability.
        """
        ahead, other = self.probability, self.opposite
        is_within = ahead.low <= other.value and ahead.value <= other.high
        return is_within or (self.check is not None and self.check.opposite >= self.check.observed)

    @property
    def is_opposed(self) -> bool:
        """Whether the scores prefer different systems."""
        return len({each.difference > 0 for each in self.scores if each.difference}) > 1

    def records(self) -> tuple[JointExplanation]:
        """The answer itself."""
        return (self,)
