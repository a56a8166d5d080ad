"""Parquet, with columns named as in the other tables. Needs the extra `io`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any

from assay.data import CERTAIN, NO, POSSIBLE
from assay.data.formats import TableFormat, data_format, has_suffix
from assay.data.tables.collectors import check_cells
from assay.data.tables.headers import is_known
from assay.data.tables.long_table import long_table, write_packed
from assay.data.tables.nested import is_kept, records_of_objects
from assay.data.tables.schema import campaigns_of_table
from assay.data.text_files import read_bytes, shown_path
from assay.errors import DecodeError, InputError, MissingExtraError, NameClashError, installing, printable
from assay.types import Campaign
from assay.types.note import plural

__all__ = ["Parquet"]

_MAGIC = "PAR1"
_MAX_ROWS_PER_BYTE = 16  # a few bytes can claim any number of empty rows
_MAX_RATIO = 200  # unpacked bytes per byte of the file, …
_FREE_BYTES = 64 << 20  # … beyond this many bytes
_BATCH = 65_536


@data_format("parquet")
@dataclass(frozen=True)
class Parquet(TableFormat):
    """Null is a missing value; an empty text is an empty text."""

    suffixes = (".parquet",)

    def recognises(self, path: Path, head: str) -> int:
        if head.startswith(_MAGIC):
            return CERTAIN
        return POSSIBLE if has_suffix(path, self.suffixes) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        pyarrow = _pyarrow()
        raw, where = read_bytes(path), shown_path(path)
        with _readable(where):
            file = pyarrow.parquet.ParquetFile(io.BytesIO(raw))
            names, rows = list(file.schema_arrow.names), file.metadata.num_rows
            if duplicate := next((name for i, name in enumerate(names) if name in names[:i]), None):
                raise NameClashError(f"duplicate column '{printable(duplicate)}'", path=where)
            is_read = [_holds_values(each) for each in file.schema_arrow]
            size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        if rows > _MAX_ROWS_PER_BYTE * len(raw):
            raise InputError(f"invalid Parquet: {plural(rows, 'row')} in {len(raw):,} bytes", path=where)
        message = f"almost empty: {plural(len(names), 'column')} of {plural(rows, 'row')} in {len(raw):,} bytes"
        check_cells(len(names) * rows, len(raw), message, path=where)
        if size > max(_FREE_BYTES, _MAX_RATIO * len(raw)):
            raise InputError(f"it unpacks to more than {_MAX_RATIO} times its size", path=where)
        unread = [name for name, has_values in zip(names, is_read, strict=True) if not has_values]
        records: Iterable[tuple[int, Sequence[object]]] = _records(raw, names, unread, where)
        if any(pyarrow.types.is_struct(each.type) and not is_kept(each.name) for each in file.schema_arrow):
            objects = [(line, dict(zip(names, record, strict=True))) for line, record in records]
            names, records = records_of_objects(objects, path=where)
        return campaigns_of_table(path, names, records, has_gaps=True, columns=self.columns, metric=self.metric)

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        pyarrow = _pyarrow()
        table = long_table(campaigns)
        columns: dict[str, list[str | float | None]] = {name: [] for name in table.columns}
        for record in table.records():
            for name, column in columns.items():
                column.append(record.get(name))
        types = {str: pyarrow.string(), float: pyarrow.float64()}
        buffer = io.BytesIO()
        try:
            arrays = {name: pyarrow.array(columns[name], types[kind]) for name, kind in table.columns.items()}
        except UnicodeEncodeError as error:
            raise DecodeError("a name or label contains a lone surrogate, which is not text") from error
        pyarrow.parquet.write_table(pyarrow.table(arrays), buffer)
        write_packed(path, buffer.getvalue())


def _records(
    raw: bytes, names: Sequence[str], unread: Sequence[str], path: str
) -> Iterator[tuple[int, tuple[object, ...]]]:
    """Rows with their numbers. Unused columns are not decoded; their values are None."""
    pyarrow = _pyarrow()
    number = 0
    with _readable(path):
        schema = pyarrow.parquet.ParquetFile(io.BytesIO(raw)).schema_arrow
        texts = [field.name for field in schema if pyarrow.types.is_string(field.type)]
        file = pyarrow.parquet.ParquetFile(io.BytesIO(raw), read_dictionary=texts)
        wanted = [name for name in names if name not in unread]
        for batch in file.iter_batches(_BATCH, columns=wanted, use_threads=False):
            batch.validate(full=True)
            rows = len(batch)
            columns = [repeat(None, rows) if name in unread else _values(batch.column(name)) for name in names]
            for record in zip(*columns, strict=True):
                number += 1
                yield number, record


def _holds_values(column: Any) -> bool:
    """Whether a column holds texts, numbers, objects or lists of texts, or has a known name; vectors are not read."""
    if is_known(column.name):
        return True
    types, kind = _pyarrow().types, column.type
    if types.is_dictionary(kind):
        kind = kind.value_type
    is_list = types.is_list(kind) or types.is_large_list(kind)
    return not is_list and not types.is_binary(kind)


def _values(column: Any) -> Iterable[object]:
    """The values of a column; a text that many rows share, e.g. a source, is one object."""
    if not hasattr(column, "dictionary"):
        values: list[object] = column.to_pylist()
        return values
    texts = column.dictionary.to_pylist()
    return [None if i is None else texts[i] for i in column.indices.to_pylist()]


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Turn pyarrow's errors on corrupt files and unsupported values into an `InputError`."""
    pyarrow = _pyarrow()
    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError, TypeError, LookupError, OverflowError, MemoryError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0][:200]
        raise InputError(f"cannot read Parquet: {printable(reason)}", path=path) from error


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError("Parquet needs pyarrow", hint=installing("io")) from error
    return pyarrow
