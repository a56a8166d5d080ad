"""How a computation runs: threads, device, batches, cache, progress, and limits of requests to language models.

It changes scores by no more than the metric's tolerance.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias, TypedDict, TypeVar

from assay.errors import ConfigError, option_name, printable
from assay.options.checks import check_integer, check_positive
from assay.options.option import Option
from assay.options.parameters import check_fields
from assay.options.python_warnings import warn
from assay.types.spending import Spending

__all__ = ["Progress", "Runtime", "RuntimeFields", "Warn", "available_cores"]

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with the current task, the number of finished steps and the number of steps. It may raise to interrupt.

What changes during a task, such as its cost so far, follows its name after a semicolon.
"""
Warn: TypeAlias = Callable[[str], None]
"""Called with a sentence on something that went wrong without changing a result."""

_GROUP = "Runtime"
_MAX_THREADS = 1024
_MAX_BATCH = 1 << 30
_MAX_PARALLEL = 1024
_DEVICES = re.compile(r"auto|(cpu|cuda(:\d+)?)(,(cpu|cuda(:\d+)?))*")
_T = TypeVar("_T")


def available_cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_device(_: str, value: str) -> None:
    if _DEVICES.fullmatch(value) is None:
        raise ConfigError(
            f"device must be auto, cpu, cuda or cuda:N, or several such as 'cuda:0,cuda:1', not '{printable(value)}'",
            hint=f"for a GPU, {option_name('device', 'cuda')}; other accelerators than NVIDIA's are not supported",
        )


@dataclass(frozen=True, slots=True)
class Runtime:
    """How to run, not what to compute. It is not part of a metric, a signature or a result.

    Public functions take its fields as keyword arguments: `assay.score(testset, threads=1)`; an object serves several
    calls.
    """

    threads: Annotated[
        int,
        Option(
            "Number of threads. Results do not depend on it, except for rounding in neural networks.",
            group=_GROUP,
            check=partial(check_integer, low=1, high=_MAX_THREADS),
            default="all cores",
        ),
    ] = field(default_factory=available_cores)
    device: Annotated[
        str,
        Option(
            "Where neural networks run: cpu, cuda, cuda:N (the GPU with this number), several (cuda:0,cuda:1, one "
            "process each) or auto (a GPU if there is one).",
            group=_GROUP,
            check=_check_device,
            metavar="NAME",
        ),
    ] = "auto"
    batch_size: Annotated[
        int | None,
        Option(
            "Number of tokens in a batch of a neural network.",
            check=partial(check_integer, low=1, high=_MAX_BATCH),
            default="chosen by the metric",
        ),
    ] = None
    cache: Annotated[
        str | Path | None,
        Option(
            "Folder for what neural networks compute from texts, which other metrics and later runs use again. Replies "
            "of language models, which may have cost money, are kept in the usual cache folder if none is given."
        ),
    ] = None
    parallel: Annotated[
        int,
        Option(
            "Number of requests to a language model that are sent at a time.",
            group=_GROUP,
            check=partial(check_integer, low=1, high=_MAX_PARALLEL),
            metavar="N",
        ),
    ] = 8
    rate: Annotated[
        float | None,
        Option(
            "Largest number of requests to a language model in a minute.",
            group=_GROUP,
            check=check_positive,
            metavar="N",
            default="no limit",
        ),
    ] = None
    prices: Annotated[
        Sequence[float],
        Option(
            "Prices of a language model: USD per million tokens that it reads and that it writes, such as 2.50,10.",
            group=_GROUP,
            metavar="USD",
        ),
    ] = ()
    budget: Annotated[
        float | None,
        Option(
            f"What requests to language models may cost in USD at most, at the {option_name('prices')}. A run that "
            "would cost more does not begin, or stops; what is paid for is kept, and not paid again.",
            group=_GROUP,
            check=check_positive,
            metavar="USD",
            default="no limit",
        ),
    ] = None
    spending: Annotated[
        Spending | None,
        Option("Counts the tokens that language models use. The budget is that of all calls with the same object."),
    ] = field(default=None, compare=False)
    progress: Annotated[
        Progress | None,
        Option(
            "Called with the current task, the number of finished steps and the number of steps. It may raise an "
            "exception to interrupt the work."
        ),
    ] = None
    on_warning: Annotated[
        Warn | None,
        Option(
            "Called with a sentence when something goes wrong that costs only time, such as a cache that cannot be "
            "written.",
            default="Python warns",
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "prices", _read_prices(self.prices))
        if self.budget is not None and not self.prices:
            hint = f"USD per million tokens read and written: {option_name('prices', '2.50,10')}"
            raise ConfigError(f"{option_name('budget')} needs {option_name('prices')}", hint=hint)
        if self.spending is None:
            object.__setattr__(self, "spending", Spending())

    @property
    def spent(self) -> Spending:
        """What requests to language models have used so far."""
        return self.spending or Spending()

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


def _read_prices(prices: Sequence[float] | str) -> tuple[float, ...]:
    """Two prices, or none."""
    found = tuple(map(float, prices.split(",") if isinstance(prices, str) else prices))
    if found and (len(found) != 2 or min(found) < 0):
        raise ConfigError(
            f"{option_name('prices')} must be two numbers that are not negative, not {', '.join(map(str, found))}",
            hint=f"USD per million tokens read and written: {option_name('prices', '2.50,10')}",
        )
    return found


class RuntimeFields(TypedDict, total=False):
    """The fields of `Runtime` as keyword arguments of a public function, for type checkers and editors."""

    threads: int | None
    device: str
    batch_size: int | None
    cache: str | Path | None
    parallel: int
    rate: float | None
    prices: Sequence[float]
    budget: float | None
    spending: Spending | None
    progress: Progress | None
    on_warning: Warn | None
