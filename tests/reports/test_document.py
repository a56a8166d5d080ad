from __future__ import annotations

import math

from assay.reports.document import number


def test_number():
    assert (number(math.nan), number(12.345), number(-0.5)) == ("–", "12.35", "-0.50")
