"""Which of two outputs of a segment people prefer, as a probability, and how often such probabilities come true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from assay.results.columns import ResultColumn, Unit
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result
from assay.types.campaign import campaign_label
from assay.types.record import Record

__all__ = [
    "ComparedScores",
    "CoveragePoint",
    "FittedSegments",
    "HeldOutPreferences",
    "PreferenceBin",
    "PreferenceEvaluation",
    "PreferencePopulation",
    "Preferences",
    "PreferredOutput",
    "SegmentPreferenceFit",
]

_ROUNDING = 1e-9

Answer: TypeAlias = Literal["first", "second", "abstain", "outside", "no score"]


@dataclass(frozen=True, slots=True)
class ComparedScores(Record):
    """The scores of the two outputs of a segment by one metric."""

    metric: str
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class PreferredOutput(Record):
    """A segment, and which of its two outputs people probably prefer."""

    segment: int
    """From 1."""
    item: str
    scores: tuple[ComparedScores, ...]
    probability: float
    """That people prefer the first output, where no difference counts half; NaN outside of what people judged."""
    answer: Answer
    """`first`, `second`, `abstain`; `outside`: no judged outputs had so different scores; or `no score`."""


@dataclass(frozen=True, slots=True)
class SegmentPreferenceFit(Record):
    """From differences of scores to a probability, which rises with every one of them.

    The differences, each divided by its scale, are added up with weights. The probability is a step function of the
    size of the sum, and never below one half, so that it says the opposite of the same outputs in the other order.
    """

    scales: tuple[float, ...]
    weights: tuple[float, ...]
    x: tuple[float, ...]
    """Where the steps begin, from 0 on."""
    y: tuple[float, ...]
    largest: float
    """Of the sums in the judgements; there is no answer beyond."""


@dataclass(frozen=True, slots=True)
class PreferencePopulation(Record):
    """Whose judgements of which outputs the probabilities rest on: they hold for the like of them."""

    campaigns: tuple[str, ...]
    pairs: tuple[str, ...]
    """Language pairs; with the campaign, where there are several."""
    protocols: tuple[str, ...]
    outputs: int
    """Pairs of outputs of a segment."""
    drawn: int
    """Those that were used: of a language pair with very many, some are drawn."""
    segments: int
    units: int
    unit: str
    """`documents`; `segments` where the data name no documents."""
    ties: float
    """The share of pairs between which people saw no difference."""


@dataclass(frozen=True, slots=True)
class FittedSegments(Record):
    """A judged test set whose segments are among those that are asked about."""

    campaign: str
    lp: str
    segments: int | None
    """How many of those asked about; None: the texts cannot be compared, and it is known by its name."""

    @property
    def label(self) -> str:
        """The test set and the language pair."""
        return campaign_label(self.campaign, self.lp)


@dataclass(frozen=True, slots=True)
class PreferenceBin(Record):
    """Held-out pairs with similar probabilities, all of the output that is more probably preferred."""

    predicted: float
    observed: float
    """How often people preferred it; no difference counts half."""
    opposite: float
    """How often people preferred the other one."""
    n: int


@dataclass(frozen=True, slots=True)
class CoveragePoint(Record):
    """What happens to held-out pairs if only probabilities of at least so much are answers."""

    at_least: float
    n: int
    """Of answers."""
    coverage: float
    accuracy: Estimate
    """How often people preferred the answer; no difference counts half. The interval is over documents."""
    opposite: Estimate
    """How often people preferred the other output."""


@dataclass(frozen=True, slots=True)
class HeldOutPreferences(Record):
    """A part of the judgements, predicted by a fit to the others."""

    part: str
    n: int
    brier: float
    predicted: float
    """The mean probability of the output that is more probably preferred, of pairs in which one is."""
    observed: float
    """How often people preferred it; no difference counts half."""
    opposite: float
    """How often people preferred the other one."""
    answers: tuple[int, ...]
    """How many pairs have an answer, by the thresholds of the curve."""
    right: tuple[float, ...]
    """How often these answers are right; NaN without any."""


@dataclass(frozen=True, slots=True)
class PreferenceEvaluation(Record):
    """How probabilities did on judgements that they were not fitted to: each part predicted by the others."""

    by: Literal["campaign", "language pair", "part of the documents"]
    n: int
    """Pairs of outputs."""
    units: int
    brier: float
    """The mean squared error of the probability; no difference is one half of a win and one half of a loss. That of
    always saying one half is .25."""
    brier_alone: Mapping[str, float]
    """The same for each metric by itself, if there are several."""
    bins: tuple[PreferenceBin, ...]
    curve: tuple[CoveragePoint, ...]
    """By threshold, up to the last one that gives answers."""
    parts: tuple[HeldOutPreferences, ...]

    def at(self, threshold: float) -> CoveragePoint | None:
        """What the lowest threshold gives that is at least so high; None: no pair has an answer."""
        return next((each for each in self.curve if each.at_least >= threshold - _ROUNDING), None)

    def right_by_part(self, threshold: float) -> dict[str, tuple[int, float]]:
        """For each part with an answer at a threshold of the curve, how many there are and how often they are right."""
        place = next((k for k, each in enumerate(self.curve) if abs(each.at_least - threshold) < _ROUNDING), None)
        if place is None:
            return {}
        return {each.part: (each.answers[place], each.right[place]) for each in self.parts if each.answers[place]}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Preferences(Listed[PreferredOutput], Result):
    """For each segment the probability that people prefer the first of two outputs, and the answers."""

    holds = "segments"

    settings: Mapping[str, str]
    metrics: tuple[str, ...]
    lp: str | None
    """Of the outputs; None: not known."""
    first: str
    second: str
    at_least: float
    """How often answers must be right on held-out judgements, where no difference counts half."""
    threshold: float
    """The probability from which on there is an answer: the same to hundredths, if held-out answers are shown to be
    right so often; else NaN."""
    reason: str
    """Why there is no threshold."""
    segments: tuple[PreferredOutput, ...]
    source: Literal["own", "wmt"]
    """Whether the judgements were given, or the fit comes with Assay."""
    fit: SegmentPreferenceFit
    population: PreferencePopulation
    evaluations: tuple[PreferenceEvaluation, ...]
    """The first one is looked at first: the strictest that the data allow."""
    in_sample: tuple[FittedSegments, ...] = ()
    """The judged test sets that the fit and the segments asked about have in common: no prediction there."""

    made_by: ClassVar[str] = "prefer"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("segment", int, unit=Unit.ORDINAL),
        ResultColumn("item", optional=True),
        ResultColumn("first_scores", read=lambda row: _scores(row, "first"), help="By metric, if there are several."),
        ResultColumn("second_scores", read=lambda row: _scores(row, "second")),
        ResultColumn(
            "probability",
            float,
            unit=Unit.RATE,
            help="That people prefer the first output, where no difference counts half.",
        ),
        ResultColumn(
            "answer", help="first, second, abstain, outside (no judged outputs had so different scores) or no score."
        ),
    )

    def __repr__(self) -> str:
        answered = f"{len(self.answered)} of {len(self)} answered"
        return f"Preferences({'+'.join(self.metrics)}, at least {self.at_least:g}: {answered})"

    def count(self, answer: Answer) -> int:
        """How many segments have an answer."""
        return sum(each.answer == answer for each in self.segments)

    @property
    def answered(self) -> tuple[PreferredOutput, ...]:
        """The segments with an answer."""
        return tuple(each for each in self.segments if each.answer in ("first", "second"))

    def records(self) -> Iterator[PreferredOutput]:
        """One for each segment."""
        yield from self.segments


def _scores(row: PreferredOutput, side: Literal["first", "second"]) -> str:
    values = ((each.metric, f"{getattr(each, side):.6g}") for each in row.scores)
    return ", ".join(f"{metric} {value}" if len(row.scores) > 1 else value for metric, value in values)
