"""Which segments of a test set are among those whose judgements something was learnt from or fitted to.

Segments are known by digests of their texts, so that files have no texts. Short texts, which may well be equal by
chance, are not used.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.lazily import numpy as np
from assay.results import FittedSegments
from assay.types import Column, IntArray, TestSet
from assay.types.campaign import campaign_label

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["decoded_texts", "encoded_texts", "fitted_masks", "fitted_segments", "text_columns", "texts_of"]

_DIGEST_BYTES = 4  # a thousand texts meet one of twelve thousand others by chance in 1 of 350 cases
_SHORTEST = 20  # characters


def text_columns(testset: TestSet) -> tuple[Column, ...]:
    """The sources and all references."""
    return (*(() if testset.sources is None else (testset.sources,)), *testset.references.values())


def texts_of(columns: Iterable[Column], segments: Iterable[int]) -> IntArray:
    """Digests of the texts of these segments in ascending order, without equal ones."""
    judged = list(segments)
    digests = {_digest(column[each]) for column in columns for each in judged}
    return np.array(sorted(digests - {0}), dtype=np.int64)


def encoded_texts(digests: IntArray) -> str:
    """Digests as files have them."""
    return base64.b64encode(digests.astype("<u4").tobytes()).decode("ascii")


def decoded_texts(text: str) -> IntArray:
    """The digests that `encoded_texts` wrote."""
    return np.frombuffer(base64.b64decode(text), dtype="<u4").astype(np.int64)


def fitted_masks(
    testset: TestSet,
    judged: Iterable[tuple[str, str]],
    known: Mapping[str, IntArray],
    columns: Sequence[Column] | None = None,
) -> Iterator[tuple[str, str, npt.NDArray[np.bool_] | None]]:
    """The judged test sets that have segments of this one, each with a mask of these.

    `judged` are the names and language pairs, `known` the digests by label; `columns` are the texts that are compared,
    by default the references. Where no texts can be compared, a test set of the same name and language pair is taken
    for the same one, with None for the mask.
    """
    compared = tuple(testset.references.values()) if columns is None else columns
    own = np.array([[_digest(text) for text in column] for column in compared], dtype=np.int64)
    for name, lp in judged:
        digests = known.get(campaign_label(name, lp))
        if digests is not None and len(digests) and own.any():
            mask = np.asarray(np.isin(own, digests).any(axis=0))
            if mask.any():
                yield name, lp, mask
        elif testset.name and (testset.name, testset.lp) == (name, lp):
            yield name, lp, None


def fitted_segments(
    testset: TestSet, judged: Iterable[tuple[str, str]], known: Mapping[str, IntArray]
) -> tuple[FittedSegments, ...]:
    """The judged test sets that have references of this one, and of how many segments."""
    return tuple(
        FittedSegments(name, lp, None if mask is None else int(mask.sum()))
        for name, lp, mask in fitted_masks(testset, judged, known)
    )


def _digest(text: str | None) -> int:
    """Of a text without spaces around it; 0 for one that is absent or short."""
    plain = (text or "").strip()
    if len(plain) < _SHORTEST:
        return 0
    return int.from_bytes(hashlib.blake2b(plain.encode(), digest_size=_DIGEST_BYTES).digest(), "little")
