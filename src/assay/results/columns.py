"""What a column of a result is: declared once, read by files, tables, pages and papers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, Flag, StrEnum, auto
from typing import Any

from assay.results.estimate import Estimate
from assay.types.record import none_if_nan

__all__ = ["ESTIMATE_COLUMNS", "ResultColumn", "Shown", "Unit", "estimate_columns", "text_columns"]


class Unit(StrEnum):
    """What the values of a column are, and so how tables write them."""

    TEXT = "text"
    LIST = "list"
    """Several numbers in a text."""
    COUNT = "count"
    ORDINAL = "ordinal"
    """A whole number that counts nothing: a rank, a segment."""
    NUMBER = "number"
    SCORE = "score"
    """On the scale of a metric, which decides how many decimals are worth showing."""
    DIFFERENCE = "difference"
    """Between scores, with its sign."""
    P_VALUE = "p-value"
    RATE = "rate"
    """From 0 to 1."""
    SHARE = "share"
    """From 0 to 1; tables have per cent."""
    CHANGE = "change"
    """A difference as a share of a value, such as -0.031; tables have per cent, with the sign: -3.1."""


class Shown(Flag):
    """The forms that have a column. Pages and Markdown have the tables; JSON has the rows of files."""

    FILE = auto()
    TABLE = auto()
    DETAILS = auto()
    """Tables with all details."""
    PAPER = auto()


_UNITS: Mapping[type, Unit] = {str: Unit.TEXT, int: Unit.COUNT, float: Unit.NUMBER, bool: Unit.TEXT}


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of the rows of a result, and of the tables that list its records."""

    name: str
    """In files."""
    type: type = str
    """Of its values in files: str, int, float or bool. Any value may be missing."""
    read: str | Callable[[Any], Any] = ""
    """Where a record has the value: a path of attributes and keys, by default the name, or a function.

    An estimate gives its value to files, and its interval as well to tables."""
    label: str = ""
    """The title for people, in which `{word}` stands for a word of the table; by default the name."""
    short: str = ""
    """The title where a table is narrow, as in a paper."""
    unit: Unit | None = None
    direction: str = ""
    """Whether `higher` or `lower` values are better; empty: neither."""
    help: str = ""
    shown: Shown = Shown.FILE
    optional: bool = False
    """Whether files leave it out if it is empty, because only an option fills it."""
    bound: str = ""
    """Of p-values: the path of whether one is only an upper bound."""
    reason: str = ""
    """The path of why a value is missing; an estimate has its own."""

    @property
    def written_as(self) -> Unit:
        """The unit; by default what the type suggests."""
        return self.unit or _UNITS[self.type]

    @property
    def title(self) -> str:
        """The label, or the name in words."""
        return self.label or self.name.replace("_", " ")

    def value(self, record: Any) -> Any:
        """What a record has: a value, an estimate, or None."""
        return self.read(record) if callable(self.read) else look_up(record, self.read or self.name)

    def cell(self, record: Any) -> Any:
        """The value as files have it: None if it is missing or NaN, names in a text with spaces between them."""
        value = self.value(record)
        if isinstance(value, Estimate):
            value = value.value
        if isinstance(value, tuple):
            value = " ".join(value)
        if isinstance(value, float):
            return none_if_nan(value)
        if isinstance(value, Enum):
            return value.value
        return None if value == "" else value


def look_up(record: Any, path: str) -> Any:
    """The value at a path of attributes and keys; None where a part of it is missing."""
    for name in path.split("."):
        if isinstance(record, Mapping):
            record = record.get(name)
        elif record is not None:
            record = getattr(record, name)
    return record


def text_columns(names: Iterable[str], **same: Any) -> tuple[ResultColumn, ...]:
    """Columns of text, read by their names."""
    return tuple(ResultColumn(name, **same) for name in names)


ESTIMATE_COLUMNS = (
    ResultColumn("value", float, unit=Unit.SCORE, help="Missing if undefined."),
    ResultColumn("reason", help="Why the value or its interval is missing."),
    ResultColumn("low", float, unit=Unit.SCORE, help="The lower bound of the interval."),
    ResultColumn("high", float, unit=Unit.SCORE, help="The upper bound of the interval."),
    ResultColumn("standard_error", float),
    ResultColumn("standard_deviation", float, help="Of the values that were averaged."),
    ResultColumn("n", int, help="The number of observations."),
)
"""Those of an estimate that is the record itself."""


def estimate_columns(path: str, *, names: Iterable[str] = (), prefix: str = "") -> tuple[ResultColumn, ...]:
    """The columns of an estimate at a path of a record; all of them, or those with some names."""
    wanted = set(names) or {column.name for column in ESTIMATE_COLUMNS}
    return tuple(
        replace(column, name=f"{prefix}{column.name}", read=f"{path}.{column.name}")
        for column in ESTIMATE_COLUMNS
        if column.name in wanted
    )
