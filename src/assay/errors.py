"""The exception hierarchy. Every message says what is wrong and where; a hint says what to do.

A message names an option with `option_name("all_pairs")`, which is spelled as a keyword argument (`all_pairs`) in
Python and as a flag (`--all-pairs`) on the command line.

AssayError
├── InputError          the data cannot be used, or a file cannot be read or written (exit 3)
│   ├── DecodeError         bytes that are not UTF-8 text
│   ├── AlignmentError      columns of different lengths or of the wrong shape
│   ├── NameClashError      two things with the same name
│   ├── UnsafeNameError     a name that cannot be shown or stored safely
│   ├── EmptyInputError     no segments, no judgements, no scores
│   ├── SegmentError        a segment that cannot be scored
│   │   └── AnnotationError     … because its annotation is faulty
│   ├── DataError           `assay data check` found errors
│   ├── OutOfMemoryError    too much data for the memory of this machine; also a MemoryError
│   ├── ServerError         a server that does not answer, or not as it should
│   ├── FetchError          data that cannot be downloaded, unpacked or stored
│   │   ├── ChecksumError       … because its checksum is wrong
│   │   └── ArchiveError        … because the archive is damaged or unsafe
│   └── StoreError          a saved result that cannot be written or read
│       └── CorruptError        … because it has changed since it was saved
├── ConfigError         an unknown name or a wrong option (exit 2)
│   ├── BudgetError         requests that would cost more than the budget
│   └── UnknownNameError    a name that does not exist; also a KeyError
├── MissingExtraError   an optional package or file is not installed (exit 4)
├── PluginError         a plug-in that breaks its contract (exit 1)
└── ConditionMet        the condition of `--fail-if` is true (exit 5)

AssayWarning            data or numbers are doubtful; a UserWarning, not an error
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import ClassVar

__all__ = [
    "AlignmentError",
    "AnnotationError",
    "ArchiveError",
    "AssayError",
    "AssayWarning",
    "BudgetError",
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
    "OutOfMemoryError",
    "PluginError",
    "SegmentError",
    "ServerError",
    "StoreError",
    "UnknownNameError",
    "UnsafeNameError",
    "installing",
    "most_similar",
    "nearest",
    "option_name",
    "printable",
    "set_spelling",
    "shortened",
    "spelled",
    "spelling",
    "spelling_options",
]

_OPTION = re.compile(r"\{option:(\w+)(?:=([^{}]*))?\}")
_MAX_SHOWN = 300  # characters of a path
_SIMILAR = 0.65  # between 0 and 1; lower values suggest names that have little in common
_LANGUAGE_PAIR = r"[A-Za-z]{2,3}(?:_[A-Za-z]+)?-[A-Za-z]{2,3}(?:_[A-Za-z]+)?"


class AssayError(Exception):
    """Base class of all errors that Assay raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = spelled(message)
        self.hint = None if hint is None else spelled(hint)
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n{self.hint}"


class AssayWarning(UserWarning):
    """Data or numbers are doubtful. Python shows it at the line that called Assay; the result has it as a note, too."""


def shortened(text: str) -> str:
    """Both ends of a long text, which was probably meant as something else than a name."""
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN // 2]}…{text[-_MAX_SHOWN // 2 :]}"


class InputError(AssayError):
    """The data cannot be used. `path` and `line` say where the problem is, if known, and `problem` what it is."""

    exit_code = 3

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, hint: str | None = None
    ) -> None:
        shown = None if path is None else printable(shortened(path))
        prefix = "" if shown is None else f"{shown}: " if line is None else f"{shown}, line {line}: "
        super().__init__(prefix + message, hint=hint)
        self.problem = spelled(message)
        self.path = path
        self.line = line


class SegmentError(InputError):
    """A segment (from 0) cannot be used, and `reason` says why: `is too long for wer`."""

    def __init__(self, segment: int, reason: str, *, hint: str | None = None) -> None:
        super().__init__(f"line {segment + 1} {reason}", line=segment + 1, hint=hint)
        self.segment = segment
        self.reason = reason

    def moved(self, segments: int) -> SegmentError:
        """The same error in a test set that has so many segments before those that were looked at."""
        return SegmentError(self.segment + segments, self.reason, hint=self.hint)


class AnnotationError(SegmentError):
    """A layer of a column has a faulty value in a segment (from 0), and `fault` says why: `'NN' is not a tag`."""

    def __init__(
        self, segment: int, fault: str, *, layer: str, column: str, value: str = "", hint: str | None = None
    ) -> None:
        super().__init__(segment, f"of '{column}' has a faulty annotation: {fault}", hint=hint)
        self.fault = fault
        self.layer = layer
        self.column = column
        self.value = value

    def moved(self, segments: int) -> AnnotationError:
        """The same error in a test set that has so many segments before those that were looked at."""
        return AnnotationError(
            self.segment + segments,
            self.fault,
            layer=self.layer,
            column=self.column,
            value=self.value,
            hint=self.hint,
        )


class DecodeError(InputError):
    """Bytes that are not UTF-8, or values that are not text."""


class AlignmentError(InputError):
    """Columns of different lengths or of the wrong shape."""


