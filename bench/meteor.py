"""METEOR and its own program in Java: from files to scores, and segments alone, when everything has been loaded.

Needs Java, and METEOR's files in build/resources (`make resources`).
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import numpy as np

import assay
from assay.files.resources import Resource
from assay.lexicons import paraphrases
from assay.metrics import metric
from assay.types.runtime import Runtime
from bench.harness import Limited, Measured, Result, timed
from bench.processes import usage
from tests.archives import texts
from tests.meteor_folder import FETCHED

SEGMENTS = 2_000
ROUNDS = 3
_JAR = FETCHED / "meteor-1.5.jar"
_OPTIONS = ("-l", "en", "-norm")


def rows() -> Iterator[Result | Measured]:
    """Nothing without Java or METEOR's files."""
    java = shutil.which("java")
    if java is None or not _JAR.exists():
        return
    references, outputs = texts("wmt13", "de-en", ("ref",))
    output, reference = outputs["online-B"][:SEGMENTS], references["ref"][:SEGMENTS]
    with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, ASSAY_RESOURCES=str(FETCHED.parent)):
        folder = Path(name)
        for column, file in ((output, "out.txt"), (reference, "ref.txt")):
            (folder / file).write_text("".join(f"{text}\n" for text in column), encoding="utf-8")
        resource = Resource("paraphrase-en", FETCHED / "data" / "paraphrase-en.gz")
        paraphrases.open_paraphrases(resource, Runtime())  # converts it, once for all
        yield _from_files(java, folder)
    testset = assay.load(outputs={"x": output}, references={"ref": reference}, lp="de-en")
    yield _segments(java, testset)
    opened_anew = paraphrases.open_table.__wrapped__  # without what is in memory already
    names = {"open_table": lambda: opened_anew(paraphrases.folder_of(resource))}
    yield timed(
        Limited("opening the English paraphrases, which were converted before", "open_table()", names, 2.0, 0.1), ROUNDS
    )


def _from_files(java: str, folder: Path) -> Result:
    """Whole processes."""
    theirs = [java, "-Xmx2G", "-jar", str(_JAR), "out.txt", "ref.txt", *_OPTIONS]
    ours = [
        *("assay", "score", "--ref", "ref.txt", "out.txt", "--lp", "de-en", "-m", "meteor"),
        *("--threads", "1", "--resamples", "0", "--format", "json"),
    ]
    expected = re.search(r"Final score:\s+(\S+)", usage(theirs, folder).output)
    assert expected is not None  # noqa: S101
    assert expected[1][:12] in usage(ours, folder).output  # noqa: S101
    return _compared(
        f"METEOR of {SEGMENTS:,} segments, from files to scores",
        (lambda: usage(theirs, folder).seconds, "java -jar meteor-1.5.jar out.txt ref.txt -l en -norm"),
        (lambda: usage(ours, folder).seconds, " ".join(ours)),
        (10, 30),
    )


def _segments(java: str, testset: assay.TestSet) -> Result:
    """The program reads segments from its standard input, one after another."""
    runtime = Runtime(threads=1)
    prepared = metric.create(f"meteor:files={FETCHED}").prepare(testset)
    prepared.statistics(testset, runtime)  # opens everything

    def ours() -> float:
        start = time.process_time()
        prepared.score(prepared.statistics(testset, runtime))
        return time.process_time() - start

    def theirs() -> float:
        with _Program(java) as program:
            (output,), (reference,) = testset.outputs.values(), testset.references.values()
            program.counts(str(output[0]), str(reference[0]))  # after it has loaded everything
            start = program.cpu_seconds()
            counts = [program.counts(str(out), str(ref)) for out, ref in zip(output, reference, strict=True)]
            seconds = program.cpu_seconds() - start
        _check(np.array(counts), prepared.statistics(testset, runtime)[0])
        return seconds

    code = "metric.score(metric.statistics(testset, Runtime(threads=1)))"
    name = f"METEOR of {SEGMENTS:,} segments, after loading"
    return _compared(name, (theirs, "SCORE ||| reference ||| output, with -stdio"), (ours, code), (5, 10))


def _check(theirs: np.ndarray, ours: np.ndarray) -> None:
    """All counts are equal; we count no chunk in a segment that is matched as a whole."""
    is_whole = (theirs[:, 21] == theirs[:, 0]) & (theirs[:, 22] == theirs[:, 1]) & (theirs[:, 20] == 1)
    theirs[is_whole, 20] = 0
    np.testing.assert_array_equal(ours, theirs)


def _compared(
    name: str, theirs: tuple[Callable[[], float], str], ours: tuple[Callable[[], float], str], goals: tuple[int, int]
) -> Result:
    """The median CPU seconds of both, alternating."""
    seconds = [(theirs[0](), ours[0]()) for _ in range(ROUNDS)]
    peer_ms, our_ms = (1000 * statistics.median(column) for column in zip(*seconds, strict=True))
    return Result(name, "Java", peer_ms, our_ms, *goals, theirs[1], ours[1])


class _Program:
    """METEOR, waiting for segments."""

    def __init__(self, java: str) -> None:
        command = [java, "-Xmx2G", "-jar", str(_JAR), "-", "-", "-stdio", *_OPTIONS]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8", bufsize=1)

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def counts(self, output: str, reference: str) -> list[float]:
        """The 23 statistics of a segment."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101
        assert stdout is not None  # noqa: S101
        stdin.write(f"SCORE ||| {reference} ||| {output}\n")
        return [float(count) for count in stdout.readline().split()]

    def cpu_seconds(self) -> float:
        """What all its threads have used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
