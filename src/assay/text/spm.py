"""SentencePiece with a model of sacreBLEU, one in the resource folder or any file, as in spBLEU (Goyal et al. 2022)."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtraError, installing, printable
from assay.files.resources import Resource, find_resource, resource_folder
from assay.text import Tokenizer, tokenizer

__all__ = ["SACREBLEU_MODELS", "SentencePiece", "sacrebleu_models_folder"]

SACREBLEU_MODELS: Mapping[str, str] = {
    "flores101": "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model",
    "flores200": "https://tinyurl.com/flores200sacrebleuspm",
    "spBLEU-1K": "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model",
}
"""sacreBLEU's models by its names, and where it downloads them from; it names the files by the end of the URL."""


@tokenizer("spm", aliases={name: {"model": name} for name in SACREBLEU_MODELS})
@dataclass(frozen=True)
class SentencePiece(Tokenizer):
    """Splits into the pieces of a SentencePiece model: a model of sacreBLEU, a path, or a name in the resource folder.

    Without a model, it is that of FLORES-101, as in sacreBLEU.
    """

    model: str = "flores101"

    argument = "model"

    def cut(self, line: str) -> str:
        processor, _ = self._loaded
        return " ".join(processor.encode(line, out_type=str))

    @property
    def sacrebleu_name(self) -> str | None:
        """The name of one of sacreBLEU's models; None for a file, which does not say which one it is."""
        return self.model if self.model in SACREBLEU_MODELS else None

    @property
    def resources(self) -> Mapping[str, str]:
        _, digest = self._loaded
        return {"model": digest}

    @property
    def _loaded(self) -> tuple[Any, str]:
        return _load(self.model)


def sacrebleu_models_folder() -> Path:
    """Where sacreBLEU keeps its models: in the folder that the variable SACREBLEU names, or in ~/.sacrebleu."""
    return Path(os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu") / "models"


def _find_model(model: str) -> Resource:
    """The file of a model; one of sacreBLEU's is also looked up where sacreBLEU keeps it."""
    try:
        return find_resource(model, "SentencePiece model")
    except MissingExtraError:
        if model not in SACREBLEU_MODELS:
            raise
    url = SACREBLEU_MODELS[model]
    path = sacrebleu_models_folder() / os.path.basename(url)
    if path.is_file():
        return find_resource(path)
    message = (
        f"SentencePiece model {model} not found in {printable(str(resource_folder()))} or at {printable(str(path))}"
    )
    raise MissingExtraError(message, hint=f"download it from {url} to {printable(str(path))}")


@functools.cache
def _load(model: str) -> tuple[Any, str]:
    """The processor of a model, and the digest of its file."""
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError("the tokeniser spm needs sentencepiece", hint=installing("spm")) from error
    resource = _find_model(model)
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.load_from_serialized_proto(resource.path.read_bytes())  # the constructor takes an empty file as well
    except (RuntimeError, OSError) as error:
        hint = "is it a whole file? Download it again" + (f": {url}" if (url := SACREBLEU_MODELS.get(model)) else "")
        raise InputError("not a SentencePiece model", path=str(resource.path), hint=hint) from error
    return processor, resource.digest
