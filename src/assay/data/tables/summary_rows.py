"""Rows below or among those of segments and systems that sum them up, such as a row of means.

Such a row is left out, with a note: read as a segment or a system, it would count like all others. It is called by its
label, `mean` or `25%`; or, in a table of nothing but scores, the last row has the mean of every column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from assay.data.tables.headers import FIELD_OF_ALIAS, LABELS, is_known, word_of
from assay.data.tables.numbers import score_of
from assay.data.tables.roles import SAMPLE, is_number
from assay.data.tables.row_numbers import may_number_rows
from assay.errors import printable
from assay.types import Note, NoteKind
from assay.types.note import listed, plural

__all__ = ["SummaryRows"]

_Record = tuple[int, Sequence[object]]

_SUMMARY = re.compile(
    r"means?|total|(macro[ _-]?)?(average|avg)\.?|median|sum|std\.?|stdev|std_?dev|sd|count|min|max|[0-9]{1,2}%",
    re.IGNORECASE,
)
_LONGEST = 13  # characters of such a label
_MIN_ROWS = 10  # above means without a label
_MAX_DECIMALS = 9
_MIN_DECIMALS = 6  # of all such means together: fewer may be equal by chance


class SummaryRows:
    """The records without those that sum up others."""

    def __init__(self, names: Sequence[str], records: Iterable[_Record], path: str) -> None:
        self._names, self._path = names, path
        self._sample = list(islice(remaining := iter(records), SAMPLE))
        self._remaining = remaining
        self._found: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[_Record]:
        fields = {i: FIELD_OF_ALIAS.get(word_of(name)) for i, name in enumerate(self._names) if ":" not in name}
        labels = [i for i, field in fields.items() if field in LABELS]
        keys = [i for i in labels if fields[i] in ("system", "segment")]
        keys += [i for i, name in enumerate(self._names) if may_number_rows(name, i)]
        keys += [0] if self._names and not is_known(self._names[0]) and 0 not in keys else []
        last: _Record | None = None
        means = None if labels else _Means(len(self._names))
        for line, record in self._records():
            label = next((str(record[i]).strip() for i in keys if _is_summary(record[i])), None)
            if label is not None and self._has_numbers_only(record, {*labels, *keys}):
                self._found.append((line, label))
                continue
            if last is not None:
                yield last
                if means is not None:
                    means.add(last[1])
            last = line, record
        if last is not None and means is not None and means.are(last[1]):
            self._found.append((last[0], "means"))
        elif last is not None:
            yield last

    def _records(self) -> Iterator[_Record]:
        yield from self._sample
        yield from self._remaining

    def _has_numbers_only(self, record: Sequence[object], labels: set[int]) -> bool:
        others = [value for i, value in enumerate(record) if i not in labels and value not in (None, "")]
        return bool(others) and all(map(is_number, others))

    def notes(self) -> Iterator[Note]:
        """A note on the rows that were left out, once all have been read."""
        if self._found:
            names = listed(dict.fromkeys(printable(label) for _, label in self._found), 8)
            rows = f"{plural(len(self._found), 'row')} left out, from line {self._found[0][0]}"
            text = f"{rows}: not of segments or systems, but what sums them up ({names})"
            yield Note(NoteKind.EXCLUDED, text, self._path, len(self._found))


def _is_summary(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST and _SUMMARY.fullmatch(value.strip()) is not None


class _Means:
    """The means of columns of numbers; nothing of a table that has anything else."""

    def __init__(self, columns: int) -> None:
        self._columns: list[list[float]] = [[] for _ in range(columns)]

    def add(self, record: Sequence[object]) -> None:
        """Add a row."""
        for column, value in zip(self._columns, record, strict=bool(self._columns)):
            if is_number(value):
                column.append(_float(value))
            elif value not in (None, ""):
                self._columns = []
                return

    def are(self, record: Sequence[object]) -> bool:
        """Whether a row has the mean of each column, as it is written, and by no chance."""
        if not self._columns or min(map(len, self._columns)) < _MIN_ROWS or not all(map(is_number, record)):
            return False
        decimals = 0
        for column, value in zip(self._columns, record, strict=True):
            digits = _decimals(value)
            mean = math.fsum(column) / len(column)
            if min(column) == max(column) or not abs(mean - _float(value)) <= 0.6 * 10.0**-digits:
                return False
            decimals += digits
        return decimals >= _MIN_DECIMALS


def _float(value: object) -> float:
    return score_of(value.replace(",", ".", 1) if isinstance(value, str) else value, path="")


def _decimals(value: object) -> int:
    """The decimals of a number as it is written, but not more than can be relied on."""
    text = str(value).strip().replace(",", ".").lower()
    return _MAX_DECIMALS if "e" in text else min(len(text.partition(".")[2]), _MAX_DECIMALS)
