"""torch and transformers: imported when a network is first used, kept offline, with errors that a user understands."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import ConfigError, InputError, MissingExtraError, option, printable

__all__ = [
    "as_input_error",
    "computing",
    "find_device",
    "import_libraries",
    "is_out_of_memory",
    "offline",
    "padded",
    "release_memory",
    "torch_type",
]


def import_libraries() -> tuple[Any, Any]:
    """The modules torch and transformers."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtraError(
            "a neural network needs torch and transformers",
            hint='pip install "assay[neural]" (for the CPU alone, install torch first: '
            "pip install torch --index-url https://download.pytorch.org/whl/cpu)",
        ) from error
    return torch, transformers


def find_device(name: str) -> str:
    """The device of torch that a name stands for: `auto` is a GPU if there is one. Raises if there is none."""
    if name == "cpu":
        return name
    torch, _ = import_libraries()
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if name == "auto":
        return "cuda:0" if count else "cpu"
    number = int(name.partition(":")[2] or 0)
    if number >= count:
        found = ", ".join(["cpu", *(f"cuda:{i}" for i in range(count))])
        hint = f"{option('device', 'auto')} takes the best of those at hand: {found}"
        raise ConfigError(f"torch finds no device '{printable(name)}'", hint=hint)
    return f"cuda:{number}"


def torch_type(precision: str) -> Any:
    """The type of torch's numbers."""
    torch, _ = import_libraries()
    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]


@contextmanager
def computing(threads: int) -> Iterator[None]:
    """Compute without gradients, on some threads, and with all digits of float32 (GPUs would use 10 bits of 23)."""
    torch, _ = import_libraries()
    with _SETTINGS.held(torch, threads), torch.inference_mode():
        yield


class _Settings:
    """Those of torch, which are the same for all threads: the first one sets them, the last one puts them back."""

    def __init__(self) -> None:
        self._lock, self._users = threading.Lock(), 0
        self._before: tuple[int, str] = (0, "")

    @contextmanager
    def held(self, torch: Any, threads: int) -> Iterator[None]:
        with self._lock:
            self._users += 1
            if self._users == 1:
                self._before = torch.get_num_threads(), torch.get_float32_matmul_precision()
                torch.set_num_threads(threads)
                torch.set_float32_matmul_precision("highest")
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    torch.set_num_threads(self._before[0])
                    torch.set_float32_matmul_precision(self._before[1])


_SETTINGS = _Settings()


def padded(batch: Sequence[Sequence[int]], padding: int, device: str) -> tuple[Any, Any]:
    """Two tensors (input, token): ids, filled up with the id of padding, and 1 where there is a token."""
    torch, _ = import_libraries()
    longest = max(map(len, batch))
    ids = torch.tensor([[*each, *[padding] * (longest - len(each))] for each in batch], dtype=torch.long)
    lengths = torch.tensor([len(each) for each in batch], dtype=torch.long)
    mask = (torch.arange(longest) < lengths[:, None]).long()
    return ids.to(device), mask.to(device)


def is_out_of_memory(error: Exception) -> bool:
    """Whether a computation may succeed in smaller parts."""
    if type(error).__name__ == "OutOfMemoryError" or isinstance(error, MemoryError):
        return True  # torch's class has moved between versions
    return isinstance(error, RuntimeError) and "can't allocate memory" in str(error)  # on the CPU


def release_memory() -> None:
    """Give back the memory of a GPU that torch keeps for later."""
    torch = sys.modules.get("torch")  # a network may not use it
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()


@contextmanager
def offline() -> Iterator[None]:
    """Keep transformers from the network, from progress bars and from warnings about weights, which we check."""
    _, transformers = import_libraries()
    before = {name: os.environ.get(name) for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")}
    os.environ.update(dict.fromkeys(before, "1"))
    logging = transformers.utils.logging
    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            logging.enable_progress_bar()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def as_input_error(what: str, path: Path) -> Iterator[None]:
    """Report errors of the libraries, which are of many kinds, as a file that cannot be opened."""
    try:
        yield
    except (ConfigError, InputError, MissingExtraError):
        raise
    except Exception as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"the {what} cannot be opened: {printable(reason)}",
            path=str(path),
            hint="are its files complete, and not pointers of Git LFS?",
        ) from error
