"""Every kernel answers Ctrl-C: a subprocess that would compute for minutes stops soon after SIGINT."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterable

import pytest

from tests import ctrl_c

_PATIENCE = 60  # seconds, on a busy machine; without an answer a kernel runs for minutes

_SETUP = """
import sys
import numpy as np
from assay import _core
line = " ".join(f"w{i % 5000}x{i % 37}" for i in range(300_000))
other = " ".join(f"w{i * 7 % 5000}x{i % 31}" for i in range(300_000))
references, outputs = ((line,) * 200,), ((other,) * 200,)
few = ((line,) * 40,)
numbers = np.random.default_rng(1).normal(size=(1, 2_000_000))
mask = np.ones(numbers.shape, dtype=bool)
table = _core.Summable(np.ones((4, 200_000, 10), dtype=np.int64))
outcomes = np.triu(np.full((20, 20), 200_000), 1)[..., np.newaxis].repeat(3, 2)
tokens = np.tile(np.arange(4000, dtype=np.int32), 50)
column = _core.TokenColumn(tokens, np.arange(0, 200_001, 4000), np.ones(50, dtype=bool), np.ones(200_000))
vectors = _core.VectorTable(np.ones((4000, 300)), np.arange(4000, dtype=np.int32))
letters, starts = np.ones(400_000, dtype=np.uint8), np.arange(0, 400_001, 100)
words, ends = np.arange(2_000_000, dtype=np.uint32) % 5000, np.ones(2_000_000, dtype=np.uint8)
many = tuple(line[k : k + 300] for k in range(10_000))
def rate(name, tokenizer):
    _core.rate_statistics(references, outputs, name, tokenizer, True, False, 10**18, 2)
