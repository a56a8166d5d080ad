"""What the tables of a comparison have in common, the brief ones and those with details."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assay.labels.numbers import percent
from assay.reports.cells import BLANK, Cell, Flag, Flags, Number, Text
from assay.reports.documents import Caption
from assay.reports.labelled import reason_captions
from assay.reports.record_grid import Look
from assay.results import ComparedMetric, SystemComparison

__all__ = ["PEOPLE", "best_flags", "human_columns", "pair_look", "reasons"]

PEOPLE = Caption("people: human scores that came with the test set; assay rank tests them")


def pair_look(comparison: SystemComparison, metric: ComparedMetric, **titles: str | Text) -> Look:
    """How the pairs of a metric are shown; `titles` stand for more words in titles of columns."""
    settings, correction = comparison.settings, comparison.correction
    words = {
        "confidence": percent(float(settings["confidence"])),
        "corrected": "" if correction == "none" else f" ({correction})",
        "unit": settings["unit"],
        "delta": settings.get("delta", ""),
        "judged": f" ({int(settings['judged']):,} judged)" if "judged" in settings else "",
        **titles,
    }
    return Look(metric.decimals, comparison.alpha, words)


def best_flags(metric: ComparedMetric, system: str) -> Flags:
    """Whether a system has the best score; of all pairs, also whether no difference from the best is shown."""
    if metric.scores[system].value == metric.best:
        return frozenset({Flag.BEST})
    leader = next(iter(metric.clusters), system)
    if leader == system or metric.pair(system, leader).shows_difference:
        return frozenset()
    return frozenset({Flag.AMONG_BEST})


def human_columns(comparison: SystemComparison, order: Sequence[str]) -> Iterator[tuple[str, list[Cell]]]:
    """What people gave the systems, by the name of the human scores."""
    for name, scores in comparison.human.items():
        yield name, [Number(scores[system]) if system in scores else BLANK for system in order]


def reasons(found: Iterable[tuple[Text, str | None]]) -> Iterator[Caption]:
    """Why numbers are undefined, each reason once: by itself if all rows have it, else with what it is about."""
    rows = list(found)
    if len({reason for _, reason in rows}) == 1:
        return (Caption("{}", (Text(reason),)) for _, reason in rows[:1] if reason)
    return reason_captions(rows)
