"""`assay.report`: one HTML page of one or more results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.arguments import public_function
from assay.errors import ConfigError
from assay.files import write_atomic
from assay.reports.html.page import Report, page
from assay.results import Result, Run
from assay.store import open_result, saved_command
from assay.types import Campaign, TestSet

__all__ = ["report"]

_SUFFIXES = (".html", ".htm")


@public_function
def report(
    *results: Result | str | Path,
    output: str | Path | None = None,
    texts: bool = True,
    title: str = "",
    campaigns: Iterable[Campaign] = (),
) -> str:
    """One page of all results, for people: what they say in words, tables, charts, and the segments.

    A result may be the folder it was saved in. The page opens offline, loads nothing and sends nothing. `output` also
    writes it to a file. `texts=False` leaves source, references and outputs out of it entirely; a result that was saved
    without its texts has none to show. `campaigns` are data with the errors that raters marked in the outputs.
    """
    if not results:
        raise ConfigError("no result was given", hint="give at least one result, or the folder of a saved one")
    if output is not None and Path(output).suffix.lower() not in _SUFFIXES:
        raise ConfigError(f"a report is an HTML page: '{output}'", hint="use a file that ends in .html")
    opened = tuple(result if isinstance(result, Result) else open_result(result) for result in results)
    commands = (_command(given, result) for given, result in zip(results, opened, strict=True))
    shown = tuple(campaigns)
    if shown and not (texts and any(isinstance(getattr(result, "inputs", None), TestSet) for result in opened)):
        raise ConfigError("no texts are shown that errors could be marked in", hint="save results with their texts")
    known = tuple(dict.fromkeys(command for command in commands if command))
    text = page(Report(opened, known, texts=texts, title=title, campaigns=shown))
    if output is not None:
        write_atomic(Path(output), text.encode())
    return text


def _command(given: Result | str | Path, result: Result) -> str | None:
    """The command line that made a result, if it is known."""
    if not isinstance(given, Result):
        return saved_command(given)
    return result.command if isinstance(result, Run) else None
