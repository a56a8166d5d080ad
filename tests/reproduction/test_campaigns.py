from __future__ import annotations

import math

import pytest

from assay.errors import InputError
from assay.reproduction.campaigns import find_test_sets, load_test_sets, no_data
from assay.runtime import Runtime
from tests.documented import prepare


def test_those_that_are_there(tmp_path):
    prepare(tmp_path)
    assert find_test_sets(tmp_path, ["wmt21", "wmt22"]) == ["wmt22"]
    (campaign,) = load_test_sets(tmp_path, ["wmt21", "wmt22"], Runtime())
    assert campaign.label == "wmt22 zh-en"
    (tmp_path / "wmt21").write_text("not a folder", encoding="utf-8")
    with pytest.raises(InputError, match="contains no folder any of wmt20, wmt21"):
        load_test_sets(tmp_path, ["wmt20", "wmt21"], Runtime())


def test_no_data():
    assert math.isnan(no_data("why").value)
    assert no_data("why").reason == "why"
