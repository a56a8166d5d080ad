from __future__ import annotations

import math

import pytest

from assay.reports.html.verdict.statement import Name, Verdict, signed, sized


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.25, "+1.2"), (-1.2, "−1.2"), (0.0, "+0.0"), (0.04, "+0.04"), (0.0031, "+0.003"), (math.nan, "undefined")],
)
def test_differences_have_a_sign_and_enough_decimals(value, text):
    assert signed(value) == text
    assert sized(value) == text.lstrip("+−")


def test_a_verdict_as_plain_text():
    assert Verdict((("No ", Name("a", "a"), "."), ("None.",))).text == "No a. None."
