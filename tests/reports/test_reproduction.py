from __future__ import annotations

from assay.reports import document, renderer
from assay.results.reproduction import VERDICTS
from tests.results.test_reproduction import reproduction


def test_counts_come_first_and_reasons_are_below():
    lines = renderer.create("table").render(document(reproduction())).splitlines()
    assert lines[0] == "Nobody (2020): A paper."
    assert lines[2].split("  ")[0] == "published"
    assert [title.strip() for title in lines[2].split("  ") if title.strip()][1:] == [*VERDICTS]
    assert lines[3].split() == ["15", "2", "1", "0", "0", "1", "1", "10", "0", "0", "1"]
    assert lines[4].startswith("met: the same to the printed digits; ")
    assert lines[6].split() == ["where", "quantity", "published", "ours", "difference", "verdict", "reason"]
    rows = [line.split()[2:] for line in lines[7:15]]
    assert rows == [
        ["BLEU", "3", "3", "0", "met"],
        ["BLEU", ".85", "0.852", "+0.002", "met"],
        ["BLEU", ">", ".97", "0.960", "differs", "1"],
        ["BLEU", ".97", "0.960", "-0.010", "other", "data", "2"],
        ["BLEU", "high", "0.700", "no", "number", "3"],
        ["12.3", "ours", "only", "3"],
        ["BLEU", ".5", "–", "needs", "data", "4"],
        ["BLEU", "(9", "numbers)", "–", "needs", "data", "4"],
    ]
    assert lines[15:19] == ["1: short", "2: other data", "3: in words", "4: no scores"]
    assert lines[19] == "The paper: Do not. These data: It holds here."
    assert lines[20] == "One more thing."


def test_markdown_says_in_words_what_was_met():
    text = renderer.create("md").render(document(reproduction()))
    assert "| Table 1 | BLEU | .85 | 0.852 | +0.002 | met |  |" in text
    assert "| differs | 1 |" in text
