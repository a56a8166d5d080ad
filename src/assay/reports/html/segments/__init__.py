"""The segments: where two systems differ in words, and source, references and outputs side by side.

The texts come from the results: one that was just computed has them, a saved one only if it was saved with its texts.
`Report.texts` decides whether they are shown. Without texts the viewer still has the scores of every segment, and
no text, n-gram or name of a segment is in the file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from assay.reports.html.page import PageSection, Report, asset, render
from assay.reports.html.section_names import distinct_names, pairs_data
from assay.reports.html.segments.embedded import Embedded, embed
from assay.reports.html.segments.gains import gains
from assay.reports.html.segments.scored_texts import ScoredTexts, scored_texts
from assay.results import Result, SystemComparison
from assay.types.note import plural

__all__ = ["build", "viewer_of"]

_PART = "Systems"


def build(report: Report) -> Iterator[PageSection]:
    """For each test set: words that one system gets right and the other does not, and the viewer."""
    found = scored_texts(report.results)
    names = distinct_names([scored.inputs for scored in found])
    for number, (scored, name) in enumerate(zip(found, names, strict=True), 1):
        yield from _words(scored, report, _suffix(number, found), name)
        yield _viewer(scored, report, _suffix(number, found), name)


def viewer_of(comparison: SystemComparison, results: Iterable[Result]) -> str | None:
    """The id of the viewer that shows the segments of a comparison."""
    found = scored_texts(results)
    for number, scored in enumerate(found, 1):
        if any(each is comparison for each in scored.comparisons):
            return f"segments{_suffix(number, found)}"
    return None


def _suffix(number: int, found: list[ScoredTexts]) -> str:
    return f"-{number}" if len(found) > 1 else ""


def _words(scored: ScoredTexts, report: Report, suffix: str, label: str) -> Iterator[PageSection]:
    pairs = gains(scored, texts=report.texts)
    if not pairs:
        return
    yield PageSection(
        id=f"words{suffix}",
        link=f"Words {label}".strip(),
        heading="Which words does one system get right and the other not?",
        eyebrow=label,
        lede="A word is right if the reference of the segment has it, too.",
        html=render("segments/words.html", pairs=pairs, viewer=f"segments{suffix}", percent=_percent),
        part=_PART,
        style=asset("segments/segments.css"),
        script=_script(),
    )


def _script() -> str:
    return "".join(map(asset, ("segments/text_diff.js", "segments/segments.js")))


def _percent(share: float, *, signed: bool = False) -> str:
    """With one decimal and a true minus; a dash where it is undefined."""
    if math.isnan(share):
        return "–"
    text = f"{100 * share:{'+' if signed else ''}.1f}"
    return text[1:] if text in ("+0.0", "-0.0") else text.replace("-", "−")


def _viewer(scored: ScoredTexts, report: Report, suffix: str, label: str) -> PageSection:
    tests = [
        pairs_data(place)
        for place, comparison in enumerate(report.of(SystemComparison))
        if any(comparison is each for each in scored.comparisons)
    ]
    embedded = embed(scored, texts=report.texts, campaigns=report.campaigns, tests=tests)
    name = f"segments{suffix}"
    return PageSection(
        id=name,
        link=f"Segments {label}".strip(),
        heading="The segments",
        eyebrow=label,
        lede=_lede(scored, embedded, may_show=report.texts),
        html=render(
            "segments/segments.html",
            name=name,
            systems=scored.inputs.systems,
            references=list(scored.testset.references) if embedded.texts and scored.testset else [],
            groupings=[grouping["name"] for grouping in embedded.tree["groupings"]],
            has_texts=embedded.texts > 0,
            has_errors=embedded.errors is not None,
            labels=embedded.tree["labels"],
        ),
        part=_PART,
        style=asset("segments/segments.css"),
        script=_script(),
        data={f"{name}-data": embedded.tree},
    )


def _lede(scored: ScoredTexts, embedded: Embedded, *, may_show: bool) -> str:
    """What is in the file, and what is not."""
    segments = plural(scored.segments, "segment")
    if not may_show:
        return f"Scores of {segments}. This report was made without texts: none is in the file."
    if not embedded.texts:
        return f"Scores of {segments}. The result was saved without its texts; --save-texts keeps them."
    sentences = [f"This file holds {plural(embedded.texts, 'text')} of {segments}."]
    if embedded.segments_with_texts < scored.segments:
        count = f"{embedded.segments_with_texts:,}"
        sentences = [f"This file holds the texts of the first {count} of {segments}, and the scores of all."]
    if embedded.errors is not None:
        sentences.append(f"Raters marked the errors of {plural(embedded.errors.outputs, 'output')}.")
        if embedded.errors.elsewhere:
            others = plural(embedded.errors.elsewhere, "rated output")
            sentences.append(f"{others} of these systems left out: their texts are not in the test set.")
    return " ".join(sentences)
