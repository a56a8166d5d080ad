"""Whole processes: --help, and scoring one system with BLEU and chrF."""

from __future__ import annotations

import json
import shlex
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.harness import Result
from bench.processes import usage
from tests.archives import unpacked

ROUNDS = 11


def results() -> Iterator[Result]:
    """The `assay` command compared with the `sacrebleu` command, on WMT22 en-de."""
    outputs = unpacked("wmt22") / "system-outputs" / "en-de"
    reference, output = "references/en-de.refA.txt", f"system-outputs/en-de/{min(outputs.iterdir()).name}"
    theirs = ["sacrebleu", reference, "-i", output, "-m", "bleu", "chrf", "-w", "9"]
    ours = ["assay", "score", "--ref", reference, output, "--threads", "1", "--format", "json"]
    corpus = [*ours, "--agg", "corpus"]
    yield compare("--help", ["sacrebleu", "--help"], ["assay", "--help"], 3, 4)
    yield compare("BLEU and chrF, corpus only", theirs, [*corpus, "--resamples", "0"], 9, 14, agree)
    yield compare("BLEU and chrF, corpus, with intervals", [*theirs, "--confidence"], corpus, 6, 10, agree)
    name = "BLEU and chrF, defaults (only Assay adds intervals)"
    yield compare(name, theirs, ours, 6, 10, agree)


def compare(name: str, theirs: list[str], ours: list[str], minimum: float, target: float, agree: Any = None) -> Result:
    """Median CPU time of the two processes, run alternately."""
    folder = unpacked("wmt22")
    peer_times, our_times = [], []
    for _ in range(ROUNDS):
        expected, found = usage(theirs, folder), usage(ours, folder)
        peer_times.append(1000 * expected.seconds)
        our_times.append(1000 * found.seconds)
        if agree is not None:
            agree(expected.output, found.output)
    peer_ms, our_ms = statistics.median(peer_times), statistics.median(our_times)
    return Result(name, "sacreBLEU", peer_ms, our_ms, minimum, target, shlex.join(theirs), shlex.join(ours))


def agree(expected: str, found: str) -> None:
    """Both printed the same corpus scores."""
    printed = json.loads(expected)
    theirs = {row["name"][:4].lower(): row["score"] for row in (printed if isinstance(printed, list) else [printed])}
    rows = [row for row in json.loads(found)["scores"] if row["aggregation"] == "corpus"]
    for row in rows:
        np.testing.assert_allclose(row["value"], theirs[row["metric"]], rtol=0, atol=1e-8)
