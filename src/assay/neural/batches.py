"""Compute many inputs in batches: each distinct input once, inputs of similar length together.

Rounding depends on the batch that an input is in. The batches are therefore planned from all inputs before the first
one is computed, and the plan is kept with the results: a run that was killed computes its unfinished batches again as
a whole, and ends with the same bytes.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import replace

import numpy as np

from assay.errors import InputError, option
from assay.neural.cache import ResultCache, opened_cache
from assay.neural.libraries import is_out_of_memory, release_memory
from assay.neural.network import Ids, Network, Result
from assay.runtime import Runtime

__all__ = ["compute"]

_BATCH_TOKENS = {"cpu": 4096, "cuda": 32768}
_IN_FLIGHT = {
    "cpu": 1,
    "cuda": 3,
}  # batches at a time: a GPU computes one while others are prepared and kept

_Results = dict[Ids, Result]
_Batch = list[Ids]


def compute(network: Network, inputs: Sequence[Ids], runtime: Runtime) -> list[Result]:
    """The result of each input. Batches do not depend on the order of the inputs."""
    named = [name for name in runtime.devices if name != "auto"]
    devices = [network.device(name) for name in named]  # raises even if nothing is left to compute
    distinct = sorted(filter(None, set(inputs)), key=lambda ids: (-len(ids), ids))  # long ones need most memory
    with opened_cache(runtime.cache, f"{network.identity}-{network.version}") as cache:
        found = cache.find(distinct) if cache else {}
        if len(found) < len(distinct):
            devices = devices or [network.device("auto")]
            size = runtime.batch_size or _BATCH_TOKENS[devices[0].partition(":")[0]]
            plan = _plan(distinct, found, size, cache)
            runtime.report(network.task, len(found), len(distinct))
            for results in _computed(network, plan, devices, runtime):
                found |= cache.add(results) if cache else results
                runtime.report(network.task, len(found), len(distinct))
    nothing = np.zeros((0, *next((each.shape[1:] for each in found.values()), (0,))), dtype=np.float32)
    return [found.get(ids, nothing) for ids in inputs]


def _plan(distinct: list[Ids], found: _Results, size: int, cache: ResultCache | None) -> list[_Batch]:
    """The batches to compute: those of a run that was killed, if this is the same run, else new ones."""
    missing = {ids for ids in distinct if ids not in found}
    if cache:
        kept = [batch for batch in cache.find_plan(distinct, size) if not missing.isdisjoint(batch)]
        if missing.issubset(ids for batch in kept for ids in batch):
            return kept
    plan = list(_batches([ids for ids in distinct if ids in missing], size))
    if cache:
        cache.add_plan(distinct, size, plan)
    return plan


def _batches(inputs: list[Ids], size: int) -> Iterator[_Batch]:
    """Inputs sorted by falling length, as many as fit if all are padded to the first one's length; at least one."""
    first = 0
    while first < len(inputs):
        count = max(1, size // len(inputs[first]))
        yield inputs[first : first + count]
        first += count


def _computed(network: Network, plan: list[_Batch], devices: list[str], runtime: Runtime) -> Iterator[_Results]:
    """The results of each batch, as they get ready."""
    if len(devices) > 1:
        yield from _on_several_devices(network, plan, devices, runtime)
        return
    runtime = replace(runtime, device=devices[0])
    _open(network, devices[0])
    count = _IN_FLIGHT[devices[0].partition(":")[0]]
    with ThreadPoolExecutor(count) as threads:
        started: deque[Future[_Results]] = deque()
        for batch in plan:
            started.append(threads.submit(_of_batch, network, batch, runtime))
            if len(started) == count:
                yield started.popleft().result()
        while started:
            yield started.popleft().result()


def _on_several_devices(
    network: Network, plan: list[_Batch], devices: list[str], runtime: Runtime
) -> Iterator[_Results]:
    """One process for each device, which computes every n-th batch; the results are collected here."""
    context = multiprocessing.get_context("spawn")  # a process that has used a GPU cannot be forked
    threads = max(1, runtime.threads // len(devices))
    with ExitStack() as processes:
        futures: list[Future[_Results]] = []
        for number, device in enumerate(devices):
            process = ProcessPoolExecutor(1, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
            processes.callback(process.shutdown, cancel_futures=True)
            alone = Runtime(threads=threads, device=device)
            futures += [process.submit(_of_batch, network, batch, alone) for batch in plan[number :: len(devices)]]
        try:
            yield from (future.result() for future in as_completed(futures))
        except BrokenProcessPool as error:
            raise InputError(
                f"a process on one of {', '.join(devices)} was ended from outside, perhaps for lack of memory",
                hint="run the same again: it goes on from here, if results are kept; in a Python script, several "
                'devices need `if __name__ == "__main__":` around what is run',
            ) from error


def _open(network: Network, device: str) -> None:
    try:
        network.open(device)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        raise InputError(
            f"not enough memory on {device} for the model", hint=f"use another device ({option('device', 'cpu')})"
        ) from error


def _of_batch(network: Network, batch: _Batch, runtime: Runtime) -> _Results:
    """The results of a batch, in halves if the memory is not enough for the whole."""
    try:
        return dict(zip(batch, network.compute(batch, runtime), strict=True))
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        if len(batch) == 1:
            raise InputError(
                f"not enough memory on {runtime.device} for an input of {len(batch[0]):,} tokens",
                hint=f"use another device ({option('device', 'cpu')}), or half precision",
            ) from error
    release_memory()  # after the error is gone, and with it what it keeps in memory
    middle = len(batch) // 2
    return _of_batch(network, batch[:middle], runtime) | _of_batch(network, batch[middle:], runtime)
