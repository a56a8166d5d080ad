"""Time a peer and Assay in turn, and insist that they agree."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """One comparison. `times` extrapolates from what the peer did to what we did; the name says so."""

    name: str
    peer: str
    peer_call: Callable[[], Any]
    our_call: Callable[[], Any]
    agree: Callable[[Any, Any], None]
    must: float
    aim: float
    times: float = 1.0
    rounds: int = 5


@dataclass(frozen=True)
class Result:
    """CPU milliseconds of both, and their ratio."""

    name: str
    peer: str
    peer_ms: float
    our_ms: float
    must: float
    aim: float

    @property
    def ratio(self) -> float:
        """How many times less CPU we need."""
        return self.peer_ms / self.our_ms

    @property
    def verdict(self) -> str:
        """Which bar is reached."""
        return "aim" if self.ratio >= self.aim else "must" if self.ratio >= self.must else "MISSED"


def run(case: Case) -> Result:
    """Interleave the two; ours is repeated within a round because it is short."""
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
        case.name, case.peer, 1000 * statistics.median(theirs), 1000 * statistics.median(ours), case.must, case.aim
    )


def _cpu(call: Callable[[], Any]) -> tuple[float, Any]:
    gc.collect()
    gc.disable()
    start = time.process_time()
    value = call()
    elapsed = time.process_time() - start
    gc.enable()
    return elapsed, value
