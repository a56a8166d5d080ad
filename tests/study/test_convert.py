from __future__ import annotations

import pytest

from assay import convert, read
from assay.data.formats.mtme import Mtme
from assay.errors import ConfigError
from tests.campaigns_with_metrics import campaign


def test_there_and_back(tmp_path):
    Mtme().write([campaign()], tmp_path / "data")
    (written,) = convert(tmp_path / "data", tmp_path / "all.tsv")
    (again,) = read(tmp_path / "all.tsv")
    assert again.testset.outputs == written.testset.outputs
    convert([tmp_path / "all.tsv"], tmp_path / "again", to="mtme", input_format="tsv")
    assert (tmp_path / "again/wmt99/system-outputs/de-en/a.txt").exists()


def test_only_a_part(tmp_path):
    Mtme().write([campaign()], tmp_path / "data")
    (written,) = convert(tmp_path / "data", tmp_path / "t.jsonl", only=["texts"])
    assert (written.scores, written.testset is None) == ((), False)
    (written,) = convert(tmp_path / "data", tmp_path / "scores", to="mtme", only="scores")
    assert written.testset is None


def test_invalid_conversions(tmp_path):
    with pytest.raises(ConfigError, match="unknown content 'text'"):
        convert(tmp_path, tmp_path / "x.tsv", only=["text"])
    with pytest.raises(ConfigError, match="no input files to convert"):
        convert([], tmp_path / "x.tsv")
    with pytest.raises(ConfigError, match=r"suffix '.doc'"):
        convert(__file__, tmp_path / "x.doc")
