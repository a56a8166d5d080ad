"""A folder as transformers saves it: which of its files are read, and whether they are complete.

Everything here works without torch, so that `assay doctor` can report it, and an error can name the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtraError, installing, printable
from assay.neural.libraries import COMPLETE

__all__ = ["CONFIG", "READ_FILES", "WEIGHTS", "check_complete", "open_sentencepiece", "read_json", "weights_files"]

CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
"""Names of weights files. The first one in the folder is read; an index names several files."""
READ_FILES = (
    *("*.json", "*.safetensors", "*.bin", "*.model", "*.spm", "*.tiktoken"),
    *("*vocab*.txt", "dict.txt", "merges.txt", "bpe.codes"),
)
"""Patterns of the files that transformers may read: configuration, weights and tokeniser."""
_GIT_LFS = b"version https://git-lfs"


def read_json(path: Path) -> Mapping[str, Any]:
    """The content of a file, which must be a mapping."""
    check_complete(path)
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        reason = printable(str(error).splitlines()[0])
        raise InputError(f"is not valid JSON: {reason}", path=str(path), hint=COMPLETE) from error
    if not isinstance(content, dict):
        raise InputError("must be a mapping (JSON object)", path=str(path), hint="does it belong to another program?")
    return content


def weights_files(folder: Path, kind: str) -> list[Path]:
    """The files that hold the weights of the model in a folder, all complete. `kind` is for errors."""
    path = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if path is None:
        shard = next(folder.glob("*-00001-of-*"), None)
        wanted = f"{WEIGHTS[0]} or {WEIGHTS[2]}"
        if shard is not None:  # one of several files, which an index lists
            wanted = f"{shard.name.partition('-00001')[0]}{shard.suffix}.index.json"
        raise MissingExtraError(f"the {kind} in {folder} has no weights", hint=f"put its {wanted} there")
    files = [path] if not path.name.endswith(".index.json") else _indexed_files(path)
    for file in files:
        if not file.is_file():
            raise MissingExtraError(
                f"the {kind} in {folder} lacks some weights", hint=f"put its {printable(file.name)} there"
            )
        check_complete(file)
    return files


def _indexed_files(index: Path) -> list[Path]:
    names = read_json(index).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise InputError("the index has no weight_map", path=str(index), hint=COMPLETE)
    files = sorted(set(map(str, names.values())))
    if outside := next((name for name in files if Path(name).name != name), None):
        message = f"the index names a file in another folder: '{printable(outside)}'"
        raise InputError(message, path=str(index), hint=COMPLETE)
    return [index.parent / name for name in files]


def check_complete(path: Path) -> None:
    """Raise if a file is a Git LFS pointer, or a safetensors file that was truncated."""
    with path.open("rb") as file:
        is_pointer = file.read(len(_GIT_LFS)) == _GIT_LFS
    if is_pointer:
        raise InputError("is a Git LFS pointer instead of the file itself", path=str(path), hint="git lfs pull")
    if path.suffix == ".safetensors":
        _check_safetensors(path)


def _check_safetensors(path: Path) -> None:
    """The file starts with the length of a JSON header, which says where each tensor ends."""
    size = path.stat().st_size
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length)) if length <= size else {}
        ends = [tensor["data_offsets"][1] for name, tensor in header.items() if name != "__metadata__"]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError("is not a safetensors file", path=str(path), hint=COMPLETE) from error
    if not ends or size != 8 + length + max(ends):
        raise InputError("the file is truncated or damaged", path=str(path), hint=COMPLETE)


def open_sentencepiece(path: Path, extra: str) -> Any:
    """A SentencePiece model; without the package, an error names the extra to install."""
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError(f"{path} needs sentencepiece", hint=installing(extra)) from error
    check_complete(path)
    pieces = sentencepiece.SentencePieceProcessor()
    try:
        pieces.load_from_serialized_proto(path.read_bytes())  # the constructor takes an empty file for no model
    except (RuntimeError, OSError) as error:
        raise InputError("is not a SentencePiece model", path=str(path), hint=COMPLETE) from error
    return pieces
