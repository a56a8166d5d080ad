"""Words instead of their pieces: the vector of a word is the mean of the vectors of its pieces.

Encoders split texts at spaces before they split words. In scripts without spaces every piece counts as a word.
"""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from assay.encoders.encoder import Tokens

__all__ = ["pool_words"]

_CONTINUED = "##"  # WordPiece
_SPACES = ("▁", "Ġ")  # SentencePiece, byte-level BPE
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")  # Thai to Han


def pool_words(tokens: Tokens, states: npt.NDArray[np.float32]) -> tuple[tuple[str, ...], npt.NDArray[np.float32]]:
    """The words of a text and their vectors (word, dimension). Special tokens stay as they are."""
    if not tokens.ids:
        return (), states
    starts = [i for i in range(len(tokens.ids)) if i == 0 or _starts_word(tokens, i)]
    ends = [*starts[1:], len(tokens.ids)]
    forms = tuple(_joined(tokens.forms[start:end]) for start, end in zip(starts, ends, strict=True))
    sums = np.add.reduceat(states, starts, axis=0, dtype=np.float64)
    lengths = np.array(ends) - np.array(starts)
    return forms, (sums / lengths[:, np.newaxis]).astype(np.float32)


def _starts_word(tokens: Tokens, i: int) -> bool:
    word = tokens.words[i]
    if word is None or word != tokens.words[i - 1]:
        return True
    return any(_UNSPACED.search(form) for form in tokens.forms[i - 1 : i + 1])


def _joined(pieces: tuple[str, ...]) -> str:
    """The letters of a word, without prefixes of pieces."""
    joined = "".join(piece.removeprefix(_CONTINUED) for piece in pieces)
    for space in _SPACES:
        joined = joined.removeprefix(space)
    return joined or "".join(pieces)
