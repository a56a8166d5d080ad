from __future__ import annotations

import pytest

from assay import read
from assay.errors import ConfigError, InputError


def test_files_of_any_format(tmp_path):
    (tmp_path / "x.csv").write_text("system,segment,score\na,1,2\n", encoding="utf-8")
    for campaigns in (read(tmp_path / "x.csv"), read(str(tmp_path / "x.csv"), input_format="csv")):
        assert [campaign.systems for campaign in campaigns] == [("a",)]


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "absent")
    (tmp_path / "x.bin").write_bytes(b"just words")
    with pytest.raises(InputError, match=r"x.bin"):
        read(tmp_path / "x.bin")
    with pytest.raises(ConfigError, match="unknown format 'csw'"):
        read(tmp_path / "x.bin", input_format="csw")


def test_nothing_to_read():
    with pytest.raises(ConfigError, match="no data was given"):
        read()
