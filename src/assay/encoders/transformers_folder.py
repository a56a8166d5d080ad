"""The files of an encoder in a folder as transformers saves it."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError, MissingExtraError
from assay.neural.model_folder import CONFIG, WEIGHTS, check_complete, read_json, weights_files

__all__ = ["check_folder", "is_model_folder"]

_TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model", "spm.model")
_KEYS = {CONFIG: ("model_type",), _TOKENIZERS[0]: ("model", "added_tokens")}
"""What these files must have."""


def is_model_folder(folder: Path) -> bool:
    """Whether a folder has a configuration or weights."""
    return any((folder / name).exists() for name in (CONFIG, *WEIGHTS)) or _has_onnx(folder)


def check_folder(folder: Path) -> None:
    """Raise if a file is missing (`MissingExtraError`) or damaged (`InputError`)."""
    if _has_onnx(folder) and not _present(folder, WEIGHTS):
        raise MissingExtraError(
            f"the encoder in {folder} has weights for ONNX alone",
            hint=f"export them to safetensors: model.save_pretrained(FOLDER) of transformers writes {WEIGHTS[0]}",
        )
    for part, names in (("configuration", (CONFIG,)), ("tokeniser", _TOKENIZERS)):
        if not _present(folder, names):
            wanted = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
            hint = f"put {wanted} of the model into this folder"
            raise MissingExtraError(f"the encoder in {folder} has no {part}", hint=hint)
        for path in _present(folder, names):
            _check_content(path)
    weights_files(folder, "encoder")


def _has_onnx(folder: Path) -> bool:
    return any(any(folder.glob(pattern)) for pattern in ("*.onnx", "onnx/*.onnx"))


def _present(folder: Path, names: tuple[str, ...]) -> list[Path]:
    return [folder / name for name in names if (folder / name).is_file()]


def _check_content(path: Path) -> None:
    keys = _KEYS.get(path.name)
    if keys is None:
        check_complete(path)
        return
    content = read_json(path)
    for key in keys:
        if key not in content:
            raise InputError(f"has no '{key}'", path=str(path), hint="does it belong to another program?")
