"""Faulty files among sound ones: reading goes on after each, so that all of them are known at the end.

A reader of a folder reads each file in `faults.found()`. Whoever needs everything calls `raise_first`; `assay data
check` reports all errors, and checks what the sound files contain.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from assay.data.text_files import explaining_cut_off_files
from assay.errors import InputError, OutOfMemoryError
from assay.types.note import plural

__all__ = ["Faults"]


class Faults:
    """The errors of the faulty files."""

    def __init__(self) -> None:
        self.errors: list[InputError] = []

    @contextmanager
    def found(self) -> Iterator[None]:
        """Remember an error instead of raising it."""
        try:
            with explaining_cut_off_files():
                yield
        except OutOfMemoryError:  # not the fault of a file
            raise
        except InputError as error:
            self.errors.append(error)

    def raise_first(self, path: str) -> None:
        """Raise the first error, if there is one; its hint says how to see the others. `path` was read."""
        if not self.errors:
            return
        first, others = self.errors[0], len(self.errors) - 1
        if others:
            more = f"assay data check {path} lists {plural(others, 'more error')}"
            first.hint = "; ".join(filter(None, (first.hint, more)))
        raise first
