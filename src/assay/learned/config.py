"""The configuration of a model as transformers saves it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from assay.errors import InputError, MissingExtraError, printable
from assay.neural.model_folder import CONFIG, read_json

__all__ = ["OTHER_MODEL", "check_vocabulary", "read_config", "read_sizes"]

OTHER_MODEL = "does it belong to another model?"
"""The hint for a file that does not fit the others."""

T = TypeVar("T")


def read_config(folder: Path, name: str = CONFIG) -> Mapping[str, Any]:
    """The options in a file of the folder."""
    if not (folder / name).is_file():
        raise MissingExtraError(f"{name} not found in {folder}", hint="copy it from the model's repository")
    return read_json(folder / name)


def read_sizes(folder: Path, sizes: type[T]) -> T:
    """The options that are fields of a dataclass. Those without a default must be in the configuration."""
    config, types = read_config(folder), get_type_hints(sizes)
    values = {}
    for field in dataclasses.fields(sizes):  # type: ignore[arg-type]  # T is a dataclass
        if field.name in config:
            values[field.name] = value = config[field.name]
            allowed = float | int if types[field.name] is float else types[field.name]
            if not isinstance(value, allowed) or isinstance(value, bool):
                message = f"{field.name} cannot be '{printable(str(value))}'"
                raise InputError(message, path=str(folder / CONFIG), hint=OTHER_MODEL)
        elif field.default is dataclasses.MISSING:
            raise InputError(f"the configuration has no {field.name}", path=str(folder / CONFIG), hint=OTHER_MODEL)
    return sizes(**values)


def check_vocabulary(folder: Path, pieces: int, vocabulary: int, *, min_share: float = 0.0) -> None:
    """Raise if the tokeniser has pieces that the model does not know, or too small a share of those that it knows."""
    if not min_share * vocabulary <= pieces <= vocabulary:
        raise InputError(
            f"the tokeniser has {pieces:,} tokens, but the vocabulary of the model has {vocabulary:,}",
            path=str(folder),
            hint="the tokeniser and the model must belong together",
        )
