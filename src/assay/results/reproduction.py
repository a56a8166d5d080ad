"""The numbers of a paper beside the same numbers computed again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from assay.results.columns import ResultColumn, estimate_columns
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result
from assay.types import FrozenDict
from assay.types.record import OMITTED, Record

__all__ = [
    "UNAVAILABLE",
    "VERDICTS",
    "PaperFigure",
    "Published",
    "Recommendation",
    "ReproducedNumber",
    "Reproduction",
]

VERDICTS: Mapping[str, str] = FrozenDict(
    {
        "met": "the same to the printed digits; where the paper says “about”, within 0.05; a bound that holds",
        "differs": "computed from the paper's data, with another value; the reason says why, or that it is open",
        "width met": "the width of an interval, which depends on random draws, is the same within 15 %",
        "width differs": "the width differs by more than 15 %",
        "other data": "ours is of other test sets or systems, so that the two need not agree",
        "no number": "the paper has words or a figure",
        "needs data": "human scores, texts or stored scores that are not in the folder; the reason names them",
        "needs model": "Assay computes it with a model, vectors or annotations that are missing; the reason names them",
        "not computed": "Assay has no such metric",
        "ours only": "the paper does not have it",
    }
)
"""How a published number and ours compare, and what that means."""

_ABOUT = 0.05
_WIDTH = 0.15  # standard deviations over 1,000 draws vary by 3 %, and a printed .011 may be .0105
_MISSING = {"data": "needs data", "model": "needs model", "metric": "not computed"}
UNAVAILABLE = tuple(_MISSING.values())
"""The verdicts of numbers that cannot be computed."""

_SIGNS = {"equal": "", "about": "about ", "above": "> ", "below": "< ", "width": "± "}


@dataclass(frozen=True, slots=True)
class Published(Record):
    """What a paper says: a number, or a claim in words and the number that it is read as."""

    number: str = ""
    """With the printed digits, e.g. `.85`; empty: the paper has no number."""
    relation: Literal["equal", "about", "above", "below", "width"] = "equal"
    """How ours should relate to it. `width`: half the width of an interval, which depends on random draws."""
    words: str = ""
    """The claim, if it is made in words; `number` is then how it is read."""
    other_data: bool = False
    """Whether ours is computed from other data, so that the two need not agree."""

    @property
    def value(self) -> float:
        """NaN if there is no number."""
        return float(self.number) if self.number else math.nan

    @property
    def decimals(self) -> int:
        """The number of printed decimals."""
        return len(self.number.partition(".")[2])

    @property
    def text(self) -> str:
        """For tables; empty if the paper has nothing."""
        number = f"{_SIGNS[self.relation]}{self.number}" if self.number else ""
        return f"{self.words} ({number})" if self.words and number else self.words or number

    def is_met(self, value: float) -> bool | None:
        """Whether a value is the published number, or fulfils the published bound; None: they cannot be compared."""
        if self.other_data or math.isnan(self.value) or math.isnan(value):
            return None
        if self.relation == "above":
            return value > self.value
        if self.relation == "below":
            return value < self.value
        tolerance = {"about": _ABOUT, "width": _WIDTH * self.value}.get(self.relation, 0.5 * 10.0**-self.decimals)
        return abs(value - self.value) <= tolerance * (1 + 1e-9)


@dataclass(frozen=True, slots=True)
class ReproducedNumber(Record):
    """A published number or claim, and ours."""

    where: str
    """The table, figure or section of the paper; empty if it is not in the paper."""
    quantity: str
    published: Published
    ours: Estimate
    """NaN: it cannot be computed, and its reason says why."""
    reason: str = ""
    """Why the two differ or cannot be compared; that of ours if it cannot be computed; empty where the two agree."""
    count: int = 1
    """How many published numbers the row stands for."""
    needs: Literal["data", "model", "metric", "nothing"] = "data"
    """What is missing where ours is NaN; nothing: it was computed, and there is no such value."""

    def __post_init__(self) -> None:
        Record.__post_init__(self)
        if self.verdict in ("met", "width met"):
            object.__setattr__(self, "reason", "")
        elif math.isnan(self.ours.value) and self.ours.reason:
            object.__setattr__(self, "reason", self.ours.reason)

    @property
    def is_published(self) -> bool:
        """Whether the paper has it."""
        return bool(self.where)

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`."""
        if not self.is_published:
            return "ours only"
        if math.isnan(self.ours.value):
            undefined = "other data" if self.published.other_data else "differs"
            return undefined if self.needs == "nothing" else _MISSING[self.needs]
        if math.isnan(self.published.value):
            return "no number"
        is_met = self.published.is_met(self.ours.value)
        if is_met is None:
            return "other data"
        # widths are apart: they are met within a tolerance, and would outnumber the values that they belong to
        return ("width " if self.published.relation == "width" else "") + ("met" if is_met else "differs")

    @property
    def difference(self) -> float:
        """Ours minus the published number; NaN if there is none, or if it is a bound."""
        is_bound = self.published.relation in ("above", "below")
        return math.nan if is_bound else self.ours.value - self.published.value


