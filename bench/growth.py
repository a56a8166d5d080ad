"""What `assay score` costs as a test set grows: CPU time and peak memory of whole commands, with intervals.

One number grows at a time: the segments, the systems or the references. sacreBLEU is measured up to the sizes that it
scores within a minute or two; chrF of 100,000 segments takes 13 GB of memory. Its command takes one system when it
computes intervals, so it runs once for each.
"""

from __future__ import annotations

import shlex
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import commands, large_files
from bench.harness import Measured
from bench.limits import mixed_outputs
from bench.processes import Usage, usage
from tests.archives import texts

SEGMENTS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
SYSTEMS = (1, 3, 10, 30, 100)
REFERENCES = (1, 2, 4, 8)
SEGMENTS_OF_SYSTEMS, SEGMENTS_OF_REFERENCES = 2_000, 10_000
METRICS = {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}

_PEER_LIMITS = {
    "segments": {"bleu": 100_000, "chrf": 100_000, "ter": 10_000},
    "systems": {"bleu": 10, "chrf": 10, "ter": 10},
    "references": {"bleu": 8, "chrf": 8, "ter": 2},
}
"""The largest sizes at which sacreBLEU is measured."""

_ROUNDS, _SHORT = 3, 1.0  # commands that take less than a second are measured three times
_LARGEST_GOALS = (("CPU time per segment", "µs", 3.0, 2.0), ("peak memory", "MB", 500.0, 250.0))
_GROWTH_LIMIT = 1.2  # of the time per segment


@dataclass(frozen=True)
class Point:
    """The cost of one test set. A cell is a segment of a system."""

    axis: str
    size: int
    metric: str
    tool: str
    microseconds: float
    """CPU time per cell."""
    peak_mb: float
    code: str

    verdict = "measured"

    def __str__(self) -> str:
        return (
            f"{self.axis:<11}{self.size:>11,} {self.metric:<5}{self.tool:<10}"
            f"{self.microseconds:>9.2f} µs per cell {self.peak_mb:>8.0f} MB"
        )


@dataclass(frozen=True)
class Files:
    """The files of a test set, by name, in the folder where the commands run."""

    axis: str
    size: int
    segments: int
    outputs: Sequence[str]
    references: Sequence[str]


def rows() -> Iterator[Point | Measured]:
    """All points of the curves, and goals for the largest of them."""
    points = []
    with tempfile.TemporaryDirectory() as folder:
        for files in _test_sets(Path(folder)):
            for point in _points(files, Path(folder)):
                points.append(point)
                yield point
    yield from goals(points)


def goals(points: Sequence[Point]) -> Iterator[Measured]:
    """Limits for BLEU of the most segments."""
    ours = {
        point.size: point for point in points if (point.axis, point.metric, point.tool) == ("segments", "BLEU", "Assay")
    }
    most, fewer = ours[SEGMENTS[-1]], ours[SEGMENTS[-2]]
    for (what, unit, limit, target), value in zip(_LARGEST_GOALS, (most.microseconds, most.peak_mb), strict=True):
        yield Measured(f"BLEU of {most.size:,} segments, {what}", value, unit, limit, target, most.code)
    name = f"CPU time per segment, {most.size:,} segments to {fewer.size:,}"
    yield Measured(name, most.microseconds / fewer.microseconds, "times", _GROWTH_LIMIT, 1.0, most.code)


def _test_sets(folder: Path) -> Iterator[Files]:
    """Write the files of each test set before they are measured, and remove large ones afterwards."""
    for segments in SEGMENTS:
        paths = large_files.write(folder, segments)
        yield Files("segments", segments, segments, *([path.name] for path in paths))
        for path in paths:
            path.unlink()
    references, outputs = texts("wmt22", "en-de", ("refA", "refB"))
    columns = list(outputs.values())
    mixed = _write(folder, mixed_outputs([column[:SEGMENTS_OF_SYSTEMS] for column in columns], max(SYSTEMS)))
    first = _write(folder, {"refA": references["refA"][:SEGMENTS_OF_SYSTEMS]})
    for systems in SYSTEMS:
        yield Files("systems", systems, SEGMENTS_OF_SYSTEMS, mixed[:systems], first)
    output, *streams = _write(folder, many_references(list(references.values()), columns))
    for count in REFERENCES:
        yield Files("references", count, SEGMENTS_OF_REFERENCES, [output], streams[:count])


def many_references(references: Sequence[list[str]], outputs: Sequence[list[str]]) -> dict[str, list[str]]:
    """An output of several systems in a row, the references of it, and the outputs of other systems as more of them."""
    systems = range(-(-SEGMENTS_OF_REFERENCES // len(outputs[0])))
    columns = {"output": [line for k in systems for line in outputs[k]]}
    for place in range(max(REFERENCES)):
        given = [references[place] if place < len(references) else outputs[(k + place) % len(outputs)] for k in systems]
        columns[f"reference{place + 1}"] = [line for column in given for line in column]
    return {name: column[:SEGMENTS_OF_REFERENCES] for name, column in columns.items()}


def _write(folder: Path, columns: Mapping[str, Sequence[str]]) -> list[str]:
    for name, column in columns.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in column), encoding="utf-8")
    return [f"{name}.txt" for name in columns]


def _points(files: Files, folder: Path) -> Iterator[Point]:
    references = [part for reference in files.references for part in ("--ref", reference)]
    for metric in METRICS:
        options = ["-m", metric, "--agg", "corpus", "--threads", "1", "--format", "json"]
        ours = [["assay", "score", *references, *files.outputs, *options]]
        point, printed = _point(files, metric, "Assay", ours, folder)
        yield point
        if files.size <= _PEER_LIMITS[files.axis][metric]:
            theirs = [
                ["sacrebleu", *files.references, "-i", output, "-m", metric, "--confidence", "-w", "9"]
                for output in files.outputs
            ]
            point, expected = _point(files, metric, "sacreBLEU", theirs, folder)
            yield point
            if len(files.outputs) == 1:
                commands.agree(expected, printed)


def _point(files: Files, metric: str, tool: str, commands: list[list[str]], folder: Path) -> tuple[Point, str]:
    """The cost of all commands together, and what the first of them printed."""
    rounds = [[usage(command, folder) for command in commands]]
    if _seconds(rounds[0]) < _SHORT:
        rounds += [[usage(command, folder) for command in commands] for _ in range(_ROUNDS - 1)]
    microseconds = 1e6 * statistics.median(map(_seconds, rounds)) / (files.segments * len(files.outputs))
    peak = statistics.median(max(used.peak_mb for used in each) for each in rounds)
    point = Point(files.axis, files.size, METRICS[metric], tool, microseconds, peak, shlex.join(commands[0]))
    return point, rounds[0][0].output


def _seconds(used: Sequence[Usage]) -> float:
    return sum(each.seconds for each in used)
