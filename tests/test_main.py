"""The command as a process of its own: what it imports."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import atexit, sys
from assay.__main__ import main
atexit.register(lambda: print("numpy" if "numpy" in sys.modules else "no numpy", file=sys.stderr))
main()
"""


@pytest.fixture
def files(tmp_path):
    texts = [" ".join([f"line {i}", *["of many words"] * (i * 7 % 40)]) for i in range(300)]
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ("--format", "json"),
        ("--format", "table", "-m", "bleu,chrf++,bleu:tok=intl"),
        ("--format", "json", "--agg", "corpus", "--resamples", "0"),
        ("--format", "tsv", "--ref", "other.en"),
    ],
)
def test_a_plain_score_does_not_import_numpy(files, options):
    (files / "out.en").write_text((files / "other.en").read_text(encoding="utf-8").replace("line 7", "row 7"))
    assert not run(files, "--ref", "ref.en", "out.en", *options)[1]


@pytest.mark.slow
def test_numpy_is_imported_where_it_is_needed(files):
    printed, is_imported = run(
        files, "--ref", "ref.en", "base.en", "other.en", "--agg", "bootstrap", "--format", "json"
    )
    assert is_imported
    assert "misaligned: lines 1 to 299" in " ".join(note["text"] for note in json.loads(printed)["notes"])
