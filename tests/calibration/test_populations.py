from __future__ import annotations

import pytest

from assay.calibration.populations import group_of


@pytest.mark.parametrize(
    ("lp", "group"),
    [("de-en", "English"), ("en-de", "I"), ("en-zh_TW", "II"), ("en-IU", "Inuktitut"), ("en-fi", None)],
)
def test_groups_of_lo_2023(lp, group):
    assert group_of(lp) == group
