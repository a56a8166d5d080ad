"""How often metrics prefer the good translation of the pairs of a challenge set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay.errors import UnknownNameError, nearest
from assay.results.columns import ResultColumn, Shown, Unit
from assay.results.estimate import Estimate
from assay.results.result import Listed, Result
from assay.types.note import plural
from assay.types.record import Record

__all__ = ["ChallengeEvaluation", "ChallengeMetric"]

_SHOWN = Shown.FILE | Shown.TABLE | Shown.PAPER


@dataclass(frozen=True, slots=True)
class ChallengeMetric(Record):
    """A metric on the pairs of one phenomenon, or on all of them."""

    metric: str
    phenomenon: str
    """Empty: all phenomena."""
    n: int
    """Pairs that the metric scored."""
    accuracy: Estimate
    """The share of pairs in which the good translation has the better score."""
    ties: float
    """The share of pairs with equal scores, which are not right."""
    tau: float
    """Right pairs less all others, ties among them, as a share of all."""
    aces_score: Estimate | None = None
    """Of all phenomena of ACES."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ChallengeEvaluation(Listed[ChallengeMetric], Result):
    """Metrics on a challenge set, on all pairs and by phenomenon; the best first."""

    holds = "metrics"

    settings: Mapping[str, str]
    metrics: tuple[ChallengeMetric, ...]

    made_by: ClassVar[str] = "meta"
    columns: ClassVar[tuple[ResultColumn, ...]] = (
        ResultColumn("phenomenon", shown=_SHOWN, help="None: all."),
        ResultColumn("metric", shown=_SHOWN),
        ResultColumn("n", int, label="pairs", shown=_SHOWN),
        ResultColumn("accuracy", float, unit=Unit.RATE, direction="higher", shown=_SHOWN),
        ResultColumn("accuracy_low", float, "accuracy.low", unit=Unit.RATE),
        ResultColumn("accuracy_high", float, "accuracy.high", unit=Unit.RATE),
        ResultColumn("ties", float, unit=Unit.RATE, shown=_SHOWN, help="The share of pairs with equal scores."),
        ResultColumn("tau", float, unit=Unit.NUMBER, direction="higher", shown=_SHOWN, help="Ties are wrong."),
        ResultColumn(
            "aces_score",
            float,
            label="ACES score",
            unit=Unit.NUMBER,
            direction="higher",
            shown=_SHOWN,
            optional=True,
            help="The weighted sum of tau over the categories of ACES.",
        ),
        ResultColumn("aces_score_low", float, "aces_score.low", unit=Unit.NUMBER, optional=True),
        ResultColumn("aces_score_high", float, "aces_score.high", unit=Unit.NUMBER, optional=True),
    )

    def __repr__(self) -> str:
        names = {each.metric for each in self.metrics}
        phenomena = {each.phenomenon for each in self.metrics if each.phenomenon}
        return f"ChallengeEvaluation({plural(len(names), 'metric')} on {len(phenomena):,} phenomena)"

    def of(self, metric: str, phenomenon: str = "") -> ChallengeMetric:
        """A metric on a phenomenon, or on all pairs."""
        found = {(each.metric, each.phenomenon): each for each in self.metrics}
        if (metric, phenomenon) not in found:
            wanted, names = (metric, 0) if not any(name == metric for name, _ in found) else (phenomenon, 1)
            hint = nearest(wanted, dict.fromkeys(key[names] for key in found))
            raise UnknownNameError(f"'{wanted}' has no values here", hint=hint)
        return found[metric, phenomenon]

    def records(self) -> Iterator[ChallengeMetric]:
        """One for each metric on all pairs, and on each phenomenon."""
        yield from self.metrics
