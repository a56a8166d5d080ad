"""What a difference of metric scores means: the probability that people would find it significant."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from assay.results.calibration import ALL, LeftOutFold, Population, ReliabilityBin, Step
from assay.results.columns import ResultColumn, Unit, estimate_columns, text_columns
from assay.results.estimate import Estimate
from assay.results.result import Result
from assay.types.record import OMITTED, Record, in_tree

__all__ = [
    "MISORDERED",
    "SAME",
    "Caution",
    "Equivalent",
    "Explanation",
    "KindAnswer",
    "LanguagePairShares",
    "MTSystem",
    "OwnLanguage",
    "PartTest",
    "PartlyPooled",
    "WrongWay",
]

MISORDERED = 0.2
"""A metric misorders pairs if people significantly prefer the worse-scored system in this share of them."""
SAME = 0.05
"""The largest difference of two probabilities that mean the same: few intervals are narrower."""


class Caution(StrEnum):
    """Why an answer may not be trusted."""

    NO_GROUP = "no-group"
    """It is of all languages: the target language is in no group."""
    OTHER_LANGUAGES = "other-languages"
    """It is of all languages: the group of the target language has no curve."""
    POOLED = "pooled"
    """It is of all languages: the curve of the group predicted held-out campaigns or language pairs no better."""
    OF_KINDS = "of-kinds"
    """It is of all languages, because it is of the kinds of systems that were asked for."""
    UNTESTED = "untested"
    """It is of all languages: no other campaigns, and too few language pairs, could test the curve of the group."""
    ALL_KINDS = "all-kinds"
    """It is of all kinds of systems: the curve of these kinds predicted held-out campaigns no better, or there is
    none."""
    LOWEST = "lowest"
    """It is the lowest step of the curve, which an isotonic regression makes too low."""
    UNKNOWN_KIND = "unknown-kind"
    """Of one of the two systems, nobody says whether it is a language model."""
    SAME_CAMPAIGN = "same-campaign"
    """The calibration was fitted to the judgements of the campaign that was asked about."""
    FEW_PAIRS = "few-pairs"
    """Few pairs of systems differed by this much or more."""
    CAPPED = "capped"
    """The curve has a higher probability, but it rests on few pairs without a system in common."""
    WEAK = "weak"
    """The base rate predicts held-out pairs better than the curve."""
    FAILED_CHECK = "failed-check"
    """In the campaign that the curve was checked on, the base rate predicts better than the curve."""
    WEAK_AGREES = "weak-agrees"
    """The same of the probability that people prefer the system at all."""


@dataclass(frozen=True, slots=True)
class Equivalent(Record):
    """The differences of another metric that mean the same, in the same calibration.

    Their probabilities are the same within `SAME`. Published cut-offs are of the same levels.
    """

    metric: str
    aggregation: str
    difference: float
    """The smallest of them."""
    up_to: float
    """Where a step with another probability begins; NaN if none is known: on the last step of a curve, and for the
    highest cut-off of a paper."""


@dataclass(frozen=True, slots=True)
class LanguagePairShares(Record):
    """How often people significantly prefer which system, in some pairs of systems of one language pair."""

    campaign: str
    lp: str
    pairs: int
    share: float
    """Of pairs in which they prefer the better-scored system."""
    opposite: float
    """Of pairs in which they prefer the worse-scored system."""


class WrongWay(StrEnum):
    """How a language pair contradicts an answer that pools several."""

    REVERSED = "reversed"
    """There, people prefer the worse-scored system more often than the better-scored one."""
    OTHER_SHARE = "other-share"
    """The probability that was answered lies outside of the interval of the language pair."""


@dataclass(frozen=True, slots=True)
class OwnLanguage(Record):
    """What people preferred in the language pair that was asked for, in pairs of systems with about this difference."""

    lps: tuple[str, ...]
    """As the campaigns call it; other language pairs with the same target language if it was not judged itself."""
    is_pair: bool
    """Whether they are the language pair itself."""
    population: Population
    start: float
    """The smallest difference of these pairs."""
    end: float
    """The largest one."""
    pairs: int
    probability: Estimate
    """The share in which people significantly prefer the better-scored system."""
    opposite: Estimate
    """The share in which they significantly prefer the worse-scored system."""

    def contradicts(self, probability: Estimate, opposite: Estimate) -> WrongWay | None:
        """How the language pair contradicts an answer that was given; None: it does not."""
        if self.opposite.value > self.probability.value and not opposite.value > probability.value:
            return WrongWay.REVERSED
        is_inside = self.probability.low <= probability.value <= self.probability.high
        return None if is_inside else WrongWay.OTHER_SHARE


@dataclass(frozen=True, slots=True)
class MTSystem(Record):
    """An MT system of a language pair, and in how many pairs of some kinds it is."""

    name: str
    lp: str
    pairs: int


@dataclass(frozen=True, slots=True)
class PartTest(Record):
    """The Brier scores of the curve of a group of languages and of that of all, on what was held out in turn."""

    held_out: str
    """`campaign` or `language pair`."""
    own: float
    pooled: float


@dataclass(frozen=True, slots=True)
class KindAnswer(Record):
    """What people said of pairs of some kinds of systems with this difference, and of all pairs of these kinds."""

    kinds: str
    population: Population
    probability: Estimate
    """That people significantly prefer the better-scored system, by the curve of these kinds."""
    opposite: Estimate
    """The share in which they significantly prefer the worse-scored one."""
    share: Estimate
    """The same two shares of all pairs of these kinds, whatever their difference."""
    opposite_share: Estimate
    by_lp: tuple[LanguagePairShares, ...] = field(default=(), metadata=OMITTED)
    """The same of each language pair with enough such pairs, those with the fewest opposite preferences first."""
    mt_systems: tuple[MTSystem, ...] = field(default=(), metadata=OMITTED)
    """The MT systems of pairs with an LLM, those in the most pairs first."""

    @property
    def is_misordered(self) -> bool:
        """Whether people often significantly prefer the worse-scored system of such pairs of any difference."""
        return self.opposite_share.value >= min(MISORDERED, self.share.value)


@dataclass(frozen=True, slots=True)
class PartlyPooled(Record):
    """What a fit to all protocols and languages says of a part of them, which it pools partially with the others."""

    group: str
    """Of target languages."""
    probability: Estimate
    """That people significantly prefer the better-scored system. NaN, with the reason, where data are thin."""
    opposite: Estimate
    """That they significantly prefer the worse-scored one."""
    brier: Mapping[str, float]
    """On left-out campaigns in this part: of this fit (`partly_pooled`), and of the curve that answers (`answer`)."""
    brier_difference: Estimate = field(default_factory=lambda: Estimate(math.nan, 0, reason="not known"))
    """The first less the second, over resampled language pairs."""

    @property
    def is_clearly_better(self) -> bool:
        """Whether it predicts better by more than chance."""
        return self.brier_difference.high < 0


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Explanation(Result):
    """The answer of one calibration for one difference."""

    metric: str
    aggregation: str
    difference: float
    """Without its sign."""
    lp: str | None = None
    """The language pair that was asked for."""
    kinds: str = ALL
    """The kinds of the two systems that were asked for."""
    judged: int | None = None
    """The number of judged segments of each system that was asked for."""
    unknown: tuple[str, ...] = field(default=(), metadata=OMITTED)
    """The system of which nobody says whether it is a language model, if the other one is known."""
    probability: Estimate
    """NaN, with the reason, if there is no calibration. Published cut-offs give bounds and no value."""
    agrees: Estimate
    """The probability that people prefer the same system, by however little."""
    opposite: Estimate = field(default_factory=lambda: Estimate(math.nan, 0, reason="not known"))
    """The share of pairs in which people significantly prefer the worse-scored system."""
    check: ReliabilityBin | None = None
    """The pairs of another campaign that the calibration gives about this probability, and what people said of them."""
    checked_on: str = ""
    """That campaign, and how people judged; or what was left out of the fit in turn: `campaign`, `language pair`."""
    left_out: tuple[LeftOutFold, ...] = field(default=(), metadata=OMITTED)
    """For a number of judged segments: what was predicted of each campaign by the others, and what people said."""
    grouped: Estimate | None = None
    """The probability by the curve of the group of the target language, if it does not answer."""
    partly_pooled: PartlyPooled | None = None
    """What a partially pooled fit says for the group of the target language, if it predicts left-out campaigns better.
    """
    own_language: OwnLanguage | None = None
    """What people preferred in the language pair that was asked for, if enough pairs of systems are of it."""
    by_lp: tuple[LanguagePairShares, ...] = field(default=(), metadata=OMITTED)
    """What they preferred in each language pair with enough pairs on the step, the worst for the metric last."""
    group_test: PartTest | None = field(default=None, metadata=OMITTED)
    """How the curve of the group of the target language was tested against that of all languages."""
    by_kinds: tuple[KindAnswer, ...] = ()
    """What people say where the two systems are language models, or one of them is."""
    base_rate: float = math.nan
    """The share of all pairs of the population in which people significantly prefer the system."""
    agrees_base_rate: float = math.nan
    population: Population | None = None
    language_pairs: tuple[str, ...] = ()
    """Those of the population, if they are known by name."""
    step: Step | None = None
    """What the probability rests on; None for published cut-offs, and without a calibration."""
    gap: str = field(default="", metadata=OMITTED)
    """What the calibration lacks, if there is no answer."""
    is_opposed: bool = field(default=False, metadata=OMITTED)
    """Whether there is no answer because another metric prefers the other system."""
    source: str
    """Where the calibration comes from."""
    orientation: str
    cutoffs: Mapping[float, float] = field(default_factory=dict, metadata=in_tree(entries="difference probability"))
    """Published probabilities, by the difference from which on they are reached."""
    citation: str = ""
    """Of published cut-offs."""
    equivalents: tuple[Equivalent, ...] = ()
    cautions: tuple[Caution, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    """The question, and the settings of the calibration."""

    made_by: ClassVar[str] = "explain"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        *text_columns(("metric", "aggregation")),
        ResultColumn("difference", float, unit=Unit.SCORE),
        ResultColumn("lp"),
        ResultColumn(
            "judged", int, optional=True, help="The number of judged segments of each system that was asked for."
        ),
        ResultColumn(
            "probability", float, help="The probability that people significantly prefer the better-scored system."
        ),
        *estimate_columns("probability", names=("low", "high")),
        ResultColumn("n", int, "step.pairs", help="The pairs of systems that the probability rests on."),
        ResultColumn("opposite", float, help="The share in which people significantly prefer the worse-scored system."),
        *estimate_columns("opposite", names=("low", "high"), prefix="opposite_"),
        ResultColumn("agrees", float, help="The probability that people prefer the same system, by however little."),
        *estimate_columns("agrees", names=("low", "high"), prefix="agrees_"),
        *(ResultColumn(name, read=f"population.{name}") for name in ("protocol", "group", "domain", "kinds")),
        ResultColumn("pairs", int, lambda answer: getattr(answer.population, "pairs", None), help="Of the curve."),
        *text_columns(("source", "orientation")),
        ResultColumn("reason", read="probability.reason"),
    )

    def __repr__(self) -> str:
        value, low, high = self.probability.value, self.probability.low, self.probability.high
        interval = "" if math.isnan(low) else f" [{low:.2f}, {high:.2f}]"
        return f"Explanation({self.metric} {self.difference:g}: {value:.2f}{interval}; {self.source})"

    @property
    def misordered(self) -> KindAnswer | None:
        """What people said of pairs of the kinds that were asked for, if the metric misorders them."""
        return next((each for each in self.by_kinds if each.kinds == self.kinds and each.is_misordered), None)

    @property
    def answered_kinds(self) -> str:
        """The kinds of systems that the answer is of."""
        return ALL if self.population is None else self.population.kinds

    @property
    def is_reversed(self) -> bool:
        """Whether people prefer the worse-scored system at least as often as the better-scored one."""
        return self.opposite.value >= self.probability.value

    @property
    def contradiction(self) -> WrongWay | None:
        """How the data of the language pair that was asked for contradict the answer; None: they do not."""
        own = self.own_language
        return None if own is None or not self.is_answered else own.contradicts(self.probability, self.opposite)

    @property
    def is_answered(self) -> bool:
        """Whether there is a probability, or at least a bound."""
        return self.probability.is_bounded

    def records(self) -> tuple[Explanation]:
        """The answer itself."""
        return (self,)
