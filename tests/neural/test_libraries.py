"""torch and transformers, as Assay uses them."""

from __future__ import annotations

import sys
import threading
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.errors import InputError, MissingExtraError, OutOfMemoryError
from assay.neural.libraries import as_input_error, describe_gpus, import_libraries, inference, pad, quiet, torch_dtype


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


def test_missing_libraries_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"needs torch and transformers") as caught:
        import_libraries()
    assert 'pip install ".[neural]" in the folder of Assay' in caught.value.hint


class _Broken(MetaPathFinder):
    """Every import of torch fails."""

    def __init__(self, error):
        self.error = error

    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise self.error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError("libtorch_cpu.so: cannot open shared object file\nand more"), "libtorch_cpu.so: cannot open shared"),
        (ModuleNotFoundError("No module named 'sympy'", name="sympy"), "No module named 'sympy'"),
        (ImportError("undefined symbol: iJIT_NotifyEvent"), "undefined symbol: iJIT_NotifyEvent"),
        (AttributeError(), "AttributeError"),
    ],
)
def test_broken_libraries_are_not_missing(monkeypatch, error, reason):
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Broken(error), *sys.meta_path])
    with pytest.raises(MissingExtraError, match=f"torch is installed but broken: {reason}") as raised:
        import_libraries()
    assert "more" not in raised.value.message
    assert "pip install --force-reinstall torch" in raised.value.hint
    assert describe_gpus().startswith(f"unknown: torch is installed but broken: {reason}")


def test_gpus(monkeypatch):
    """What torch says, for installations that are not at hand."""
    monkeypatch.setitem(sys.modules, "torch", None)
    assert describe_gpus() == "unknown: torch is not installed"
    found = [SimpleNamespace(name="NVIDIA H200", total_memory=150 * 10**9)]
    cuda = SimpleNamespace(
        is_available=lambda: bool(found), device_count=lambda: len(found), get_device_properties=lambda i: found[i]
    )
    torch = SimpleNamespace(__version__="2.13.0", version=SimpleNamespace(cuda="13.0"), cuda=cuda)
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert describe_gpus() == "cuda:0: NVIDIA H200, 150 GB"
    found.clear()
    assert describe_gpus() == "none: torch 2.13.0 finds no GPU; nvidia-smi shows whether the driver does"
    cuda.is_available = lambda: [][0]
    torch.version.cuda = None
    assert describe_gpus() == "none: torch 2.13.0 is built without CUDA"


def test_inference_leaves_torch_as_it_was(torch):
    torch.set_float32_matmul_precision("high")
    try:
        threads = torch.get_num_threads()
        with inference(threads + 1):
            assert torch.get_num_threads() == threads + 1
            assert torch.get_float32_matmul_precision() == "highest"
            assert torch.is_inference_mode_enabled()
        assert torch.get_num_threads() == threads
        assert torch.get_float32_matmul_precision() == "high"
    finally:
        torch.set_float32_matmul_precision("highest")


@pytest.mark.usefixtures("torch")
def test_quiet_is_undone_by_the_last_thread():
    """One that starts while another is quiet must not take its settings for those of the user."""
    logging = import_libraries()[1].utils.logging
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    inside, finish = threading.Event(), threading.Event()

    def other():
        with quiet():
            inside.set()
            finish.wait(10)

    thread = threading.Thread(target=other)
    try:
        logging.set_verbosity_info()
        logging.enable_progress_bar()
        with quiet():
            thread.start()
            inside.wait(10)
        assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == (logging.ERROR, False)
        finish.set()
        thread.join()
        assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == (logging.INFO, True)
    finally:
        finish.set()
        logging.set_verbosity(before[0])
        (logging.enable_progress_bar if before[1] else logging.disable_progress_bar)()


@pytest.mark.usefixtures("torch")
def test_padding():
    ids, mask = pad([(5, 6, 7), (8,)], 1, "cpu")
    assert ids.tolist() == [[5, 6, 7], [8, 1, 1]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_types(torch):
    assert [torch_dtype(name) for name in ("fp32", "bf16", "fp16")] == [torch.float32, torch.bfloat16, torch.float16]


def test_errors_of_the_libraries_name_the_file():
    expected = pytest.raises(InputError, match=r"m: the model cannot be opened: no weights\n")
    with expected as caught, as_input_error("model", Path("m")):
        raise RuntimeError("no weights\nand more")
    assert "Git LFS" in caught.value.hint
    with pytest.raises(MissingExtraError, match="put it there"), as_input_error("model", Path("m")):
        raise MissingExtraError("put it there")


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("CUDA error: out of memory"), RuntimeError("can't start new thread")]
)
def test_lack_of_memory_is_no_damaged_file(error):
    with (
        pytest.raises(OutOfMemoryError, match="not enough memory for the model m\n"),
        as_input_error("model", Path("m")),
    ):
        raise error
