"""What can go wrong, as one tree. Every error says what, where, why and what to do.

AssayError
├── InputError          the data given (exit 3)
│   ├── DecodeError         bytes that are not UTF-8 text
│   ├── AlignmentError      columns that do not belong together: lengths, shapes
│   ├── NameClashError      two things with one name
│   ├── UnsafeNameError     a name that cannot be shown or stored safely
│   ├── EmptyInputError     nothing to score
│   ├── DataError           errors that a check of the data found
│   ├── FetchError          data that cannot be downloaded or put in place
│   │   ├── ChecksumError       … because it is not what it was
│   │   └── ArchiveError        … because the archive is damaged or unsafe
│   └── StoreError          a saved run that cannot be written or read
│       └── CorruptError        … because it is not as it was written
├── ConfigError         what was asked for: unknown name, wrong option (exit 2)
│   └── UnknownNameError    a name that is not there; also a KeyError
├── MissingExtraError   an optional package or file is not in place (exit 4)
├── PluginError         a metric that breaks the contract (exit 1)
└── ConditionMet        what `--fail-if` was asked to fail for (exit 5)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

__all__ = [
    "AlignmentError",
    "ArchiveError",
    "AssayError",
    "ChecksumError",
    "ConditionMet",
    "ConfigError",
    "CorruptError",
    "DataError",
    "DecodeError",
    "EmptyInputError",
    "FetchError",
    "InputError",
    "MissingExtraError",
    "NameClashError",
    "PluginError",
    "StoreError",
    "UnknownNameError",
    "UnsafeNameError",
    "nearest",
    "printable",
]


class AssayError(Exception):
    """Base of all errors Assay raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n{self.hint}"


class InputError(AssayError):
    """The data given cannot be used; `path` and `line` say where, if known."""

    exit_code = 3

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, hint: str | None = None
    ) -> None:
        shown = None if path is None else printable(path)
        place = "" if shown is None else f"{shown}: " if line is None else f"{shown}, line {line}: "
        super().__init__(place + message, hint=hint)
        self.path = path
        self.line = line


class DecodeError(InputError):
    """Bytes that are not UTF-8, or characters that are not text."""


class AlignmentError(InputError):
    """Columns of different length or of the wrong shape."""


class NameClashError(InputError):
    """Two systems or references with one name."""


class UnsafeNameError(InputError):
    """A name that cannot be shown or stored safely."""


class EmptyInputError(InputError):
    """Nothing to score."""


class FetchError(InputError):
    """Data that cannot be downloaded, unpacked or put in place."""


class ChecksumError(FetchError):
    """A file whose digest is not the one it should have."""


class ArchiveError(FetchError):
    """An archive that is damaged, or that holds what no archive of data needs."""


class DataError(InputError):
    """A check of the data found errors."""


class StoreError(InputError):
    """A saved run that cannot be written or read."""


class CorruptError(StoreError):
    """A saved run that is not as it was written."""


class ConfigError(AssayError):
    """An unknown name or a value that an option does not take."""

    exit_code = 2


class UnknownNameError(ConfigError, KeyError):
    """A system or metric that is not among the results; a mapping's look-up raises it."""


class MissingExtraError(AssayError):
    """An optional package, model or file that has to be installed or put in place first."""

    exit_code = 4


class PluginError(AssayError):
    """A metric, statistic or other plug-in that does not keep its contract."""


class ConditionMet(AssayError):
    """Not an error of anybody's: a condition that the caller wanted to fail for is true."""

    exit_code = 5


def nearest(name: str, known: Iterable[str]) -> str:
    """'Did you mean …?' for a misspelt name, else the list of what there is."""
    import difflib  # slow to import, and only needed when something went wrong

    names = sorted(known, key=str.swapcase)  # capitals last
    folded = {other.casefold(): other for other in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{folded[close[0]]}'?"
    return f"there is: {', '.join(names)}" if names else "there is none"


def printable(text: str) -> str:
    """A name or path as one line that is safe to show: control characters and stray bytes are escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
