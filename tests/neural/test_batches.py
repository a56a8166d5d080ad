"""Each distinct input is computed once, in batches of similar length."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from assay.errors import ConfigError, InputError
from assay.neural import Network, compute
from assay.runtime import Runtime
from tests.neural.made_up_network import MadeUpNetwork

INPUTS = [(1, 2), (3,), (4, 5, 6, 7), (1, 2), (8, 9, 1), (3,), (2, 1)]


def test_distinct_inputs_are_computed_once_and_long_ones_first():
    network = MadeUpNetwork()
    results = compute(network, INPUTS, Runtime(batch_size=6))
    assert network.batches == [[4], [3, 2], [2, 1]]
    for ids, each in zip(INPUTS, results, strict=True):
        assert each[:, :2].tolist() == [[i, len(ids)] for i in ids]


def test_batches_do_not_depend_on_the_order_of_inputs():
    shuffled = INPUTS * 2
    random.Random(1).shuffle(shuffled)
    first, second = MadeUpNetwork(), MadeUpNetwork()
    compute(first, INPUTS, Runtime(batch_size=5))
    compute(second, shuffled, Runtime(batch_size=5))
    assert first.batches == second.batches


def test_an_input_longer_than_a_batch_is_a_batch():
    network = MadeUpNetwork()
    compute(network, [(1, 2, 3), (4, 5, 6)], Runtime(batch_size=1))
    assert network.batches == [[3], [3]]


def test_an_input_without_tokens_has_an_empty_result():
    network = MadeUpNetwork()
    assert [each.shape for each in compute(network, [(), (1,)], Runtime())] == [(0, 3), (1, 3)]
    assert compute(network, [()], Runtime())[0].shape == (0, 0)
    assert network.batches == [[1]]


def test_progress_is_reported():
    seen = []
    runtime = Runtime(batch_size=4, progress=lambda task, done, total: seen.append((done, total)))
    compute(MadeUpNetwork(), [(1, 2), (3, 4), (5,)], runtime)
    assert seen == [(0, 3), (2, 3), (3, 3)]


def test_results_in_the_cache_are_not_computed_again(tmp_path):
    network = MadeUpNetwork()
    before = compute(network, INPUTS[:3], Runtime(cache=tmp_path))
    after = compute(network, INPUTS, Runtime(cache=tmp_path))
    assert network.batches == [[4, 2, 1], [3, 2]]
    for one, other in zip(before, after, strict=False):
        np.testing.assert_array_equal(one, other)


def test_inputs_that_differ_in_one_token_have_results_of_their_own(tmp_path):
    one, other = [(1, 2, 3), (4, 5)], [(1, 2, 9), (4, 5)]
    compute(MadeUpNetwork(), one, Runtime(cache=tmp_path))
    fresh = compute(MadeUpNetwork(), other, Runtime())
    after = compute(MadeUpNetwork(), other, Runtime(cache=tmp_path))
    assert [each[:, 0].tolist() for each in after] == [each[:, 0].tolist() for each in fresh] == [[1, 2, 9], [4, 5]]


def test_other_networks_have_results_of_their_own(tmp_path):
    other = MadeUpNetwork("other")
    compute(MadeUpNetwork(), INPUTS, Runtime(cache=tmp_path))
    compute(other, INPUTS, Runtime(cache=tmp_path))
    assert other.batches


@pytest.mark.parametrize("done", range(4))
def test_a_run_that_was_interrupted_ends_with_the_same_bytes(tmp_path, done):
    def stop(_task, finished, _total):
        if len(network.batches) == done:
            raise KeyboardInterrupt

    compute(MadeUpNetwork(), INPUTS[:1], Runtime(cache=tmp_path / "a"))  # of an earlier run
    compute(MadeUpNetwork(), INPUTS[:1], Runtime(cache=tmp_path / "b"))
    whole = MadeUpNetwork()
    expected = compute(whole, INPUTS, Runtime(cache=tmp_path / "a", batch_size=6))
    network = MadeUpNetwork()
    with pytest.raises(KeyboardInterrupt):
        compute(network, INPUTS, Runtime(cache=tmp_path / "b", batch_size=6, progress=stop))
    resumed = compute(network, INPUTS, Runtime(cache=tmp_path / "b", batch_size=6))
    assert [each.tobytes() for each in resumed] == [each.tobytes() for each in expected]
    assert network.batches == whole.batches


def test_batches_of_an_interrupted_run_that_finished_out_of_order_are_left_alone(tmp_path):
    """As several devices do: the first of three batches is missing."""

    @dataclass(frozen=True)
    class Stops(MadeUpNetwork):
        def compute(self, batch, runtime):
            if len(batch[0]) == 4:
                raise KeyboardInterrupt
            return super().compute(batch, runtime)

    runtime = Runtime(cache=tmp_path, batch_size=6)
    with pytest.raises(KeyboardInterrupt):
        compute(Stops(), INPUTS, runtime)
    compute(MadeUpNetwork(), [(8, 9, 1), (1, 2)], Runtime(cache=tmp_path, batch_size=6))  # the second batch
    resumed = MadeUpNetwork()
    compute(resumed, INPUTS, runtime)
    assert resumed.batches == [[4], [2, 1]]


def test_a_plan_whose_results_were_lost_is_made_again(tmp_path):
    runtime = Runtime(cache=tmp_path, batch_size=6)
    compute(MadeUpNetwork(), INPUTS[:2], runtime)
    compute(MadeUpNetwork(), INPUTS, runtime)
    (file,) = tmp_path.rglob("*.sqlite")
    import sqlite3

    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM results")
    network = MadeUpNetwork()
    compute(network, INPUTS, runtime)
    assert network.batches == [[4], [3, 2], [2, 1]]


def test_too_little_memory_halves_a_batch():
    network = MadeUpNetwork(memory=8)
    results = compute(network, [(i, i) for i in range(9)], Runtime(batch_size=100))
    assert [len(batch) for batch in network.batches] == [4, 2, 3]
    assert [each[0, 0] for each in results] == list(range(9))


def test_too_little_memory_for_one_input_is_an_error():
    with pytest.raises(InputError, match="not enough memory on cpu for an input of 5 tokens"):
        compute(MadeUpNetwork(memory=4), [(1, 2), (1, 2, 3, 4, 5)], Runtime())


def test_other_errors_are_not_about_memory():
    @dataclass(frozen=True)
    class Broken(MadeUpNetwork):
        def compute(self, batch, runtime):
            raise RuntimeError("no such weights")

    with pytest.raises(RuntimeError, match="no such weights"):
        compute(Broken(), INPUTS, Runtime())


def test_a_named_device_is_checked_even_if_nothing_is_left_to_compute(tmp_path):
    @dataclass(frozen=True)
    class OnCpu(MadeUpNetwork):
        def device(self, name):
            if name.startswith("cuda"):
                raise ConfigError(f"no device {name}")
            return "cpu"

    compute(OnCpu(), INPUTS, Runtime(cache=tmp_path))
    with pytest.raises(ConfigError, match="no device cuda:3"):
        compute(OnCpu(), INPUTS, Runtime(cache=tmp_path, device="cuda:3"))


@pytest.mark.slow
def test_several_devices_are_a_process_each_and_give_the_same_bytes(tmp_path):
    inputs = [(i, *range(i % 7)) for i in range(200)]
    alone = compute(MadeUpNetwork(), inputs, Runtime(batch_size=50))
    seen = []
    runtime = Runtime(batch_size=50, device="cpu,cpu", cache=tmp_path, progress=lambda *step: seen.append(step[1:]))
    here = MadeUpNetwork()
    together = compute(here, inputs, runtime)
    assert here.batches == []  # they were computed elsewhere
    assert [each.tobytes() for each in together] == [each.tobytes() for each in alone]
    assert seen[0] == (0, 200)
    assert seen[-1] == (200, 200)
    later = MadeUpNetwork()
    compute(later, inputs, Runtime(batch_size=50, cache=tmp_path))
    assert later.batches == []


@dataclass(frozen=True)
class Slow(MadeUpNetwork):
    """A network that says so when it has finished two batches, and then never ends."""

    def compute(self, batch, runtime):
        if len(self.batches) == 2:
            sys.stdout.write("two\n")
            sys.stdout.flush()
            signal.pause()
        return super().compute(batch, runtime)


@pytest.mark.slow
def test_a_run_that_was_killed_ends_with_the_same_bytes(tmp_path):
    program = (
        "from pathlib import Path; from assay.neural import compute; from assay.runtime import Runtime; "
        "from tests.neural.test_batches import INPUTS, Slow; "
        f"compute(Slow(), INPUTS, Runtime(cache=Path({str(tmp_path)!r}), batch_size=6))"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=root, text=True) as process:
        assert process.stdout.readline() == "two\n"
        process.kill()
    resumed = MadeUpNetwork()
    results = compute(resumed, INPUTS, Runtime(cache=tmp_path, batch_size=6))
    assert resumed.batches == [[2, 1]]
    expected = compute(MadeUpNetwork(), INPUTS, Runtime(batch_size=6))
    assert [each.tobytes() for each in results] == [each.tobytes() for each in expected]


def test_a_network_is_abstract():
    with pytest.raises(TypeError):
        Network()


def test_a_gpu_has_several_batches_at_a_time_and_the_same_results(tmp_path):
    """A made-up one: what counts is that results come in order, and that an error ends the run."""
    inputs = [(i, *range(i % 7)) for i in range(200)]
    alone = compute(MadeUpNetwork(), inputs, Runtime(batch_size=50))
    gpu = MadeUpNetwork()
    together = compute(gpu, inputs, Runtime(batch_size=50, device="cuda:0", cache=tmp_path))
    assert set(gpu.devices) == {"cuda:0"}
    assert [each.tobytes() for each in together] == [each.tobytes() for each in alone]

    @dataclass(frozen=True)
    class Broken(MadeUpNetwork):
        def compute(self, batch, runtime):
            if len(batch[0]) == 3:
                raise ValueError("broken")
            return super().compute(batch, runtime)

    broken = Broken()
    with pytest.raises(ValueError, match="broken"):
        compute(broken, inputs, Runtime(batch_size=50, device="cuda:0"))
    assert len(broken.batches) < len(gpu.batches)


@dataclass(frozen=True)
class Killed(MadeUpNetwork):
    """A network that ends its process, as the system does when memory runs out."""

    def compute(self, batch, runtime):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_process_that_is_killed_is_an_error_that_says_so():
    with pytest.raises(InputError, match="a process on one of cpu, cpu was ended from outside"):
        compute(Killed(), INPUTS, Runtime(batch_size=4, device="cpu,cpu"))
