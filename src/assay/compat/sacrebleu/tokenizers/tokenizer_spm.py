"""SentencePiece with the models of sacreBLEU, if their files are where sacreBLEU stores them. Nothing is downloaded."""

from __future__ import annotations

import os
from typing import ClassVar, NamedTuple

from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from assay.compat.sacrebleu.utils import SACREBLEU_DIR
from assay.errors import MissingExtraError, printable
from assay.text import tokenizer
from assay.text.spm import SACREBLEU_MODELS, SentencePiece

__all__ = ["SPM_MODELS", "Flores101Tokenizer", "Flores200Tokenizer", "TokenizerSPM", "spBLEU1KTokenizer"]


class _Model(NamedTuple):
    signature: str
    url: str


_MODELS = {name: _Model(name, url) for name, url in SACREBLEU_MODELS.items()}
_MODELS = {"spm": _MODELS["flores101"], **_MODELS}
SPM_MODELS = {name: model._asdict() for name, model in _MODELS.items()}


class TokenizerSPM(BaseTokenizer):
    """The pieces of a model, by default that of FLORES-101."""

    name = "spm"

    def __init__(self, key: str = "spm") -> None:
        self._model = _MODELS[key]
        path = os.path.join(SACREBLEU_DIR, "models", os.path.basename(self._model.url))
        if not os.path.isfile(path):
            raise MissingExtraError(
                f"there is no SentencePiece model for {key} at {printable(path)}",
                hint=f"download it from {self._model.url}, or name another folder in the variable SACREBLEU",
            )
        self._spec = tokenizer.spec(SentencePiece(model=path))

    @property
    def spec(self) -> str:
        """The spec of the tokeniser of Assay."""
        return self._spec

    def signature(self) -> str:
        """The name of the model."""
        return self._model.signature


class Flores101Tokenizer(TokenizerSPM):
    """`flores101`."""

    name: ClassVar[str] = "flores101"

    def __init__(self) -> None:
        super().__init__(self.name)


class Flores200Tokenizer(TokenizerSPM):
    """`flores200`."""

    name: ClassVar[str] = "flores200"

    def __init__(self) -> None:
        super().__init__(self.name)


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 - sacreBLEU's name
    """`spBLEU-1K`."""

    name: ClassVar[str] = "spBLEU-1K"

    def __init__(self) -> None:
        super().__init__(self.name)
