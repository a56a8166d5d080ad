"""What a comparison knows of each pair of systems, for the reader who chooses one.

Numbers are written here once, for the table of pairs and for the viewer of segments. A difference is in favour of the
first system: positive where it is better, also under metrics whose lower scores are better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from assay.labels.metrics import metric_label
from assay.labels.numbers import percent, true_minus
from assay.labels.tests import correction_words, significance_test_label
from assay.reports.cells import Interval, Number, PValue, cell_text
from assay.reports.page.pair_command import pair_command
from assay.reports.page.report import numbered
from assay.results import ComparedMetric, Estimate, SystemComparison
from assay.types.note import plural
from assay.words.compared_pair import pair_legend, score_label
from assay.words.pairs import pair_sentence

__all__ = ["PairDetails", "pairs_data"]


def pairs_data(place: int) -> str:
    """The id of the data on the pairs of a comparison, which its table and the viewer of segments read."""
    return f"matrix{numbered(place)}-data"


@dataclass
class PairDetails:
    """The details of all pairs, those that cells ask for in the order in which they ask.

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

    def number(self, metric: ComparedMetric, first: str, second: str) -> int:
        """The number of the pair, described in favour of the first system."""
        key = (metric.name, first, second)
        if key not in self._numbers:
            self._numbers[key] = len(self._pairs)
            self._pairs.append(self._described(metric, first, second))
        return self._numbers[key]

    @cached_property
    def _systems(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.comparison.metrics[0].scores)}

    @cached_property
    def _scores(self) -> dict[str, int]:
        return {metric.name: place for place, metric in enumerate(self.comparison.metrics)}

    @property
    def tree(self) -> dict[str, Any]:
        """The data for page.js and segments.js."""
        metrics = self.comparison.metrics
        for metric in metrics:
            for pair in metric.pairs:
                if (metric.name, pair.second, pair.first) not in self._numbers:
                    self.number(metric, pair.first, pair.second)
        return {
            "systems": list(self._systems),
            "scores": [
                {
                    "name": score_label(each),
                    "metric": metric_label(each.metric),
                    "higher": each.higher_is_better,
                    "corpus": each.aggregation == "corpus",
                }
                for each in metrics
            ],
            "legend": pair_legend(self.comparison),
            "facts": self._fact_names(),
            "texts": list(self._texts),
            "pairs": self._pairs,
            "viewer": self.viewer,
            "command": pair_command(self.commands, list(self._systems)),
        }

    def _fact_names(self) -> list[str]:
        p_values = dict.fromkeys(f"p, {correction_words(name)}" for name in (self.comparison.correction, "none"))
        confidence = percent(float(self.comparison.settings["confidence"]))
        return [f"{confidence} interval", *p_values, "test", "n", "better, same, worse"]

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def _described(self, metric: ComparedMetric, first: str, second: str) -> list[Any]:
        """Places of the score, of the two systems, and of the texts (the difference, the facts, and a sentence); the
        numbers that are drawn; whether a difference is shown; and the texts of the difference and its interval in
        favour of the second system."""
        pair, settings = metric.pair(first, second), self.comparison.settings
        favour, decimals = metric.in_favour(pair), metric.decimals
        p_values = (pair.p_corrected,) if self.comparison.correction == "none" else (pair.p_corrected, pair.p)
        difference, interval = _texts_of(favour, decimals)
        facts = [
            interval,
            *(cell_text(PValue(p, self.comparison.alpha, is_bound=pair.is_bound)) for p in p_values),
            significance_test_label(pair.test),
            plural(pair.n, settings["unit"]),
            f"{pair.wins:,}, {pair.ties:,}, {plural(pair.losses, 'segment')}",
        ]
        return [
            self._scores[metric.name],
            self._systems[first],
            self._systems[second],
            self._text(difference),
            [self._text(fact) for fact in facts],
            self._text(pair_sentence(metric, pair)),
            _drawn(favour),
            int(pair.shows_difference),
            [self._text(text) for text in _texts_of(favour.negated(), decimals)],
        ]


def _texts_of(favour: Estimate, decimals: int) -> tuple[str, str]:
    """The difference and its interval."""
    interval = Interval(favour.low, favour.high, decimals)
    return true_minus(cell_text(Number(favour.value, decimals, style="signed"))), true_minus(cell_text(interval))


def _drawn(favour: Estimate) -> list[float] | None:
    """The value and the ends of its interval, if it has one; for a drawing a few digits are enough."""
    found = [favour.value] if math.isnan(favour.low) else [favour.value, favour.low, favour.high]
    return None if math.isnan(favour.value) else [float(f"{each:.4g}") for each in found]
