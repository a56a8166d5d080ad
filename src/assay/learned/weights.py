"""Read the weights of a checkpoint without running code in it, and put them into a network."""

from __future__ import annotations

import functools
import pickle
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from assay.errors import InputError, printable
from assay.neural.libraries import as_input_error, import_libraries, offline

__all__ = ["check_shape", "filled", "read_checkpoint"]

_RESAVE = (
    "no code of a checkpoint is run; if you trust it, load it with torch.load(…, weights_only=False) and save its "
    "numbers and options alone"
)


@functools.lru_cache(maxsize=2)
def read_checkpoint(path: Path, digest: str) -> Mapping[str, Any]:  # the digest: anew if the file has changed
    """What torch.save wrote, if it is tensors and plain values. Tensors are read from the file when they are used."""
    torch, _ = import_libraries()
    with as_input_error("checkpoint", path):
        if not zipfile.is_zipfile(path):
            raise ValueError("it is not a file of torch.save, version 1.6 or later")
        try:
            content = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
        except pickle.UnpicklingError as error:
            raise InputError("the checkpoint holds objects other than tensors", path=str(path), hint=_RESAVE) from error
    if not isinstance(content, Mapping):
        raise InputError(f"the checkpoint holds a {type(content).__name__} instead of weights by name", path=str(path))
    return content


def filled(make: Callable[[], Any], weights: Mapping[str, Any], path: Path, *, prefix: str = "") -> Any:
    """The network that `make` makes, with the weights whose names start with a prefix; it must have all it needs."""
    torch, _ = import_libraries()
    with offline(), as_input_error("model", path), torch.device("meta"):  # without memory and random numbers
        network = make()
    wanted = {name: tuple(each.shape) for name, each in network.state_dict().items()}
    for name, shape in wanted.items():
        check_shape(weights, f"{prefix}{name}", shape, path)
    network.load_state_dict({name: weights[f"{prefix}{name}"].float() for name in wanted}, assign=True)
    for name, buffer in list(network.named_buffers()):
        if buffer.is_meta:
            _set(network, name, _made_buffer(name, buffer, path))
    return network.eval()


def check_shape(weights: Mapping[str, Any], name: str, shape: tuple[int, ...], path: Path) -> None:
    """Raise unless there are weights of this name and shape."""
    if name not in weights:
        known = f"it has {len(weights):,} weights"
        raise InputError(
            f"the weights {name} are missing", path=str(path), hint=f"{known}; is the configuration that of this model?"
        )
    found = tuple(getattr(weights[name], "shape", ()))
    if found != shape:
        raise InputError(
            f"the weights {name} have the shape {found} instead of {shape}",
            path=str(path),
            hint="is the configuration that of this model?",
        )


def _made_buffer(name: str, buffer: Any, path: Path) -> Any:
    """Constants that are not in a checkpoint: transformers makes them when it makes a network."""
    torch, _ = import_libraries()
    if name.endswith("position_ids"):
        return torch.arange(buffer.shape[-1]).expand(buffer.shape).clone()
    if name.endswith("token_type_ids"):
        return torch.zeros(buffer.shape, dtype=torch.long)
    raise InputError(f"transformers makes '{printable(name)}', which is not known here", path=str(path))


def _set(network: Any, name: str, value: Any) -> None:
    owner, _, last = name.rpartition(".")
    network.get_submodule(owner).register_buffer(last, value, persistent=False)
