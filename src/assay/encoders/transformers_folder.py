"""A folder as transformers saves it: which files an encoder needs, and whether they are whole.

Everything here is known without torch, so that `assay doctor` can say it, and an error can name the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtraError, printable

__all__ = ["check_folder", "is_model_folder"]

_CONFIG, _TOKENIZER = "config.json", "tokenizer.json"
_SAFETENSORS, _INDEX = "model.safetensors", ".index.json"
_WEIGHTS = (_SAFETENSORS, f"{_SAFETENSORS}{_INDEX}", "pytorch_model.bin", f"pytorch_model.bin{_INDEX}")
_TOKENIZERS = (_TOKENIZER, "vocab.txt", "vocab.json", "sentencepiece.bpe.model", "spiece.model", "spm.model")
_GIT_LFS = b"version https://git-lfs"


def is_model_folder(folder: Path) -> bool:
    """Whether a folder has a configuration or weights."""
    return any((folder / name).exists() for name in (_CONFIG, *_WEIGHTS)) or _has_onnx(folder)


def check_folder(folder: Path) -> None:
    """Raise if a file is missing (`MissingExtraError`) or damaged (`InputError`)."""
    if _has_onnx(folder) and not _present(folder, _WEIGHTS):
        raise MissingExtraError(
            f"the encoder in {folder} has weights for ONNX alone",
            hint=f"export them to safetensors: model.save_pretrained(FOLDER) of transformers writes {_SAFETENSORS}",
        )
    for what, names in (("configuration", (_CONFIG,)), ("tokeniser", _TOKENIZERS), ("weights", _WEIGHTS)):
        if not _present(folder, names):
            wanted = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
            hint = f"put {wanted} of the model into this folder"
            raise MissingExtraError(f"the encoder in {folder} has no {what}", hint=hint)
    for path in (*_present(folder, (_CONFIG,)), *_present(folder, _TOKENIZERS), *_weight_files(folder)):
        _check_content(path)


def _has_onnx(folder: Path) -> bool:
    return any(any(folder.glob(pattern)) for pattern in ("*.onnx", "onnx/*.onnx"))


def _present(folder: Path, names: tuple[str, ...]) -> list[Path]:
    return [folder / name for name in names if (folder / name).is_file()]


def _weight_files(folder: Path) -> Iterator[Path]:
    """The files that transformers reads: the first that is there, or those that an index names."""
    first = _present(folder, _WEIGHTS)[0]
    if not first.name.endswith(_INDEX):
        yield first
        return
    names = _read_json(first, "weight_map")["weight_map"]
    for name in sorted(set(names.values())) if isinstance(names, dict) else ():
        if not (folder / str(name)).is_file():
            raise MissingExtraError(f"the encoder in {folder} lacks some weights", hint=f"put its {name} there")
        yield folder / str(name)


def _check_content(path: Path) -> None:
    with path.open("rb") as file:
        is_pointer = file.read(len(_GIT_LFS)) == _GIT_LFS
    if is_pointer:
        raise InputError("a pointer of Git LFS instead of the file itself", path=str(path), hint="git lfs pull")
    if path.name == _CONFIG:
        _read_json(path, "model_type")
    elif path.name == _TOKENIZER:
        _read_json(path, "model", "added_tokens")
    elif path.suffix == ".safetensors":
        _check_safetensors(path)


def _read_json(path: Path, *keys: str) -> Mapping[str, Any]:
    """The content of a file, which must have these keys."""
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        reason = printable(str(error).splitlines()[0])
        raise InputError(f"is not valid JSON: {reason}", path=str(path), hint=_INCOMPLETE) from error
    missing = [key for key in keys if not isinstance(content, dict) or key not in content]
    if missing:
        raise InputError(f"has no '{missing[0]}'", path=str(path), hint="is it the file of another program?")
    return content  # type: ignore[no-any-return]  # a dict


_INCOMPLETE = "is the file complete? Compare its size with the original"


def _check_safetensors(path: Path) -> None:
    """The file starts with the length of a JSON header, which says where each tensor ends."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length)) if length <= size else {}
        ends = [tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__"]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError("is not a file of safetensors", path=str(path), hint=_INCOMPLETE) from error
    if not ends or size != 8 + length + max(ends):
        raise InputError("the file is cut off or damaged", path=str(path), hint=_INCOMPLETE)
