from __future__ import annotations

import numpy as np
import pytest

from assay.data.formats.mtme import read_pair
from assay.data.tables.item_lines import lines_of_items
from assay.types import TestSet
from tests import archives

DOCUMENTS = ("a", "a", "a", "b:c", "b:c")


def texts(**changes):
    return TestSet({"x": ("t",) * 5}, documents=DOCUMENTS, **changes)


def test_items_have_numbers_in_documents_and_excerpts():
    items = ["a:0", "a:2", "b:c:1", "a#2-3:0", "a#2-3:1", "b:c#1-9:1"]
    assert lines_of_items(items, texts()).tolist() == [0, 2, 4, 1, 2, 4]


def test_items_outside_the_document_or_excerpt_have_no_line():
    assert lines_of_items(["a:3", "a#2-2:1", "z:0", "a", "a#1-2:x"], texts()).tolist() == [-1] * 5


def test_names_of_segments_go_first():
    assert lines_of_items(["a:0", "q"], texts(items=("p", "q", "a:0", "r", "s"))).tolist() == [2, 1]


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives")
@pytest.mark.parametrize("lp", ["en-cs", "en-de", "en-hr", "en-ja", "zh-en"])
def test_calibration_of_wmt22_is_of_lines(lp):
    """Every item has a line, and no two items of a document have the same one."""
    campaign = read_pair(archives.unpacked("wmt22"), lp)
    (ratings,) = (judged for judged in campaign.judgements if judged.name == "da-sqm-calibration")
    assert ratings.items == ()
    rated = ratings.segment >= 0
    documents = np.array(campaign.testset.documents)[ratings.segment[rated]]
    named = [name.rpartition("#")[0] for name, is_rated in zip(ratings.document, rated, strict=True) if is_rated]
    assert documents.tolist() == named
