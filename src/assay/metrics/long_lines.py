"""Lines that are too long for a metric whose time or memory grows with the square of their length."""

from __future__ import annotations

import os
from collections.abc import Iterable

from assay import _core
from assay.errors import ConfigError, SegmentError

__all__ = ["MAX_CELLS", "MAX_CELLS_VARIABLE", "max_cells", "too_long"]

MAX_CELLS = 10**12
"""The most cells of the edit-distance table of one line: two lines of a million characters with nothing in common."""

MAX_CELLS_VARIABLE = "ASSAY_MAX_EDIT_CELLS"
"""The environment variable that sets another limit."""


def max_cells() -> int:
    """The limit for an output and a reference."""
    text = os.environ.get(MAX_CELLS_VARIABLE, "")
    if not text:
        return MAX_CELLS
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise ConfigError(f"{MAX_CELLS_VARIABLE} must be a positive integer below 2^63, not '{text}'")
    return int(text)


def too_long(
    error: _core.TooLongError,
    metric: str,
    systems: Iterable[str],
    references: Iterable[str],
    *,
    unit: str = "words",
    reference_unit: str = "",
    because: str = "",
    is_adjustable: bool = True,
) -> SegmentError:
    """What the core says of an output and a reference. `is_adjustable`: `max_cells` is the limit."""
    reference, system, segment, reference_length, output_length = error.args
    limit = f"; to compute it nevertheless, set the environment variable {MAX_CELLS_VARIABLE} above {max_cells()}"
    return SegmentError(
        segment,
        f"is too long for {metric}: {output_length:,} {unit} of the system '{list(systems)[system]}' and "
        f"{reference_length:,} {reference_unit}of the reference '{list(references)[reference]}'{because}",
        hint="is a line break missing? Split the text into segments" + (limit if is_adjustable else ""),
    )
