"""How well human raters, or the votes of a judge, agree with each other and with themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn, estimate_columns
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result

__all__ = ["JudgeReliability", "Reliability"]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Reliability(Listed[str], Result):
    """Measures of agreement between raters, such as kappa or the split-half reliability."""

    holds = "estimates"

    name: str
    """The name of the judgements."""
    estimates: Mapping[str, Estimate]
    """By measure."""
    n_unit: Mapping[str, str] = field(default_factory=dict)
    """By measure, what the n of the estimate counts: pairs of raters, random halves, …"""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What the random halves of the raters depend on; empty if nothing was drawn."""

    made_by: ClassVar[str] = "rank"
    subject: ClassVar[str] = "raters"
    """Whose agreement it is."""
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("measure"),
        *estimate_columns("estimate"),
        ResultColumn("n_unit", help="What the n of a measure counts."),
    )

    def __getitem__(self, measure: str) -> Estimate:
        if measure not in self.estimates:
            raise UnknownNameError(f"no measure is called '{measure}'", hint=nearest(measure, self.estimates))
        return self.estimates[measure]

    def __repr__(self) -> str:
        values = ", ".join(f"{measure} {estimate.value:.3f}" for measure, estimate in self.estimates.items())
        return f"{type(self).__name__}({self.name}: {values})"

    def records(self) -> Iterator[dict[str, object]]:
        """One record per measure."""
        for measure, estimate in self.estimates.items():
            yield {"measure": measure, "estimate": estimate, "n_unit": self.n_unit.get(measure)}


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class JudgeReliability(Reliability):
    """Measures of agreement between votes of a judge, between judges, and between both orders of candidates."""

    metrics: Mapping[str, str] = field(default_factory=dict)
    """The signature of each metric."""

    made_by: ClassVar[str] = "reliability"
    subject: ClassVar[str] = "judges"

    @property
    def signature(self) -> str:
        """The signatures of the metrics, one per line."""
        return "\n".join(self.metrics.values())
