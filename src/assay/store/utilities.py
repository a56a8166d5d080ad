"""Utilities of candidates as files: arrays of NumPy, JSON lines, or a table."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence

from assay.lazily import numpy as np
from assay.types import FloatArray
from assay.types.record import none_if_nan

__all__ = ["FORMS"]


def _npz(utilities: Sequence[FloatArray]) -> bytes:
    """All utilities in a row, and the shape of each segment: (candidates, pseudo-references)."""
    stream = io.BytesIO()
    shapes = np.asarray([matrix.shape for matrix in utilities], dtype=np.int64)
    np.savez(stream, utilities=np.concatenate([matrix.ravel() for matrix in utilities]), shapes=shapes)
    return stream.getvalue()


def _jsonl(utilities: Sequence[FloatArray]) -> bytes:
    lines = []
    for segment, matrix in enumerate(utilities, 1):
        rows = [[none_if_nan(value) for value in row] for row in matrix.tolist()]
        lines.append(json.dumps({"segment": segment, "utilities": rows}, allow_nan=False))
    return "".join(f"{line}\n" for line in lines).encode()


def _tsv(utilities: Sequence[FloatArray]) -> bytes:
    lines = ["segment\tcandidate\tpseudo_reference\tutility"]
    for segment, matrix in enumerate(utilities, 1):
        for candidate, row in enumerate(matrix.tolist(), 1):
            lines += [
                f"{segment}\t{candidate}\t{place}\t{'' if value != value else repr(value)}"
                for place, value in enumerate(row, 1)
            ]
    return "".join(f"{line}\n" for line in lines).encode()


FORMS: Mapping[str, Callable[[Sequence[FloatArray]], bytes]] = {".npz": _npz, ".jsonl": _jsonl, ".tsv": _tsv}
"""By suffix."""
