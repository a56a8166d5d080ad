"""The sections of a report, by their ids."""

from __future__ import annotations

import importlib

from assay.reports.html.page import Report
from tests.reports.html.parsed import parsed

__all__ = ["built"]


def built(module, *results, **options):
    """The sections that a module builds: by id, the section and its parsed content."""
    build = importlib.import_module(f"assay.reports.html.sections.{module}").build
    return {section.id: (section, parsed(section.html)) for section in build(Report(results, **options))}
