"""The test sets of a folder that a paper needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import assay
from assay.results import Estimate
from assay.runtime import Runtime

__all__ = ["find_test_sets", "load_test_sets", "no_data"]


def find_test_sets(data: Path, names: Sequence[str]) -> list[str]:
    """Those of the names that are folders in `data`."""
    return [name for name in names if (data / name).is_dir()]


def load_test_sets(data: Path, names: Sequence[str], runtime: Runtime, *, lps: str = "*") -> list[assay.Campaign]:
    """All language pairs of the test sets that are in the folder, or those that `lps` names; an error if none is."""
    found = find_test_sets(data, names)
    if not found:
        wanted = names[0] if len(names) == 1 else f"any of {', '.join(names)}"
        raise assay.errors.InputError(
            f"contains no folder {wanted}",
            path=str(data),
            hint=f"data is the folder that contains the test sets, e.g. {names[-1]}",
        )
    return [each for name in found for each in assay.load_campaigns(data / name, lps=lps, runtime=runtime)]


def no_data(reason: str) -> Estimate:
    """A number that cannot be computed."""
    return Estimate(math.nan, 0, reason=reason)
