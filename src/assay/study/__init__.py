"""The public functions, one file each. `assay` imports them on first use.

Notebooks show what they return as reports do.
"""

from __future__ import annotations

from assay.results.result import Result

__all__: list[str] = []


def _notebook_html(result: Result) -> str:
    from assay.reports.html.notebook import notebook_html  # imports jinja2

    return notebook_html(result)


Result.notebook_form = _notebook_html
