from __future__ import annotations

import random

import pytest

from assay.data import alignment
from assay.data.alignment import likely_shift, suspicious_line
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


@pytest.mark.parametrize("target", ["de", "zh"])
@pytest.mark.parametrize("system", ["alder", "willow"])
def test_a_shift_by_one_line_is_noticed(target, system):
    campaign = generate(target)
    output, reference = campaign.output(system), campaign.references["refA"]
    assert likely_shift(output, reference) == 0
    assert likely_shift((*output[1:], ""), reference) == 1
    assert likely_shift(("", *output[:-1]), reference) == -1
    assert likely_shift(output[::-1], reference) == 0
    assert likely_shift(output, campaign.sources) == 0


def test_too_few_lines_to_be_shifted():
    assert likely_shift(["abcd"], ["efgh"]) == 0
    assert likely_shift(["abcd", "efgh"], ["efgh", "abcd"]) == 0
    assert likely_shift([None, None, None], ["", "", ""]) == 0


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