@dataclass(frozen=True, slots=True)
class Recommendation(Record):
    """What a paper recommends or concludes, and what these data say."""

    recommended: str
    found: str


@dataclass(frozen=True, slots=True)
class PaperFigure(Record):
    """A figure of the paper, drawn anew."""

    caption: str
    """The figure of the paper, and what it shows."""
    chart: str
    """The chart with its options, e.g. `calibration:metric=bleu`."""
    results: tuple[str, ...]
    """The names of the results that it draws."""


@dataclass(frozen=True, slots=True, repr=False, eq=False, kw_only=True)
class Reproduction(Listed[ReproducedNumber], Result):
    """A paper, run again."""

    holds = "numbers"

    paper: str
    citation: str
    settings: Mapping[str, str]
    numbers: tuple[ReproducedNumber, ...] = field(metadata=OMITTED)
    recommendations: tuple[Recommendation, ...] = ()
    remarks: tuple[str, ...] = ()
    """What a reader should know: what is open and was tried, what has no data."""
    results: Mapping[str, Result] = field(default_factory=dict, metadata=OMITTED)
    """The results that the numbers were taken from, by file name."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """The results that are tables of the paper, or belong beside one: file name and caption."""
    figures: Mapping[str, PaperFigure] = field(default_factory=dict)
    """By file name."""

    made_by: ClassVar[str] = "reproduce"
    derived: ClassVar[tuple[str, ...]] = ("published", "counts", "names")
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("where", help="The table, figure or section of the paper."),
        ResultColumn("quantity"),
        ResultColumn("published", read="published.text"),
        ResultColumn("published_value", float, "published.value"),
        ResultColumn("count", int, help="How many published numbers the row stands for."),
        ResultColumn("value", float, "ours", label="ours"),
        ResultColumn("reason", read=lambda each: each.reason or each.ours.reason, help="Why it differs or is missing."),
        *estimate_columns("ours", names=("low", "high", "standard_error", "standard_deviation", "n")),
        ResultColumn("difference", float, help="Ours minus the published number."),
        ResultColumn("verdict"),
    )

    def __repr__(self) -> str:
        compared = self.counts["met"] + self.counts["differs"]
        return f"Reproduction({self.paper}: {self.counts['met']} of {compared} published numbers met)"

    @property
    def published(self) -> int:
        """How many numbers and claims of the paper the rows stand for."""
        return sum(each.count for each in self.numbers if each.is_published)

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict: published ones, and ours that the paper does not have."""
        found = dict.fromkeys(VERDICTS, 0)
        for each in self.numbers:
            found[each.verdict] += each.count
        return found

    def drawn(self, figure: str) -> tuple[Result, ...]:
        """The results that a figure draws, by the name of the figure."""
        return tuple(self.results[name] for name in self.figures[figure].results)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the results."""
        return tuple(self.results)

    def records(self) -> tuple[ReproducedNumber, ...]:
        """One for each number."""
        return self.numbers
