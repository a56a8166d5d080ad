from __future__ import annotations

import math

import pytest

from assay.errors import ConfigError
from assay.options.checks import check_choice, check_integer, check_share, no_effect


def test_integers_within_bounds():
    check_integer("resamples", 1, 1, 5)
    for value in (0, 6, 1.0, True, "2"):
        with pytest.raises(ConfigError, match=f"resamples must be an integer between 1 and 5, not {value}"):
            check_integer("resamples", value, 1, 5)


def test_shares_lie_between_0_and_1():
    check_share("alpha", 0.05)
    for value in (0, 1, -0.5, 95, math.nan, True, "0.5", None):
        with pytest.raises(ConfigError, match=f"alpha must be between 0 and 1, not {value!r}"):
            check_share("alpha", value)


def test_choices_name_the_nearest():
    check_choice("unit", "segment", ("segment", "document"))
    with pytest.raises(ConfigError, match="unknown unit 'documnt'") as caught:
        check_choice("unit", "documnt", ("segment", "document"))
    assert "document" in caught.value.hint


def test_options_without_an_effect():
    assert str(no_effect("seed", "nothing is drawn").message) == "seed has no effect"
    error = no_effect("method", "only rankings need a method", "mqm")
    assert (error.message, error.hint) == ("method has no effect on 'mqm'", "only rankings need a method")
