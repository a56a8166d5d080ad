from __future__ import annotations

from assay import leaderboard, load
from assay.reports import document
from assay.reports.table import Table

REFERENCES = ["the cat sat on the mat", "good morning to you all"] * 4
GOOD, POOR = REFERENCES, ["the cat sat", "good day"] * 4


def board(*, alone=False):
    """Two language pairs; with `alone`, no system has both."""
    german = load(outputs={"good": GOOD, "poor": POOR}, references=REFERENCES, lp="en-de")
    names = ("third", "fourth") if alone else ("good", "poor")
    czech = load(outputs=dict(zip(names, (GOOD, POOR), strict=True)), references=REFERENCES, lp="en-cs")
    return leaderboard([german, czech], ["chrf", "bleu"], resamples=200)


def test_several_language_pairs_have_a_mean_and_wins_and_what_all_tables_say_once():
    text = Table().render(document(board()))
    lines = [line.split() for line in text.splitlines()]
    assert ["rank", "chrf", "corpus", "mean", "pairs", "wins", "top", "en-de", "en-cs"] in lines
    assert ["1", "good", "100.00", "2", "2", "2", "100.00", "(1)", "100.00", "(1)"] in lines
    assert text.count("pairs: language pairs with a score") == 1
    assert text.count("in parentheses: cluster") == 1


def test_ranks_and_means_that_no_system_has_are_left_out():
    lines = [line.split() for line in Table().render(document(board(alone=True))).splitlines()]
    assert ["chrf", "corpus", "pairs", "wins", "top", "en-de", "en-cs"] in lines
    assert ["good", "1", "1", "1", "100.00", "(1)"] in lines
