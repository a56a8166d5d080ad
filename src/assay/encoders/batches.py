"""Encode many texts in batches: each distinct text once, texts of similar length together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from assay.encoders.cache import StateCache
from assay.encoders.encoder import Encoder
from assay.runtime import Runtime

__all__ = ["encode"]

_BATCH_TOKENS = 4096


def encode(
    encoder: Encoder,
    texts: Sequence[tuple[int, ...]],
    *,
    layer: int,
    runtime: Runtime,
    cache: StateCache | None = None,
) -> list[npt.NDArray[np.float32]]:
    """The states of a layer for each text, given as ids. Batches do not depend on the order of the texts."""
    distinct = sorted(
        filter(None, set(texts)), key=lambda ids: (-len(ids), ids)
    )  # long ones first: they need most memory
    found = {} if cache is None else cache.find(distinct)
    for batch in _batches([ids for ids in distinct if ids not in found], runtime.batch_size or _BATCH_TOKENS):
        runtime.report("Encoding texts", len(found), len(distinct))
        new = dict(zip(batch, encoder.states(batch, layer, runtime), strict=True))
        if cache is not None:
            cache.add(new)
        found |= new
    if found:
        runtime.report("Encoding texts", len(distinct), len(distinct))
    dimension = next((states.shape[1] for states in found.values()), 0)
    nothing = np.zeros((0, dimension), dtype=np.float32)  # of an empty text, if the encoder adds no marks
    return [found.get(ids, nothing) for ids in texts]


def _batches(texts: Sequence[tuple[int, ...]], budget: int) -> Iterator[Sequence[tuple[int, ...]]]:
    """Texts sorted by falling length, as many as fit if all are padded to the first one's length; at least one."""
    first = 0
    while first < len(texts):
        size = max(1, budget // len(texts[first]))
        yield texts[first : first + size]
        first += size
