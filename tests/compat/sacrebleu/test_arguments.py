"""Options of metrics, checked."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from assay.compat.sacrebleu.arguments import check_integer, check_number, in_range
from assay.compat.sacrebleu.errors import ArgumentTypeError, ArgumentValueError


@pytest.mark.parametrize("value", [3, True, np.int64(3), np.uint8(3)])
def test_integers(value):
    check_integer("order", value)
    check_number("beta", value)


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), Fraction(1, 2)])
def test_numbers(value):
    check_number("beta", value)
    with pytest.raises(ArgumentTypeError, match="order must be an integer, not"):
        check_integer("order", value)


@pytest.mark.parametrize("value", ["6", None, [6], 1j])
def test_other_types(value):
    with pytest.raises(ArgumentTypeError, match="order must be an integer, not"):
        check_integer("order", value)
    with pytest.raises(ArgumentTypeError, match="beta must be a number, not"):
        check_number("beta", value)


def test_out_of_range():
    assert in_range(lambda: int("3")) == 3
    with pytest.raises(ArgumentValueError, match="invalid literal"):
        in_range(lambda: int("x"))
