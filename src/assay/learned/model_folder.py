"""A model as transformers saves it: a folder with a configuration and weights, in one file or in several."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import InputError, MissingExtraError, printable
from assay.learned.weights import check_shape, read_checkpoint
from assay.neural.libraries import as_input_error, import_libraries

__all__ = ["CONFIG", "check_vocabulary", "read_config", "read_sizes", "read_weights"]

CONFIG = "config.json"
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
"""The first of these that is there is read. An index names several files."""

T = TypeVar("T")


def read_config(folder: Path, name: str = CONFIG) -> Mapping[str, Any]:
    """The options in a file of the folder."""
    path = folder / name
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        hint = f"put {name} there"
        if (folder / "hparams.yaml").is_file():
            hint = "it is a checkpoint of COMET or UniTE: use comet:model=FOLDER or unite:model=FOLDER"
        raise MissingExtraError(f"there is no model in {folder}: {name} is missing", hint=hint) from error
    except (OSError, ValueError) as error:
        reason = printable(str(error).splitlines()[0])
        raise InputError(f"the configuration cannot be read: {reason}", path=str(path)) from error
    if not isinstance(content, Mapping):
        raise InputError("the configuration must be names with values", path=str(path))
    return content


def read_sizes(folder: Path, sizes: type[T]) -> T:
    """The options that are fields of a dataclass. Those without a default must be in the configuration."""
    config = read_config(folder)
    fields = dataclasses.fields(sizes)  # type: ignore[arg-type]  # T is a dataclass
    for field in fields:
        if field.name not in config and field.default is dataclasses.MISSING:
            raise InputError(
                f"the configuration has no {field.name}", path=str(folder / CONFIG), hint="is it that of another model?"
            )
    return sizes(**{field.name: config[field.name] for field in fields if field.name in config})


def check_vocabulary(folder: Path, pieces: int, vocabulary: int) -> None:
    """Raise if the tokeniser has pieces that the model does not know."""
    if pieces > vocabulary:
        raise InputError(
            f"the tokeniser has {pieces:,} pieces, the model has {vocabulary:,}",
            path=str(folder),
            hint="the tokeniser and the model must belong together",
        )


def read_weights(folder: Path, digest: str, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    """The tensors of these names and shapes. Others in the files are not read."""
    import_libraries()
    found: dict[str, Any] = {}
    for path in _files(folder):
        with as_input_error("file of weights", path):
            found.update(_tensors(path, digest, shapes))
    for name, shape in shapes.items():
        check_shape(found, name, shape, folder)
    return found


def _files(folder: Path) -> list[Path]:
    path = next((folder / name for name in _WEIGHTS if (folder / name).is_file()), None)
    if path is None:
        raise MissingExtraError(
            f"the model in {folder} has no weights", hint=f"put its {_WEIGHTS[0]} or {_WEIGHTS[2]} there"
        )
    if not path.name.endswith(".index.json"):
        return [path]
    names = read_config(folder, path.name).get("weight_map")
    if not isinstance(names, Mapping):
        raise InputError("the index does not say in which files the weights are", path=str(path))
    files = [folder / Path(str(name)).name for name in sorted(set(names.values()))]  # never from another folder
    for file in files:
        if not file.is_file():
            raise MissingExtraError(f"the model in {folder} lacks some weights", hint=f"put its {file.name} there")
    return files


def _tensors(path: Path, digest: str, names: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    """Those of one file."""
    if path.suffix == ".bin":
        tensors = read_checkpoint(path, digest)
        yield from ((name, tensors[name]) for name in names if name in tensors)
        return
    from safetensors import safe_open

    with safe_open(str(path), framework="pt") as file:
        yield from ((name, file.get_tensor(name)) for name in sorted(names.keys() & set(file.keys())))
