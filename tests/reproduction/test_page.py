"""docs/reproduction.md has the structure of the code: its papers, their commands, counts and published numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.reproduction import PAPERS, aggregation, ebleu, thresholds, wmt13
from scripts.reproduction import page
from tests.results.test_reproduction import reproduction

PAGE = (Path(__file__).parents[2] / "docs/reproduction.md").read_text(encoding="utf-8")
VERDICTS = ("met", "differs", "not comparable", "not published", "no data")


def section(paper):
    return PAGE.partition(f"\n## {paper}\n")[2].partition("\n## ")[0]


def published(value):
    """All texts in a table of published numbers."""
    if isinstance(value, str):
        return {value}
    items = value.values() if hasattr(value, "values") else value
    return {text for item in items for text in published(item)}


@pytest.mark.parametrize("paper", PAPERS)
def test_counts_at_the_top_are_those_of_the_tables(paper):
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| [`{paper}`]"))
    assert PAPERS[paper] in row
    numbers, *counts = (int(cell) for cell in row.split(" | ")[2:8])
    verdicts = re.findall(r" \| (met|differs|not comparable|not published|no data) \| \d* \|$", section(paper), re.M)
    assert counts == [verdicts.count(verdict) for verdict in VERDICTS]
    assert numbers == sum(counts)


def test_the_sum_of_all_papers():
    rows = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| [`")]
    total = next(line for line in PAGE.splitlines() if line.startswith("| all |")).replace("| | ", "|  | ").split(" | ")
    assert len(rows) == len(PAPERS)
    assert [int(cell) for cell in total[2:8]] == [sum(int(row[k]) for row in rows) for k in range(2, 8)]


@pytest.mark.parametrize(
    ("paper", "tables"),
    [
        ("thresholds", [thresholds.TABLE_1, thresholds.TABLE_2, thresholds.TABLE_3, thresholds.TABLE_4]),
        ("thresholds", [thresholds.TABLE_5]),
        ("aggregation", [aggregation.MEANS, aggregation.SAMPLED, aggregation.WITH_PEOPLE]),
        ("wmt13", [wmt13.TABLE_2, wmt13.TABLE_4]),
        ("ebleu", [ebleu.MTURK, ebleu.MQM, ebleu.DA_SQM, ebleu.TABLE_2]),
    ],
)  # fmt: skip
def test_every_published_number_is_there(paper, tables):
    text = section(paper)
    for number in published(tables):
        assert f"| {number} " in text, number


def test_the_script_writes_such_a_page():
    results = {paper: reproduction() for paper in PAPERS}
    text = "\n".join(page(results, dict.fromkeys(PAPERS, 1.0)))
    headings = re.findall(r"^## .+$", text, re.M)
    assert headings == re.findall(r"^## .+$", PAGE, re.M)
    assert "| all | | 30 | 10 | 5 | 5 | 5 | 5 | 5 s |" in text
    assert "- ebleu: BLEU. Why: no scores." in text
