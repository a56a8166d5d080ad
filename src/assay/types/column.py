"""Columns: the texts of one side of a test set, one per segment, None where there is none.

A column is a sequence of str or None that cannot change. It is backed by Python strings, or by UTF-8 in Arrow's layout
of large strings (bytes, offsets, validity): a file, or the memory of an Arrow array. UTF-8 is decoded in the core,
where it is tokenised; only indexing and iterating make Python strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from assay._core import Column
from assay.errors import DecodeError

__all__ = ["BLOCK", "Column", "as_column"]

BLOCK = 1 << 16
"""Segments that are processed at a time where not all are held in memory: a multiple of a chunk (decision 11)."""

_ARROW_STRINGS = ("string", "large_string", "string_view", "null")

Sequence.register(Column)


def as_column(texts: Iterable[str | None]) -> Column:
    """A column of these texts; those of an Arrow array of strings stay where they are."""
    if isinstance(texts, Column):
        return texts
    return _of_arrow(texts) if _is_arrow(texts) else Column(tuple(texts))


def _is_arrow(texts: Any) -> bool:
    """Whether this is an array of strings of pyarrow, which only a program that has imported it can have."""
    if type(texts).__module__ != "pyarrow.lib":
        return False
    kind: Any = getattr(texts, "type", None)
    is_dictionary = hasattr(kind, "index_type")
    return str(kind.value_type if is_dictionary else kind) in _ARROW_STRINGS


def _of_arrow(texts: Any) -> Column:
    import numpy as np
    import pyarrow as pa

    array = texts.cast(pa.large_string())  # whose offsets have 64 bits; the bytes of strings stay where they are
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    validity, offsets, data = array.buffers()
    starts = np.frombuffer(offsets, dtype=np.int64)[array.offset : array.offset + len(array) + 1]
    bits = None if validity is None else np.frombuffer(validity, dtype=np.uint8)
    try:
        return Column.of_utf8(np.frombuffer(data or b"", dtype=np.uint8), starts, bits, array.offset)
    except ValueError as error:
        raise DecodeError(f"a damaged Arrow array: {error}", hint="array.validate(full=True) says where") from error
