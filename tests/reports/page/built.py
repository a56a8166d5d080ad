"""The sections of a page, by their ids, and pages as files."""

from __future__ import annotations

import importlib

from assay.reports.html.page import blocks_html, page_html
from assay.reports.page import page
from assay.study.page_report import page_report
from tests.reports.html.parsed import parsed

__all__ = ["built", "page_text", "section_html"]


def built(name, *results, **options):
    """The sections that a function builds, such as `groups` or `groups.examples`: the section and its content."""
    module, _, function = name.partition(".")
    build = getattr(importlib.import_module(f"assay.reports.page.{module}"), function or "build")
    return {section.id: (section, parsed(section_html(section))) for section in build(page_report(results, **options))}


def section_html(section):
    return str(blocks_html(section.blocks))


def page_text(*results, **options):
    """The file of a page."""
    return page_html(page(page_report(results, **options)))
