"""Runs the command of a case, in this process or in one of its own."""

from __future__ import annotations

import ctypes
import io
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.cli.group import _run
from tests.badinputs.case import GOOD, Case, Process

_PR_CAPBSET_READ, _PR_CAPBSET_DROP = 23, 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH, _CAP_SETPCAP = 1, 2, 8
_PATIENCE = 300  # seconds until a process is taken to hang

_ASSAY_THAT_TELLS_ITS_PEAK = """
import atexit, pathlib, re, sys
from assay.cli import main

peak, status = pathlib.Path(sys.argv.pop(1)), pathlib.Path("/proc/self/status")
if status.exists():
    atexit.register(lambda: peak.write_text(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1]))
main()
"""


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    code: int
    out: str
    err: str
    seconds: float  # of the processor: on a busy machine, a command waits for others
    megabytes: float = 0.0


def prepare(case: Case, folder: Path) -> None:
    """Write the files of a case."""
    for name in case.folders:
        (folder / name).mkdir()
    for name, raw in ({"ref.txt": GOOD, "out.txt": GOOD} | dict(case.files) | dict(case.makes())).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)


def listing(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder: content by name, None for a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


def run_here(case: Case, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Outcome:
    """Run a case in this process."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(case.stdin)))
    start = time.process_time()
    code = _run([*case.command, *case.arguments])
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err, time.process_time() - start)


def run_apart(case: Case, process: Process, folder: Path, peak: Path) -> Outcome:
    """Run a case in a process of its own, in the shell script that it asks for."""
    command = [sys.executable, "-c", _ASSAY_THAT_TELLS_ITS_PEAK, str(peak), *case.command, *case.arguments]
    before = _seconds_of_children()
    done = subprocess.run(
        ["bash", "-c", process.script, "bash", *command],
        cwd=folder,
        env=os.environ | dict(process.environment),
        input=case.stdin,
        capture_output=True,
        timeout=_PATIENCE,
        preexec_fn=_privilege_dropper() if process.is_unprivileged else None,
    )
    seconds, kilobytes = _seconds_of_children() - before, int(peak.read_text()) if peak.exists() else 0
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode(), seconds, kilobytes / 1024)


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _privilege_dropper() -> Callable[[], None] | None:
    """Root may read and write anything; in the child take that from it, so that permissions hold as for anyone."""
    if os.geteuid() != 0:
        return None
    if not sys.platform.startswith("linux"):
        pytest.skip("root ignores permissions, and only Linux lets it be told not to")
    libc = ctypes.CDLL(None)
    if libc.prctl(_PR_CAPBSET_READ, _CAP_SETPCAP, 0, 0, 0) != 1:
        pytest.skip("root ignores permissions, and may not be told not to here")

    def drop() -> None:
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)

    return drop
