"""The devices that torch finds."""

from __future__ import annotations

from assay.errors import ConfigError, option, printable
from assay.neural.libraries import import_libraries

__all__ = ["find_device"]


def find_device(name: str) -> str:
    """The device that a name stands for; `auto` is a GPU if there is one. A `ConfigError` if torch does not find it."""
    if name == "cpu":
        return name
    torch, _ = import_libraries()
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if name == "auto":
        return "cuda:0" if count else "cpu"
    number = int(name.partition(":")[2] or 0)
    if number >= count:
        devices = ", ".join(["cpu", *(f"cuda:{i}" for i in range(count))])
        hint = f"{option('device', 'auto')} picks the best available device; available: {devices}"
        raise ConfigError(f"torch finds no device '{printable(name)}'", hint=hint)
    return f"cuda:{number}"
