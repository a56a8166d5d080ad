"""Threads that send requests. Everything else is done by the thread that asks."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from assay.judges.pace import Clock
from assay.judges.reply import Reply

__all__ = ["Outcome", "Workers"]

Job = TypeVar("Job")
Outcome = Reply | BaseException


class Workers(Generic[Job]):
    """As many threads as there are requests under way. They are daemons: a request must not keep a program alive."""

    def __init__(self, send: Callable[[Job], Reply], leave: Callable[[], None], clock: Clock) -> None:
        """`leave` is what a thread does at its end."""
        self._send, self._leave, self._clock = send, leave, clock
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Job, Outcome]] = queue.SimpleQueue()
        self._threads = 0
        self.busy = 0
        """How many requests have not come back."""
        self.under_way: set[Job] = set()
        """What the server has not answered yet."""
        self.received: dict[Job, Reply] = {}
        """Replies, until somebody takes them out: an interruption may come before they are stored."""

    def give(self, job: Job) -> None:
        """Send a request."""
        self.under_way.add(job)
        self.busy += 1
        if self.busy > self._threads:
            self._threads += 1
            threading.Thread(target=self._work, daemon=True).start()
        self._jobs.put(job)

    def take(self, seconds: float) -> list[tuple[Job, Outcome]]:
        """What came back, after some seconds at most."""
        found = self._clock.take(self._done, seconds, self.busy)
        self.busy -= len(found)
        return found

    def close(self) -> None:
        """Let the threads end when their requests do."""
        for _ in range(self._threads):
            self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            outcome: Outcome
            try:
                outcome = self.received[job] = self._send(job)
            except BaseException as error:  # for the thread that asks
                outcome = error
            self.under_way.discard(job)
            self._done.put((job, outcome))
        self._leave()
