"""SentencePiece with a model from the resource folder or any file, as in spBLEU (Goyal et al. 2022)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import ConfigError, InputError, MissingExtraError, installing
from assay.files.resources import find_resource
from assay.text import Tokenizer, tokenizer

__all__ = ["SentencePiece"]


@tokenizer("spm")
@dataclass(frozen=True)
class SentencePiece(Tokenizer):
    """Splits into the pieces of a SentencePiece model: the path of a file, or a name in the resource folder."""

    model: str = ""

    argument = "model"

    def cut(self, line: str) -> str:
        processor, _ = self._loaded
        return " ".join(processor.encode(line, out_type=str))

    @property
    def sacrebleu_name(self) -> None:
        """None: sacreBLEU has four models by name, and a file does not say which one it is."""

    @property
    def resources(self) -> Mapping[str, str]:
        _, digest = self._loaded
        return {"model": digest}

    @property
    def _loaded(self) -> tuple[Any, str]:
        if not self.model:
            raise ConfigError("the tokeniser spm needs a model file", hint="write tok=spm:MODEL")
        return _load(self.model)


@functools.cache
def _load(model: str) -> tuple[Any, str]:
    """The processor of a model, and the digest of its file."""
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError("the tokeniser spm needs sentencepiece", hint=installing("spm")) from error
    resource = find_resource(model, "SentencePiece model")
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.load_from_serialized_proto(resource.path.read_bytes())  # the constructor takes an empty file as well
    except (RuntimeError, OSError) as error:
        raise InputError("not a SentencePiece model", path=str(resource.path)) from error
    return processor, resource.digest
