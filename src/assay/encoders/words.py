"""Words instead of their pieces: the vector of a word is the mean of those of its pieces."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.encoders.encoder import Tokens

__all__ = ["pool_words"]

_CONTINUED = "##"  # WordPiece
_SPACES = ("▁", "Ġ")  # SentencePiece, byte-level BPE


def pool_words(
    tokens: Tokens, states: npt.NDArray[np.float32]
) -> tuple[tuple[str, ...], npt.NDArray[np.float32]]:
    """The words of a text and their vectors (word, dimension). Marks of start and end stay as they are."""
    if not tokens.ids:
        return (), states
    changes = [
        i
        for i, word in enumerate(tokens.words)
        if i == 0 or word is None or word != tokens.words[i - 1]
    ]
    ends = [*changes[1:], len(tokens.ids)]
    forms = tuple(
        tokens.forms[start] if tokens.words[start] is None else _joined(tokens.forms[start:end])
        for start, end in zip(changes, ends, strict=True)
    )
    sums = np.add.reduceat(states, changes, axis=0, dtype=np.float64)
    means = sums / (np.array(ends) - np.array(changes))[:, np.newaxis]
    return forms, means.astype(np.float32)


def _joined(pieces: tuple[str, ...]) -> str:
    joined = "".join(piece.removeprefix(_CONTINUED) if i else piece for i, piece in enumerate(pieces))
    for space in _SPACES:
        joined = joined.removeprefix(space)
    return joined or "".join(pieces)