print("ready", flush=True)
"""

_ENDLESS = """
import sys
from assay import _core
line = b"The quick brown fox jumps over the lazy dog, and then it sleeps.\\n" * 2
pattern = line * (1 + (2 << 20) // len(line))
def read(first, size):
    start = first % len(line)
    return pattern[start : start + min(size, 1 << 20)]
def column(lines):
    return _core.read_file_lines(read, 0, lines * len(line) // 2)[0]
large = column({lines})
print("ready", flush=True)
"""

_KERNELS = {
    "bleu": '_core.bleu_statistics(references, outputs, "13a", 4, "closest", 2)',
    "chrf": "_core.chrf_statistics(references, outputs, 6, 2, False, 2.0, False, 2)",
    "nist": '_core.NistWeights(few, "13a", 5, False).statistics(references, outputs, 2)',
    "ter": 'rate("ter", "none")',
    "ter-moses": 'rate("ter-moses", "space")',
    "wer": 'rate("wer", "char")',
    "cer": 'rate("cer", "none")',
    "cder": 'rate("cder", "char")',
    "cut": "_core.cut_words(words, np.array([0, 1_000_000, 2_000_000]), words[::-1].copy(), ends, 5000)",
    "utilities": (
        "_core.chrf_utilities(many, np.array([0, 10_000]), None, None, 6, 0, False, _core.ChrfFormula(6, 2.0, False), "
        "False, 2)"
    ),
    "character": '_core.character_statistics(references, outputs, "char", "cer", 10**18, 2)',
    "eed": '_core.eed_statistics(references, outputs, "rwth", True, 2.0, 0.3, 0.2, 1.0, 10**18, 2)',
    "words": '_core.number_words(references * 10, "13a")',
    "ebleu": '_core.ebleu_statistics((column,), (column,), vectors, True, 1.0, False, False, "none", 2)',
    "yisi": '_core.yisi_statistics((column,), (column,), vectors, "none", 4, 2)',
    "yisi by form": "_core.yisi_form_statistics((column,), (column,), letters, starts, False, 4, 2)",
    "bertscore": "[_core.bertscore_statistics((column,), (column,), vectors, 2) for _ in range(100)]",
    "trueskill": "_core.trueskill(outcomes, 0.5, 2.0, 0.1, False, 64, 1, 2)",
    "bootstrap": "_core.bootstrap_sums([table], 0, 100_000, 200_000, 200_000, 1, 2)",
    "swaps": "_core.swap_sums([table], 0, 200_000, 200_000, 1, 2)",
    "weights": "_core.bootstrap_weights(0, 200, 200_000, 2**31, 1, 2)",
    "rank": "[_core.pair_counts(numbers, numbers, mask, None, 0.0, 0.0, 1) for _ in range(1000)]",
    "tie calibration": (
        "_core.best_epsilon(numbers[:, :300_000].copy(), numbers[:, -300_000:].copy(), mask[:, :300_000].copy(), None, "
        "np.ones(1, dtype=np.int64))"
    ),
}


_READERS = {
    "lines of a file": "column(10**9)",
    "equal columns": "large == column(20_000_000)[:]",
    "blank lines": "_core.blank_lines(large[:]), _core.lengths(large), _core.lines_to_decode(large)",
    "trigrams": "_core.LineTrigrams(large, 1000)",
    "lower case": "_core.lower(large)",
    "a kernel": '_core.bleu_statistics((large,), (large,), "13a", 4, "closest", 2)',
    "strings": "list(large)",
}


def _interrupt(command: Iterable[str], *, after: float) -> int:
    """The exit code of a process that is interrupted some time after its first line."""
    with subprocess.Popen(
        [*command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=ctrl_c.restore
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(timeout=_PATIENCE)
        finally:
            process.kill()


def test_processes_answer_ctrl_c_where_the_tests_ignore_it():
    """As in the background of a shell."""
    lines = (
        "import time",
        "try:",
        " print(1, flush=True)",
        " time.sleep(60)",
        "except KeyboardInterrupt:",
        " exit(130)",
    )
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert _interrupt((sys.executable, "-c", "\n".join(lines)), after=0) == 130
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", _KERNELS)
def test_every_kernel_answers_ctrl_c(kernel):
    program = f"{_SETUP}\ntry:\n    {_KERNELS[kernel]}\nexcept KeyboardInterrupt:\n    sys.exit(130)\n"
    assert _interrupt((sys.executable, "-c", program), after=0.4) == 130


@pytest.mark.slow
@pytest.mark.parametrize("reader", _READERS)
def test_reading_a_large_file_answers_ctrl_c(reader):
    """The file is made up while it is read."""
    setup = _ENDLESS.replace("{lines}", "2" if reader == "lines of a file" else "20_000_000")
    program = f"{setup}\ntry:\n    {_READERS[reader]}\nexcept KeyboardInterrupt:\n    sys.exit(130)\n"
    assert _interrupt((sys.executable, "-c", program), after=0.3) == 130


@pytest.mark.slow
def test_a_command_on_large_files_answers_ctrl_c(tmp_path):
    lines = [" ".join(f"word{i * k % 9973}" for k in range(40)) for i in range(1000)]
    (tmp_path / "ref.txt").write_text("\n".join(lines * 200))
    (tmp_path / "out.txt").write_text("\n".join(" ".join(reversed(line.split())) for line in lines * 200))
    arguments = ["assay", "score", "-m", "ter", "--ref", str(tmp_path / "ref.txt"), str(tmp_path / "out.txt")]
    setup = "import sys\nfrom assay.cli import main\nfrom assay.data import text_files\ntext_files._LARGE_FILE = 1\n"
    program = f"{setup}print('ready', flush=True)\nsys.argv = {arguments!r}\nmain()\n"
    assert _interrupt((sys.executable, "-c", program), after=1.5) == 130


def test_a_command_answers_ctrl_c(tmp_path):
    line = " ".join(f"word{i * i % 9973}" for i in range(100_000))
    (tmp_path / "ref.txt").write_text(line + "\n")
    (tmp_path / "out.txt").write_text(line[::-1] + "\n")
    arguments = ["assay", "score", "-m", "cer", "--ref", str(tmp_path / "ref.txt"), str(tmp_path / "out.txt")]
    program = f"import sys\nfrom assay.cli import main\nprint('ready', flush=True)\nsys.argv = {arguments!r}\nmain()\n"
    assert _interrupt((sys.executable, "-c", program), after=2.5) == 130
