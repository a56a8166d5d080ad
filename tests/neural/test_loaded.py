"""One network at a time is in memory, on one device or on several."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from assay.errors import InputError, OutOfMemoryError, spelling_options
from assay.neural import compute
from assay.neural.loaded import load
from assay.types.runtime import Runtime
from tests.neural.made_up_network import MadeUpNetwork

INPUTS = [(1, 2), (3,), (4, 5, 6, 7), (1, 2), (8, 9, 1), (3,), (2, 1)]
MANY = [(i, *range(i % 7)) for i in range(200)]
TWO = "cuda:0,cuda:1"


class Weights:
    """What a network opens."""


@dataclass(frozen=True)
class WithWeights(MadeUpNetwork):
    """A network that records which of its weights exist when it opens new ones."""

    opened: list[tuple[str, int]] = field(default_factory=list, compare=False)
    weights: list[weakref.ref] = field(default_factory=list, compare=False)

    def open(self, device):
        self.opened.append((device, sum(ref() is not None for ref in self.weights)))
        weights = Weights()
        self.weights.append(weakref.ref(weights))
        return weights

    def compute(self, weights, batch, runtime):
        assert isinstance(weights, Weights)
        return super().compute(weights, batch, runtime)


def test_weights_are_opened_once_and_dropped_before_others_are_opened():
    opened, weights = [], []
    one, other = (WithWeights(name, opened=opened, weights=weights) for name in ("one", "other"))
    for network, device in ((one, "cpu"), (one, "cpu"), (other, "cpu"), (one, "cpu"), (one, "cuda:0")):
        compute(network, INPUTS, Runtime(device=device, batch_size=4))
    assert opened == [("cpu", 0), ("cpu", 0), ("cpu", 0), ("cuda:0", 0)]


def test_weights_that_could_not_be_opened_are_not_remembered():
    compute(WithWeights("before"), INPUTS, Runtime(device="cpu"))

    @dataclass(frozen=True)
    class Fails(WithWeights):
        def open(self, device):
            super().open(device)
            raise ValueError("damaged")

    network = Fails()
    for _ in range(2):
        with pytest.raises(ValueError, match="damaged"):
            compute(network, INPUTS, Runtime(device="cpu"))
    gc.collect()
    assert network.opened == [("cpu", 0), ("cpu", 0)]


def test_networks_with_the_same_weights_share_them():
    @dataclass(frozen=True)
    class Layer(WithWeights):
        layer: int = 0

        @property
        def identity(self):
            return f"layer{self.layer}"

        @property
        def weights_key(self):
            return self.name

        def compute(self, weights, batch, runtime):
            return [np.full(1, self.layer, dtype=np.float32) for _ in batch]

    first = Layer("shared")
    second = Layer("shared", layer=1, opened=first.opened)
    assert [compute(network, [(1,)], Runtime(device="cpu"))[0][0] for network in (first, second)] == [0, 1]
    assert len(first.opened) == 1


def test_other_threads_wait_until_a_network_is_no_longer_used():
    one, other = WithWeights("one of two"), WithWeights("other of two")
    with load(one, ["cpu"]):
        thread = threading.Thread(target=compute, args=(other, INPUTS, Runtime(device="cpu")))
        thread.start()
        thread.join(0.1)
        assert not other.opened
    thread.join()
    assert len(other.opened) == 1


def test_too_little_memory_halves_a_batch():
    network = MadeUpNetwork(memory=8)
    results = compute(network, [(i, i) for i in range(9)], Runtime(batch_size=100))
    assert [len(batch) for batch in network.batches] == [4, 2, 3]
    assert [result[0, 0] for result in results] == list(range(9))


def test_too_little_memory_for_one_input_is_an_error():
    with pytest.raises(OutOfMemoryError, match="not enough memory for an input of 5 tokens on cpu"):
        compute(MadeUpNetwork(memory=4), [(1, 2), (1, 2, 3, 4, 5)], Runtime())


def test_other_errors_are_not_about_memory():
    @dataclass(frozen=True)
    class Broken(MadeUpNetwork):
        def compute(self, weights, batch, runtime):
            raise RuntimeError("no such weights")

    with pytest.raises(RuntimeError, match="no such weights"):
        compute(Broken(), INPUTS, Runtime())


def test_a_gpu_has_several_batches_at_a_time_and_the_same_results(tmp_path):
    """A made-up one: what counts is that results come in order, and that an error ends the run."""
    alone = compute(MadeUpNetwork(), MANY, Runtime(batch_size=50))
    calls, all_started = itertools.count(), threading.Barrier(3, timeout=120)

    @dataclass(frozen=True)
    class Waiting(MadeUpNetwork):
        def compute(self, weights, batch, runtime):
            if next(calls) < 3:
                all_started.wait()  # broken if fewer are computed at a time
            return super().compute(weights, batch, runtime)

    gpu = Waiting()
    together = compute(gpu, MANY, Runtime(batch_size=50, device="cuda:0", cache=tmp_path))
    assert set(gpu.devices) == {"cuda:0"}
    assert [result.tobytes() for result in together] == [result.tobytes() for result in alone]

    @dataclass(frozen=True)
    class Broken(MadeUpNetwork):
        def compute(self, weights, batch, runtime):
            if len(batch[0]) == 3:
                raise ValueError("broken")
            return super().compute(weights, batch, runtime)

    broken = Broken()
    with pytest.raises(ValueError, match="broken"):
        compute(broken, MANY, Runtime(batch_size=50, device="cuda:0"))
    assert len(broken.batches) < len(gpu.batches)


def test_an_input_that_fits_alone_waits_for_the_others():
    """Three inputs of six tokens are in flight, and there is room for ten tokens."""
    lock, used = threading.Lock(), [0]

    @dataclass(frozen=True)
    class Shared(MadeUpNetwork):
        def compute(self, weights, batch, runtime):
            size = sum(map(len, batch))
            with lock:
                used[0] += size
                is_full = used[0] > 10
            try:
                time.sleep(0.05)
                if is_full:
                    raise MemoryError
                return super().compute(weights, batch, runtime)
            finally:
                with lock:
                    used[0] -= size

    inputs = [tuple(range(i, i + 6)) for i in range(6)]
    assert len(compute(Shared(), inputs, Runtime(batch_size=6, device="cuda:0"))) == 6


def test_a_gpu_opens_a_network_once_for_all_its_threads():
    network = WithWeights("threads")
    compute(network, MANY, Runtime(batch_size=10, device="cuda:0"))
    assert network.opened == [("cuda:0", 0)]


@dataclass(frozen=True)
class Large(MadeUpNetwork):
    """A model that does not fit into memory."""

    def open(self, device):
        raise MemoryError


@pytest.mark.parametrize("device", ["cpu", pytest.param(TWO, marks=pytest.mark.slow)])
def test_too_little_memory_for_the_model_is_not_that_of_a_batch(device):
    with pytest.raises(OutOfMemoryError, match=r"not enough memory for the model on (cpu|cuda:[01])\n"):
        compute(Large(), INPUTS, Runtime(device=device))


@dataclass(frozen=True)
class Process(MadeUpNetwork):
    """The result is the process that opened the weights, and how often it has opened any."""

    def open(self, device):
        Process.count = getattr(Process, "count", 0) + 1
        return os.getpid()

    def compute(self, weights, batch, runtime):
        return [np.array([weights, Process.count], dtype=np.float32) for _ in batch]


@pytest.mark.slow
def test_several_devices_are_a_process_each_and_give_the_same_bytes(tmp_path):
    alone = compute(MadeUpNetwork(), MANY, Runtime(batch_size=50))
    seen = []
    runtime = Runtime(batch_size=50, device=TWO, cache=tmp_path, progress=lambda *step: seen.append(step[1:]))
    here = MadeUpNetwork()
    together = compute(here, MANY, runtime)
    assert here.batches == []  # they were computed elsewhere
    assert [result.tobytes() for result in together] == [result.tobytes() for result in alone]
    assert seen[:2] == [(0, 1), (0, 809)]  # first the model is loaded; 794 tokens, and 15 of padding
    assert seen[-1] == (809, 809)
    later = MadeUpNetwork()
    compute(later, MANY, Runtime(batch_size=50, cache=tmp_path))
    assert later.batches == []


@pytest.mark.slow
def test_processes_stay_for_the_next_block_of_texts():
    first, second = (compute(Process(), inputs, Runtime(batch_size=4, device=TWO)) for inputs in (INPUTS, MANY))
    processes = {float(result[0]) for result in (*first, *second)}
    assert len(processes) == 2
    assert os.getpid() not in processes
    assert {float(result[1]) for result in (*first, *second)} == {1.0}


@pytest.mark.slow
def test_processes_are_ended_by_an_interruption():
    def interrupt(_task, done, _total):
        if done:
            raise KeyboardInterrupt

    (before, *_) = compute(Process(), INPUTS, Runtime(device=TWO, batch_size=4))
    with pytest.raises(KeyboardInterrupt):
        compute(Process(), MANY, Runtime(device=TWO, batch_size=4, progress=interrupt))
    (after, *_) = compute(Process(), INPUTS, Runtime(device=TWO, batch_size=4))
    assert before[0] != after[0]


@dataclass(frozen=True)
class Small(MadeUpNetwork):
    """A network without memory for a single input."""

    memory: int = 0


@pytest.mark.slow
def test_an_error_of_another_process_is_the_same_error():
    with pytest.raises(OutOfMemoryError, match=r"not enough memory for an input of \d tokens on cuda:[01]") as raised:
        compute(Small(), INPUTS, Runtime(device=TWO))
    assert "half precision" in raised.value.hint


@dataclass(frozen=True)
class Killed(MadeUpNetwork):
    """A network that ends its process, as the system does when memory runs out."""

    def compute(self, weights, batch, runtime):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_process_that_is_killed_is_an_error_that_says_so():
    for _ in range(2):
        with pytest.raises(InputError, match="the process on cuda:0 or cuda:1 was killed") as raised:
            compute(Killed(), INPUTS, Runtime(batch_size=4, device=TWO))
    assert "with a cache it resumes" in raised.value.hint


@pytest.mark.slow
def test_a_process_that_is_killed_between_two_blocks_of_texts():
    pid, _ = compute(Process(), INPUTS, Runtime(batch_size=4, device=TWO))[0]
    os.kill(int(pid), signal.SIGKILL)
    time.sleep(1)  # until the pool knows
    with pytest.raises(InputError, match="the process on cuda:0 or cuda:1 was killed"):
        compute(Process(), MANY, Runtime(batch_size=4, device=TWO))
    assert len(compute(Process(), INPUTS, Runtime(batch_size=4, device=TWO))) == len(INPUTS)


@pytest.mark.slow
def test_options_in_errors_of_another_process_are_spelled_as_here():
    with spelling_options(as_flag), pytest.raises(OutOfMemoryError) as raised:
        compute(Small(), INPUTS, Runtime(device=TWO))
    assert "--device" in raised.value.hint


def as_flag(name, value):
    return f"--{name} {value}"


_SLEEPING = """
import time
from assay.neural.loaded import _SeveralDevices
from tests.neural.made_up_network import MadeUpNetwork

if __name__ == "__main__":
    loaded = _SeveralDevices(MadeUpNetwork(), ["cpu", "cpu"])
    print(*(pid for process in loaded._processes for pid in process._processes), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to look at processes")
def test_processes_end_when_the_main_process_is_killed(tmp_path):
    """Otherwise they would hold the memory of their GPU."""
    (tmp_path / "sleeping.py").write_text(_SLEEPING)
    root = Path(__file__).parents[2]
    paths = os.pathsep.join([str(root / "src"), str(root)])
    command = [sys.executable, str(tmp_path / "sleeping.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": paths}) as main:
        pids = main.stdout.readline().split()
        main.kill()
    assert len(pids) == 2
    deadline = time.monotonic() + 120
    while any(map(_is_running, pids)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
