"""The SVG of a chart, made ready for the page: only what is drawn, in few bytes, with texts for readers who point.

The page allows no inline style, and a chart needs no link, image or script. What a mark says (`aria-label`) becomes its
tooltip (`title`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["drawing"]

_SVG = "http://www.w3.org/2000/svg"
_DRAWN = {"svg", "g", "path", "line", "rect", "circle", "text", "tspan", "defs", "clipPath", "linearGradient", "stop"}
_DROPPED = {"style", "class", "aria-roledescription", "role", "version", "xmlns:xlink", "pointer-events"}
_INHERITED = ("fill", "stroke", "stroke-width", "font-family", "font-size", "text-anchor", "fill-opacity")
_DEFAULTS = {"opacity": "1", "stroke-miterlimit": "10"}
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_CIRCLE = re.compile(r"M([\d.]+),0A\1,\1,0,1,1,-\1,0A\1,\1,0,1,1,\1,0")
_MOVED = re.compile(r"translate\((-?[\d.]+),(-?[\d.]+)\)")


def drawing(svg: str) -> Markup:
    """The drawing alone."""
    from markupsafe import Markup

    ElementTree.register_namespace("", _SVG)
    root = ElementTree.fromstring(svg)  # noqa: S314 - written by the chart library a moment ago
    for element in root.iter():
        _check(element)
        _shorten(element)
    _remove_invisible(root)
    _set_titles(root)
    _share_attributes(root)
    return Markup(ElementTree.tostring(root, encoding="unicode"))  # noqa: S704 - only drawing elements are left


def _tag(element: Element) -> str:
    return element.tag.removeprefix(f"{{{_SVG}}}")


def _check(element: Element) -> None:
    if _tag(element) not in _DRAWN:
        raise ValueError(f"a chart contains the element {_tag(element)}")
    for name in [*element.attrib]:
        is_default = _DEFAULTS.get(name) == element.get(name)
        if name in _DROPPED or is_default or name.startswith("on") or "href" in name:
            del element.attrib[name]


def _shorten(element: Element) -> None:
    """Round positions to a tenth of a px, and write dots as circles."""
    for name in ("transform", "d", "x", "y", "x2", "y2", "width", "height"):
        if (value := element.get(name)) is not None:
            element.set(name, _NUMBER.sub(lambda found: f"{round(float(found[0]), 1):g}", value))
    circle = _CIRCLE.fullmatch(element.get("d", ""))
    moved = _MOVED.fullmatch(element.get("transform", ""))
    if _tag(element) == "path" and circle and moved:
        del element.attrib["d"], element.attrib["transform"]
        element.tag = f"{{{_SVG}}}circle"
        element.attrib.update({"cx": moved[1], "cy": moved[2], "r": circle[1]})
        if "stroke" not in element.attrib and "opacity" in element.attrib:
            element.set("fill-opacity", element.attrib.pop("opacity"))


def _remove_invisible(element: Element) -> None:
    """Vega draws frames of no size around all that belongs together."""
    for child in [*element]:
        _remove_invisible(child)
        has_no_size = child.get("display") == "none" or child.get("d", "").startswith("M0,0h0v0")
        is_empty = _tag(child) == "g" and not len(child)
        if is_empty or (_tag(child) == "path" and has_no_size):
            element.remove(child)


def _set_titles(root: Element) -> None:
    for element in [*root.iter()]:
        label = element.attrib.pop("aria-label", None)
        if label and _tag(element) not in ("svg", "g"):
            title = Element(f"{{{_SVG}}}title")
            title.text = label
            element.insert(0, title)


def _share_attributes(element: Element) -> None:
    """Say once on a group what all of its members say."""
    for child in element:
        _share_attributes(child)
    if _tag(element) != "g" or len(element) < 2:
        return
    for name in _INHERITED:
        values = {child.get(name) for child in element}
        if len(values) == 1 and None not in values and name not in element.attrib:
            element.set(name, values.pop() or "")
            for child in element:
                del child.attrib[name]
