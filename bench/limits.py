"""Large tasks that no other tool does in the same way: CPU time in seconds, and its limit."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.runtime import Runtime
from tests.archives import texts, unpacked

METRICS, SYSTEMS, SEGMENTS = 100, 30, 10_000
COMPARED_SEGMENTS = 2_000
_REPLACED = 0.3  # of the segments of a made-up system, by outputs of others


@dataclass(frozen=True)
class Limited:
    """One task; the call is measured, not what makes it."""

    name: str
    limit: float
    target: float
    call: Callable[[], object]


@dataclass(frozen=True)
class Measured:
    """CPU time of a task in seconds."""

    name: str
    seconds: float
    limit: float
    target: float

    @property
    def verdict(self) -> str:
        """Which goal the time reaches."""
        return "target" if self.seconds <= self.target else "limit" if self.seconds <= self.limit else "MISSED"


def results() -> Iterator[Measured]:
    """All tasks, each run once on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        for task in _tasks(Path(folder)):
            start = time.process_time()
            task.call()
            yield Measured(task.name, time.process_time() - start, task.limit, task.target)


def _tasks(folder: Path) -> Iterator[Limited]:
    one = Runtime(threads=1)
    systems = made_up_systems()
    name = f"all pairs of {SYSTEMS} systems by BLEU and chrF, 10,000 swaps, {COMPARED_SEGMENTS:,} segments"
    yield Limited(name, 20, 5, lambda: assay.compare(systems, ["bleu", "chrf"], all_pairs=True, runtime=one))
    ranked = assay.load_campaign(unpacked("wmt16"), lp="en-cs")
    name = "TrueSkill of WMT16 en-cs, 1,000 draws"
    yield Limited(name, 12, 6, lambda: assay.rank(ranked, method="trueskill", resamples=1000, runtime=one))
    judged = assay.load_campaign(unpacked("wmt22"), lp="zh-en")
    name = "acc-star of all metrics of WMT22 zh-en, 1,000 draws"

    def calibrate() -> object:
        return assay.meta([judged], gold="mqm", level="segment", statistics="acc-star", resamples=1000, runtime=one)

    yield Limited(name, 20, 8, calibrate)
    write_scores(folder / "large")
    name = f"loading {METRICS} metrics x {SYSTEMS} systems x {SEGMENTS:,} segments"
    yield Limited(name, 4, 2, lambda: assay.load_campaign(folder / "large", lp="en-de"))


def made_up_systems() -> assay.TestSet:
    """Systems that mix the outputs of WMT22 en-de, so that no two are the same."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    generator, columns = random.Random(1), list(outputs.values())

    def mixed(own: list[str]) -> list[str]:
        return [
            generator.choice(columns)[i] if generator.random() < _REPLACED else own[i] for i in range(COMPARED_SEGMENTS)
        ]

    systems = {f"system{k + 1}": mixed(columns[k % len(columns)]) for k in range(SYSTEMS)}
    return assay.load(outputs=systems, references={"refA": references["refA"][:COMPARED_SEGMENTS]})


def write_scores(folder: Path) -> None:
    """A campaign in the layout of mt-metrics-eval, with short texts. All metrics have the same scores: one file."""
    generator = random.Random(2)
    systems = [f"system{k + 1}" for k in range(SYSTEMS)]
    lines = [f"segment {i + 1}\n" for i in range(SEGMENTS)]
    for name in ("sources/en-de.txt", "references/en-de.refA.txt", *(f"system-outputs/en-de/{s}.txt" for s in systems)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), encoding="utf-8")
    scores = folder / "metric-scores" / "en-de"
    scores.mkdir(parents=True)
    rows = (f"{system}\t{generator.uniform(0, 100):.4f}\n" for system in systems for _ in range(SEGMENTS))
    first = scores / "metric1-refA.seg.score"
    first.write_text("".join(rows), encoding="utf-8")
    for k in range(1, METRICS):
        os.link(first, scores / f"metric{k + 1}-refA.seg.score")
