from __future__ import annotations

import pytest

from assay import convert, read
from assay.data.formats.mtme import Mtme
from assay.errors import ConfigError, UnknownNameError
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


def test_a_format_that_is_not_written_is_refused_with_those_that_are(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("system\tsegment\toutput\na\t1\tx\n", encoding="utf-8")
    with pytest.raises(UnknownNameError, match="unknown format 'nope'") as unknown:
        convert(path, tmp_path / "b", to="nope")
    with pytest.raises(ConfigError, match="mqm can be read but not written") as unwritten:
        convert(path, tmp_path / "b", to="mqm")
    for hint in (unknown.value.hint, unwritten.value.hint):
        assert "wmt-predictions" in hint
        assert "mqm" not in hint
    with pytest.raises(UnknownNameError) as near:
        convert(path, tmp_path / "b", to="jsonll")
    assert near.value.hint == "did you mean 'jsonl'?"
