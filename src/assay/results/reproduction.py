"""The numbers of a paper beside the same numbers computed again."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from assay.results.estimate import Estimate, none_if_nan
from assay.results.result import ESTIMATE_COLUMNS, Result, settings_line
from assay.types import FrozenDict

__all__ = ["PaperFigure", "Recommendation", "Reproduced", "Reproduction"]

_VERDICTS = ("met", "differs", "not comparable", "not published", "no data")
_NUMBER = re.compile(r"(?:[<>]|about)?\s*(-?)(\d*)\.?(\d*)")


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A published number or claim, and ours."""

    where: str
    """The table, figure or section of the paper."""
    quantity: str
    published: str
    """As printed, e.g. `.85`, `> .97` or `about .6`; a claim in words; empty: the paper has no number."""
    ours: Estimate
    """NaN: it cannot be computed, and the reason says why."""
    why: str = ""
    """Why the two differ."""
    within: float | None = None
    """How far apart the two may be; None: as far as rounding to the printed digits explains."""

    @property
    def is_met(self) -> bool | None:
        """Whether ours is the published number, or fulfils the published bound; None: they cannot be compared."""
        expected = self.expected
        if math.isnan(expected) or math.isnan(self.ours.value):
            return None
        if self.published.lstrip().startswith(">"):
            return self.ours.value > expected
        if self.published.lstrip().startswith("<"):
            return self.ours.value < expected
        within = 0.5 * 10.0**-self.decimals if self.within is None else self.within
        return abs(self.ours.value - expected) <= within * (1 + 1e-9)

    @property
    def expected(self) -> float:
        """The published number; NaN if it is a claim in words."""
        match = _NUMBER.fullmatch(self.published.strip())
        if match is None or not (match[2] or match[3]):
            return math.nan
        return float(f"{match[1]}{match[2] or 0}.{match[3] or 0}")

    @property
    def decimals(self) -> int:
        """The number of printed decimals."""
        match = _NUMBER.fullmatch(self.published.strip())
        return 0 if match is None else len(match[3])

    @property
    def difference(self) -> float:
        """Ours minus the published number; NaN if they cannot be compared, or if it is a bound."""
        return math.nan if self.published.lstrip().startswith((">", "<")) else self.ours.value - self.expected

    @property
    def verdict(self) -> str:
        """`met`, `differs`, `not comparable`, `not published`, or `no data` (ours could not be computed)."""
        if math.isnan(self.ours.value):
            return "no data"
        if not self.published:
            return "not published"
        return {True: "met", False: "differs", None: "not comparable"}[self.is_met]

    @property
    def reason(self) -> str:
        """Why the two differ, or why ours could not be computed; empty if they agree."""
        if self.is_met:
            return ""
        return (self.ours.reason or self.why) if math.isnan(self.ours.value) else self.why


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What a paper recommends or concludes, and what these data say."""

    paper: str
    data: str


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """A figure of the paper, drawn anew."""

    where: str
    """The figure of the paper, and what it shows."""
    chart: str
    """The chart with its options, e.g. `calibration:metric=bleu`."""
    results: tuple[str, ...]
    """The names of the results that it draws."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Reproduction(Result):
    """A paper, re-run."""

    paper: str
    citation: str
    settings: Mapping[str, str]
    numbers: tuple[Reproduced, ...]
    recommendations: tuple[Recommendation, ...] = ()
    remarks: tuple[str, ...] = ()
    """What a reader should know: what is open and was tried, what has no data."""
    results: Mapping[str, Result] = field(default_factory=dict)
    """The results that the numbers were taken from, by file name."""
    figures: Mapping[str, PaperFigure] = field(default_factory=dict)
    """By file name."""

    columns: ClassVar[Mapping[str, type]] = {
        "where": str,
        "quantity": str,
        "published": str,
        **ESTIMATE_COLUMNS,
        "difference": float,
        "verdict": str,
        "why": str,
    }

    def __post_init__(self) -> None:
        for name in ("settings", "results", "figures"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

    def __iter__(self) -> Iterator[Reproduced]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __repr__(self) -> str:
        return f"Reproduction({self.paper}: {self.met} of {self.compared} published numbers met)"

    @property
    def compared(self) -> int:
        """How many published numbers could be compared with ours."""
        return sum(each.is_met is not None for each in self.numbers)

    @property
    def met(self) -> int:
        """How many of them are the same."""
        return sum(each.is_met is True for each in self.numbers)

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers have each verdict."""
        verdicts = [each.verdict for each in self.numbers]
        return {name: verdicts.count(name) for name in _VERDICTS}

    @property
    def signature(self) -> str:
        """The settings in a line."""
        return settings_line(self.settings)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row for each number."""
        for each in self.numbers:
            values = {**each.ours.to_dict(), "reason": each.ours.reason, "why": each.why or None}
            names = {"where": each.where, "quantity": each.quantity, "published": each.published or None}
            difference = none_if_nan(each.difference)
            yield self._row({**names, **values, "difference": difference, "verdict": each.verdict})

    def tree(self) -> dict[str, Any]:
        """The numbers, the recommendations, and the names of results and figures."""
        return {
            "paper": self.paper,
            "citation": self.citation,
            "settings": dict(self.settings),
            "counts": self.counts,
            "numbers": list(self.rows()),
            "recommendations": [{"paper": each.paper, "data": each.data} for each in self.recommendations],
            "remarks": list(self.remarks),
            "results": list(self.results),
            "figures": {
                name: {"where": each.where, "chart": each.chart, "results": list(each.results)}
                for name, each in self.figures.items()
            },
        }
