"""Rows and columns with labels, as JSON has them: an object of objects, of which one side are the columns.

Names decide which: a metric, such as COMET, or `source` is the name of a column, and the labels of the rows are then
systems, or the segments of texts. Numbers are labels of rows, and count segments. If names do not decide, the table is
refused, because its transpose means something else.

An object of lists of records is a system for each list, if the records say that they are about one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.data.tables.headers import FIELD_OF_ALIAS, is_known, word_of
from assay.data.tables.roles import names_metric
from assay.data.tables.row_numbers import are_in_order, may_number_rows
from assay.errors import InputError, printable
from assay.types.language_codes import is_language_pair
from assay.types.note import listed, plural

__all__ = ["refuse_several_labels", "rows_of_objects", "rows_of_systems", "rows_with_labels"]

_Row = dict[str, Any]

_PARTS = re.compile(r"(train|test|dev|valid|validation|eval|devtest|all|dataset|set)([_-]?\d+)?", re.IGNORECASE)
_TUPLE = re.compile(r"\(.+, .+\)")
_RECORDS = 'write a list of records, e.g. [{"system": "SysA", "segment": 1, "COMET": 0.8}, …]'
_SHOWN = 4  # names in a message


def rows_of_objects(table: Mapping[str, Mapping[str, Any]], path: str) -> list[_Row]:
    """The rows of an object of objects, whichever side they are."""
    inner = list(dict.fromkeys(key for tree in table.values() for key in tree))
    is_transposed = _are_numbers(inner) and not _are_numbers(table)
    if not is_transposed and not _are_numbers(table):
        is_transposed = _are_columns(list(table), inner, path)
    if not is_transposed:
        return rows_with_labels(list(table), list(table.values()), path)
    rows = [{name: tree.get(key) for name, tree in table.items()} for key in inner]
    return rows_with_labels(inner, rows, path)


def rows_with_labels(labels: Sequence[object], rows: Sequence[Mapping[str, Any]], path: str) -> list[_Row]:
    """The rows with a column for their labels: the row number, if it tells an order, or a name."""
    refuse_several_labels(labels, path)
    names = dict.fromkeys(name for row in rows for name in row)
    texts = [str(label) for label in labels]
    if _are_numbers(texts):
        column = "index" if "index" not in names else ""
        has_order = are_in_order(list(map(int, texts)))
        return [dict(row) if has_order else {column: label, **row} for label, row in zip(texts, rows, strict=True)]
    if _are_columns(texts, list(names), path):  # metrics, with a column for each system
        if duplicate := next((label for i, label in enumerate(texts) if label in texts[:i]), None):
            raise InputError(f"two rows are called '{printable(duplicate)}'", path=path, hint=_RECORDS)
        columns = list(zip(texts, rows, strict=True))
        return rows_with_labels(list(names), [{key: row.get(name) for key, row in columns} for name in names], path)
    fields = {FIELD_OF_ALIAS.get(word_of(name)) for name in names}
    column = "segment" if fields & {"source", "reference", "system"} else "system"
    has_own = column in fields
    return [dict(row) if has_own else {column: label, **row} for label, row in zip(texts, rows, strict=True)]


def rows_of_systems(lists: Mapping[str, Sequence[Mapping[str, Any]]], path: str) -> list[_Row]:
    """The rows of an object of lists of records, each about the system it is named after."""
    keys = listed((f"'{printable(key)}'" for key in lists), _SHOWN)
    message = f"several lists of records: {keys}"
    names = dict.fromkeys(name for records in lists.values() for record in records for name in record)
    fields = {FIELD_OF_ALIAS.get(word_of(name)) for name in names}
    has_one_system = bool(fields & {"output"}) or any(word_of(name) == "score" or names_metric(name) for name in names)
    if not has_one_system or "system" in fields or any(map(_is_no_system, lists)):
        hint = "give one list, with the key 'system' in each record; or write each list to a file of its own"
        raise InputError(message, path=path, hint=hint)
    if "segment" in fields:
        return [{"system": key, **record} for key, records in lists.items() for record in records]
    sizes = [len(records) for records in lists.values()]
    if len(set(sizes)) > 1:
        counts = listed((f"'{printable(key)}' {len(records):,}" for key, records in lists.items()), _SHOWN)
        hint = "the lists of systems need a record for each segment, or the key 'segment' in each record"
        raise InputError(f"{message}, which are not equally long: {counts}", path=path, hint=hint)
    index = next((name for name in names if name.strip() and may_number_rows(name, 0)), None)
    return [
        {"system": key, "segment": record.get(index) if index else number, **record}
        for key, records in lists.items()
        for number, record in enumerate(records, 1)
    ]


def refuse_several_labels(labels: Iterable[object], path: str) -> None:
    """Refuse what pandas writes of an index with several levels."""
    several = [label for label in labels if not isinstance(label, str | int) or _TUPLE.fullmatch(str(label))]
    if several:
        labels = f"{plural(len(several), 'label')} of rows or columns"
        message = f"{labels} with several parts, such as {printable(str(several[0])[:40])}"
        hint = "write each part as a column: in pandas, call reset_index() before to_json()"
        raise InputError(message, path=path, hint=hint)


def _are_numbers(labels: Iterable[str]) -> bool:
    """Whether all labels are whole numbers."""
    return all(label.isascii() and label.isdigit() for label in labels)


def _is_column(name: str) -> bool:
    return is_known(name) or names_metric(name)


def _is_no_system(key: str) -> bool:
    return bool(_PARTS.fullmatch(key)) or is_language_pair(key) or _is_column(key)


def _are_columns(labels: Sequence[str], others: Sequence[str], path: str) -> bool:
    """Whether labels are the names of columns, and the others those of rows; an error if either may be."""
    refuse_several_labels((*labels, *others), path)
    ours, theirs = sum(map(_is_column, labels)), sum(map(_is_column, others))
    if bool(ours) != bool(theirs):
        return bool(ours)
    if (ours == len(labels)) != (theirs == len(others)):
        return ours == len(labels)
    message = (
        f"are {_some(labels)} rows and {_some(others)} columns, or the other way round? "
        f"{'Both' if ours else 'Neither'} have names of metrics"
    )
    raise InputError(message, path=path, hint=_RECORDS)


def _some(names: Sequence[str]) -> str:
    return listed((f"'{printable(name)}'" for name in names), 2)
