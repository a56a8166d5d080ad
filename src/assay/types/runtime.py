"""How a computation runs: threads, device, batches, cache and progress.

It changes scores by no more than the metric's tolerance.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias, TypeVar

from assay.errors import ConfigError, option, printable
from assay.options.checks import check_integer
from assay.options.python_warnings import warn

__all__ = ["Progress", "Runtime", "Warn", "available_cores"]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the current task, the number of finished steps and the number of steps. It may raise to interrupt."""
Warn: TypeAlias = Callable[[str], None]
"""Called with a sentence on something that went wrong without changing a result."""

_MAX_THREADS = 1024
_MAX_BATCH = 1 << 30
_DEVICES = re.compile(r"auto|(cpu|cuda(:\d+)?)(,(cpu|cuda(:\d+)?))*")
_T = TypeVar("_T")


def available_cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Runtime:
    """How to run, not what to compute. It is not part of a metric, a signature or a result.

    `threads` defaults to all available cores. `device` (auto, cpu, cuda or cuda:N; auto: cuda if there is one; several
    with commas, each gets a process) and `batch_size` (tokens per batch) are for metrics that run a neural network,
    `cache` is a folder for what they compute from texts, so that other metrics and later runs need not compute it
    again. `progress` is called as work advances; an exception that it raises interrupts the work. `on_warning` is
    called when something goes wrong that costs only time, such as a cache that cannot be written; without it, Python
    warns.
    """

    threads: int = field(default_factory=available_cores)
    device: str = "auto"
    batch_size: int | None = None
    cache: str | Path | None = None
    progress: Progress | None = None
    on_warning: Warn | None = None

    def __post_init__(self) -> None:
        check_integer("threads", self.threads, 1, _MAX_THREADS)
        if not isinstance(self.device, str) or _DEVICES.fullmatch(self.device) is None:
            raise ConfigError(
                f"device must be auto, cpu, cuda or cuda:N, or several such as 'cuda:0,cuda:1', not "
                f"'{printable(str(self.device))}'",
                hint=f"for a GPU, {option('device', 'cuda')}; other accelerators than NVIDIA's are not supported",
            )
        if self.batch_size is not None:
            check_integer("batch_size", self.batch_size, 1, _MAX_BATCH)

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices to run on."""
        return tuple(self.device.split(","))

    def report(self, task: str, done: int, total: int) -> None:
        """Report that `done` of `total` steps are finished and that `task` is next."""
        if self.progress is not None:
            self.progress(task, done, total)

    def warn(self, text: str) -> None:
        """Report something that went wrong without changing a result."""
        if self.on_warning is not None:
            self.on_warning(text)
        else:
            warn(text)

    def track(self, items: Iterable[_T], describe: Callable[[_T], str]) -> Iterator[_T]:
        """Yield the items, and report progress before each item and at the end."""
        steps = items if isinstance(items, Sized) else list(items)
        total = len(steps)
        description = ""
        for done, item in enumerate(steps):
            description = describe(item)
            self.report(description, done, total)
            yield item
        if total:
            self.report(description, total, total)
