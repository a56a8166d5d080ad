from __future__ import annotations

import pytest

from assay.reports.html.drawing import drawing

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


def test_only_drawings_are_let_through():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><g style="x" onclick="x" id="a"><text>{}</text></g></svg>'
    assert str(drawing(svg.format("a &lt; b"))).count("<") == 6
    assert "style" not in drawing(svg)
    assert "onclick" not in drawing(svg)
    with pytest.raises(ValueError, match="script"):
        drawing(svg.format("<script>x</script>"))


def test_what_a_mark_says_is_its_tooltip():
    drawn = drawing(SVG.format('<path aria-label="a &lt; b" d="M1,1"/>'))
    assert "<title>a &lt; b</title>" in drawn
    assert "aria-label" not in drawn


def test_dots_are_circles_and_a_group_says_once_what_they_share():
    dot = 'd="M2.346,0A2.346,2.346,0,1,1,-2.346,0A2.346,2.346,0,1,1,2.346,0" fill="red" opacity="0.5"'
    dots = "".join(f'<path transform="translate({x},10.26)" {dot}/>' for x in (1.04, 2))
    drawn = drawing(SVG.format(f"<g>{dots}</g>"))
    circles = "".join(f'<circle cx="{x}" cy="10.3" r="2.3" />' for x in (1, 2))
    assert drawn.endswith(f'<g fill="red" fill-opacity="0.5">{circles}</g></svg>')


def test_frames_without_a_size_are_left_out():
    assert "<path" not in drawing(SVG.format('<g><path d="M0,0h0v0h0Z"/><path d="" display="none"/></g>'))