class NameClashError(InputError):
    """Two systems, references or metrics with the same name."""


class UnsafeNameError(InputError):
    """A name that cannot be shown or stored safely."""


class EmptyInputError(InputError):
    """There are no segments, judgements or scores to work with."""


class ServerError(InputError):
    """A server that does not answer, or not as it should."""


class FetchError(InputError):
    """Data that cannot be downloaded, unpacked or stored."""


class ChecksumError(FetchError):
    """A file whose checksum is not the expected one."""


class ArchiveError(FetchError):
    """An archive that is damaged, or that contains something unsafe."""


class DataError(InputError):
    """`assay data check` found errors."""


class OutOfMemoryError(InputError, MemoryError):
    """Too much data for the memory of this machine. `task` says what needed the memory."""

    def __init__(self, task: str, cause: MemoryError | None = None, *, hint: str | None = None) -> None:
        detail = str(cause or "").strip().rstrip(".")
        known = f": {detail[:1].lower()}{detail[1:]}" if detail and detail != "std::bad_alloc" else ""
        default = "use fewer systems, references or segments at a time, or a machine with more memory"
        super().__init__(f"not enough memory for {task}{known}", hint=hint or default)


class StoreError(InputError):
    """A saved result that cannot be written or read."""


class CorruptError(StoreError):
    """A saved result that has changed since it was saved."""


class ConfigError(AssayError):
    """An unknown name, a value that an option does not accept, or options that do not go together."""

    exit_code = 2


class BudgetError(ConfigError):
    """Requests that would cost more than the budget. What is paid for is kept."""


class UnknownNameError(ConfigError, KeyError):
    """The name of a system, metric etc. that does not exist. Also a `KeyError`, so that mappings can raise it."""


class MissingExtraError(AssayError):
    """An optional package, model or file that has to be installed first."""

    exit_code = 4


def installing(extra: str) -> str:
    """How to install an extra. It is not on PyPI, where the name `assay` belongs to another project."""
    return f'pip install ".[{extra}]" in the folder of Assay'


class PluginError(AssayError):
    """A metric, statistic or other plug-in that breaks its contract."""


class ConditionMet(AssayError):
    """A condition that the user set with `--fail-if` is true. Nothing went wrong."""

    exit_code = 5


def option_name(name: str, value: object = None) -> str:
    """An option in a message, with a value if it is an example. Errors spell it for whoever reads them."""
    return f"{{option:{name}}}" if value is None else f"{{option:{name}={value}}}"


def spelled(text: str) -> str:
    """A text with its options as the user writes them."""
    return _OPTION.sub(lambda match: _spell(match[1], match[2]), text)


@contextmanager
def spelling_options(spell: Callable[[str, str | None], str]) -> Iterator[None]:
    """Spell options in another way, from their name and value: the command line does so while a command runs."""
    previous = spelling()
    set_spelling(spell)
    try:
        yield
    finally:
        set_spelling(previous)


def spelling() -> Callable[[str, str | None], str]:
    """How options are spelled now, for other processes."""
    return _spell


def set_spelling(spell: Callable[[str, str | None], str]) -> None:
    """Spell options in another way in this process."""
    global _spell
    _spell = spell


def _as_keyword(name: str, value: str | None) -> str:
    if value is None:
        return name
    is_literal = re.fullmatch(r"True|False|…|[-+]?[\d.]+", value) is not None
    return f"{name}={value}" if is_literal else f'{name}="{value}"'


_spell: Callable[[str, str | None], str] = _as_keyword


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint for an unknown name: the most similar known name, else all of them.

    Among language pairs, that is the same pair with or without a region, or the reversed pair, before any other.
    """
    names = sorted(known, key=str.swapcase)  # capitals last
    if not isinstance(name, str):  # from Python, e.g. an index
        return f"give a name: {', '.join(names)}"
    is_pair = all(re.fullmatch(_LANGUAGE_PAIR, one) for one in (name, *names))
    close = _closest_pair(name, names) if is_pair else most_similar(name, names)
    if close is not None:
        return f"did you mean '{close}'?"
    return f"available: {', '.join(names)}" if names else "none is available"


def most_similar(name: str, names: Iterable[str]) -> str | None:
    """The name that this one is probably a misspelling of; None if no name is similar."""
    import difflib  # slow to import, and only needed when something went wrong

    folded = {other.casefold(): other for other in names}
    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=_SIMILAR)
    return folded[close[0]] if close else None


def _closest_pair(name: str, names: list[str]) -> str | None:
    """The most similar language pair. Both languages must be similar: most pairs differ by two letters or less."""
    pair = _languages(name)
    for wanted in (pair, pair[::-1]):
        for other in names:
            if _languages(other) == wanted:
                return other
    similar = [
        other for other in names if all(most_similar(a, [b]) for a, b in zip(pair, _languages(other), strict=True))
    ]
    return most_similar(name, similar)


def _languages(pair: str) -> tuple[str, ...]:
    """The codes of the two languages, without regions."""
    return tuple(code.partition("_")[0] for code in pair.casefold().split("-"))


def printable(text: str) -> str:
    """A name or path that is safe to print: control characters and undecodable bytes are escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
