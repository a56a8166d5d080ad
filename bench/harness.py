"""Time another tool (the peer) and Assay alternately, and check that they agree; or time Assay alone.

As in `timeit`, what is measured is given as code, so that the page shows the very calls that were measured.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """One comparison: two expressions, and what their names mean.

    If the peer does only part of the work, `times` scales its time, and the name says so.
    """

    name: str
    peer: str
    peer_code: str
    our_code: str
    names: Mapping[str, Any]
    agree: Callable[[Any, Any], None]
    minimum: float
    target: float
    times: float = 1.0
    rounds: int = 5

    @property
    def peer_call(self) -> Callable[[], Any]:
        """What the peer does."""
        return compiled(self.peer_code, self.names)

    @property
    def our_call(self) -> Callable[[], Any]:
        """What Assay does."""
        return compiled(self.our_code, self.names)


@dataclass(frozen=True)
class Result:
    """CPU time of both in milliseconds, and the ratio."""

    name: str
    peer: str
    peer_ms: float
    our_ms: float
    minimum: float
    target: float
    peer_code: str
    our_code: str

    @property
    def ratio(self) -> float:
        """How many times less CPU Assay needs."""
        return self.peer_ms / self.our_ms

    @property
    def verdict(self) -> str:
        """Which goal the ratio reaches."""
        return "target" if self.ratio >= self.target else "minimum" if self.ratio >= self.minimum else "MISSED"

    def __str__(self) -> str:
        return (
            f"{self.name:<62}{self.peer:>10} {self.peer_ms:>12,.1f} {self.our_ms:>8.2f}"
            f" {self.ratio:>10,.1f}x  minimum {self.minimum:g} target {self.target:g}: {self.verdict}"
        )


@dataclass(frozen=True)
class Limited:
    """A task without a peer; its CPU time has a limit in seconds."""

    name: str
    code: str
    names: Mapping[str, Any]
    limit: float
    target: float | None = None


@dataclass(frozen=True)
class Measured:
    """What was measured of Assay alone: a time, an amount of memory or a rate, with its limit in the same unit."""

    name: str
    value: float
    unit: str
    limit: float
    target: float | None
    code: str
    is_rate: bool = False
    """Whether more is better, so that the limit is the least."""

    @property
    def verdict(self) -> str:
        """Which goal the value reaches."""
        if not self._reaches(self.limit):
            return "MISSED"
        return "target" if self.target is not None and self._reaches(self.target) else "limit"

    def _reaches(self, goal: float) -> bool:
        return self.value >= goal if self.is_rate else self.value <= goal

    def __str__(self) -> str:
        return f"{self.name:<100}{self.value:>9.2f} {self.unit}  limit {self.limit:.3g}: {self.verdict}"


def compiled(code: str, names: Mapping[str, Any]) -> Callable[[], Any]:
    """An expression as a function."""
    function: Callable[[], Any] = eval(f"lambda: {code}", dict(names))  # noqa: S307
    return function


def timed(task: Limited, rounds: int = 1) -> Measured:
    """The median CPU time of a task, as users have it: with the garbage collector."""
    call = compiled(task.code, task.names)
    seconds = statistics.median(_cpu(call)[0] for _ in range(rounds))
    return Measured(task.name, seconds, "s", task.limit, task.target, task.code)


def run(case: Case) -> Result:
    """Alternate between the two; Assay runs several times per round because its calls are short.

    Garbage is collected before every call, so that all start with the same caches of the processor: cold ones.
    """
    peer_call, our_call = case.peer_call, case.our_call
    theirs, ours = [], []
    for _ in range(case.rounds):
        with _collector_off():
            elapsed, expected = _cpu(peer_call)
        theirs.append(elapsed * case.times)
        repeats = []
        for _ in range(max(3, min(15, int(elapsed / 0.05)))):
            with _collector_off():
                elapsed, found = _cpu(our_call)
            repeats.append(elapsed)
        ours.append(statistics.median(repeats))
        case.agree(expected, found)
    return Result(
        case.name,
        case.peer,
        1000 * statistics.median(theirs),
        1000 * statistics.median(ours),
        case.minimum,
        case.target,
        case.peer_code,
        case.our_code,
    )


@contextmanager
def _collector_off() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _cpu(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    value = call()
    return time.process_time() - start, value
