"""A process that is stopped while it reads says so at most, and leaves nothing behind."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time

import pytest

from tests import ctrl_c
from tests.badinputs.case import GOOD


@pytest.mark.parametrize(
    ("sent", "code", "message"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, -signal.SIGTERM, "")]
)
def test_stopped_while_reading(tmp_path, sent, code, message):
    (tmp_path / "out.txt").write_bytes(GOOD)
    (tmp_path / "old.json").write_bytes(b"old")
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(
        [sys.executable, "-m", "assay", "score", "--ref", "pipe", "out.txt", "-o", "old.json", "--force"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=ctrl_c.restore,
    ) as process:
        writer = _open_once_read(tmp_path / "pipe")
        try:
            out, err = _stopped(process, sent)
        finally:
            process.kill()
            os.close(writer)
    assert (process.returncode, out, err.lstrip()) == (code, "", message)
    assert sorted(os.listdir(tmp_path)) == ["old.json", "out.txt", "pipe"]
    assert (tmp_path / "old.json").read_bytes() == b"old"


def test_ctrl_c_stays_ignored_where_the_shell_ignores_it(tmp_path):
    """As for any program in the background: Ctrl-C is meant for the one in the foreground."""
    (tmp_path / "out.txt").write_bytes(GOOD)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(
        [sys.executable, "-m", "assay", "score", "--ref", "pipe", "out.txt", "--resamples", "0"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as process:
        writer = _open_once_read(tmp_path / "pipe")
        try:
            process.send_signal(signal.SIGINT)
            os.write(writer, GOOD)
        finally:
            os.close(writer)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, "interrupted" in err) == (0, False)
    assert "100.00" in out


def _stopped(process, sent):
    """Python notices a signal that comes just before a read when the read returns, which may be never: say it again."""
    for _ in range(10):
        process.send_signal(sent)
        try:
            return process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            continue
    return pytest.fail("it does not stop")


def _open_once_read(pipe):
    """Open a pipe for writing as soon as the other process reads from it."""
    for _ in range(6000):  # a minute, for a busy machine
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            time.sleep(0.01)
    return pytest.fail("the pipe was never read")
