from __future__ import annotations

from assay.reports import document, renderer
from tests.results.test_reproduction import reproduction


def test_counts_come_first_and_reasons_are_notes_below():
    lines = renderer.create("table").render(document(reproduction())).splitlines()
    assert lines[0] == "Nobody (2020): A paper."
    assert lines[2].split() == ["numbers", "met", "differs", "not", "comparable", "not", "published", "no", "data"]
    assert lines[3].split() == ["6", "2", "1", "1", "1", "1"]
    assert lines[5].split() == ["where", "quantity", "published", "ours", "difference", "note"]
    rows = [line.split()[3:] for line in lines[6:12]]
    assert rows == [
        ["3", "3", "+0", "met"],
        [".85", "0.852", "+0.002", "met"],
        [">", ".97", "0.960", "differs", "1"],
        ["high", "0.700", "not", "comparable", "2"],
        ["12.3", "not", "published", "2"],
        [".5", "–", "no", "data", "3"],
    ]
    assert lines[12:15] == ["1: other data", "2: in words", "3: no scores"]
    assert lines[15] == "The paper: Do not. These data: It holds here."
    assert lines[16] == "One more thing."


def test_markdown_says_in_words_what_was_met():
    text = renderer.create("md").render(document(reproduction()))
    assert "| Table 1 | BLEU | .85 | 0.852 | +0.002 | met |  |" in text
    assert "| differs | 1 |" in text
