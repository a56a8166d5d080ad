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
PLAIN, PACKED = 2 << 20, 60 << 20  # bytes of a file, and of one that is compressed, …
PLAIN_MEGABYTES, PACKED_MEGABYTES = STARTED + 250, STARTED + 800  # … and the memory to read them in

PROGRAM = """
import resource, sys
import assay.cli.group
for limit, path in zip(sys.argv[1::2], sys.argv[2::2]):
    resource.setrlimit(resource.RLIMIT_AS, (int(limit) << 20, resource.RLIM_INFINITY))
    assay.cli.group._run(["data", "check", path])
    print("END")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux only")
@pytest.mark.parametrize("name", LINES)
def test_separators(tmp_path, name):
    start, line = HEADERS.get(name, START.get(name, b"")), LINES[name]
    plain, packed = tmp_path / name, tmp_path / f"{name}.gz"
    plain.write_bytes(start + line * (PLAIN // len(line)))
    packed.write_bytes(gzip.compress(start + line * (PACKED // len(line)), 1))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(PLAIN_MEGABYTES), str(plain), str(PACKED_MEGABYTES), str(packed)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert "available memory" not in done.stdout + done.stderr
    assert ["checked: " in printed for printed in done.stdout.split("END\n")] == [True, True, False]
