"""Faulty files among sound ones: reading goes on after each, so that all of them are known at the end.

A reader of a folder reads each file in `faults.found()`, and each table of scores or judgements in
`faults.in_table()`: the rest of the folder can be used without a table, but not without a text. Whoever needs the
contents calls `settled`; `assay data check` reports all errors, and checks what the sound files contain.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NoReturn

from assay.data.text_files import explaining_cut_off_files
from assay.errors import InputError, OutOfMemoryError
from assay.types import Campaign, Note, NoteKind
from assay.types.note import plural

__all__ = ["Faults", "error_note"]


class Faults:
    """The errors of the faulty files: of those that everything else depends on, and of single tables."""

    def __init__(self) -> None:
        self.errors: list[InputError] = []
        self.of_tables: list[InputError] = []

    def found(self) -> AbstractContextManager[None]:
        """Remember an error instead of raising it."""
        return self._remembered(self.errors)

    def in_table(self) -> AbstractContextManager[None]:
        """As `found`, in a table of scores or judgements."""
        return self._remembered(self.of_tables)

    @contextmanager
    def _remembered(self, errors: list[InputError]) -> Iterator[None]:
        try:
            with explaining_cut_off_files():
                yield
        except OutOfMemoryError:  # not the fault of a file
            raise
        except InputError as error:
            errors.append(error)

    @property
    def all_errors(self) -> list[InputError]:
        """Those of tables last."""
        return [*self.errors, *self.of_tables]

    def settled(self, campaign: Campaign, path: str) -> Campaign:
        """What was read from `path`, with a note on each table that was not; strict reading refuses these notes.

        The first error is raised if it is of a text, or if nothing could be read.
        """
        self.raise_first(path)
        if not self.of_tables:
            return campaign
        if campaign.testset is None and not campaign.scores and not campaign.judged_or_predicted:
            self._raise_first_of(self.of_tables, path)
        return campaign.with_notes(map(_unread, self.of_tables))

    def raise_first(self, path: str) -> None:
        """Raise the first error that is not of a table, if there is one. `path` was read."""
        if self.errors:
            self._raise_first_of(self.all_errors, path)

    def _raise_first_of(self, errors: list[InputError], path: str) -> NoReturn:
        """Raise the first error; its hint says how to see the others."""
        first, others = errors[0], len(errors) - 1
        if others:
            more = f"assay data check {path} lists {plural(others, 'more error')}"
            first.hint = "; ".join(filter(None, (first.hint, more)))
        raise first


def error_note(error: InputError, where: str) -> Note:
    """The error as a finding; `where` it was found if it does not say so."""
    origin = error.path or where
    return Note(NoteKind.UNREAD, error.problem, origin, severity="error", line=error.line, hint=error.hint)


def _unread(error: InputError) -> Note:
    place = f"{error.path}, line {error.line}" if error.line is not None else error.path or ""
    hint = f" ({error.hint})" if error.hint else ""
    return Note(NoteKind.SKIPPED, f"not read, unlike the other files: {error.problem}{hint}", place, severity="warning")
