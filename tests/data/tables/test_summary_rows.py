from __future__ import annotations

import pytest

from assay.data.tables.summary_rows import SummaryRows

SCORES = [[0.5 + 0.0137 * (i * i % 11), 31.25 + 0.371 * (i * 7 % 10)] for i in range(12)]
MEANS = [sum(column) / len(SCORES) for column in zip(*SCORES, strict=True)]


def kept(names, records):
    rows = SummaryRows(names, list(enumerate(records, 2)), "t.csv")
    return [record for _, record in rows], [note.text for note in rows.notes()]


@pytest.mark.parametrize("label", ["mean", "Total", "AVG", "std", "25%", "macro avg", "count"])
@pytest.mark.parametrize("name", ["", "index", "system", "segment", "name"])
def test_rows_with_the_label_of_a_summary(name, label):
    records = [["a", 0.5], ["b", 0.25], [label, 0.375]]
    rows, (note,) = kept([name, "COMET"], records)
    assert rows == records[:2]
    assert note == f"1 row left out, from line 4: not of segments or systems, but what sums them up ({label})"


def test_texts_are_no_summaries():
    records = [["Total", "Gesamt"], ["mean", "gemein"]]
    assert kept(["source", "output"], records) == (records, [])
    assert kept(["system", "output"], records) == (records, [])


def test_means_of_a_system_for_each_segment():
    records = [["A", "1", 0.5], ["mean", "1", 0.5], ["A", "mean", 0.5]]
    assert kept(["system", "segment", "COMET"], records)[0] == records[:1]


def test_a_last_row_of_means_without_a_label():
    rounded = [round(mean, 4) for mean in MEANS]
    for last in (MEANS, rounded, [str(mean) for mean in rounded]):
        rows, notes = kept(["A", "B"], [*SCORES, last])
        assert (rows, len(notes)) == (SCORES, 1)
    gaps = [[None, 30.5], *SCORES, [MEANS[0], (sum(row[1] for row in SCORES) + 30.5) / 13]]
    assert kept(["A", "B"], gaps)[0] == gaps[:-1]


@pytest.mark.parametrize(
    "records",
    [
        [*SCORES, [MEANS[0], MEANS[1] + 1e-6]],  # not the mean
        [*SCORES, [round(mean, 1) for mean in MEANS]],  # few decimals: perhaps by chance
        [*SCORES[:4], [sum(column) / 4 for column in zip(*SCORES[:4], strict=True)]],  # few rows
        [[0.5, 0.25]] * 13,  # all the same
        [*SCORES, ["a", "b"]],
    ],
)
def test_a_last_row_that_may_be_a_segment(records):
    assert kept(["A", "B"], records) == (records, [])
