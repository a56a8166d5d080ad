"""How many segments the test sets have that the bundled calibration was fitted on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from assay.calibration.files import BUNDLED

__all__ = ["SIZES_FILE", "smallest_test_set"]

SIZES_FILE = f"{BUNDLED}-sizes.json"


def smallest_test_set(lps: Mapping[str, Iterable[str]]) -> int | None:
    """The segments of the smallest test set of these language pairs of campaigns; None if no size is known."""
    known = _sizes()
    sizes = [known[campaign][lp] for campaign, names in lps.items() for lp in names if lp in known.get(campaign, {})]
    return min(sizes, default=None)


@cache
def _sizes() -> Mapping[str, Mapping[str, int]]:
    path = resources.files("assay.calibration") / "bundled" / SIZES_FILE
    sizes: dict[str, dict[str, int]] = json.loads(path.read_text(encoding="utf-8"))
    return sizes
