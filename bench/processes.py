"""CPU time and peak memory of a whole command."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# The peak that a system reports for a process includes its memory between fork and exec, which is its parent's. The
# parent is therefore a process that has next to nothing in memory.
_LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True)
class Usage:
    """What a process used, and what it printed."""

    seconds: float
    peak_mb: float
    output: str


def usage(command: list[str], folder: Path) -> Usage:
    """Run a command of this environment in a folder."""
    program = str(Path(sys.executable).parent / command[0])
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, program, *command[1:]]
    done = subprocess.run(launcher, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    seconds, kilobytes = done.stderr.splitlines()[-1].split()
    return Usage(float(seconds), int(kilobytes) / 1024, done.stdout)
