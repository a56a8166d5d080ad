"""torch and transformers: imported when a network is first used, quiet, with errors that a user understands."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.errors import AssayError, ConfigError, InputError, MissingExtraError, installing, option_name, printable
from assay.files.sizes import byte_text
from assay.neural.memory import explaining_lack_of_memory, is_out_of_memory, with_less_memory

__all__ = [
    "COMPLETE",
    "as_input_error",
    "describe_gpus",
    "find_device",
    "import_libraries",
    "inference",
    "pad",
    "quiet",
    "torch_dtype",
]

COMPLETE = "check that the download is complete (a Git LFS pointer is not the file)"
"""The hint for a file that cannot be read."""


def import_libraries() -> tuple[Any, Any]:
    """The modules torch and transformers."""
    return _imported("torch"), _imported("transformers")


def _imported(name: str) -> Any:
    """A library. One that is installed but broken is not reported as missing."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # also an OSError (a shared library), or whatever else an incomplete installation raises
        if is_out_of_memory(error):
            raise
        if isinstance(error, ModuleNotFoundError) and error.name == name:
            raise MissingExtraError(
                "a neural network needs torch and transformers",
                hint=f"{installing('neural')} (for the CPU alone, install torch first: "
                "pip install torch --index-url https://download.pytorch.org/whl/cpu)",
            ) from error
        raise MissingExtraError(
            f"{name} is installed but broken: {_reason(error)}",
            hint=f"install it again: pip install --force-reinstall {name} (the whole error: python -c 'import {name}')",
        ) from error


def describe_gpus() -> str:
    """The GPUs that torch finds, or why there are none."""
    try:
        torch = _imported("torch")
        if torch.version.cuda is None:
            return f"none: torch {torch.__version__} is built without CUDA"
        count = torch.cuda.device_count() if torch.cuda.is_available() else 0
        gpus = [torch.cuda.get_device_properties(i) for i in range(count)]
    except MissingExtraError as error:
        is_missing = isinstance(error.__cause__, ModuleNotFoundError) and error.__cause__.name == "torch"
        return "unknown: torch is not installed" if is_missing else f"unknown: {error.message}"
    except RuntimeError as error:  # a driver that fails
        return f"cannot be used: {_reason(error)}"
    if not gpus:
        return f"none: torch {torch.__version__} finds no GPU; nvidia-smi shows whether the driver does"
    return ", ".join(f"cuda:{i}: {gpu.name}, {byte_text(gpu.total_memory)}" for i, gpu in enumerate(gpus))


def _reason(error: BaseException) -> str:
    """The first line of an error."""
    return printable((str(error) or type(error).__name__).splitlines()[0])


def torch_dtype(precision: str) -> Any:
    """The type of torch's numbers."""
    torch, _ = import_libraries()
    return {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}[precision]


def pad(batch: Sequence[Sequence[int]], padding: int, device: str) -> tuple[Any, Any]:
    """Two tensors (input, token): ids, filled up with the id of padding, and 1 where there is a token."""
    torch, _ = import_libraries()
    longest = max(map(len, batch))
    ids = torch.tensor([[*row, *[padding] * (longest - len(row))] for row in batch], dtype=torch.long)
    lengths = torch.tensor([len(row) for row in batch], dtype=torch.long)
    mask = (torch.arange(longest) < lengths[:, None]).long()
    return ids.to(device), mask.to(device)


class _SharedSetting:
    """A change of a library's global settings: the first thread makes it, the last one undoes it."""

    def __init__(self) -> None:
        self._lock, self._users = threading.Lock(), 0
        self._undo: Callable[[], None]

    @contextmanager
    def held(self, change: Callable[[], Callable[[], None]]) -> Iterator[None]:
        """Hold the change, which returns how to undo it."""
        with self._lock:
            if not self._users:
                self._undo = change()
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._undo()


_COMPUTING, _QUIET = _SharedSetting(), _SharedSetting()


@contextmanager
def inference(threads: int) -> Iterator[None]:
    """Compute without gradients, on some threads, and with all digits of float32 (GPUs would use 10 bits of 23)."""
    torch, _ = import_libraries()

    def change() -> Callable[[], None]:
        before = torch.get_num_threads(), torch.get_float32_matmul_precision()
        torch.set_num_threads(threads)
        torch.set_float32_matmul_precision("highest")

        def undo() -> None:
            torch.set_num_threads(before[0])
            torch.set_float32_matmul_precision(before[1])

        return undo

    with _COMPUTING.held(change), torch.inference_mode():
        yield


@contextmanager
def quiet() -> Iterator[None]:
    """Without progress bars of transformers and its warnings about weights, which we check ourselves."""
    _, transformers = import_libraries()
    logging = transformers.utils.logging

    def change() -> Callable[[], None]:
        verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        logging.disable_progress_bar()

        def undo() -> None:
            logging.set_verbosity(verbosity)
            if has_bars:
                logging.enable_progress_bar()

        return undo

    with _QUIET.held(change):
        yield


@contextmanager
def as_input_error(kind: str, path: Path) -> Iterator[None]:
    """Report errors of the libraries, which are of many classes, as a file that cannot be opened."""
    try:
        yield
    except AssayError:
        raise
    except Exception as error:
        if is_out_of_memory(error):
            with explaining_lack_of_memory(f"the {kind} {path}", with_less_memory("cpu")):
                raise
        raise InputError(f"the {kind} cannot be opened: {_reason(error)}", path=str(path), hint=COMPLETE) from error


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
        hint = f"{option_name('device', 'auto')} picks the best available device; available: {devices}"
        raise ConfigError(f"torch finds no device '{printable(name)}'", hint=hint)
    return f"cuda:{number}"
