"""What a page is made of, and how its sections tell several results of one kind apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from assay.reports.page.scored_texts import ScoredTexts, scored_texts
from assay.results import Calibration, Examples, NgramDifferences, Result, Run, SystemComparison
from assay.types import TestSet, TestSetRecord

__all__ = ["Report", "collected", "distinct_names", "numbered", "without_texts"]

_R = TypeVar("_R", bound=Result)


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a page, with what was computed for it. `texts`: source, references and outputs may be shown.

    `commands`: the command lines that made the results, as far as they are known. `viewed`: what the results say of
    each test set, segment by segment. `calibrations`: that of each comparison of systems, to be drawn, if it is known.
    """

    results: tuple[Result, ...]
    viewed: tuple[ScoredTexts, ...] = ()
    commands: tuple[str, ...] = ()
    texts: bool = True
    title: str = ""
    calibrations: tuple[Calibration | None, ...] = ()

    def of(self, kind: type[_R]) -> tuple[_R, ...]:
        """The results of one type."""
        return tuple(result for result in self.results if isinstance(result, kind))


def collected(
    results: Sequence[Result], commands: tuple[str, ...] = (), *, texts: bool = True, title: str = ""
) -> Report:
    """The results of a page, and what they say of each test set."""
    shown = tuple(results if texts else map(without_texts, results))
    return Report(shown, tuple(scored_texts(shown)), commands, texts, title)


def without_texts(result: Result) -> Result:
    """The result without source, references and outputs, and without examples and n-grams, which quote them."""
    if any(note.example for note in result.notes):
        result = replace(result, notes=tuple(replace(note, example=None) for note in result.notes))
    if isinstance(result, Run | SystemComparison) and isinstance(result.inputs, TestSet):
        result = replace(result, inputs=result.inputs.record)
    if isinstance(result, SystemComparison):
        kept = tuple(each for each in result.contrasts if not isinstance(each, Examples | NgramDifferences))
        result = replace(result, contrasts=kept)
    return result


def numbered(place: int) -> str:
    """The end of the id of a section: nothing for the first of its kind, so that links to it always hold."""
    return f"-{place + 1}" if place else ""


def distinct_names(inputs: Sequence[TestSet | TestSetRecord]) -> list[str]:
    """What tells test sets apart, as short as may be: name, language pair, references, or else a number.

    A single one needs no name.
    """
    if len(inputs) < 2:
        return [""] * len(inputs)
    parts = (
        [each.name or "" for each in inputs],
        [each.lp or "" for each in inputs],
        [f"against {' and '.join(each.references)}" if each.references else "" for each in inputs],
    )
    names = [""] * len(inputs)
    for part in parts:
        if len(set(part)) > 1 and len(set(names)) < len(names):
            names = [" ".join(filter(None, both)) for both in zip(names, part, strict=True)]
    return [
        name if name and names.count(name) == 1 else f"{name} {place}".strip() for place, name in enumerate(names, 1)
    ]
