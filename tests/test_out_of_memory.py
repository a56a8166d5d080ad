"""Running out of memory is a clear error, from NumPy and from the core, and never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from assay.errors import InputError, OutOfMemoryError

_LIMITED = """
import resource, sys
from assay.cli import main
import numpy, assay.study.score, assay.metrics.chrf
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {megabytes} * 10**6, used + {megabytes} * 10**6))
sys.argv = ["assay", *{arguments!r}]
main()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a limit of the address space")
@pytest.mark.parametrize(("metric", "megabytes"), [("chrf:char_order=100,word_order=100", 120), ("ter", 60)])
def test_a_command_that_runs_out_of_memory(tmp_path, metric, megabytes):
    is_table = metric.startswith("chrf")
    text = "a b\n" * 100_000 if is_table else " ".join(f"w{i}" for i in range(500_000)) + "\n"
    (tmp_path / "ref.txt").write_text(text)
    (tmp_path / "out.txt").write_text(text)
    arguments = ["score", "--threads", "1", "-m", metric, "--ref", str(tmp_path / "ref.txt"), str(tmp_path / "out.txt")]
    if is_table:
        arguments += ["--by", "length"]  # otherwise the table is computed part by part
    program = _LIMITED.format(megabytes=megabytes, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert f"error: not enough memory for the metric '{metric}'" in done.stderr
    assert ("an array of 480 MB cannot be allocated" in done.stderr) == is_table
    assert "hint: use fewer systems" in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a limit of the address space")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\n" * (1 << 26), "ref.txt: too large for the available memory"),  # the offsets of the lines
        (b"a" * (1 << 28) + b"\n", "not enough memory for this command"),  # one line
    ],
)
def test_a_large_file_that_runs_out_of_memory(tmp_path, text, message):
    (tmp_path / "ref.txt").write_bytes(text)
    arguments = ["score", "--threads", "1", "-m", "bleu", "--ref", str(tmp_path / "ref.txt"), str(tmp_path / "ref.txt")]
    program = _LIMITED.format(megabytes=150, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert f"{message}\nhint: " in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout


def test_the_error_names_the_task_and_the_cause():
    error = OutOfMemoryError("the metric 'bleu'", MemoryError("Unable to allocate 7 GiB for an array"))
    assert error.message == "not enough memory for the metric 'bleu': unable to allocate 7 GiB for an array"
    from_core = OutOfMemoryError("this command", MemoryError("std::bad_alloc"))
    assert from_core.message == "not enough memory for this command"
    assert isinstance(error, InputError)
    assert isinstance(error, MemoryError)
    assert error.exit_code == 3
