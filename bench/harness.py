"""Time another tool (the peer) and Assay alternately, and check that they agree."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """One comparison. If the peer does only part of the work, `times` scales its time, and the name says so."""

    name: str
    peer: str
    peer_call: Callable[[], Any]
    our_call: Callable[[], Any]
    agree: Callable[[Any, Any], None]
    minimum: float
    target: float
    times: float = 1.0
    rounds: int = 5


@dataclass(frozen=True)
class Result:
    """CPU time of both in milliseconds, and the ratio."""

    name: str
    peer: str
    peer_ms: float
    our_ms: float
    minimum: float
    target: float

    @property
    def ratio(self) -> float:
        """How many times less CPU Assay needs."""
        return self.peer_ms / self.our_ms

    @property
    def verdict(self) -> str:
        """Which goal the ratio reaches."""
        return "target" if self.ratio >= self.target else "minimum" if self.ratio >= self.minimum else "MISSED"


def run(case: Case) -> Result:
    """Alternate between the two; Assay runs several times per round because its calls are short."""
    theirs, ours = [], []
    for _ in range(case.rounds):
        elapsed, expected = _cpu(case.peer_call)
        theirs.append(elapsed * case.times)
        repeats = []
        for _ in range(max(3, min(15, int(elapsed / 0.05)))):
            elapsed, found = _cpu(case.our_call)
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
    )


def _cpu(call: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    gc.disable()
    start = time.process_time()
    value = call()
    elapsed = time.process_time() - start
    gc.enable()
    return elapsed, value
