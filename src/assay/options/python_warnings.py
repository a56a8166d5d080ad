"""Warnings in Python: each once, at the line that called Assay. The command line prints notes instead."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from assay.errors import AssayWarning, printable

__all__ = ["inside_call", "warn"]

_is_inside: ContextVar[bool] = ContextVar("_is_inside", default=False)


@contextmanager
def inside_call() -> Iterator[bool]:
    """While a public function or a command runs. Yields whether no other one runs around it.

    Only the outermost one warns: what it calls would warn of the same things again.
    """
    is_outermost = not _is_inside.get()
    token = _is_inside.set(True)
    try:
        yield is_outermost
    finally:
        _is_inside.reset(token)


def warn(text: str) -> None:
    """Warn at the line outside of Assay that called it."""
    warnings.warn(printable(text), AssayWarning, stacklevel=_callers_level())


def _callers_level() -> int:
    """The `stacklevel` in `warn` of the frame that called the outermost function of Assay."""
    frame, level, outermost = sys._getframe(1), 1, 1
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] == "assay":
            outermost = level
        frame, level = frame.f_back, level + 1  # type: ignore[assignment]
    return outermost + 1
