"""What the results say, in words, and where the evidence is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.sections.differences import difference_table
from assay.reports.html.verdict import verdict
from assay.reports.html.verdict.statement import Name, Words
from assay.results import MetaEvaluation, Ranking, Run, SystemComparison
from assay.types import TestSet, TestSetRecord
from assay.types.note import plural

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["build"]


def build(report: Report) -> Iterator[PageSection]:
    """The first section of every page."""
    found = verdict(report.results)
    comparisons = report.of(SystemComparison)
    yield PageSection(
        "verdict",
        "Verdict",
        _heading(found.headline),
        render(
            "templates/verdict.html",
            answers=found.answers,
            differences=difference_table(comparisons[0]) if comparisons else "",
        ),
        lede=" ".join(found.lede),
        eyebrow=" · ".join(_facts(report)),
    )


def _heading(sentences: tuple[Words, ...]) -> Markup:
    return render("templates/words.html", sentences=sentences, is_name=lambda word: isinstance(word, Name))


def _facts(report: Report) -> Iterator[str]:
    """What was evaluated: test set, languages, and how many of each thing."""
    if report.title:
        yield report.title
    for result in report.results:
        if isinstance(result, Run | SystemComparison):
            inputs = result.inputs
            yield from _input_facts(inputs.record if isinstance(inputs, TestSet) else inputs)
            return
    for result in report.results:
        if isinstance(result, MetaEvaluation):
            yield ", ".join(pair.lp for pair in result.language_pairs)
            yield plural(len(result), "metric")
            return
        if isinstance(result, Ranking):
            yield result.lp or result.name
            yield plural(len(result), "system")
            return


def _input_facts(inputs: TestSetRecord) -> Iterator[str]:
    if inputs.name:
        yield inputs.name
    if inputs.lp:
        yield inputs.lp.replace("-", " → ")
    yield plural(len(inputs.systems), "system")
    yield plural(inputs.segments, "segment")
    if inputs.documents is not None:
        yield plural(len(set(inputs.documents) - {None}), "document")
    yield plural(len(inputs.references), "reference") if inputs.references else "no reference"
