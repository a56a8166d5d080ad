"""The network that is in memory: one at a time, since a large one fills a GPU.

It stays there until another network is used, so that one that is used for many blocks of texts is loaded once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import TypeAlias

from assay.errors import InputError, set_spelling, spelling
from assay.neural.memory import (
    explaining_lack_of_memory,
    release_memory,
    suppressing_lack_of_memory,
    with_less_memory,
)
from assay.neural.network import Ids, Network, Result
from assay.types.runtime import Runtime

__all__ = ["Batch", "LoadedNetwork", "Results", "load", "unload"]

Batch: TypeAlias = Sequence[Ids]
Results: TypeAlias = dict[Ids, Result]

_IN_FLIGHT = {"cpu": 1, "cuda": 3}  # batches at a time: a GPU computes one while others are prepared and cached
_MAIN_GUARD = 'in a Python script, several devices need `if __name__ == "__main__":` around the code that runs them'


class LoadedNetwork(ABC):
    """A network on one device or on several."""

    @abstractmethod
    def compute(self, network: Network, batches: Sequence[Batch], runtime: Runtime) -> Generator[Results]:
        """The results of each batch, as they are ready. Another network with the same weights may be given."""

    @abstractmethod
    def close(self) -> None:
        """Free the memory."""


class _OneDevice(LoadedNetwork):
    def __init__(self, network: Network, device: str) -> None:
        self._device = device
        self._in_flight = _IN_FLIGHT[device.partition(":")[0]]
        self._permits, self._retrying = threading.Semaphore(self._in_flight), threading.Lock()
        with explaining_lack_of_memory(f"the model on {device}", with_less_memory(device)):
            self._weights = network.open(device)

    def compute(self, network: Network, batches: Sequence[Batch], runtime: Runtime) -> Generator[Results]:
        runtime = replace(runtime, device=self._device)
        with ThreadPoolExecutor(self._in_flight) as threads:
            started: deque[Future[Results]] = deque()
            for batch in batches:
                with explaining_lack_of_memory(f"a batch on {self._device}", with_less_memory(self._device)):
                    started.append(threads.submit(self.compute_batch, network, batch, runtime))
                if len(started) == self._in_flight:
                    yield started.popleft().result()
            while started:
                yield started.popleft().result()

    def compute_batch(self, network: Network, batch: Batch, runtime: Runtime) -> Results:
        """The results of a batch. If memory runs out, it is computed again when no other one is, then in halves."""
        with self._permits, suppressing_lack_of_memory():
            return self._compute(network, batch, runtime)
        with self._retrying:
            for _ in range(self._in_flight):
                self._permits.acquire()
            try:
                return self._compute_alone(network, batch, runtime)
            finally:
                self._permits.release(self._in_flight)

    def _compute_alone(self, network: Network, batch: Batch, runtime: Runtime) -> Results:
        release_memory()
        if len(batch) == 1:
            what = f"an input of {len(batch[0]):,} tokens on {runtime.device}"
            with explaining_lack_of_memory(what, with_less_memory(runtime.device)):
                return self._compute(network, batch, runtime)
        with suppressing_lack_of_memory():
            return self._compute(network, batch, runtime)
        middle = len(batch) // 2
        halves = (batch[:middle], batch[middle:])
        first, second = (self._compute_alone(network, half, runtime) for half in halves)
        return first | second

    def _compute(self, network: Network, batch: Batch, runtime: Runtime) -> Results:
        return dict(zip(batch, network.compute(self._weights, batch, runtime), strict=True))

    def close(self) -> None:
        self._weights = None


class _SeveralDevices(LoadedNetwork):
    """One process for each device."""

    def __init__(self, network: Network, devices: Sequence[str]) -> None:
        self._devices = devices
        context = multiprocessing.get_context("spawn")  # a process that has used a GPU cannot be forked
        stopped, self._stop = context.Pipe(duplex=False)
        start = _start_process, (stopped, spelling())
        self._processes = [ProcessPoolExecutor(1, context, *start) for _ in devices]
        pairs = zip(self._processes, devices, strict=True)
        try:
            with self._explaining_killed_processes():
                futures = [process.submit(_open_in_process, network, device) for process, device in pairs]
                for future in as_completed(futures):
                    future.result()
        except BaseException:
            self.close()
            raise

    def compute(self, network: Network, batches: Sequence[Batch], runtime: Runtime) -> Generator[Results]:
        count = len(self._devices)
        threads = max(1, runtime.threads // count)
        futures: list[Future[Results]] = []
        with self._explaining_killed_processes():
            for i, (process, device) in enumerate(zip(self._processes, self._devices, strict=True)):
                own = Runtime(threads=threads, device=device)
                futures += [process.submit(_compute_in_process, network, batch, own) for batch in batches[i::count]]
            yield from (future.result() for future in as_completed(futures))

    @contextmanager
    def _explaining_killed_processes(self) -> Iterator[None]:
        try:
            yield
        except BrokenProcessPool as error:
            raise InputError(
                f"the process on {' or '.join(self._devices)} was killed, perhaps because memory ran out",
                hint=f"run it again: with a cache it resumes; {_MAIN_GUARD}",
            ) from error

    def close(self) -> None:
        self._stop.close()  # a batch that is running need not end
        for process in self._processes:
            process.shutdown(cancel_futures=True)


def _start_process(stopped: Connection, spell: Callable[[str, str | None], str]) -> None:
    """Only the main process is interrupted by Ctrl-C. It ends the others, and they end if it is killed."""
    set_spelling(spell)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(stopped,), daemon=True).start()


def _end_with_parent(stopped: Connection) -> None:
    """Wait until the main process closes the other end, or is gone."""
    parent = multiprocessing.parent_process()
    wait([stopped] if parent is None else [stopped, parent.sentinel])
    os._exit(1)


_network_of_process: _OneDevice


def _open_in_process(network: Network, device: str) -> None:
    """The first task of a process, so that loading errors are not blamed on a batch."""
    global _network_of_process
    _network_of_process = _OneDevice(network, device)


def _compute_in_process(network: Network, batch: Batch, runtime: Runtime) -> Results:
    return _network_of_process.compute_batch(network, batch, runtime)


_LOCK = threading.RLock()
_loaded: tuple[object, LoadedNetwork] | None = None


@contextmanager
def load(network: Network, devices: Sequence[str]) -> Iterator[LoadedNetwork]:
    """The network on these devices. Other threads wait until it is no longer used."""
    global _loaded
    key = network.weights_key, tuple(devices)
    with _LOCK:
        if _loaded is None or _loaded[0] != key:
            unload()
            _loaded = key, _OneDevice(network, devices[0]) if len(devices) == 1 else _SeveralDevices(network, devices)
        try:
            yield _loaded[1]
        except BaseException:
            if len(devices) > 1:  # some batches may still be running
                unload()
            raise


def unload() -> None:
    """Free the memory that the last network takes, on all its devices."""
    global _loaded
    with _LOCK:
        if _loaded is not None:
            _loaded[1].close()
            _loaded = None
            release_memory()
