"""Charts of results, one file each, as Vega-Lite specifications (altair).

A chart is looked up by its name and takes options like a metric does: `differences:first=base,second=new`. `draw` makes
an altair chart; `svg`, `png` and `pdf` write it. The same chart and theme give the same SVG, byte by byte.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from assay.errors import ConfigError, MissingExtraError, UnknownNameError, nearest
from assay.registry import Registry, options_of
from assay.results import Result

if TYPE_CHECKING:  # altair is slow to import
    from assay.charts.layout import AltairChart

__all__ = [
    "FORMS",
    "WIDTHS",
    "Chart",
    "can_draw",
    "caption",
    "chart",
    "draw",
    "drawable",
    "find",
    "pdf",
    "png",
    "render",
    "select_names",
    "svg",
    "vega",
]

WIDTHS = (1040, 500, 368)
"""Widths in px that charts are designed for: a page, half a page, and a phone."""

FORMS = ("svg", "pdf", "png")
"""What a chart can be written as."""

_R = TypeVar("_R", bound=Result)
_T = TypeVar("_T")


class Chart(ABC, Generic[_T]):
    """A chart. Its fields are the options that choose what it shows."""

    name: ClassVar[str]

    @abstractmethod
    def select(self, results: Sequence[Result]) -> _T | None:
        """What the chart shows of the results; None if they lack it."""

    @abstractmethod
    def draw(self, shown: _T, width: int) -> AltairChart:
        """The chart of what was selected, `width` px wide in all."""


chart: Registry[Chart[Any]] = Registry("chart", __name__)


def drawable(*results: Result) -> list[str]:
    """The names of the charts that can be drawn of a result, or of several results together."""
    return [name for name in chart.names() if can_draw(name, *results)]


def can_draw(name: str, *results: Result, **options: Any) -> bool:
    """Whether there is such a chart, the results have what it shows, and so has this machine, if it needs a file."""
    from dataclasses import replace

    try:
        drawn = replace(chart.create(name), **options)  # type: ignore[type-var]
        return drawn.select(results) is not None
    except (ConfigError, MissingExtraError):
        return False


def draw(
    spec: str | Chart[Any], *results: Result, width: int = WIDTHS[1], theme: str = "light", **options: Any
) -> AltairChart:
    """The chart that a spec names. It takes what it needs from the results: `differences` a comparison, and a ranking.

    Options can also be given as keyword arguments: `draw("calibration", calibration, metric="chrf")`.
    """
    from dataclasses import replace

    from assay.charts.theme import configuration

    drawn = chart.create(spec)
    known = [name for name, _ in options_of(drawn)]
    for name in options.keys() - known:
        raise ConfigError(f"chart '{drawn.name}' has no option '{name}'", hint=nearest(name, known))
    drawn = replace(drawn, **options)  # type: ignore[type-var]
    if getattr(drawn, "limit", 1) < 1:
        raise ConfigError(f"limit of the chart '{drawn.name}' must be at least 1")
    shown = drawn.select(results)
    if shown is None:
        kinds = ", ".join(type(result).__name__ for result in results) or "nothing"
        available = drawable(*results)
        raise ConfigError(
            f"the chart '{drawn.name}' cannot be drawn from {kinds}",
            hint=f"available: {', '.join(available)}" if available else "no chart shows such a result",
        )
    configured: AltairChart = drawn.draw(shown, width).configure(**configuration(theme))
    return configured


def find(kind: type[_R], results: Sequence[Result]) -> _R | None:
    """The first result of a type, or None."""
    return next((result for result in results if isinstance(result, kind)), None)


def select_names(wanted: str, known: Iterable[str]) -> list[str]:
    """The names in an option, which has + between them; unknown ones are an error."""
    names, found = wanted.split("+"), list(known)
    for name in names:
        if name not in found:
            raise UnknownNameError(f"the result has no '{name}'", hint=nearest(name, found))
    return names


def caption(chart: AltairChart) -> tuple[str, str]:
    """The title and the subtitle of a chart, to be set as text beside it (`svg` with `titled=False`)."""
    title = chart.to_dict(validate=False)["title"]
    return " ".join(title["text"]), " ".join(title["subtitle"])


def svg(chart: AltairChart, *, theme: str | None = None, titled: bool = True) -> str:
    """The chart as SVG, in the theme it was drawn with or in another one.

    `light`, `dark`, or `page`: the colours are the variables `--chart-ink` etc. of the page that the SVG stands in.
    """
    import vl_convert

    text: str = vl_convert.vegalite_to_svg(_specification(chart, theme, titled))
    return text


def png(chart: AltairChart, *, theme: str | None = None, titled: bool = True, scale: float = 2.0) -> bytes:
    """The chart as PNG; `scale` pixels to a px."""
    import vl_convert

    image: bytes = vl_convert.vegalite_to_png(_specification(chart, theme, titled), scale=scale)
    return image


def pdf(chart: AltairChart, *, theme: str | None = None, titled: bool = True) -> bytes:
    """The chart as PDF."""
    import vl_convert

    document: bytes = vl_convert.vegalite_to_pdf(_specification(chart, theme, titled))
    return document


def vega(chart: AltairChart, *, theme: str | None = None, titled: bool = True) -> dict[str, Any]:
    """The chart as a Vega specification, for a page that draws it itself and sets its parameters."""
    import vl_convert

    specification: dict[str, Any] = vl_convert.vegalite_to_vega(_specification(chart, theme, titled))
    return specification


def render(chart: AltairChart, form: str, *, theme: str | None = None) -> bytes:
    """The content of a file: svg, pdf or png."""
    if form not in FORMS:
        raise ConfigError(f"unknown form '{form}' of a figure", hint=nearest(form, FORMS))
    if form == "svg":
        return svg(chart, theme=theme).encode()
    return (pdf if form == "pdf" else png)(chart, theme=theme)


def _specification(chart: AltairChart, theme: str | None, titled: bool) -> dict[str, Any]:
    from assay.charts.theme import configuration

    specification: dict[str, Any] = chart.to_dict(validate=False)  # tests do, and it takes longer than all the rest
    if not titled:
        specification.pop("title", None)
    return specification if theme is None else specification | {"config": configuration(theme)}
