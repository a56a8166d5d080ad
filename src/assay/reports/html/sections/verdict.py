"""What the results say, in words, and where the evidence is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assay.labels.numbers import joined
from assay.reports import document
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.sections.differences import difference_table
from assay.results import (
    Calibration,
    Decisions,
    MetaEvaluation,
    PairRankings,
    Ranking,
    Result,
    RobustnessCurves,
    Run,
    SystemComparison,
)
from assay.results.metric_differences import usual
from assay.types import TestSet, TestSetRecord
from assay.types.note import plural
from assay.words import found_by, verdict
from assay.words.statement import Name, Words
from assay.words.subjects import is_same, subject, subjects

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["build"]

_COMMANDS: dict[type[Result], str] = {
    Run: "score",
    SystemComparison: "compare",
    Ranking: "rank",
    PairRankings: "rank",
    MetaEvaluation: "meta",
    RobustnessCurves: "robustness",
    Calibration: "calibrate",
    Decisions: "decisions",
}


def build(report: Report) -> Iterator[PageSection]:
    """The first section of every page."""
    found = verdict(report.results)
    comparisons = report.of(SystemComparison)
    yield PageSection(
        "verdict",
        "Verdict",
        _heading(found.headline or ((_title(report),),)),
        render(
            "templates/verdict.html",
            answers=found.answers,
            differences=difference_table(comparisons[0]) if comparisons else "",
        ),
        lede=" ".join((*found.lede, *_others(report))),
        eyebrow=" · ".join(_facts(report)),
    )


def _title(report: Report) -> str:
    """The heading of results that have no verdict."""
    return document(report.results[0]).title if report.results else "No results"


def _others(report: Report) -> Iterator[str]:
    """Which of several results of a kind, and which test set, the verdict is about."""
    about = found_by(report.results)
    if about is None:
        return
    same = len([each for each in report.results if type(each) is type(about)])
    name = subject(about)
    if same > 1:
        of = f", {name}" if name else ""
        yield f"All this is about the first of {same} results of “assay {_COMMANDS.get(type(about), 'report')}”{of}."
    others = [each for each in subjects(report.results) if not is_same(each, name)]
    if others:
        yield f"The page also has results on {joined(others)}."


def _heading(sentences: tuple[Words, ...]) -> Markup:
    return render("templates/words.html", sentences=sentences, is_name=lambda word: isinstance(word, Name))


def _facts(report: Report) -> Iterator[str]:
    """What was evaluated: test sets, languages, and how many of each thing that the verdict is about."""
    if report.title:
        yield report.title
    about = found_by(report.results)
    if isinstance(about, Run | SystemComparison):
        inputs = about.inputs
        record = inputs.record if isinstance(inputs, TestSet) else inputs
        yield from _input_facts(record, _same_inputs(report, about))
    elif about is not None:
        yield from filter(None, (subject(about), *_counts(about)))


def _counts(result: Result) -> Iterator[str]:
    if isinstance(result, MetaEvaluation):
        if len(result.language_pairs) == 1:
            systems = usual(len(each.systems) for row in result for each in row.agreements.values())
            yield plural(systems, "system")
        yield plural(len(result), "metric")
    elif isinstance(result, RobustnessCurves):
        yield plural(len(result.order), "system")
        yield plural(len(result), "metric")
    elif isinstance(result, Ranking):
        yield plural(len(result), "system")
        yield f"judgements: {result.name}"


def _same_inputs(report: Report, about: Run | SystemComparison) -> list[TestSet | TestSetRecord]:
    """What the scores and comparisons of the same test set on the page are of."""
    found: list[Run | SystemComparison] = [*report.of(Run), *report.of(SystemComparison)]
    return [each.inputs for each in found if is_same(subject(each), subject(about))]


def _input_facts(inputs: TestSetRecord, same: Sequence[TestSet | TestSetRecord]) -> Iterator[str]:
    """A comparison may be of two of the systems that were scored, and against other references."""
    if inputs.name:
        yield inputs.name
    if inputs.lp:
        yield inputs.lp.replace("-", " → ")
    yield plural(len({name for each in same for name in each.systems}), "system")
    yield plural(inputs.segments, "segment")
    if inputs.documents is not None:
        yield plural(len(set(inputs.documents) - {None}), "document")
    references = dict.fromkeys(tuple(each.references) for each in same)
    if len(references) > 1:
        yield f"different references: {' or '.join(' and '.join(names) or 'none' for names in references)}"
    else:
        yield plural(len(inputs.references), "reference") if inputs.references else "no reference"
