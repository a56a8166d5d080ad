"""SentencePiece with a model file on disk, as in spBLEU (Goyal et al. 2022). Nothing is ever downloaded."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ConfigError, InputError, MissingExtraError
from assay.text import Tokenizer, tokenizer

__all__ = ["SentencePiece"]


@tokenizer("spm")
@dataclass(frozen=True)
class SentencePiece(Tokenizer):
    """Splits into the pieces of a SentencePiece model, the file `model`."""

    model: str = ""

    argument = "model"

    def cut(self, line: str) -> str:
        return " ".join(_processor(self._model_file).encode(line, out_type=str))

    @property
    def sacrebleu_name(self) -> None:
        """None: sacreBLEU has four models by name, and a file does not say which one it is."""

    @property
    def resources(self) -> Mapping[str, str]:
        return {"model": _digest(self._model_file)}

    @property
    def _model_file(self) -> str:
        if not self.model:
            raise ConfigError("the tokeniser spm needs a model file", hint="write tok=spm:PATH")
        return self.model


def _read(model: str) -> bytes:
    try:
        return Path(model).read_bytes()
    except OSError as error:
        raise InputError(f"the SentencePiece model cannot be read: {error.strerror}", path=model) from error


@functools.cache
def _digest(model: str) -> str:
    import hashlib

    return "sha256-" + hashlib.sha256(_read(model)).hexdigest()[:16]


@functools.cache
def _processor(model: str) -> Any:
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError("the tokeniser spm needs sentencepiece", hint='pip install "assay[spm]"') from error
    try:
        return sentencepiece.SentencePieceProcessor(model_proto=_read(model))
    except (RuntimeError, OSError) as error:
        raise InputError("not a SentencePiece model", path=model) from error
