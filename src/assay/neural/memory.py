"""What to do when memory runs out."""

from __future__ import annotations

import gc
import sys

__all__ = ["is_out_of_memory", "release_memory"]

_WORDS = ("can't allocate memory", "out of memory", "_STATUS_ALLOC_FAILED")
"""In errors of torch that have no class of their own: on the CPU, of the CUDA driver, of cuBLAS and cuDNN."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a computation may succeed in smaller parts."""
    if type(error).__name__ == "OutOfMemoryError" or isinstance(error, MemoryError):
        return True  # torch's class has moved between versions
    return isinstance(error, RuntimeError) and any(words in str(error) for words in _WORDS)


def release_memory() -> None:
    """Free what is no longer used, and return the GPU memory that torch reserves for later."""
    gc.collect()
    torch = sys.modules.get("torch")  # a network may not use it
    if torch is not None and torch.cuda.is_available():
        torch.cuda.empty_cache()
