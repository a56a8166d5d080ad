"""Texts for both, and the two commands called alike in this process."""

from __future__ import annotations

import contextlib
import importlib
import io
import logging
import os
import random
import shlex
import signal
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from assay.compat.sacrebleu.command import run
from scripts.oddtext import SEED, odd_pair

_SIGPIPE = signal.getsignal(signal.SIGPIPE)
from sacrebleu.sacrebleu import main  # noqa: E402

signal.signal(signal.SIGPIPE, _SIGPIPE)  # which importing sacreBLEU's command changes

same_bits = pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < "2.0.0",
    reason="with numpy 1, sacreBLEU rounds single-precision resamples differently; ours are those with numpy 2",
)


def corpus(name, size=40, references=2):
    rng = random.Random(f"{SEED}/compat/{name}")
    drawn = [odd_pair(rng, references) for _ in range(size)]
    return [output for output, _ in drawn], [[refs[k] for _, refs in drawn] for k in range(references)]


def same_bleu(found, expected):
    assert str(found) == str(expected)
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio", "prec_str", "name"):
        value = getattr(expected, name)
        assert getattr(found, name) == (value if isinstance(value, str) else pytest.approx(value, abs=1e-9))


def same_tokenizer(module, name, *options):
    """A tokeniser by its module and class: the same lines, and the same name in signatures."""
    found, expected = (
        getattr(importlib.import_module(f"{package}.tokenizers.{module}"), name)(*options)
        for package in ("assay.compat.sacrebleu", "sacrebleu")
    )
    hypotheses, (references,) = corpus(f"tokenizers/{name}/{options}", 200, 1)
    for line in (*hypotheses, *references):
        assert found(line) == expected(line)
    assert found.signature() == expected.signature()


@dataclass(frozen=True)
class CommandLine:
    """`NAME=value argument … < file`, as a shell reads it."""

    environment: dict[str, str]
    arguments: list[str]
    stdin: Path | None

    @classmethod
    def parse(cls, text):
        line, _, stdin = text.partition(" < ")
        words = shlex.split(line)
        named = [word for word in words if word.partition("=")[0].isupper() and "=" in word]
        return cls(
            {"NO_COLOR": "1", **dict(word.split("=", 1) for word in named)},
            [word for word in words if word not in named],
            Path(stdin) if stdin else None,
        )


def theirs(text):
    """Exit code and standard output of sacreBLEU's command, which opens its streams anew by their numbers."""
    line = CommandLine.parse(text)
    with tempfile.TemporaryDirectory() as folder, _as_a_process(line), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        written = Path(folder, "stdout")
        streams = {"stdin": _Stream(line.stdin or os.devnull), "stdout": _Stream(written)}
        with mock.patch.multiple(sys, argv=["sacrebleu", *line.arguments], **streams):
            try:
                main()
                code = 0
            except SystemExit as ended:
                code = ended.code
            finally:
                sys.stdout.close()
                sys.stdin.close()
        return code or 0, written.read_bytes()


def ours(text):
    """Exit code, standard output and standard error of Assay's."""
    line = CommandLine.parse(text)
    stdin = io.TextIOWrapper(io.BytesIO(line.stdin.read_bytes() if line.stdin else b""))
    stdout, stderr = io.TextIOWrapper(io.BytesIO(), encoding="ascii"), io.StringIO()
    with _as_a_process(line), mock.patch.object(sys, "stdin", stdin):
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            code = run(line.arguments)
            stdout.flush()
        return code, stdout.buffer.getvalue(), stderr.getvalue()


@contextlib.contextmanager
def _as_a_process(line):
    with mock.patch.dict(os.environ, line.environment), mock.patch.object(logging, "basicConfig"):
        yield


class _Stream:
    """A file with a number of its own for everyone who asks."""

    def __init__(self, path):
        self._path = path

    def fileno(self):
        return os.open(self._path, os.O_RDWR | os.O_CREAT if Path(self._path).name == "stdout" else os.O_RDONLY)

    def close(self):
        pass
