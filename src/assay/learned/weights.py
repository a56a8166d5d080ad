"""Read the weights of a model without running code in its files, and put them into a network."""

from __future__ import annotations

import functools
import pickle
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import InputError, printable
from assay.neural.libraries import COMPLETE, as_input_error, import_libraries
from assay.neural.model_folder import check_complete, weights_files
from assay.types.note import plural

__all__ = ["check_shape", "load_network", "read_checkpoint", "read_weights"]

_RESAVE = (
    "no code in a checkpoint is run; if you trust it, load it with torch.load(…, weights_only=False) and save only its "
    "tensors and options"
)
_NUMBER = re.compile(r"\d+")
_OTHER_CONFIGURATION = "does the configuration belong to this model?"

Place = Callable[[str, Any], Any]
"""Moves a tensor with a name to its device and type."""


@functools.lru_cache(maxsize=2)
def read_checkpoint(path: Path, digest: str) -> Mapping[str, Any]:  # the digest: read again if the file has changed
    """What torch.save wrote, if it is tensors and plain values. Tensors are read from the file when they are used."""
    torch, _ = import_libraries()
    check_complete(path)
    if not zipfile.is_zipfile(path):
        message = "the checkpoint is not a zip archive written by torch.save (torch 1.6 or later)"
        raise InputError(message, path=str(path), hint=COMPLETE)
    with as_input_error("checkpoint", path):
        try:
            content = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        except pickle.UnpicklingError as error:
            message = "the checkpoint contains objects other than tensors"
            raise InputError(message, path=str(path), hint=_RESAVE) from error
    if not isinstance(content, Mapping):
        message = f"the checkpoint contains a {type(content).__name__} instead of a mapping from names to tensors"
        raise InputError(message, path=str(path), hint=_RESAVE)
    return content


def read_weights(
    folder: Path,
    digest: str,
    shapes: Mapping[str, tuple[int, ...]],
    place: Place,
    *,
    rows: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """The weights of these names and shapes, one after the other, each moved by `place` as soon as it is read.

    Of the weights in `rows`, only the row with this index is read. Other weights in the files are not read; if they are
    those of more layers, the configuration is wrong.
    """
    import_libraries()
    weights: dict[str, Any] = {}
    for path in weights_files(folder, "model"):
        with as_input_error("weights file", path), _opened(path, digest) as tensors:
            _check_layers(tensors, shapes, path)
            for name in [name for name in shapes if name in tensors]:
                tensor = tensors[name]
                check_shape({name: tensor}, name, shapes[name], path)
                row = (rows or {}).get(name)
                weights[name] = place(name, tensor[:] if row is None else tensor[row].clone())
    for name, shape in shapes.items():
        if name not in weights:
            check_shape(weights, name, shape, folder)
    return weights


@contextmanager
def _opened(path: Path, digest: str) -> Iterator[Mapping[str, Any]]:
    """The tensors in a file, which are read when they are indexed."""
    if path.suffix == ".bin":
        yield read_checkpoint(path, digest)
        return
    from safetensors import safe_open

    with safe_open(str(path), framework="pt") as file:
        yield {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118  # it is no mapping


def load_network(
    make: Callable[[], Any], weights: Mapping[str, Any], path: Path, place: Place, *, prefix: str = ""
) -> Any:
    """The network that `make` makes, with the weights whose names start with a prefix; none may be missing."""
    torch, _ = import_libraries()
    with as_input_error("model", path), torch.device("meta"):  # without memory and random numbers
        network = make()
    _check_layers(weights, [f"{prefix}{name}" for name in network.state_dict()], path)
    for name, tensor in network.state_dict().items():
        check_shape(weights, f"{prefix}{name}", tuple(tensor.shape), path)
    placed = {name: place(name, weights[f"{prefix}{name}"]) for name in network.state_dict()}
    network.load_state_dict(placed, assign=True)
    for name, buffer in list(network.named_buffers()):
        if buffer.is_meta:
            _set(network, name, _make_buffer(name, buffer, path))
    return network.eval()


def check_shape(weights: Mapping[str, Any], name: str, shape: tuple[int, ...], path: Path) -> None:
    """Raise unless there are weights of this name and shape."""
    if name not in weights:
        hint = f"found: {plural(len(weights), 'other tensor')}; {_OTHER_CONFIGURATION}"
        raise InputError(f"the weights {name} are missing", path=str(path), hint=hint)
    tensor = weights[name]
    actual = tuple(tensor.get_shape() if hasattr(tensor, "get_shape") else getattr(tensor, "shape", ()))
    if actual != shape:
        message = f"the weights {name} have the shape {actual} instead of {shape}"
        raise InputError(message, path=str(path), hint=_OTHER_CONFIGURATION)


def _check_layers(weights: Iterable[str], used: Iterable[str], path: Path) -> None:
    """Raise if there are weights of more layers than the configuration says: names that differ only in numbers."""
    names = set(used)
    patterns = {_NUMBER.sub("#", name) for name in names}
    surplus = sorted(name for name in weights if name not in names and _NUMBER.sub("#", name) in patterns)
    if surplus:
        message = f"the model has more layers than its configuration says: {printable(surplus[0])} is not used"
        raise InputError(message, path=str(path), hint=_OTHER_CONFIGURATION)


def _make_buffer(name: str, buffer: Any, path: Path) -> Any:
    """Constants that are not in a checkpoint: transformers makes them when it makes a network."""
    torch, _ = import_libraries()
    if name.endswith("position_ids"):
        return torch.arange(buffer.shape[-1]).expand(buffer.shape).clone()
    if name.endswith("token_type_ids"):
        return torch.zeros(buffer.shape, dtype=torch.long)
    raise InputError(
        f"this version of transformers registers an unknown buffer '{printable(name)}'",
        path=str(path),
        hint="use transformers 5.22 or earlier, and report this as a bug",
    )


def _set(network: Any, name: str, value: Any) -> None:
    owner, _, last = name.rpartition(".")
    network.get_submodule(owner).register_buffer(last, value, persistent=False)
