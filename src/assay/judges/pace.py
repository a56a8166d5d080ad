"""How fast requests are sent: not too many at a time or in a minute, and slower if the server is overloaded."""

from __future__ import annotations

import queue
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

__all__ = ["Clock", "Pace", "backed_off"]

_T = TypeVar("_T")
_LONGEST_PAUSE = 60.0


class Clock:
    """The time, and waiting. Tests have one of their own, which does not wait."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def take(self, done: queue.SimpleQueue[_T], seconds: float, busy: int) -> list[_T]:
        """What is in a queue, after some seconds at most. `busy` workers will put something there."""
        found: list[_T] = []
        with suppress(queue.Empty):
            found.append(done.get(timeout=max(0.0, seconds)))
            while True:
                found.append(done.get_nowait())
        return found


def backed_off(failures: int) -> float:
    """Seconds to wait after so many failures in a row, if the server does not say how many."""
    return float(min(_LONGEST_PAUSE, 2.0 ** (failures - 1)))


@dataclass(slots=True)
class Pace:
    """When the next request may be sent."""

    parallel: int
    rate: float | None = None
    """Requests in a minute."""
    _width: float = field(default=1.0, init=False)
    _next: float = field(default=0.0, init=False)
    _paused_until: float = field(default=0.0, init=False)

    @property
    def width(self) -> int:
        """How many requests may be under way: one until the server has answered, and fewer while it is overloaded."""
        return int(self._width)

    def wait(self, now: float) -> float:
        """Seconds until the next request."""
        return max(0.0, self._next - now, self._paused_until - now)

    def sent(self, now: float) -> None:
        """A request was sent."""
        if self.rate is not None:
            self._next = max(now, self._next) + 60 / self.rate

    def answered(self, *, is_first: bool) -> None:
        """The server answered. After the first answer, all may go; after an overload, one more for each full round."""
        self._width = float(self.parallel) if is_first else min(float(self.parallel), self._width + 1 / self._width)

    def throttle(self) -> None:
        """The server is overloaded: half as many at a time."""
        self._width = max(1.0, self._width / 2)

    def pause(self, now: float, seconds: float) -> None:
        """Send nothing for some time."""
        self._paused_until = max(self._paused_until, now + seconds)
