from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.tables.names import checked_name, stem_of, systems_of_files, task_and_pair
from assay.errors import NameClashError, UnsafeNameError


def test_errors_name_the_file_and_line():
    with pytest.raises(UnsafeNameError, match="file, line 3: ") as caught:
        checked_name("system", "a/b", path="file", line=3)
    assert caught.value.hint == "rename it in the file"
    assert checked_name("system", "a", path="file") == "a"


def test_stem():
    assert stem_of("a/x.de.gz") == "x"
    assert stem_of("x") == "x"
    assert stem_of("a.b/GPT-3.5") == "GPT-3.5"
    assert stem_of("GPT-3.5.txt") == "GPT-3.5"
    assert stem_of("Claude-3.5-Sonnet") == "Claude-3.5-Sonnet"
    assert (stem_of("-"), stem_of("/dev/null")) == ("stdin", "pipe")


def test_systems_of_files():
    assert systems_of_files(["a/x.de", "b/y.de.gz"], path="f") == ["x", "y"]
    assert systems_of_files(["a/x.de", "b/x.de"], path="f") == ["a_x.de", "b_x.de"]
    with pytest.raises(NameClashError, match="two systems are called 'a_b'"):
        systems_of_files(["a/b", "a//b", "c/b"], path="f")
    with pytest.raises(NameClashError, match="two systems are called 'x'"):
        systems_of_files(["x", "x"], path="f")


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("mqm_ted_ende.tsv", "en-de"),
        ("mqm_sev_ende.tsv", "en-de"),
        ("mqm_sev_zhen.tsv.gz", "zh-en"),
        ("mqm.mine_zh-de.tsv", "zh-de"),
        ("mqm_wmt25_en-ko_KR.tsv", "en-ko_KR"),
        ("mqm_en-sr_Cyrl_RS.tsv", "en-sr_Cyrl_RS"),
        ("mqm_data.tsv", ""),
        ("mqm_zhde.tsv", ""),
        ("mqm_open.tsv", ""),
        ("screen.tsv", ""),
    ],
)
def test_language_pairs_in_names_of_files(name, pair):
    assert task_and_pair(Path(name))[1] == pair
