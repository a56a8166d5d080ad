"""What to do when memory runs out."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import OutOfMemoryError, option_name

__all__ = [
    "explaining_lack_of_memory",
    "is_out_of_memory",
    "release_memory",
    "suppressing_lack_of_memory",
    "with_less_memory",
]

_THREAD = "can't start new thread"
_WORDS = (
    *("can't allocate memory", "bad_alloc", "could not create a primitive", _THREAD),
    *("out of memory", "_STATUS_ALLOC_FAILED"),
)
"""In errors that have no class of their own: on the CPU, of C++, oneDNN and Python; of the CUDA driver, cuBLAS and
cuDNN.
"""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a computation may succeed in smaller parts."""
    if type(error).__name__ == "OutOfMemoryError" or isinstance(error, MemoryError):
        return True  # torch's class has moved between versions
    return isinstance(error, RuntimeError) and any(words in str(error) for words in _WORDS)


def with_less_memory(device: str, *, half: bool = True) -> str:
    """What needs less memory than a network on a device."""
    hint = f"close other programs, use {option_name('threads', '1')}, or a machine with more memory"
    if device != "cpu":
        hint = f"use another device ({option_name('device', 'cpu')})"
    return f"{hint}; or half precision" if half else hint


@contextmanager
def explaining_lack_of_memory(what: str, hint: str) -> Iterator[None]:
    """Report a lack of memory as an `OutOfMemoryError`, which says what did not fit, and what to do."""
    try:
        yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        if _THREAD in f"{error} {error.__cause__}":  # it may have been explained already, less well
            fewer = option_name("threads", "1")
            hint = f"raise the limit of threads or of memory (ulimit -u, ulimit -v), or use {fewer}"
        raise OutOfMemoryError(what, hint=hint) from error


@contextmanager
def suppressing_lack_of_memory() -> Iterator[None]:
    """Go on after a lack of memory; the error is gone then, and with it what it refers to."""
    try:
        yield
    except Exception as error:
        if not is_out_of_memory(error):
            raise


def release_memory() -> None:
    """Free what is no longer used, and return the GPU memory that torch reserves for later."""
    gc.collect()
    torch = sys.modules.get("torch")  # a network may not use it
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
