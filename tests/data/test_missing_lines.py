from __future__ import annotations

import random

import pytest

from assay.data import missing_lines
from assay.data.missing_lines import most_likely_gap
from assay.sample import generate

CAMPAIGN = generate("de")


@pytest.mark.parametrize("line", [1, 2, 20, 64, 129, 130])
@pytest.mark.parametrize("column", [CAMPAIGN.references["refA"], CAMPAIGN.sources])
def test_a_deleted_line_is_found(column, line):
    output = CAMPAIGN.output("maple")
    assert abs(most_likely_gap(column, output[: line - 1] + output[line:]) - line) <= 5


def test_several_lines_in_one_place():
    output = CAMPAIGN.output("alder")
    assert abs(most_likely_gap(CAMPAIGN.references["refB"], output[:70] + output[75:]) - 71) <= 2


def test_long_columns_are_compared_by_length(monkeypatch):
    monkeypatch.setattr(missing_lines, "_MAX_COMPARED", 10)
    output = CAMPAIGN.output("alder")
    assert abs(most_likely_gap(CAMPAIGN.references["refA"], output[:49] + output[50:]) - 50) <= 5


def test_real_outputs(wmt_texts):
    """Line 412, and others, deleted from real outputs of three language pairs."""
    rng = random.Random(1)
    for lp in ("en-de", "zh-en", "en-ja"):
        references, outputs = wmt_texts("wmt22", lp, ("refA",))
        output = next(iter(outputs.values()))
        for line in (412, rng.randrange(1, len(output)), rng.randrange(1, len(output))):
            found = most_likely_gap(references["refA"], output[: line - 1] + output[line:])
            assert abs(found - line) <= 5, (lp, line, found)


def test_nothing_to_go_by():
    assert most_likely_gap(["", "", ""], ["", ""]) in (1, 2, 3)
    assert most_likely_gap([None, "a"], ["a"]) == 1
