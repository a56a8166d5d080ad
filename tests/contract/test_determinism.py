"""Same inputs and seed, same bytes: on any number of threads and with any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

from assay.sample import write


def test_same_bytes(tmp_path):
    pair, _ = write(tmp_path / "sample")
    command = [
        *(sys.executable, "-m", "assay", "score", "--lp", "en-de", "--format", "json", "--segments"),
        *("--ref", f"{pair}/refA.de", "--ref", f"{pair}/refB.de", "--documents", f"{pair}/documents.txt"),
        *(
            "--by",
            "document,length",
            "-m",
            "bleu",
            "-m",
            "chrf++",
            "-m",
            "bleu:tok=intl,smooth=add-k",
            "--size",
            "50",
            "--agg",
            "corpus,segment,bootstrap",
        ),
        *("-m", "nist", "-m", "simpbleu-recall", "-m", "bleu-mteval-intl", "-m", "sentbleu"),
        *(f"{pair}/systems/{name}.de" for name in ("birch", "alder", "maple")),
    ]
    outputs = set()
    for threads, hash_seed in (("1", "0"), ("1", "4321"), ("2", "1"), ("4", "4321")):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run([*command, "--threads", threads], env=environment, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000
