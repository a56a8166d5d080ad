"""The segments: where two systems differ in words, and source, references and outputs side by side.

The texts come from the results: one that was just computed has them, a saved one only if it was saved with its texts.
Without texts the viewer still has the scores of every segment, and no text, n-gram or name of a segment is in the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.blocks import PageSection, SegmentView
from assay.reports.page.gains import gains, marked
from assay.reports.page.pair_details import pairs_data
from assay.reports.page.report import Report, distinct_names
from assay.reports.page.scored_texts import ScoredTexts
from assay.reports.page.viewer_data import ViewerData, viewer_data
from assay.results import SystemComparison
from assay.types.note import plural

__all__ = ["build", "viewer_of"]

_PART = "Systems"


def build(report: Report) -> Iterator[PageSection]:
    """For each test set: words that one system gets right and the other does not, errors that people marked, and the
    viewer."""
    names = distinct_names([scored.inputs for scored in report.viewed])
    for place, (scored, name) in enumerate(zip(report.viewed, names, strict=True)):
        yield from _words(scored, _suffix(place, report), name)
        yield from _marked(scored, _suffix(place, report), name)
        yield _viewer(scored, report, _suffix(place, report), name)


def viewer_of(comparison: SystemComparison, report: Report) -> str | None:
    """The id of the viewer that shows the segments of a comparison."""
    for place, scored in enumerate(report.viewed):
        if any(each is comparison for each in scored.comparisons):
            return f"segments{_suffix(place, report)}"
    return None


def _suffix(place: int, report: Report) -> str:
    return f"-{place + 1}" if len(report.viewed) > 1 else ""


def _words(scored: ScoredTexts, suffix: str, label: str) -> Iterator[PageSection]:
    if blocks := gains(scored, f"segments{suffix}"):
        yield PageSection(
            f"words{suffix}",
            f"Words {label}".strip(),
            "Which words does one system get right and the other not?",
            blocks,
            "A word is right if the reference of the segment has it, too. Numbers of segments lead to them.",
            eyebrow=label,
            part=_PART,
        )


def _marked(scored: ScoredTexts, suffix: str, label: str) -> Iterator[PageSection]:
    if blocks := marked(scored):
        heading, lede = (
            "Which errors did people mark?",
            "Two systems are compared on the segments in which people rated both.",
        )
        yield PageSection(
            f"errors{suffix}", f"Errors {label}".strip(), heading, blocks, lede, eyebrow=label, part=_PART
        )


def _viewer(scored: ScoredTexts, report: Report, suffix: str, label: str) -> PageSection:
    tests = [
        pairs_data(place)
        for place, comparison in enumerate(report.of(SystemComparison))
        if any(comparison is each for each in scored.comparisons)
    ]
    name, data = f"segments{suffix}", viewer_data(scored, tests=tests)
    view = SegmentView(
        name,
        tuple(scored.inputs.systems),
        tuple(scored.testset.references) if data.texts and scored.testset else (),
        tuple(grouping.name for grouping in scored.groupings),
        has_texts=data.texts > 0,
        has_errors=scored.errors is not None,
        labels=scored.labels["metric"] if scored.labels else "",
    )
    return PageSection(
        name,
        f"Segments {label}".strip(),
        "The segments",
        (view,),
        _lede(scored, data, may_show=report.texts),
        eyebrow=label,
        part=_PART,
        data={f"{name}-data": data.tree},
    )


def _lede(scored: ScoredTexts, data: ViewerData, *, may_show: bool) -> str:
    """What is in the file, and what is not."""
    segments = plural(scored.segments, "segment")
    if not may_show:
        return f"Scores of {segments}. This report was made without texts: none is in the file."
    if not data.texts:
        return f"Scores of {segments}. The result was saved without its texts; --save-texts keeps them."
    sentences = [f"This file holds {plural(data.texts, 'text')} of {segments}."]
    if data.segments_with_texts < scored.segments:
        count = f"{data.segments_with_texts:,}"
        sentences = [f"This file holds the texts of the first {count} of {segments}, and the scores of all."]
    if scored.errors is not None:
        sentences.append(f"Raters marked the errors of {plural(scored.errors.outputs, 'output')}.")
        if scored.errors.elsewhere:
            others = plural(scored.errors.elsewhere, "rated output")
            sentences.append(f"{others} of these systems left out: their texts are not in the test set.")
        sentences += (f"{note.text[:1].upper()}{note.text[1:]}." for note in scored.errors.left_out)
    return " ".join(sentences)
