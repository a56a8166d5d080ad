from __future__ import annotations

import math

import pytest

from assay.errors import InputError, UnknownNameError
from assay.reproduction.campaigns import by_pair, load_test_sets, no_data, of_pair, value_of
from assay.results import Estimate
from assay.types.runtime import Runtime
from tests.documented import prepare


def test_those_that_are_there(tmp_path):
    prepare(tmp_path)
    found = load_test_sets(tmp_path, ["wmt21", "wmt22"], Runtime())
    assert list(found) == ["wmt22"]
    assert [campaign.label for campaign in found["wmt22"]] == ["wmt22 zh-en"]
    assert list(by_pair(found["wmt22"])) == ["zh-en"]
    with pytest.raises(InputError, match=r"no language pair \*-de"):
        load_test_sets(tmp_path, ["wmt22"], Runtime(), lps="*-de")
    (tmp_path / "wmt21").write_text("not a folder", encoding="utf-8")
    with pytest.raises(InputError, match="contains no folder wmt20 or wmt21") as caught:
        load_test_sets(tmp_path, ["wmt20", "wmt21"], Runtime())
    folders = "FOLDER, home, out, sample, systems, wmt22, wmt25"
    where = f"the data are a folder with a folder for each test set; it contains {folders}"
    assert caught.value.hint == f"{where}; assay data fetch mt-metrics-eval-v2 has WMT19 to WMT25"
    for name in ("wmt13", "nosuch"):  # which the download does not have
        with pytest.raises(InputError, match=f"contains no folder {name}") as caught:
            load_test_sets(tmp_path, [name], Runtime())
        assert caught.value.hint == where


def test_a_link_keeps_its_name(tmp_path):
    prepare(tmp_path)
    (tmp_path / "wmt23").symlink_to(tmp_path / "wmt22")
    assert list(load_test_sets(tmp_path, ["wmt23"], Runtime())) == ["wmt23"]


def test_what_is_not_there_has_a_reason():
    assert math.isnan(no_data("why").value)
    assert no_data("why").reason == "why"
    found = {"de-en": Estimate(0.5, 3)}
    assert value_of(of_pair, found, "de-en").value == 0.5
    assert value_of(of_pair, found, "en-de").reason == "en-de is not in the data"
    with pytest.raises(UnknownNameError):
        of_pair(found, "en-de")
