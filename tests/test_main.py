"""The command as a process of its own: what it imports, and help without the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from assay.cli.front_page import COMPLETION_VARIABLE, text

PROGRAM = """
import atexit, sys
from assay.__main__ import main
atexit.register(lambda: print("numpy" if "numpy" in sys.modules else "no numpy", file=sys.stderr))
main()
"""


@pytest.fixture
def files(tmp_path):
    texts = [" ".join([f"line {i}", *(f"word{(31 * i + k) % 997}" for k in range(i * 7 % 40))]) for i in range(300)]
    for name, lines in {
        "ref.en": texts,
        "other.en": [*texts[:299], "the end"],
        "base.en": [*texts[1:], "the end"],
    }.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def run(files, *arguments):
    command = [sys.executable, "-c", PROGRAM, "score", *arguments]
    done = subprocess.run(command, cwd=files, capture_output=True, text=True, check=True)
    return done.stdout, "no numpy" not in done.stderr.splitlines()


def assay(*arguments, **settings):
    return subprocess.run([sys.executable, "-m", "assay", *arguments], capture_output=True, text=True, **settings)


@pytest.mark.parametrize("arguments", [(), ("-h",), ("--help",)])
def test_help_does_not_import_the_command_line(arguments):
    code = (
        f"import sys; sys.modules['click'] = None; sys.argv[1:] = {arguments}; from assay.__main__ import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == text()
    assert done.stdout == assay(*arguments, "--debug").stdout  # by the command line


@pytest.mark.parametrize("arguments", [(), ("--help",), ("score", "--help"), ("data", "-h")])
def test_help_where_it_cannot_be_printed(arguments):
    command = [sys.executable, "-m", "assay", *arguments]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (3, "error: standard output: no space left on device\n")


def test_completion_is_no_request_for_help():
    environment = {**os.environ, COMPLETION_VARIABLE: "bash_complete", "COMP_WORDS": "assay sc", "COMP_CWORD": "1"}
    assert assay(env=environment).stdout == "plain,score\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--format", "json"),
        ("--format", "table", "-m", "bleu,chrf++,bleu:tok=intl"),
        ("--format", "json", "--agg", "corpus", "--resamples", "0"),
        ("--format", "tsv", "--ref", "other.en"),
        ("--format", "json", "-m", "ter,wer,cer,per,cder,ter-moses,nist", "--ref", "other.en"),
    ],
)
def test_a_plain_score_does_not_import_numpy(files, options):
    (files / "out.en").write_text((files / "other.en").read_text(encoding="utf-8").replace("line 7", "row 7"))
    assert not run(files, "--ref", "ref.en", "out.en", *options)[1]


@pytest.mark.slow
def test_a_plain_score_of_long_files_does_not_import_numpy(files):
    """The checks of forms look at a sample of more than 400 lines."""
    for name in ("ref.en", "other.en"):
        (files / name).write_text((files / name).read_text(encoding="utf-8") * 3)
    assert not run(files, "--ref", "ref.en", "other.en", "--format", "json")[1]


@pytest.mark.slow
def test_numpy_is_imported_where_it_is_needed(files):
    printed, is_imported = run(
        files, "--ref", "ref.en", "base.en", "other.en", "--agg", "bootstrap", "--format", "json"
    )
    assert is_imported
    assert "misaligned: lines 1 to 299" in " ".join(note["text"] for note in json.loads(printed)["notes"])
