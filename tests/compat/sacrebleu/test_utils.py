"""The functions of `utils`."""

from __future__ import annotations

import gzip

import pytest
from sacrebleu import utils as theirs

from assay.compat.sacrebleu import utils as ours
from assay.errors import ConfigError


def test_the_same_values():
    for arguments in ((0,), (0.5,)):
        assert ours.my_log(*arguments) == theirs.my_log(*arguments)
    assert ours.sum_of_lists([[1, 2], [3, 4.5]]) == theirs.sum_of_lists([[1, 2], [3, 4.5]])
    assert ours.SACREBLEU_DIR == theirs.SACREBLEU_DIR


def test_open_compressed_or_not(tmp_path):
    (tmp_path / "a").write_text("ä\n", encoding="utf-8")
    with gzip.open(tmp_path / "a.gz", "wt", encoding="utf-8") as file:
        file.write("ä\n")
    for path in ("a", "a.gz"):
        with ours.smart_open(str(tmp_path / path)) as file:
            assert file.read() == "ä\n"


def test_there_are_no_test_sets():
    assert ours.get_available_testsets() == ours.get_langpairs_for_testset("wmt20") == list(ours.DATASETS)
    assert ours.get_available_testsets_for_langpair("en-de") == []
    for name in ("get_source_file", "get_reference_files", "download_test_set"):
        with pytest.raises(ConfigError, match="does not download sacreBLEU's test sets, such as wmt20 en-de"):
            getattr(ours, name)("wmt20", "en-de")
