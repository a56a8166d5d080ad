"""What a run cost: seconds, texts and tokens that went through the encoder, and how busy the GPU was."""

from __future__ import annotations

import functools
import shutil
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_INTERVAL = 0.1  # seconds between two readings of the GPU


@dataclass
class Work:
    """What was done while `measured` ran; loading a model, for instance, is left out."""

    texts: int = 0
    tokens: int = 0
    """Including padding."""
    batches: int = 0
    spans: list[tuple[float, float]] = field(default_factory=list)
    """Start and end of what was measured."""
    readings: list[tuple[float, float]] = field(default_factory=list)
    """When a reading was taken, and in how many per cent of the time before it the GPU computed."""

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Count and time what is done here."""
        start = time.perf_counter()
        with _counted(self):
            yield
            _wait_for_gpu()
        self.spans.append((start, time.perf_counter()))

    @property
    def seconds(self) -> list[float]:
        """Of each span."""
        return [end - start for start, end in self.spans]

    def as_json(self) -> dict[str, Any]:
        """For the file of results."""
        busy = [share for when, share in self.readings if any(start <= when <= end for start, end in self.spans)]
        return {
            "texts": self.texts,
            "tokens": self.tokens,
            "batches": self.batches,
            "busy": statistics.mean(busy) if busy else None,
        }


@contextmanager
def watched() -> Iterator[Work]:
    """Take readings of the first GPU, if there is one, as long as this runs."""
    work, is_over = Work(), threading.Event()
    program = shutil.which("nvidia-smi")
    watching = threading.Thread(target=_watch, args=(program, work, is_over)) if program else None
    if watching:
        watching.start()
    try:
        yield work
    finally:
        is_over.set()
        if watching:
            watching.join()


def _watch(program: str, work: Work, is_over: threading.Event) -> None:
    query = [program, "--id=0", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
    while not is_over.wait(_INTERVAL):
        output = subprocess.run(query, capture_output=True, text=True, check=False).stdout.strip()
        if output.isdigit():
            work.readings.append((time.perf_counter(), float(output)))


@contextmanager
def _counted(work: Work) -> Iterator[None]:
    """Count what goes through XLM-R of transformers, whoever calls it."""
    from transformers import XLMRobertaModel

    forward = XLMRobertaModel.forward

    @functools.wraps(forward)
    def counting(self: Any, *args: Any, **kwargs: Any) -> Any:
        ids = kwargs["input_ids"] if "input_ids" in kwargs else args[0]
        work.texts += ids.shape[0]
        work.tokens += ids.numel()
        work.batches += 1
        return forward(self, *args, **kwargs)

    XLMRobertaModel.forward = counting
    try:
        yield
    finally:
        XLMRobertaModel.forward = forward


def _wait_for_gpu() -> None:
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()
