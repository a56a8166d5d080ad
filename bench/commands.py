"""Whole processes: --help, and scoring one system with BLEU and chrF."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench.harness import Result
from tests.archives import unpacked

BIN = Path(sys.executable).parent
ROUNDS = 11


def results() -> Iterator[Result]:
    """The `assay` command compared with the `sacrebleu` command."""
    folder = unpacked("wmt22")
    reference = str(folder / "references" / "en-de.refA.txt")
    output = str(min((folder / "system-outputs" / "en-de").iterdir()))
    theirs = [str(BIN / "sacrebleu"), reference, "-i", output, "-m", "bleu", "chrf", "-w", "9"]
    ours = [str(BIN / "assay"), "score", "--ref", reference, output, "--threads", "1", "--format", "json"]
    yield compare("command: --help", [theirs[0], "--help"], [ours[0], "--help"], 2, 2)
    yield compare("command: score BLEU and chrF, with intervals", theirs, ours, 6, 10, agree)
    plain = [*ours, "--agg", "corpus", "--resamples", "0"]
    yield compare("command: score BLEU and chrF, corpus only", theirs, plain, 6, 10, agree)


def compare(name: str, theirs: list[str], ours: list[str], minimum: float, target: float, agree: Any = None) -> Result:
    """Median CPU time of the two processes, run alternately."""
    peer_times, our_times = [], []
    for _ in range(ROUNDS):
        elapsed, expected = _cpu(theirs)
        peer_times.append(elapsed)
        elapsed, found = _cpu(ours)
        our_times.append(elapsed)
        if agree is not None:
            agree(expected, found)
    peer_ms, our_ms = (1000 * float(np.median(times)) for times in (peer_times, our_times))
    return Result(name, "sacreBLEU", peer_ms, our_ms, minimum, target)


def agree(expected: str, found: str) -> None:
    """Both printed the same corpus scores."""
    theirs = {row["name"][:4].lower(): row["score"] for row in json.loads(expected)}
    rows = [row for row in json.loads(found)["scores"] if row["aggregation"] == "corpus"]
    for row in rows:
        np.testing.assert_allclose(row["value"], theirs[row["metric"]], rtol=0, atol=1e-8)


def _cpu(command: list[str]) -> tuple[float, str]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout
