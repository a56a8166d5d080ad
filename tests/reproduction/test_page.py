"""docs/reproduction.md has the structure of the code: its papers, their commands, counts and published numbers."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from assay.reproduction import PAPERS, aggregation, ebleu, tangled, thresholds, wmt13
from assay.results.reproduction import VERDICTS
from scripts.reproduction import page
from tests.reproduction.rerun import on_made_up_data
from tests.results.test_reproduction import reproduction

PAGE = (Path(__file__).parents[2] / "docs/reproduction.md").read_text(encoding="utf-8")

WMT13_TABLE_2 = [
    (metric, lp)
    for metric in wmt13.printed("Table 2")
    for lp in ("fr-en", "de-en", "es-en", "cs-en")
    if metric not in ("MEANT", "UMEANT", "TERRORCAT")  # which need roles; which has no value on cs-en
]

NUMBERS = slice(2, 3 + len(VERDICTS))
"""Of the cells of a row at the top: how many are published, and the count of each verdict."""


def section(paper):
    return PAGE.partition(f"\n## {paper}\n")[2].partition("\n## ")[0]


def published(value):
    """How often each text is in a table of published numbers."""
    if isinstance(value, str):
        return Counter([value])
    items = value.values() if hasattr(value, "values") else value
    return sum((published(item) for item in items), Counter())


def rows(paper):
    """The cells of the rows of numbers."""
    table = section(paper).partition("| where | quantity |")[2]
    lines = table.partition("\n\n")[0].splitlines()[2:]
    return [re.split(r" *(?<!\\)\| *", line.strip("| ")) for line in lines]


def count(cells):
    """How many published numbers a row stands for."""
    folded = re.search(r"\((\d+) numbers\)$", cells[1])
    return int(folded[1]) if folded else 1


@pytest.mark.parametrize("paper", PAPERS)
def test_counts_at_the_top_are_those_of_the_tables(paper):
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| [`{paper}`]"))
    assert PAPERS[paper].title in row
    published, *counts = (int(cell) for cell in row.split(" | ")[NUMBERS])
    assert published == sum(counts[:-1])
    if paper != "aggregation":  # whose rows repeat a number for several test sets
        found = dict.fromkeys(VERDICTS, 0)
        for cells in rows(paper):
            found[cells[5]] += count(cells)
        assert counts == list(found.values())


def test_the_sum_of_all_papers():
    papers = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| [`")]
    total = next(line for line in PAGE.splitlines() if line.startswith("| all |")).replace("| | ", "|  | ").split(" | ")
    assert len(papers) == len(PAPERS)
    assert [int(cell) for cell in total[NUMBERS]] == [
        sum(map(int, column)) for column in zip(*(row[NUMBERS] for row in papers), strict=True)
    ]


@pytest.mark.parametrize(
    ("paper", "tables"),
    [
        ("tangled", [[str(count) for count in tangled.OUTLIERS.values()], tangled.EN_KK]),
        ("thresholds", [thresholds.TABLE_1, thresholds.TABLE_2, thresholds.TABLE_3, thresholds.TABLE_4]),
        ("thresholds", [thresholds.TABLE_5]),
        ("aggregation", [aggregation.MEANS, aggregation.WITH_PEOPLE, aggregation.COUNTS]),
        ("aggregation", [[number for _, number in aggregation.BETWEEN.values()]]),
        ("wmt13", [[cell.value for metric, lp in WMT13_TABLE_2 for cell in [wmt13.printed("Table 2")[metric][lp]]]]),
        ("wmt13", [wmt13.EXTRACTED]),
        ("ebleu", [ebleu.MTURK, ebleu.MQM, ebleu.DA_SQM, ebleu.TABLE_2]),
    ],
)  # fmt: skip
def test_every_published_number_is_there(paper, tables):
    """A number that is changed in the code is missed on the page, which was written from the code and the data."""
    found = Counter(cells[2] for cells in rows(paper))
    for number, times in published(tables).items():
        assert found[number] >= times, number


def test_papers_that_are_not_run_stay_as_they_are():
    assert "\n".join(page({}, {}, PAGE)) + "\n" == PAGE
    text = "\n".join(page({"wmt13": reproduction()}, {"wmt13": 1.0}, PAGE)) + "\n"
    changed = section("wmt13")
    assert changed not in text
    assert all(section(paper) in text for paper in PAPERS if paper != "wmt13")
    assert text.count("\n| [`") == len(PAPERS)


def test_the_script_writes_such_a_page():
    results = {paper: reproduction() for paper in PAPERS}
    results["aggregation"] = on_made_up_data("aggregation")
    text = "\n".join(page(results, dict.fromkeys(PAPERS, 1.0)))
    headings = re.findall(r"^## .+$", text, re.M)
    assert headings == re.findall(r"^## .+$", PAGE, re.M)
    assert "| all | | 99 | 8 | 4 | 0 | 0 | 43 | 4 | 40 | 0 | 0 | " in text
    assert "- ebleu, needs data: Table 1, BLEU; Table 1, BLEU. Why: no scores." in text
    assert "<details><summary>Table 7</summary>" in text
