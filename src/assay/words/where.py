"""In which part of the test set two systems differ most: what scores of parts say, and where they contradict."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.labels.metrics import score_label
from assay.labels.numbers import difference_text, every, joined
from assay.results import GroupDifference, SystemComparison
from assay.words.statement import Answer

__all__ = ["where"]

_UNTESTED = "Not tested: parts may differ by chance."


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of a grouping by one score, the largest difference in favour of the first system first."""

    label: str
    parts: Sequence[GroupDifference]
    decimals: int

    def text(self, place: int) -> str:
        """Such as `+2.0 in news`."""
        part = self.parts[place]
        return f"{difference_text(part.better_by, self.decimals)} in {_name(part)}"


def where(comparison: SystemComparison, first: str, second: str) -> Iterator[Answer]:
    """The part with the largest difference in favour of the first system, if there are two parts that are not small."""
    scores = list(_scores(comparison, first, second))
    if not scores:
        return
    largest: dict[str, list[str]] = {}
    for score in scores:
        largest.setdefault(_name(score.parts[0]), []).append(score.label)
    lead = scores[0]
    if len(largest) == 1:
        by = lead.label if len(scores) == 1 else every(len(scores), "score")
        answer = f"Largest in {next(iter(largest))}, by {by}"
        detail = f"{lead.label} in favour of {first}: {lead.text(0)}, {lead.text(-1)}."
    else:
        answer = "It depends on the score"
        parts = (f"{part} by {joined(labels)}" for part, labels in largest.items())
        detail = f"Largest in favour of {first}: {'; '.join(parts)}. {lead.label}: {lead.text(0)}, {lead.text(-1)}."
    yield Answer("Where?", answer, f"{detail} {_UNTESTED}", "#groups")


def _scores(comparison: SystemComparison, first: str, second: str) -> Iterator[_Parts]:
    """The parts of the first grouping under each metric and aggregation."""
    contrasts = comparison.parts(first, second)
    grouping = next((group.grouping for contrast in contrasts for group in contrast.groups), "")
    for contrast in contrasts:
        for aggregation in dict.fromkeys(group.aggregation for group in contrast.groups):
            parts = [
                group
                for group in contrast.groups
                if (group.grouping, group.aggregation) == (grouping, aggregation)
                if not (group.is_small or math.isnan(group.better_by))
            ]
            if len(parts) > 1:
                compared = comparison.metric(contrast.metric, aggregation)
                ordered = sorted(parts, key=lambda group: -group.better_by)
                yield _Parts(score_label(contrast.metric, aggregation), ordered, compared.decimals)


def _name(group: GroupDifference) -> str:
    return group.label if group.grouping in ("domain", "document", "length") else f"{group.grouping} {group.label}"
