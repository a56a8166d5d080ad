"""Errors about memory."""

from __future__ import annotations

import pytest

from assay.errors import OutOfMemoryError
from assay.neural.memory import explaining_lack_of_memory, is_out_of_memory, release_memory, with_less_memory


def test_errors_of_torch():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory"))
    release_memory()


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), True),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"), True),
        (RuntimeError("CUDA error: out of memory"), True),
        (RuntimeError("std::bad_alloc"), True),
        (RuntimeError("could not create a primitive"), True),
        (RuntimeError("could not create a primitive descriptor for an inner product forward propagation"), True),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("shapes differ"), False),
        (ValueError("can't allocate memory"), False),
    ],
)
def test_errors_about_memory(error, expected):
    assert is_out_of_memory(error) == expected


@pytest.mark.parametrize(
    ("message", "device", "hint"),
    [
        ("std::bad_alloc", "cuda:0", 'use another device (device="cpu"); or half precision'),
        (
            "could not create a primitive",
            "cpu",
            "close other programs, use threads=1, or a machine with more memory; or half precision",
        ),
        (
            "can't start new thread",
            "cuda:0",
            "raise the limit of threads or of memory (ulimit -u, ulimit -v), or use threads=1",
        ),
    ],
)
def test_hints(message, device, hint):
    with pytest.raises(OutOfMemoryError) as raised, explaining_lack_of_memory("it", with_less_memory(device)):
        raise RuntimeError(message)
    assert raised.value.hint == hint


def test_the_innermost_reason_gives_the_hint():
    outer, inner = (explaining_lack_of_memory(what, "use another device") for what in ("the model", "a file"))
    with pytest.raises(OutOfMemoryError, match="not enough memory for the model") as raised, outer, inner:
        raise RuntimeError("can't start new thread")
    assert "ulimit -u" in raised.value.hint
