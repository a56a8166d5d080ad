"""torch and transformers, as Assay uses them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from assay.errors import ConfigError, InputError, MissingExtraError
from assay.neural.libraries import (
    as_input_error,
    computing,
    find_device,
    import_libraries,
    is_out_of_memory,
    offline,
    padded,
    release_memory,
    torch_type,
)


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


def test_missing_libraries_say_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"needs torch and transformers") as caught:
        import_libraries()
    assert 'pip install "assay[neural]"' in caught.value.hint


def test_the_cpu_needs_no_library():
    assert find_device("cpu") == "cpu"


@pytest.mark.usefixtures("torch")
def test_devices(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.device_count", lambda: 2)
    assert [find_device(name) for name in ("auto", "cuda", "cuda:1")] == ["cuda:0", "cuda:0", "cuda:1"]
    with pytest.raises(ConfigError, match="torch finds no device 'cuda:2'") as caught:
        find_device("cuda:2")
    assert caught.value.hint.endswith("cpu, cuda:0, cuda:1")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert find_device("auto") == "cpu"


def test_computing_leaves_torch_as_it_was(torch):
    torch.set_float32_matmul_precision("high")
    try:
        threads = torch.get_num_threads()
        with computing(threads + 1):
            assert torch.get_num_threads() == threads + 1
            assert torch.get_float32_matmul_precision() == "highest"
            assert torch.is_inference_mode_enabled()
        assert torch.get_num_threads() == threads
        assert torch.get_float32_matmul_precision() == "high"
    finally:
        torch.set_float32_matmul_precision("highest")


@pytest.mark.usefixtures("torch")
def test_padding():
    ids, mask = padded([(5, 6, 7), (8,)], 1, "cpu")
    assert ids.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_types(torch):
    assert [torch_type(name) for name in ("fp32", "bf16", "fp16")] == [torch.float32, torch.bfloat16, torch.float16]


def test_errors_about_memory(torch):
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory"))
    assert is_out_of_memory(RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"))
    assert not is_out_of_memory(RuntimeError("shapes differ"))
    release_memory()


def test_memory_without_torch():
    assert is_out_of_memory(MemoryError())
    assert not is_out_of_memory(ValueError("can't allocate memory"))


@pytest.mark.usefixtures("torch")
def test_offline_leaves_the_environment_as_it_was(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "0")
    with offline():
        assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"
    assert "HF_HUB_OFFLINE" not in os.environ
    assert os.environ["TRANSFORMERS_OFFLINE"] == "0"


def test_errors_of_the_libraries_name_the_file():
    expected = pytest.raises(InputError, match=r"m: the model cannot be opened: no weights\n")
    with expected as caught, as_input_error("model", Path("m")):
        raise RuntimeError("no weights\nand more")
    assert "Git LFS" in caught.value.hint
    with pytest.raises(MissingExtraError, match="put it there"), as_input_error("model", Path("m")):
        raise MissingExtraError("put it there")
