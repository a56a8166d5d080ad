from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from assay import load_campaigns
from assay.reproduction import wmt13, wmt13_preparations
from assay.reproduction.wmt13_preparations import tried
from scripts import wmt13_preparations as script
from tests import archives
from tests.reproduction.rerun import needs_archives

PAGE = Path(__file__).parents[2] / "docs" / "reproduction.md"


def test_the_preparation_of_the_page_gives_most_values():
    """As many of the five Moses scorers as the page has met."""
    best = max(tried("Moses"), key=lambda row: row.met)
    assert (best.candidates, best.case, best.score) == ("moses-en", "without case", "corpus")
    assert best.met == sum(met_on_page("Table 2", metric) for metric in script.MOSES.values())


@pytest.mark.parametrize(
    ("search", "table", "metric"),
    [
        ("LEPOR v3.100", "Table 2", "LEPOR v3.100"),
        ("NLEPOR", "Table 2", "NLEPOR"),
        ("SENTBLEU-MOSES", "Table 4", "SENTBLEU-MOSES"),
    ],
)
def test_no_setting_gives_more_values_than_that_of_the_page(search, table, metric):
    assert max(row.met for row in tried(search)) == met_on_page(table, metric)


def test_one_human_score_gives_all_values_of_the_mteval_metrics():
    assert [(row.candidates, row.case) for row in tried("mteval") if row.met == row.printed] == [
        ("the share of wins", "without case")
    ]
    said = wmt13_preparations.human_scores()
    assert "the share of wins without case gives all of the 16 values" in said
    assert "BLEU-MTEVAL has .885 on de-en instead of .895, or .841 with case" in said


def test_reasons_quote_the_table():
    best = max(tried("Moses"), key=lambda row: row.met)
    others = [row for row in tried("Moses") if (row.case, row.score) == (best.case, best.score)]
    said = wmt13_preparations.moses_scorers()
    assert f"most of the 20 values of the five Moses scorers in Table 2 at once, {best.met}; " in said
    assert all(f"{row.name} {row.met}" in said for row in others if row is not best)
    for lp in wmt13.OPEN_SEGMENTS:
        for row in tried(lp)[1:]:
            assert f"{row.candidates} {row.met} ({row.tried:,} attempts)" in wmt13_preparations.segments([lp])


def test_the_page_has_the_reasons():
    page = PAGE.read_text(encoding="utf-8").replace("\\", "")
    said = [reason() for reason in wmt13.FOUND.values()]
    assert all(sentence in page for sentence in (*said, wmt13_preparations.human_scores()))


@pytest.fixture
def judged():
    """Two systems on three segments: the metric agrees with people on the first, and has a tie on the second."""
    scores = {"METEOR": np.array([[3.0, 2.0, 1.0], [1.0, 2.0, 2.0]])}
    return script.JudgedPairs("fr-en", np.array([0, 1, 2]), np.array([0, 0, 0]), np.array([1, 1, 1]), scores)


def test_ties_of_a_metric(judged):
    assert {rule: judged.taus(rule)["METEOR", "fr-en"] for rule in ("12", "13", "14")} == {
        "12": pytest.approx(-1 / 3),
        "13": 0,
        "14": 0,
    }


def test_exchanged_systems_and_other_numbers_of_segments(judged):
    ((_, exchanged),) = judged.with_systems_exchanged()
    assert exchanged["METEOR", "fr-en"] == 0
    shifted = dict(judged.with_segments_shifted())
    assert shifted["+1 from 2"]["METEOR", "fr-en"] == 0  # the last segment has none after it
    assert shifted["-1 from 1"]["METEOR", "fr-en"] == 1  # the scores of segments 0, 0 and 1
    assert shifted["-1 from 2"]["METEOR", "fr-en"] == 1  # 0, 1 and 1
    assert shifted["+1 from 0"]["METEOR", "fr-en"] == -1  # 1, 2 and 2


@pytest.mark.slow
@needs_archives
def test_the_table_is_what_the_script_gives():
    """On the quickest search of systems, and on the pairs of segments of a direction."""
    campaigns = list(load_campaigns(archives.unpacked("wmt13"), runtime=script.RUNTIME))
    assert tuple(script.human_scores(campaigns)) == tried("mteval")
    (czech,) = (each for each in campaigns if each.lp == "cs-en")
    (ours,) = (
        script.JudgedPairs.of(script.with_tokens(czech, ""), {"SENTBLEU-MOSES": "sentbleu:tok=13a"}).taus().values()
    )
    assert ours == pytest.approx(0.202, abs=0.0005)


def met_on_page(table: str, metric: str) -> int:
    """How many values of a metric in the directions into English the page of reproductions has as met."""
    rows = re.findall(rf"^\| {table} \| {re.escape(metric)}, [a-z]+-en \| .*\| met \|", PAGE.read_text("utf-8"), re.M)
    return len(rows)
