"""`assay.plot`: draw a chart of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from assay.charts import FORMS, WIDTHS, draw, render
from assay.charts import chart as charts
from assay.errors import ConfigError, option_name
from assay.files import write_atomic
from assay.options.option import Option
from assay.options.verb import verb
from assay.results import PairRankings, Ranking, Result
from assay.store import open_result

if TYPE_CHECKING:  # altair is slow to import
    from assay.charts.layout import AltairChart

__all__ = ["FIGURE", "check_figure", "plot"]

FIGURE = "Figure"
"""The group of the options on the help page."""


@verb
def plot(
    chart: Annotated[str, Option("Name of a chart, with options as in differences:first=base,second=new.")],
    *results: Annotated[Result | str | Path, Option("Results, or the folders they were saved in.")],
    width: Annotated[
        int, Option("Width in px: 1040, 500 and 368 are those of a page, half of it and a phone.", group=FIGURE)
    ] = WIDTHS[1],
    theme: Annotated[
        str, Option("Colours for white or for dark paper.", group=FIGURE, choices=("light", "dark"))
    ] = "light",
    output: Annotated[
        str | Path | None,
        Option("Write the figure to this file: .svg, .pdf or .png.", group=FIGURE, is_command_option=False),
    ] = None,
) -> AltairChart:
    """Draw a chart of results.

    Several results are drawn together, such as a comparison and a human ranking.

    Notes
    -----
    `assay.charts.drawable` lists the charts of a result.
    """
    check_figure(chart, output, width)
    opened = [open_result(each) if isinstance(each, str | Path) else each for each in results]
    _check_kinds(opened)
    drawn = draw(chart, *opened, width=width, theme=theme)
    if output is not None:
        write_atomic(Path(output), render(drawn, _form(output)))
    return drawn


def check_figure(chart: str, output: str | Path | None, width: int) -> None:
    """Raise if the chart, the suffix of the file or the width is wrong, whatever the results are."""
    if width < WIDTHS[-1]:
        raise ConfigError(f"{option_name('width')} must be at least {WIDTHS[-1]}, not {width}")
    if output is not None:
        _form(output)
    charts.create(chart)


def _form(output: str | Path) -> str:
    """What a figure is written as, by the suffix of its file."""
    form = Path(output).suffix.lower().removeprefix(".")
    if form not in FORMS:
        suffixes = ", ".join(f".{each}" for each in FORMS)
        raise ConfigError(f"unknown suffix of a figure: '{output}'", hint=f"use {suffixes}")
    return form


def _check_kinds(results: list[Result]) -> None:
    """A chart shows one result of a kind; of rankings it finds the one of its language pair."""
    seen: set[type[Result]] = set()
    for result in results:
        if type(result) in seen and not isinstance(result, Ranking | PairRankings):
            name = type(result).__name__
            raise ConfigError(f"a chart shows one {name}, and there are several", hint="draw one chart of each")
        seen.add(type(result))
