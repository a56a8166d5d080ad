"""What the results say, in words, and where the evidence is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.labels.numbers import joined, percent
from assay.reports import document
from assay.reports.blocks import Answers, Block, Fold, Heading, PageSection, PageTable, Sentences
from assay.reports.cells import Cell, Flag, Interval, Number, PValue, Text
from assay.reports.documents import Column, Grid
from assay.reports.page.report import Report
from assay.results import (
    MetaEvaluation,
    Outcome,
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
from assay.words.compared_pair import ComparedScore, pair_legend, pair_verdict
from assay.words.pairs import corrected_for
from assay.words.statement import Name, Words
from assay.words.subjects import is_same, subject, subjects

__all__ = ["build", "difference_blocks"]

_FLAGS = {Outcome.BETTER: Flag.FIRST, Outcome.WORSE: Flag.SECOND}


def build(report: Report) -> Iterator[PageSection]:
    """The first section of every page."""
    found = verdict(report.results)
    answers = tuple(replace(answer, others=()) for answer in found.answers)
    remarks = (*(sentence for answer in found.answers for sentence in answer.others), *found.remarks)
    blocks: tuple[Block, ...] = (Sentences(found.paragraphs),) if found.paragraphs else ()
    blocks += (Answers(answers),) if answers else ()
    if comparisons := report.of(SystemComparison):
        blocks += difference_blocks(comparisons[0])
    if remarks:
        blocks += (Fold(("What the answers rest on",), (Sentences(remarks, "notes"),)),)
    yield PageSection(
        "verdict",
        "Verdict",
        _spaced(found.headline) or (document(report.results[0]).title if report.results else "No results"),
        blocks,
        lede=" ".join((*(each for each in found.lede if each not in found.drawn), *_others(report))),
        eyebrow=" · ".join(_facts(report)),
    )


def _spaced(sentences: Sequence[Words]) -> Words:
    """Sentences as one."""
    return tuple(word for place, words in enumerate(sentences) for word in ((" ",) * (place > 0) + words))


def difference_blocks(comparison: SystemComparison) -> tuple[Block, ...]:
    """How far the two systems of the verdict are apart: a row for each score, each metric on its own scale."""
    found = pair_verdict(comparison)
    first, second = Name(found.first, "a"), Name(found.second, "b")
    confidence = percent(float(comparison.settings["confidence"]))
    lower = dict.fromkeys(metric_label(each.metric) for each in comparison.metrics if not each.higher_is_better)
    subtitle = (
        "How much better ",
        first,
        f" is, in points, with the {confidence} interval of each difference alone; p-values "
        f"{corrected_for(comparison)}. Right of zero favours ",
        first,
        ", left of it ",
        second,
        f"{f', also by {joined(list(lower))}, where lower scores are better' if lower else ''}. "
        f"{pair_legend(comparison)} {plural(comparison.metrics[0].pairs[0].n, comparison.settings['unit'])}.",
    )
    columns = (
        Column("Metric", "left"),
        Column("Aggregation", "left"),
        Column("Difference", lane="Each metric on its own scale"),
        Column("Interval"),
        Column("p"),
    )
    rows = tuple(_row(score, comparison.alpha) for score in found.scores)
    grid = Grid(columns, rows, scales=tuple(score.metric.metric for score in found.scores))
    return (
        Heading(("How far apart are ", first, " and ", second, "?"), subtitle),
        PageTable(grid, f"{found.first} against {found.second}", style="plot"),
    )


def _row(score: ComparedScore, alpha: float) -> tuple[Cell, ...]:
    metric, pair, favour, decimals = score.metric, score.pair, score.in_favour, score.decimals
    flags = {_FLAGS.get(pair.outcome, Flag.NOT_SIGNIFICANT)}
    if metric.aggregation != "corpus":
        flags.add(Flag.SEGMENT_MEAN)
    return (
        Text(metric_label(metric.metric)),
        Text(AGGREGATIONS.get(metric.aggregation, metric.aggregation)),
        Number(
            favour.value,
            decimals,
            favour.low,
            favour.high,
            style="signed",
            reason=favour.reason,
            flags=frozenset(flags),
        ),
        Interval(favour.low, favour.high, decimals) if not math.isnan(favour.low) else Text(""),
        PValue(pair.p_corrected, alpha, is_bound=pair.is_bound),
    )


def _others(report: Report) -> Iterator[str]:
    """Which of several results of a kind, and which test set, the verdict is about."""
    about = found_by(report.results)
    if about is None:
        return
    same = len([each for each in report.results if type(each) is type(about)])
    name = subject(about)
    if same > 1:
        of = f", {name}" if name else ""
        yield f"All this is about the first of {same} results of “assay {about.made_by}”{of}."
    others = [each for each in subjects(report.results) if not is_same(each, name)]
    if others:
        yield f"The page also has results on {joined(others)}."


def _facts(report: Report) -> Iterator[str]:
    """What was evaluated: test sets, languages, and how many of each thing that the verdict is about."""
    if report.title:
        yield report.title
    about = found_by(report.results)
    if isinstance(about, Run | SystemComparison):
        yield from _input_facts(about.inputs.record, _same_inputs(report, about))
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
