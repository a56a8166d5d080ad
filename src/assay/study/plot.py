"""`assay.plot`: draw a chart of results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.charts import WIDTHS, draw
from assay.errors import ConfigError
from assay.results import Result
from assay.store import open_result

if TYPE_CHECKING:  # altair is slow to import
    from assay.charts.layout import AltairChart

__all__ = ["plot"]


def plot(chart: str, *results: Result | str | Path, width: int = WIDTHS[1], theme: str = "light") -> AltairChart:
    """An altair chart of one or more results, or of the folders they were saved in.

    `chart` is the name of a chart, with options as in `differences:first=base,second=new`. `width` is in px: 1040, 500
    and 368 are the widths of a page, of half of it and of a phone. `theme` is light or dark. `assay.charts.drawable`
    lists the charts of a result; `assay.charts.svg`, `png` and `pdf` write a chart.
    """
    if width < WIDTHS[-1]:
        raise ConfigError(f"width must be at least {WIDTHS[-1]}, not {width}")
    opened = [open_result(each) if isinstance(each, str | Path) else each for each in results]
    return draw(chart, *opened, width=width, theme=theme)
