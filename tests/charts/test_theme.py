from __future__ import annotations

import pytest

from assay.charts.theme import THEMES, colour, configuration
from assay.errors import ConfigError


def _luminance(code):
    """WCAG 2.1."""
    channels = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one, other):
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("role", ["ink", "muted", "first", "second", "outlier", "green", "gold"])
def test_texts_and_marks_can_be_read(theme, role):
    assert _contrast(THEMES[theme][role], THEMES[theme]["paper"]) >= 4.5


def test_all_themes_have_all_roles():
    assert len({tuple(colours) for colours in THEMES.values()}) == 1
    assert {each["name"] for each in configuration("page")["params"]} == set(THEMES["light"])


def test_unknown_names():
    with pytest.raises(ConfigError, match="unknown theme 'lite'"):
        configuration("lite")
    with pytest.raises(ConfigError, match="no colour has the role 'red'"):
        colour("red")
