"""What a reader should know about the data, and what it takes to repeat and to cite the results."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from assay.errors import ConfigError
from assay.reports import document
from assay.reports.blocks import Block, Copied, Facts, Fold, Notes, PageSection
from assay.reports.latex import Latex
from assay.reports.page.bibliography import bibtex
from assay.reports.page.report import Report, without_texts
from assay.results import Leaderboard, Result, Run, SystemComparison
from assay.types.note import plural
from assay.version import __version__

__all__ = ["checks", "reproduce"]

_PART = "Behind it"


def checks(report: Report) -> Iterator[PageSection]:
    """The notes of all results, warnings first; left out if there is nothing to say."""
    found = dict.fromkeys(note for result in report.results for note in result.notes)
    notes = tuple(sorted(found, key=lambda note: note.severity != "warning"))
    warnings = sum(note.severity == "warning" for note in notes)
    counts = {"warning": warnings, "note": len(notes) - warnings}
    if notes:
        lede = f"{' and '.join(plural(count, name) for name, count in counts.items() if count)}."
        yield PageSection("checks", "Data checks", "What to know about the data", (Notes(notes),), lede, part=_PART)


def reproduce(report: Report) -> Iterator[PageSection]:
    """Command, versions, signatures, LaTeX and BibTeX: always there."""
    yield PageSection("reproduce", "Reproduce", "How to repeat and cite it", tuple(_repeated(report)), part=_PART)


def _repeated(report: Report) -> Iterator[Block]:
    if report.commands:
        title = "Command" if len(report.commands) == 1 else "Commands"
        yield Copied("command", title, "\n".join(report.commands))
    yield Facts(dict(_facts(report)))
    signatures = dict.fromkeys(line for result in report.results for line in _signatures(result))
    if signatures:
        yield Copied("signatures", "Signatures", "\n".join(signatures))
    for number, result in enumerate(report.results, 1):
        name, text = _latex(result)
        title = f"LaTeX: {name}"
        yield Fold((title,), (Copied(f"latex-{number}", f"{title} (needs the package booktabs)", text),))
    yield Fold(("BibTeX",), (Copied("bibtex", "BibTeX of what was used", bibtex(report.results)),))


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    yield "Assay", __version__
    yield "Python", platform.python_version()
    for result in report.results:
        if isinstance(result, Run | SystemComparison):
            yield "Fingerprint of the texts", result.inputs.record.fingerprint


def _signatures(result: Result) -> Iterator[str]:
    if isinstance(result, Run):
        yield from (
            str(scores.signature) for metric in result.metrics.values() for scores in metric.aggregations.values()
        )
    elif isinstance(result, SystemComparison):
        yield from (metric.signature for metric in result.metrics)
        yield result.signature
    elif isinstance(result, Leaderboard):
        yield from chain.from_iterable(result.signatures.values())
        yield result.signature
    elif result.signature:
        yield result.signature


def _latex(result: Result) -> tuple[str, str]:
    """What the tables are of, and the tables as papers print them, without notes: the section on the data has these."""
    shown = document(replace(without_texts(result), notes=()))
    try:
        tables = Latex().render(shown).strip()
    except ConfigError as error:  # a name is longer than a page is wide
        tables = f"% {error.message}"
    return f"{shown.title[:1].lower()}{shown.title[1:]}", tables
