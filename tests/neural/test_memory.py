"""Errors about memory."""

from __future__ import annotations

import pytest

from assay.neural.memory import is_out_of_memory, release_memory


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
        (RuntimeError("shapes differ"), False),
        (ValueError("can't allocate memory"), False),
    ],
)
def test_errors_about_memory(error, expected):
    assert is_out_of_memory(error) == expected
