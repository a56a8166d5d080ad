"""What it takes to repeat and to cite the results: command, versions, signatures, LaTeX and BibTeX."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import replace

from assay.reports import document
from assay.reports.html.bibliography import bibtex
from assay.reports.html.confidential import without_texts
from assay.reports.html.page import PageSection, Report, render
from assay.reports.latex import Latex
from assay.results import Result, Run, SystemComparison
from assay.types import TestSet
from assay.version import __version__

__all__ = ["build"]


def build(report: Report) -> Iterator[PageSection]:
    """Always there."""
    yield PageSection(
        "reproduce",
        "Reproduce",
        "How to repeat and cite it",
        render(
            "templates/reproduce.html",
            commands=report.commands,
            facts=dict(_facts(report)),
            signatures=list(dict.fromkeys(line for result in report.results for line in _signatures(result))),
            tables=[_latex(result) for result in report.results],
            bibtex=bibtex(report.results),
        ),
        part="Behind it",
    )


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    yield "Assay", __version__
    yield "Python", platform.python_version()
    for result in report.results:
        if isinstance(result, Run | SystemComparison):
            inputs = result.inputs.record if isinstance(result.inputs, TestSet) else result.inputs
            yield "Fingerprint of the texts", inputs.fingerprint


def _signatures(result: Result) -> Iterator[str]:
    if isinstance(result, Run):
        yield from (
            str(scores.signature) for metric in result.metrics.values() for scores in metric.aggregations.values()
        )
    elif isinstance(result, SystemComparison):
        yield from (metric.signature for metric in result.metrics)
        yield result.signature
    elif result.signature:
        yield result.signature


def _latex(result: Result) -> tuple[str, str]:
    """What the tables are of, and the tables as papers print them, without notes: the section on the data has these."""
    shown = document(replace(without_texts(result), notes=()))
    return f"{shown.title[:1].lower()}{shown.title[1:]}", Latex().render(shown).strip()
