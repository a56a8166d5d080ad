"""100,000 segments: time compared with sacreBLEU, and the additional memory for scoring."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bench.harness import Case, Measured
from bench.kernels import corpus, score
from tests.archives import texts

SEGMENTS = 100_000
MEMORY_LIMIT_MB = 100


def large() -> tuple[list[str], list[str]]:
    """Outputs and references of all en-de systems of three years, concatenated."""
    output: list[str] = []
    reference: list[str] = []
    for campaign, name in (("wmt17", "ref"), ("wmt19", "ref"), ("wmt22", "refA")):
        references, outputs = texts(campaign, "en-de", (name,))
        for column in outputs.values():
            output += column
            reference += references[name]
    return output[:SEGMENTS], reference[:SEGMENTS]


def cases() -> Iterator[Case]:
    """BLEU and chrF of one very large output."""
    output, reference = large()
    assert len(output) == SEGMENTS  # noqa: S101
    yield corpus("BLEU, 100k segments", "BLEU()", "bleu", output, [reference], 35, 60, rounds=1)
    yield corpus("chrF, 100k segments", "CHRF()", "chrf", output, [reference], 80, 150, rounds=1)


def added_memory() -> Iterator[Measured]:
    """Growth of the peak memory during scoring, in a process that has already loaded the texts."""
    for name, spec in (("BLEU", "bleu"), ("chrF", "chrf")):
        done = subprocess.run([sys.executable, "-m", "bench.scale", spec], capture_output=True, text=True, check=True)
        code = f'score("{spec}", {{"x": output}}, [reference])'
        name = f"additional memory for {name} of {SEGMENTS:,} segments, after loading the texts"
        yield Measured(name, float(done.stdout), "MB", MEMORY_LIMIT_MB, None, code)


def _status(field: str) -> int:
    """A value of /proc/self/status, in kilobytes."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.partition(f"{field}:")[2].split()[0])


if __name__ == "__main__":
    column, stream = large()
    score(sys.argv[1], {"x": column[:10]}, [stream[:10]])
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # reset the peak
    before = _status("VmRSS")
    kept = score(sys.argv[1], {"x": column}, [stream])
    print((_status("VmHWM") - before) / 1024)
