"""Arrays as the bytes of an `.npy` file, without pickle."""

from __future__ import annotations

import io
import math
import re
from typing import TYPE_CHECKING, Any

from assay.lazily import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["array_bytes", "parse_array"]

# Version 1.0 of the format as numpy writes it: booleans and numbers only, rows first.
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<|][biuf][1248])', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \} *\n",
    re.DOTALL,
)


def array_bytes(array: npt.NDArray[Any]) -> bytes:
    """The content of an `.npy` file; ValueError if the array does not hold booleans or numbers."""
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise ValueError(f"an array of {array.dtype} cannot be saved")
    buffer = io.BytesIO()
    np.save(buffer, np.asarray(array, order="C"), allow_pickle=False)
    return buffer.getvalue()


def parse_array(data: bytes) -> npt.NDArray[Any]:
    """The array that `array_bytes` wrote, read-only; ValueError if the size in the header is not the actual size."""
    header = _HEADER.match(data)
    if header is None:
        raise ValueError("not an array of booleans or numbers")
    dtype = np.dtype(header[1].decode())
    shape = tuple(int(length) for length in header[2].decode().replace(",", " ").split())
    if math.prod(shape) * dtype.itemsize != len(data) - header.end():
        raise ValueError(f"an array of shape {shape} does not have the size of its file")
    array: npt.NDArray[Any] = np.ndarray(shape, dtype, data, offset=header.end())
    if not array.flags.aligned:
        array = array.copy()
    array.flags.writeable = False
    return array
