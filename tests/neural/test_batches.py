"""Each distinct input is computed once, in batches of similar length."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from assay.errors import ConfigError
from assay.neural import compute
from assay.neural.loaded import load
from assay.types.runtime import Runtime
from tests.neural.made_up_network import MadeUpNetwork

INPUTS = [(1, 2), (3,), (4, 5, 6, 7), (1, 2), (8, 9, 1), (3,), (2, 1)]


def test_distinct_inputs_are_computed_once_long_and_short_ones_in_turn():
    network = MadeUpNetwork()
    results = compute(network, INPUTS, Runtime(batch_size=6))
    assert network.batches == [[4], [2, 1], [3, 2]]
    for ids, result in zip(INPUTS, results, strict=True):
        assert result[:, :2].tolist() == [[i, len(ids)] for i in ids]


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
    runtime = Runtime(batch_size=4, progress=lambda *step: seen.append(step))
    compute(MadeUpNetwork(), [(1, 2), (3, 4), (5,)], runtime)
    task = "encoding texts (tokens)"
    assert seen == [("loading the model", 0, 1), (task, 0, 5), (task, 4, 5), (task, 5, 5)]


def test_progress_is_measured_in_padded_tokens():
    """Of an input that is padded to five tokens, five are counted; what is in the cache is not."""
    seen = []
    inputs = [(1, 2, 3, 4, 5), (6,), *((i,) for i in range(7, 17))]
    compute(MadeUpNetwork(), inputs, Runtime(batch_size=10, progress=lambda *step: seen.append(step)))
    assert [done for _, done, total in seen if total > 1] == [0, 10, 20]


def test_progress_does_not_count_what_is_in_the_cache(tmp_path):
    seen = []
    compute(MadeUpNetwork(), [(1, 2, 3)], Runtime(cache=tmp_path))
    compute(MadeUpNetwork(), [(1, 2, 3), (4, 5)], Runtime(cache=tmp_path, progress=lambda *step: seen.append(step[1:])))
    assert seen == [(0, 1), (0, 2), (2, 2)]


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


def test_the_plan_of_a_run_is_deleted_when_it_is_complete(tmp_path):
    compute(MadeUpNetwork(), INPUTS, Runtime(cache=tmp_path))
    (file,) = tmp_path.rglob("*.sqlite")
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(*) FROM plans").fetchone() == (0,)


def test_batches_of_an_interrupted_run_that_finished_out_of_order_are_left_alone(tmp_path):
    """As several devices do: the first of three batches is missing."""

    @dataclass(frozen=True)
    class Stops(MadeUpNetwork):
        def compute(self, weights, batch, runtime):
            if len(batch[0]) == 4:
                raise KeyboardInterrupt
            return super().compute(weights, batch, runtime)

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
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM results")
    network = MadeUpNetwork()
    compute(network, INPUTS, runtime)
    assert network.batches == [[4], [2, 1], [3, 2]]


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


@dataclass(frozen=True)
class Slow(MadeUpNetwork):
    """A network that says so when it has finished two batches, and then never ends."""

    def compute(self, weights, batch, runtime):
        if len(self.batches) == 2:
            sys.stdout.write("two\n")
            sys.stdout.flush()
            signal.pause()
        return super().compute(weights, batch, runtime)


@pytest.mark.slow
def test_a_run_that_was_killed_ends_with_the_same_bytes(tmp_path):
    program = (
        "from pathlib import Path; from assay.neural import compute; from assay.types.runtime import Runtime; "
        "from tests.neural.test_batches import INPUTS, Slow; "
        f"compute(Slow(), INPUTS, Runtime(cache=Path({str(tmp_path)!r}), batch_size=6))"
    )
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=root, text=True) as process:
        assert process.stdout.readline() == "two\n"
        process.kill()
    resumed = MadeUpNetwork()
    results = compute(resumed, INPUTS, Runtime(cache=tmp_path, batch_size=6))
    assert resumed.batches == [[3, 2]]
    expected = compute(MadeUpNetwork(), INPUTS, Runtime(batch_size=6))
    assert [each.tobytes() for each in results] == [each.tobytes() for each in expected]


def test_a_network_whose_code_has_changed_computes_again(tmp_path):
    class Changed(MadeUpNetwork):
        version = 2

    compute(MadeUpNetwork(), INPUTS, Runtime(cache=tmp_path))
    changed = Changed()
    compute(changed, INPUTS, Runtime(cache=tmp_path))
    assert changed.batches


def test_the_smallest_default_of_all_devices_is_the_batch_size(monkeypatch):
    """A network that the CPU computes, too, has batches for the CPU, wherever it is named."""
    sizes = []

    @contextmanager
    def record(network, devices):
        yield Recorder()

    class Recorder:
        def compute(self, network, plan, runtime):
            sizes.append(len(plan[0]))
            yield {ids: np.zeros(1, dtype=np.float32) for batch in plan for ids in batch}

    monkeypatch.setattr("assay.neural.batches.load", record)
    inputs = [(i,) * 10 for i in range(5000)]
    for device in ("cuda:0", "cpu,cuda:0", "cuda:0,cpu", "cpu"):
        compute(MadeUpNetwork(), inputs, Runtime(device=device))
    assert sizes == [3276, 409, 409, 409]


def test_a_network_that_runs_on_the_cpu_alone_has_one_process(monkeypatch):
    loaded = []

    @contextmanager
    def record(network, devices):
        loaded.append(devices)
        with load(network, devices) as value:
            yield value

    @dataclass(frozen=True)
    class OnCpu(MadeUpNetwork):
        def device(self, name):
            return "cpu"

    monkeypatch.setattr("assay.neural.batches.load", record)
    compute(OnCpu(), INPUTS, Runtime(device="cuda:0,cuda:1"))
    assert loaded == [["cpu"]]
