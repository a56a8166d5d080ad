"""`assay.report`: one HTML page of one or more results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Unpack

from assay.errors import ConfigError
from assay.files import write_atomic
from assay.options.option import OUTPUT, Data, Option
from assay.options.shared import RUNTIME
from assay.options.verb import verb
from assay.results import Result, Run
from assay.store import open_result, saved_command
from assay.types import Campaign, TestSet
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["report"]

_SUFFIXES = (".html", ".htm")


@verb
def report(
    *results: Annotated[Result | str | Path, Option("Results, or the folders they were saved in.")],
    output: Annotated[str | Path | None, Option("Write the page to this file.", is_command_option=False)] = None,
    texts: Annotated[
        bool,
        Option("Show source, references and outputs, if they were saved with the result.", is_command_option=False),
    ] = True,
    title: Annotated[str, Option("Title of the page.", group=OUTPUT, metavar="TEXT")] = "",
    campaigns: Annotated[
        Iterable[Campaign],
        Data(
            "Test sets with the errors that raters marked in the outputs.",
            noun="a campaign or a list of campaigns",
            example='campaigns = assay.load_campaigns("wmt22")',
        ),
    ] = (),
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> str:
    """Make one HTML page of results.

    Several results become one page: what they say in words, tables, charts, and the segments. The page opens offline
    and holds everything: it loads and sends nothing.
    """
    from assay.reports.html.page import page_html  # imports jinja2
    from assay.reports.page import page
    from assay.study.page_report import page_report  # imports charts

    if not results:
        raise ConfigError("no result was given", hint="give at least one result, or the folder of a saved one")
    if output is not None and Path(output).suffix.lower() not in _SUFFIXES:
        raise ConfigError(f"a report is an HTML page: '{output}'", hint="use a file that ends in .html")
    steps = (runtime or Runtime()).track(results, lambda given: f"opening {_name(given)}")
    opened = tuple(given if isinstance(given, Result) else open_result(given) for given in steps)
    commands = (_command(given, result) for given, result in zip(results, opened, strict=True))
    shown = tuple(campaigns)
    if shown and not (texts and any(isinstance(getattr(result, "inputs", None), TestSet) for result in opened)):
        raise ConfigError("no texts are shown that errors could be marked in", hint="save results with their texts")
    known = tuple(dict.fromkeys(command for command in commands if command))
    text = page_html(page(page_report(opened, known, texts=texts, title=title, campaigns=shown)))
    if output is not None:
        write_atomic(Path(output), text.encode())
    return text


def _name(given: Result | str | Path) -> str:
    return type(given).__name__ if isinstance(given, Result) else str(given)


def _command(given: Result | str | Path, result: Result) -> str | None:
    """The command line that made a result, if it is known."""
    if not isinstance(given, Result):
        return saved_command(given)
    return result.command if isinstance(result, Run) else None
