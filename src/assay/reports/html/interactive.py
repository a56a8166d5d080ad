"""Charts in which a reader can choose what is shown, drawn by Vega inside of the page.

The page has the static drawing, which is all that a reader without JavaScript, or on paper, needs. As soon as somebody
points at it or uses the inputs above it, interactive.js starts Vega and draws the same specification. Vega comes from
vl-convert, which needs no network, and is embedded compressed and once, in pages that have such a chart. It interprets
the expressions of charts (`ast`) instead of compiling them, so the content-security policy needs no `unsafe-eval`; the
policy allows the library by its digest, like every other script of the page.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.charts.controls import Control
    from assay.charts.layout import AltairChart

__all__ = ["MARK", "Interactive", "compressed", "interactive", "library"]

MARK = '<div class="chart-choices"'
"""What stands above a chart with choices; nothing of the user's looks like it, because that is escaped."""
_DIGITS = 6  # significant ones, of numbers in the page


@dataclass(frozen=True, slots=True)
class Interactive:
    """What a reader can choose, and the specifications that the page draws."""

    controls: tuple[Control, ...]
    data: dict[str, Any]


def interactive(wide: AltairChart, narrow: AltairChart) -> Interactive | None:
    """The chart for a page that is wide, and for one that is narrow; None if there is nothing to choose in it."""
    from assay.charts import vega
    from assay.charts.controls import controls_of

    controls = tuple(control for control in controls_of(wide) if len(control.options) > len(control.chosen))
    if not controls:
        return None
    specifications = {
        "wide": vega(wide, theme="page", titled=False),
        "narrow": vega(narrow, theme="page", titled=False),
    }
    tables = _shared(specifications.values())
    return Interactive(
        controls, {"controls": [asdict(control) for control in controls], "tables": tables, **specifications}
    )


def _shared(specifications: Iterable[dict[str, Any]]) -> list[Any]:
    """The rows of all data sets, each of them once; the specifications have their numbers instead. No `bind`: the page
    has its own inputs.
    """
    tables: dict[str, int] = {}
    for specification in specifications:
        for signal in specification.get("signals", ()):
            signal.pop("bind", None)
        for source in specification["data"]:
            if "values" in source:
                text = json.dumps(_rounded(source["values"]))
                source["values"] = tables.setdefault(text, len(tables))
    return [json.loads(text) for text in tables]


def _rounded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value for key, value in row.items()}
        for row in rows
    ]


@cache
def library() -> str:
    """The source of Vega and vega-embed."""
    import vl_convert

    source: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return source


@cache
def compressed() -> str:
    """The library as text that a page can hold, a third of its size."""
    return base64.b64encode(gzip.compress(library().encode(), mtime=0)).decode()
