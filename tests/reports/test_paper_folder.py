from __future__ import annotations

import json

import pytest

from assay.errors import InputError
from assay.reports.paper_folder import write_paper
from tests.results.test_reproduction import reproduction


@pytest.mark.slow
def test_the_numbers_every_result_and_the_figures(tmp_path):
    assert write_paper(reproduction(), tmp_path / "new" / "folder") == 7
    found = {path.name: path.read_bytes() for path in (tmp_path / "new" / "folder").iterdir()}
    assert sorted(found) == [
        "figure-1.pdf", "figure-1.svg", "made-up.json", "made-up.md", "top.json", "top.tex", "top.tsv",
    ]  # fmt: skip
    assert json.loads(found["made-up.json"])["counts"]["met"] == 2
    assert found["figure-1.svg"].startswith(b"<svg")
    assert found["figure-1.pdf"].startswith(b"%PDF")
    assert b"- [Table 7](top.tsv)" in found["made-up.md"]
    assert b"- [Figure 1](figure-1.svg)" in found["made-up.md"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="is not a folder"):
        write_paper(reproduction(), tmp_path / "file")
