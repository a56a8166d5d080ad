"""docs/methods/triage.md has what scripts/triage_promise.py measures."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scripts import triage_promise as script

PAGE = script.PAGE.read_text(encoding="utf-8")


def rows(name: str) -> list[list[str]]:
    """The rows of a table of the page."""
    table = re.search(rf"<!-- {name}[^\n]*-->\n\n\|[^\n]*\n\|[-:|]+\|\n((?:\|[^\n]*\n)*)", PAGE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[1].splitlines()]


def test_rows_take_the_place_of_rows():
    page = "a\n\n<!-- x: how -->\n\n| a | b |\n|---|--:|\n| old | 1 |\n\nb\n"
    new = script.replaced(page, "x", [("new", "2"), ("", "3")])
    assert new == page.replace("| old | 1 |\n", "| new | 2 |\n|  | 3 |\n")
    assert script.replaced(new, "x", [("old", "1")]) == page
    with pytest.raises(ValueError, match="no table called y"):
        script.replaced(page, "y", [])


def test_the_page_has_all_kinds_of_campaigns_and_the_promise_is_kept_up_to_the_longest_document():
    asked = [(documents, f"{100 * rate:.0f} %") for kind in script.KINDS for documents, rate in kind.asked]
    found = rows("simulated")
    assert [(int(row[1]), row[2]) for row in found] == asked
    assert [row[0] for row in found if row[0]] == [kind.words for kind in script.KINDS]
    assert all(int(row[6]) <= 0.05 * script.CAMPAIGNS for row in found)
    assert max(int(row[5]) for row in found) > 0.15 * script.CAMPAIGNS  # of documents longer than any judged


def test_the_sentences_have_the_sums_of_the_table():
    found = rows("held-out")
    same, broken, others, others_broken = (sum(int(row[k].replace("–", "0")) for row in found) for k in (3, 4, 6, 7))
    assert f"the promise was kept in {same - broken} of {same} cases on WMT25" in PAGE
    assert f"it was broken in {others_broken} of {others}." in PAGE


def test_the_true_rate_decides_what_is_broken():
    kind = script.Kind("equal", lambda random: (10, 0.2), ((40, 0.1), (40, 0.5)), slope=0.0)
    refused, given = script.simulated(campaigns=5, truth=500, kinds=(kind,))
    assert (refused.thresholds, given.thresholds, given.broken) == (0, 5, 0)
    assert given.truth == pytest.approx(0.2, abs=0.02)
    always = script.made(kind, 40, np.random.default_rng(1))
    assert script._outcome(always, script.made(kind, 200, np.random.default_rng(2)), 0.4) == (False, False)


@pytest.mark.slow
def test_the_hardest_kind_again():
    kind = next(each for each in script.KINDS if "half of these have only errors" in each.words)
    again = [list(row) for row in script.kept_rows(list(script.simulated(kinds=(kind,))))]
    place = [row[0] for row in rows("simulated")].index(kind.words)
    assert rows("simulated")[place : place + len(again)] == again
