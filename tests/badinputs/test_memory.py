"""A small file of separators takes little memory, in every format and also if it is compressed."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys

import pytest

STARTED = 400  # megabytes of address space that Python with numpy takes
LINES = {
    "tabs.tsv": b"\t",
    "tabs with a header.tsv": b"\t",
    "commas.csv": b",",
    "commas with a header.csv": b",",
    "lines.tsv": b"\n",
    "lines.csv": b"\n",
    "lines.txt": b"\n",
    "lines.jsonl": b"{}\n",
    "list.jsonl": b"[],",
    "cells.tsv": b"\t" * 16_000 + b"\n",
    "cells.csv": b"," * 16_000 + b"\n",
    "tabs.seg.score": b"\t",
    "words.seg.score": b"a ",
    "words.sys.score": b"a\tb\tc\td\te\n",
    "tabs.seg.rating": b"\t",
    "elements.xml": b"<p/>",
    "elements.sgm": b"<p/>",
}
HEADERS = {"tabs with a header.tsv": b"system\tsegment\toutput", "commas with a header.csv": b"system,segment,output"}
START = {"elements.xml": b"<dataset><doc id='1'>", "elements.sgm": b"<tstset>", "list.jsonl": b'{"output": ['}
SIZES = {True: 60 << 20, False: 2 << 20}  # of a file that is compressed or not, …
MEGABYTES = {True: STARTED + 800, False: STARTED + 250}  # … and what there is to read it in

PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)
import assay.cli
assay.cli._run(["data", "check", sys.argv[2]])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux only")
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("name", LINES)
def test_separators(tmp_path, name, packed):
    start = HEADERS.get(name, START.get(name, b""))
    content = start + LINES[name] * (SIZES[packed] // len(LINES[name]))
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(content, 1) if packed else content)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(MEGABYTES[packed]), str(path)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert "available memory" not in done.stdout + done.stderr
    assert "checked: " in done.stdout
