"""What a comparison knows of each pair of systems, for the reader who chooses a cell of a table of pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.charts.metric_label import metric_label
from assay.reports.cells import UNDEFINED
from assay.reports.html.pair_command import pair_command
from assay.reports.html.tables import p_text
from assay.reports.html.verdict.statement import signed
from assay.reports.html.verdict.systems import compared_pair, score_label
from assay.results import ComparedMetric, ComparedPair, SystemComparison

__all__ = ["PairDetails"]


@dataclass(slots=True)
class PairDetails:
    """The details of pairs, numbered in the order in which cells ask for them.

    `viewer` is the id of the segment viewer that has the texts of the pairs, if there is one; `commands` are those
    that made the results of the page.
    """

    comparison: SystemComparison
    viewer: str | None = None
    commands: Sequence[str] = ()
    _pairs: list[list[Any]] = field(default_factory=list)
    _texts: dict[str, int] = field(default_factory=dict)
    """Each text once: many pairs have the same p-value, test or sentence."""
    _numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)

    @property
    def alpha(self) -> float:
        """The level at which a difference is shown."""
        return float(self.comparison.settings["alpha"])

    def number(self, metric: ComparedMetric, first: str, second: str) -> int:
        """The number of the pair, described as the first minus the second."""
        key = (metric.name, first, second)
        if key not in self._numbers:
            self._numbers[key] = len(self._pairs)
            self._pairs.append(self._described(metric, first, second))
        return self._numbers[key]

    @property
    def _systems(self) -> list[str]:
        return list(self.comparison.metrics[0].scores)

    @property
    def tree(self) -> dict[str, Any]:
        """The data for page.js."""
        metrics = self.comparison.metrics
        return {
            "systems": self._systems,
            "scores": [[score_label(each), metric_label(each.metric), int(each.higher_is_better)] for each in metrics],
            "facts": self._fact_names(),
            "texts": list(self._texts),
            "pairs": self._pairs,
            "viewer": self.viewer,
            "command": pair_command(self.commands, self._systems),
        }

    def _fact_names(self) -> list[str]:
        settings = self.comparison.settings
        correction = settings["correction"]
        corrected = (
            ["p, not corrected"] if correction == "none" else [f"p, corrected ({correction})", "p, not corrected"]
        )
        return [f"{100 * float(settings['confidence']):g} % interval", *corrected, "test", "n", "better, same, worse"]

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def _described(self, metric: ComparedMetric, first: str, second: str) -> list[Any]:
        """Places of the score and of the two systems, and of the texts: the difference, the facts, and a sentence."""
        systems, settings = self._systems, self.comparison.settings
        pair, is_reversed = compared_pair(metric, first, second)
        value, low, high = pair.difference.value, pair.difference.low, pair.difference.high
        wins, losses = pair.wins, pair.losses
        if is_reversed:
            value, low, high, wins, losses = -value, -high, -low, losses, wins
        facts = [
            UNDEFINED if math.isnan(low) else f"{signed(low)} to {signed(high)}",
            p_text(pair.p_corrected),
            *([] if settings["correction"] == "none" else [p_text(pair.p)]),
            pair.test,
            f"{pair.n:,} {settings['unit']}s",
            f"{wins:,}, {pair.ties:,}, {losses:,} segments",
        ]
        return [
            [each.name for each in self.comparison.metrics].index(metric.name),
            systems.index(first),
            systems.index(second),
            self._text(UNDEFINED if math.isnan(value) else signed(value)),
            [self._text(fact) for fact in facts],
            self._text(_sentence(metric, pair, self.alpha)),
        ]


def _sentence(metric: ComparedMetric, pair: ComparedPair, alpha: float) -> str:
    if math.isnan(pair.p_corrected):
        return f"Undefined: {pair.difference.reason or 'no p-value'}."
    if pair.is_tied:
        return "Both have the same score in every segment."
    if pair.shows_difference(alpha):
        return f"{pair.first if metric.is_better(pair) else pair.second} is shown to be better."
    return "No difference is shown, which does not mean that they are equal."
