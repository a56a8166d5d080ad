from __future__ import annotations

import random

import pytest

from assay.data import alignment
from assay.data.alignment import suspicious_line
from assay.sample import generate

CAMPAIGN = generate("de")


@pytest.mark.parametrize("line", [1, 2, 20, 64, 129, 130])
@pytest.mark.parametrize("column", [CAMPAIGN.references["refA"], CAMPAIGN.sources])
def test_a_deleted_line_is_found(column, line):
    output = CAMPAIGN.output("maple")
    assert abs(suspicious_line(column, output[: line - 1] + output[line:]) - line) <= 5


def test_several_lines_in_one_place():
    output = CAMPAIGN.output("alder")
    assert abs(suspicious_line(CAMPAIGN.references["refB"], output[:70] + output[75:]) - 71) <= 2


def test_long_columns_are_compared_by_length(monkeypatch):
    monkeypatch.setattr(alignment, "_MAX_COMPARED", 10)
    output = CAMPAIGN.output("alder")
    assert abs(suspicious_line(CAMPAIGN.references["refA"], output[:49] + output[50:]) - 50) <= 5


def test_real_outputs(wmt_texts):
    """Line 412, and others, deleted from real outputs of three language pairs."""
    rng = random.Random(1)
    for lp in ("en-de", "zh-en", "en-ja"):
        references, outputs = wmt_texts("wmt22", lp, ("refA",))
        output = next(iter(outputs.values()))
        for line in (412, rng.randrange(1, len(output)), rng.randrange(1, len(output))):
            found = suspicious_line(references["refA"], output[: line - 1] + output[line:])
            assert abs(found - line) <= 5, (lp, line, found)


def test_nothing_to_go_by():
    assert suspicious_line(["", "", ""], ["", ""]) in (1, 2, 3)
    assert suspicious_line([None, "a"], ["a"]) == 1
