"""Precision and recall of n-grams of one order, from options of chrF; other features that BEER has (docs/guide)."""

from __future__ import annotations

from collections import Counter

import pytest

from assay import load, score

OUTPUT, REFERENCE = "the cat sat on a mat today", "a cat sat on the mats"


def segment(spec):
    return score(load(outputs={"x": [OUTPUT]}, references=[REFERENCE]), spec, resamples=0)[spec].segments["x"][0]


def shares(units, n):
    """Precision and recall of n-grams, in per cent."""
    sides = map(units, (OUTPUT, REFERENCE))
    output, reference = (Counter(tuple(side[i : i + n]) for i in range(len(side) - n + 1)) for side in sides)
    common = (output & reference).total()
    return 100 * common / output.total(), 100 * common / reference.total()


@pytest.mark.parametrize(
    ("kind", "units"),
    [("char_order={}", lambda text: text.replace(" ", "")), ("char_order=0,word_order={}", str.split)],
)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_shares_of_one_order(kind, units, n):
    """chrF averages over orders, and a beta close to 0 leaves precision only, a large one recall."""
    for beta, share in zip(("1e-6", "1e6"), shares(units, n), strict=True):
        up_to, before = (segment(f"chrf:{kind.format(order)},beta={beta}") for order in (n, n - 1))
        assert n * up_to - (n - 1) * before == pytest.approx(share, abs=1e-6)


def test_lengths_and_positions():
    """The factors of LEPOR on their own."""
    spec = "hlepor:weights={}"
    found = score(load(outputs={"x": [OUTPUT]}, references=[REFERENCE]), "hlepor", resamples=0)["hlepor"]
    length, position, _, _ = found.statistics.table[0, 0]
    assert segment(spec.format("1:0:0")) == pytest.approx(length)
    assert segment(spec.format("0:1:0")) == pytest.approx(position)
